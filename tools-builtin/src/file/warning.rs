//! What a model is told of a change that went through and may not be what it meant.

use hermes_tools::{ErrorKind, ToolError};
use serde::Serialize;

use super::options::{FileOptions, StalePolicy};

/// A warning beside a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Warning {
    kind: Concern,
    message: String,
}

/// What a warning is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Concern {
    /// The file was changed since this session read it.
    Stale,
    /// Another session has written it since.
    Sibling,
    /// All of it was replaced, and only a part of it was read.
    PartialRead,
    /// The text seems to leave out a part of the old one.
    Placeholder,
    /// A further name of the file keeps the old contents.
    HardLink,
    /// The same was asked before, with the same answer.
    Repeat,
}

impl Warning {
    pub(super) fn new(kind: Concern, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }

    /// Whether someone else's change would be overwritten.
    fn is_stale(&self) -> bool {
        matches!(self.kind, Concern::Stale | Concern::Sibling)
    }
}

/// Refuses a change that would overwrite someone else's, when the session's options say so.
pub(super) fn refuse_stale(warnings: &[Warning], options: &FileOptions) -> Result<(), ToolError> {
    match warnings.iter().find(|warning| warning.is_stale()) {
        Some(warning) if options.stale == StalePolicy::Refuse => Err(ToolError::new(
            ErrorKind::Conflict,
            format!("{}: nothing was written", warning.message),
        )
        .with_help("read the file again, then send the change again")),
        _ => Ok(()),
    }
}
