//! What a tool function may return.

use std::borrow::Cow;

use serde::Serialize;

use super::{Content, IntoToolError, Output, ToolError};

/// A type that a tool can return: text, [`Json`], [`Content`], a list of parts, or a `Result` of
/// those.
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "not something a model can read",
    note = "return `String`, `Json<T>`, `Content`, `Vec<Content>` or a `Result` of those"
)]
pub trait ToolOutput {
    /// Makes it a result.
    ///
    /// # Errors
    ///
    /// The error that the tool returned, or one that says why its value cannot be written.
    fn into_output(self) -> Result<Output, ToolError>;
}

/// A value that goes to the model as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Json<T>(pub T);

impl ToolOutput for String {
    // Out of line: it would stand in the glue of every tool.
    #[inline(never)]
    fn into_output(self) -> Result<Output, ToolError> {
        Ok(Content::Text(Cow::Owned(self)).into())
    }
}

impl ToolOutput for &'static str {
    fn into_output(self) -> Result<Output, ToolError> {
        Ok(Content::Text(Cow::Borrowed(self)).into())
    }
}

impl ToolOutput for Cow<'static, str> {
    fn into_output(self) -> Result<Output, ToolError> {
        Ok(Content::Text(self).into())
    }
}

impl<T: Serialize> ToolOutput for Json<T> {
    fn into_output(self) -> Result<Output, ToolError> {
        Content::json(&self.0).map(Output::from)
    }
}

impl ToolOutput for Content {
    fn into_output(self) -> Result<Output, ToolError> {
        Ok(self.into())
    }
}

impl ToolOutput for Vec<Content> {
    fn into_output(self) -> Result<Output, ToolError> {
        Ok(Output::new(self))
    }
}

impl ToolOutput for Output {
    fn into_output(self) -> Result<Output, ToolError> {
        Ok(self)
    }
}

impl<T: ToolOutput, E: IntoToolError> ToolOutput for Result<T, E> {
    fn into_output(self) -> Result<Output, ToolError> {
        match self {
            Ok(value) => value.into_output(),
            Err(error) => Err(error.into_tool_error()),
        }
    }
}
