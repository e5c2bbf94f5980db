//! A call as a model made it, and its answer.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::args::{RawArguments, Repair, render_string};
use crate::context::{Cancel, Listener, LogEvent, LogListener, ProgressEvent};
use crate::output::{Fit, Output, ToolError};

/// A call as a model made it.
#[derive(Clone)]
pub struct ToolCall {
    pub(crate) name: String,
    pub(crate) arguments: String,
    pub(crate) id: Option<Arc<str>>,
    pub(crate) cancel: Cancel,
    pub(crate) timeout: Option<Duration>,
    pub(crate) progress: Option<Arc<Listener>>,
    pub(crate) log: Option<Arc<LogListener>>,
    pub(crate) by_host: bool,
    pub(crate) turn: Option<Arc<str>>,
    pub(crate) request: Option<Arc<str>>,
    pub(crate) unhooked: bool,
    pub(crate) cut: bool,
}

/// The answer to a call.
#[derive(Debug)]
#[non_exhaustive]
pub struct CallResult {
    /// The id under which the model knows the call.
    pub id: Option<Arc<str>>,
    /// The tool that was called, by its own name, or the name that was asked for when there is none.
    pub tool: Cow<'static, str>,
    /// What the tool gave back.
    pub outcome: Result<Output, ToolError>,
    /// What had to be changed in the arguments before they fitted.
    pub repairs: Vec<Repair>,
    /// What the model should know beside the outcome, such as that it goes in circles.
    pub notes: Vec<String>,
    /// How much of the output the model sees.
    pub fit: Fit,
    /// The number of the call among those of its session; 0 when no tool was called.
    pub(crate) number: u64,
}

impl ToolCall {
    /// A call of a tool with arguments as the model sent them, a JSON object.
    pub fn new(name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            arguments: arguments.into(),
            id: None,
            cancel: Cancel::never(),
            timeout: None,
            progress: None,
            log: None,
            by_host: false,
            turn: None,
            request: None,
            unhooked: false,
            cut: false,
        }
    }

    /// Says that the host calls, not a model, so that hidden tools may be called.
    #[must_use]
    pub fn by_host(mut self) -> Self {
        self.by_host = true;
        self
    }

    /// Sets the id under which the model knows the call.
    #[must_use]
    pub fn id(mut self, id: impl Into<Arc<str>>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets what cancels the call.
    #[must_use]
    pub fn cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// Sets how long the call may take, in place of the tool's own limit.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Says why the model stopped, in the words of its provider. Where that was a limit of length,
    /// arguments that are not complete are refused as truncated; see
    /// [`RawArguments::finish_reason`].
    #[must_use]
    pub fn finish_reason(mut self, reason: &str) -> Self {
        self.cut = RawArguments::new("").finish_reason(reason).is_cut();
        self
    }

    /// Listens to how far the call has come.
    #[must_use]
    pub fn on_progress(
        mut self,
        listener: impl Fn(ProgressEvent<'_>) + Send + Sync + 'static,
    ) -> Self {
        self.progress = Some(Arc::new(listener));
        self
    }

    /// Listens to what the tool says for people while it runs. Calls may share the listener.
    #[must_use]
    pub fn on_log(mut self, listener: Arc<dyn Fn(LogEvent<'_>) + Send + Sync>) -> Self {
        self.log = Some(listener);
        self
    }
}

impl CallResult {
    pub(crate) fn new(
        tool: Cow<'static, str>,
        outcome: Result<Output, ToolError>,
        repairs: Vec<Repair>,
    ) -> Self {
        Self {
            tool,
            outcome,
            repairs,
            notes: Vec::new(),
            id: None,
            fit: Fit::Whole,
            number: 0,
        }
    }

    pub(crate) fn failed(tool: Cow<'static, str>, error: ToolError) -> Self {
        Self::new(tool, Err(error), Vec::new())
    }

    /// The answer as text for the model. An output is its text; when the arguments had to be changed,
    /// one line at the end says how, and each note is a line too. An error is one JSON object; there
    /// the field `arguments_changed` says how, and the notes are the list `notes`.
    pub fn model_text(&self) -> String {
        let output = match &self.outcome {
            Ok(output) => output,
            Err(error) => return self.error_text(error.to_json()),
        };
        let mut text = output.text().into_owned();
        let mut line = |told: &str| {
            text.push_str("\n[");
            text.push_str(told);
            text.push(']');
        };
        if !self.repairs.is_empty() {
            let repairs: Vec<String> = self.repairs.iter().map(Repair::to_string).collect();
            line(&format!("arguments changed: {}", repairs.join("; ")));
        }
        self.notes.iter().for_each(|note| line(note));
        text
    }

    fn error_text(&self, mut json: String) -> String {
        if !self.repairs.is_empty() {
            let repairs: Vec<String> = self.repairs.iter().map(Repair::to_string).collect();
            json.pop();
            json.extend([
                ",\"arguments_changed\":",
                &render_string(&repairs.join("; ")),
                "}",
            ]);
        }
        if !self.notes.is_empty() {
            let notes: Vec<String> = self.notes.iter().map(|note| render_string(note)).collect();
            json.pop();
            json.push_str(",\"notes\":[");
            json.push_str(&notes.join(","));
            json.push_str("]}");
        }
        json
    }
}

impl fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("name", &self.name)
            .field("arguments", &self.arguments)
            .field("id", &self.id)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
