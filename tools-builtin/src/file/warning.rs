//! What a model is told of a change that went through and may not be what it meant.

use serde::Serialize;

/// A warning beside a result.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Warning {
    kind: Concern,
    message: String,
}

/// What a warning is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
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
    /// The file was in another encoding, and is UTF-8 now.
    Encoding,
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
    pub(super) fn is_stale(&self) -> bool {
        matches!(self.kind, Concern::Stale | Concern::Sibling)
    }

    /// Whether what stood there before may be wanted back.
    pub(super) fn loses_something(&self) -> bool {
        self.is_stale()
            || matches!(
                self.kind,
                Concern::PartialRead | Concern::Placeholder | Concern::Encoding
            )
    }

    /// What is warned of, in words.
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// Adds where the old contents are.
    pub(super) fn kept_in(&mut self, checkpoint: &str) {
        use std::fmt::Write as _;
        // Writing to a `String` cannot fail.
        let _ = write!(
            self.message,
            "; what stood there is in checkpoint `{checkpoint}`"
        );
    }
}
