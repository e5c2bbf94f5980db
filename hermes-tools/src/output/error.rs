//! Errors of calls: a stable code, a text for the model, a next step, a chain for the operator.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use super::ErrorKind;
use crate::args::{ArgumentError, Issue, render_string};

/// An error that a model gets as the answer to its call.
///
/// Any other error type of a tool becomes one of kind [`ErrorKind::Failed`] whose message is its
/// `Display`; its sources are for the operator and are not shown to the model.
///
/// ```
/// use hermes_tools::{ErrorKind, ToolError};
///
/// let error = ToolError::new(ErrorKind::NotFound, "no such note: `todo`")
///     .with_help("call `list_notes` for the names");
/// assert_eq!(error.code(), "not_found");
/// assert_eq!(error.to_string(), "no such note: `todo`; call `list_notes` for the names");
/// ```
#[derive(Debug)]
pub struct ToolError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    message: Cow<'static, str>,
    help: Option<Cow<'static, str>>,
    issues: Vec<Issue>,
    example: Option<String>,
    operator: Option<Cow<'static, str>>,
    retry: Option<bool>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ToolError {
    /// An error of this kind. The message is a lowercase fragment for the model.
    pub fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            help: None,
            issues: Vec::new(),
            example: None,
            operator: None,
            retry: None,
            source: None,
        }))
    }

    /// An error without a kind of its own.
    pub fn failed(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Failed, message)
    }

    /// Says what to do next, as a lowercase fragment in the imperative.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// Adds what caused it, for the operator.
    #[must_use]
    pub fn because(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Says that the same call may succeed when it is sent again, whatever the kind is.
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.0.retry = Some(true);
        self
    }

    /// Says that the same call will fail again, whatever the kind is.
    #[must_use]
    pub fn final_(mut self) -> Self {
        self.0.retry = Some(false);
        self
    }

    /// Adds what the operator should know and the model should not see, such as a host name.
    #[must_use]
    pub fn for_operator(mut self, text: impl Into<Cow<'static, str>>) -> Self {
        self.0.operator = Some(text.into());
        self
    }

    /// The arguments of a call of `tool` do not do; `example` is a call that would.
    pub fn arguments(tool: &str, error: &ArgumentError, example: String) -> Self {
        let kind = match error {
            ArgumentError::Malformed(_) => ErrorKind::MalformedArguments,
            ArgumentError::Truncated(_) => ErrorKind::TruncatedArguments,
            ArgumentError::Misfit(_) => ErrorKind::InvalidArguments,
        };
        let mut this = Self::new(kind, format!("invalid arguments for `{tool}`: {error}"))
            .with_help(error.help(&example));
        this.0.issues = error.issues().to_vec();
        this.0.example = Some(example);
        this
    }

    /// The kind.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The stable code of the kind.
    pub fn code(&self) -> &'static str {
        self.0.kind.code()
    }

    /// What went wrong, for the model.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What to do next. A refusal always says so: where it was not told, with the step that the
    /// catalogue names.
    pub fn help(&self) -> Option<&str> {
        let general = self.0.kind.is_refusal().then(|| self.0.kind.next_step());
        self.0
            .help
            .as_deref()
            .filter(|help| !help.is_empty())
            .or(general)
    }

    /// The single problems of arguments that do not fit.
    pub fn issues(&self) -> &[Issue] {
        &self.0.issues
    }

    /// Arguments that would fit, as JSON text.
    pub fn example(&self) -> Option<&str> {
        self.0.example.as_deref()
    }

    /// Whether the same call, sent again unchanged, may succeed.
    pub fn is_transient(&self) -> bool {
        self.0.retry.unwrap_or(self.0.kind.is_transient())
    }

    /// Whether the tool itself said that another try may help (`true`) or cannot (`false`).
    pub fn declared_retry(&self) -> Option<bool> {
        self.0.retry
    }

    /// The error for the operator: the text for the model, what was added with
    /// [`for_operator`](Self::for_operator), and the chain of causes, a line each.
    pub fn operator_text(&self) -> String {
        let mut lines = vec![format!("{} ({})", self.message(), self.code())];
        lines.extend(self.0.operator.as_deref().map(str::to_owned));
        let mut cause = Error::source(self);
        while let Some(error) = cause {
            let text = error.to_string();
            // An error made from another has its text; once is enough.
            if text != self.message() {
                lines.push(format!("caused by: {text}"));
            }
            cause = error.source();
        }
        lines.join("\n")
    }

    /// Changes every text that a model sees.
    pub(super) fn edit(&mut self, mut edit: impl FnMut(&str) -> Cow<'_, str>) {
        let mut owned = |text: &str| match edit(text) {
            Cow::Borrowed(same) if same.len() == text.len() => None,
            changed => Some(changed.into_owned()),
        };
        let inner = &mut *self.0;
        if let Some(message) = owned(&inner.message) {
            inner.message = message.into();
        }
        if let Some(help) = inner.help.as_deref().and_then(&mut owned) {
            inner.help = Some(help.into());
        }
        for issue in &mut inner.issues {
            for text in [&mut issue.path, &mut issue.problem]
                .into_iter()
                .chain(&mut issue.hint)
            {
                if let Some(changed) = owned(text) {
                    *text = changed;
                }
            }
        }
    }

    /// The error as one JSON object: `error`, `code`, and where there are any `help`, `retry` (when the
    /// tool said so) and `issues` (each with `path`, `problem` and maybe `hint`).
    pub fn to_json(&self) -> String {
        let mut json = format!("{{\"error\":{}", render_string(self.message()));
        let mut field = |name: &str, value: &str| {
            json.push_str(",\"");
            json.push_str(name);
            json.push_str("\":");
            json.push_str(value);
        };
        field("code", &render_string(self.code()));
        if let Some(help) = self.help() {
            field("help", &render_string(help));
        }
        if let Some(retry) = self.0.retry {
            field("retry", if retry { "true" } else { "false" });
        }
        if !self.issues().is_empty() {
            let issues: Vec<String> = self.issues().iter().map(issue_json).collect();
            field("issues", &format!("[{}]", issues.join(",")));
        }
        json.push('}');
        json
    }
}

