//! Prompts: texts that a pack offers to the people who use its tools, with places to fill in.
//!
//! A person chooses a prompt, for instance from the menu of an MCP client, and a conversation begins with
//! its messages. Tools are for models; prompts are for people.

use crate::entry::Origin;
use crate::output::{Content, ToolError};

/// One prompt. Written with [`prompt!`](crate::prompt!).
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Prompt {
    /// Name: lower case, digits, `_` and `-`.
    pub name: &'static str,
    /// The toolset it belongs to: it is offered where a tool of that toolset can be used.
    pub toolset: &'static str,
    /// One sentence for people.
    pub description: &'static str,
    /// What has to be filled in, in the order in which it is asked for.
    pub arguments: &'static [PromptArgument],
    /// Writes the messages.
    pub messages: PromptWriter,
    /// Where it was declared.
    pub origin: Origin,
}

/// Writes the messages of a prompt.
pub type PromptWriter = fn(PromptArguments<'_>) -> Result<Vec<PromptMessage>, ToolError>;

/// What a function that writes the messages of a prompt may return: a message, a list of them, or a
/// `Result` of those.
pub trait PromptOutput {
    /// The messages.
    ///
    /// # Errors
    ///
    /// What was filled in does not do; the error says what would.
    fn into_messages(self) -> Result<Vec<PromptMessage>, ToolError>;
}

/// What has to be filled into a prompt.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct PromptArgument {
    /// Its name.
    pub name: &'static str,
    /// One sentence for people.
    pub description: &'static str,
    /// Whether it may not be left out.
    pub required: bool,
    /// What it may be, where that can be told; offered while a person types.
    pub values: &'static [&'static str],
}

/// What was filled in.
#[derive(Debug, Clone, Copy)]
pub struct PromptArguments<'a>(&'a [(&'a str, &'a str)]);

/// One message of the conversation that a prompt begins.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PromptMessage {
    /// Whether the model says it; else the user does.
    pub by_model: bool,
    /// What is said.
    pub content: Content,
}

impl Prompt {
    /// A prompt without arguments; [`prompt!`](crate::prompt!) fills in the rest.
    pub const fn new(
        name: &'static str,
        toolset: &'static str,
        description: &'static str,
        messages: PromptWriter,
        origin: Origin,
    ) -> Self {
        Self {
            name,
            toolset,
            description,
            arguments: &[],
            messages,
            origin,
        }
    }

    /// Sets what has to be filled in.
    #[must_use]
    pub const fn arguments(mut self, arguments: &'static [PromptArgument]) -> Self {
        self.arguments = arguments;
        self
    }
}

impl PromptArgument {
    /// An argument that may not be left out.
    pub const fn required(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            description,
            required: true,
            values: &[],
        }
    }

    /// An argument that may be left out.
    pub const fn optional(name: &'static str, description: &'static str) -> Self {
        Self {
            required: false,
            ..Self::required(name, description)
        }
    }

    /// Sets what it may be. It is a hint: other texts are let through.
    #[must_use]
    pub const fn values(mut self, values: &'static [&'static str]) -> Self {
        self.values = values;
        self
    }
}

impl<'a> PromptArguments<'a> {
    /// Names with what was filled in for them.
    pub const fn new(filled: &'a [(&'a str, &'a str)]) -> Self {
        Self(filled)
    }

    /// What was filled in; empty when nothing was, which is never so for a required argument.
    pub fn get(&self, name: &str) -> &'a str {
        let filled = self.0.iter().find(|(known, _)| *known == name);
        filled.map_or("", |(_, text)| text)
    }
}

impl PromptMessage {
    /// A message of the user.
    pub fn user(content: impl Into<Content>) -> Self {
        Self {
            by_model: false,
            content: content.into(),
        }
    }

    /// A message of the model.
    pub fn model(content: impl Into<Content>) -> Self {
        Self {
            by_model: true,
            content: content.into(),
        }
    }
}

impl PromptOutput for PromptMessage {
    fn into_messages(self) -> Result<Vec<PromptMessage>, ToolError> {
        Ok(vec![self])
    }
}

impl PromptOutput for Vec<PromptMessage> {
    fn into_messages(self) -> Result<Vec<PromptMessage>, ToolError> {
        Ok(self)
    }
}

impl<T: PromptOutput> PromptOutput for Result<T, ToolError> {
    fn into_messages(self) -> Result<Vec<PromptMessage>, ToolError> {
        self.and_then(PromptOutput::into_messages)
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&'static str> for Content {
    fn from(text: &'static str) -> Self {
        Self::text(text)
    }
}

/// Every prompt that is linked into this binary, sorted by name, then by the place of declaration.
///
/// Empty without the feature `link`.
pub fn linked_prompts() -> Vec<&'static Prompt> {
    #[cfg(feature = "link")]
    let mut prompts: Vec<&'static Prompt> = crate::link::prompts().collect();
    #[cfg(not(feature = "link"))]
    let mut prompts: Vec<&'static Prompt> = Vec::new();
    prompts.sort_unstable_by(|a, b| (a.name.cmp(b.name)).then_with(|| a.origin.cmp(&b.origin)));
    prompts
}

/// Declares a prompt and registers it at link time.
///
/// ```
/// use hermes_tools::{PromptArgument, PromptArguments, PromptMessage};
///
/// hermes_tools::prompt! {
///     name: "review",
///     toolset: "file",
///     description: "Have a file reviewed.",
///     arguments: [
///         PromptArgument::required("path", "The file."),
///         PromptArgument::optional("depth", "How closely to look.").values(&["quick", "thorough"]),
///     ],
///     messages: review,
/// }
///
/// fn review(filled: PromptArguments<'_>) -> PromptMessage {
///     PromptMessage::user(format!("Review the file `{}`.", filled.get("path")))
/// }
///
/// let prompts = hermes_tools::linked_prompts();
/// let review = prompts.iter().find(|prompt| prompt.name == "review").unwrap();
/// let messages = (review.messages)(PromptArguments::new(&[("path", "a.txt")]))?;
/// assert_eq!(messages[0].content.as_text(), "Review the file `a.txt`.");
/// # Ok::<(), hermes_tools::ToolError>(())
/// ```
#[macro_export]
macro_rules! prompt {
    (
        name: $name:literal,
        toolset: $toolset:literal,
        description: $description:literal,
        $(arguments: [$($argument:expr),* $(,)?],)?
        messages: $messages:expr $(,)?
    ) => {
        const _: () = {
            static PROMPT: $crate::Prompt = $crate::Prompt::new(
                $name,
                $toolset,
                $description,
                |filled| $crate::PromptOutput::into_messages(($messages)(filled)),
                $crate::__private::origin!(),
            )
            $(.arguments(&[$($argument),*]))?;
            $crate::__private::submit_prompt!(PROMPT);
        };
    };
}