fn issue_json(issue: &Issue) -> String {
    let hint = match &issue.hint {
        Some(hint) => format!(",\"hint\":{}", render_string(hint)),
        None => String::new(),
    };
    format!(
        "{{\"path\":{},\"problem\":{}{hint}}}",
        render_string(&issue.path),
        render_string(&issue.problem)
    )
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())?;
        match self.help() {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl Error for ToolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

/// An error type that a tool may return: every error of the standard kind, also boxed.
///
/// A bare `String` is one too as far as this trait can tell; `#[tool]` refuses it where it is
/// written, since a text alone says neither what kind of error it is nor what to do next.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool error",
    label = "not an error type",
    note = "return `ToolError`, or a type that implements `std::error::Error + Send + Sync`"
)]
pub trait IntoToolError {
    /// Makes it the error of a call.
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<Box<dyn Error + Send + Sync>>> IntoToolError for E {
    fn into_tool_error(self) -> ToolError {
        let error: Box<dyn Error + Send + Sync> = self.into();
        match error.downcast::<ToolError>() {
            Ok(error) => *error,
            Err(error) => ToolError::failed(error.to_string()).because(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_errors_keep_their_text_and_stay_reachable() {
        let foreign = std::io::Error::other("disk on fire");
        let error = foreign.into_tool_error();
        assert_eq!(error.kind(), ErrorKind::Failed);
        assert_eq!(error.message(), "disk on fire");
        assert!(
            error
                .source()
                .is_some_and(<dyn Error>::is::<std::io::Error>)
        );
    }

    #[test]
    fn our_own_errors_pass_through_a_box() {
        let boxed: Box<dyn Error + Send + Sync> =
            Box::new(ToolError::new(ErrorKind::NotFound, "no such file"));
        assert_eq!(boxed.into_tool_error().kind(), ErrorKind::NotFound);
    }

    #[test]
    fn a_tool_may_say_that_another_try_helps_or_does_not() {
        let error = ToolError::failed("busy").retryable();
        assert!(error.is_transient());
        assert_eq!(
            error.to_json(),
            r#"{"error":"busy","code":"failed","retry":true}"#
        );
        let error = ToolError::new(ErrorKind::Io, "disk is gone").final_();
        assert!(!error.is_transient());
        assert_eq!(error.declared_retry(), Some(false));
        assert!(ToolError::new(ErrorKind::Io, "x").is_transient());
    }

    #[test]
    fn the_operator_sees_more_than_the_model() {
        let error = ToolError::failed("the service does not answer")
            .for_operator("asked db7.internal")
            .because(std::io::Error::other("connection reset"));
        assert_eq!(
            error.operator_text(),
            "the service does not answer (failed)\nasked db7.internal\ncaused by: connection reset"
        );
        assert!(!error.to_json().contains("db7"));
    }

    #[test]
    fn json_holds_code_help_and_issues() {
        let misfit = ArgumentError::Misfit(vec![
            Issue::new("missing")
                .at_key("path")
                .with_hint("did you mean `pth`?"),
        ]);
        let error = ToolError::arguments("t", &misfit, "{}".to_owned());
        assert_eq!(
            error.to_json(),
            "{\"error\":\"invalid arguments for `t`: `path`: missing; did you mean `pth`?\",\
             \"code\":\"invalid_arguments\",\"help\":\"send the call again with these arguments corrected\",\
             \"issues\":[{\"path\":\"path\",\"problem\":\"missing\",\"hint\":\"did you mean `pth`?\"}]}"
        );
    }
}
