//! How calls end, and the ids by which they are known.

use std::sync::Arc;

use crate::output::{ErrorKind, Output, ToolError};

/// How a call ended, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallStatus {
    /// The tool gave back its output.
    Ok,
    /// It failed.
    Error,
    /// It was not run: refused by the selection, a guard, a person, a hook or a limit.
    Blocked,
    /// It was cancelled.
    Cancelled,
    /// It took longer than it may.
    Timeout,
}

/// The ids by which a host and a model know a call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CallIds {
    /// The call, as the model names it.
    pub call: Option<Arc<str>>,
    /// The turn of the user in which it is made.
    pub turn: Option<Arc<str>>,
    /// The request to the provider whose answer holds it.
    pub request: Option<Arc<str>>,
}

impl CallStatus {
    /// The word: `ok`, `error`, `blocked`, `cancelled` or `timeout`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Blocked => "blocked",
            Self::Cancelled => "cancelled",
            Self::Timeout => "timeout",
        }
    }

    /// The status of a call that `ran`, as far as that is known.
    pub(crate) fn of(outcome: &Result<Output, ToolError>, ran: bool) -> Self {
        match outcome.as_ref().map_err(ToolError::kind) {
            Ok(_) => Self::Ok,
            Err(ErrorKind::Cancelled) => Self::Cancelled,
            Err(ErrorKind::Timeout) => Self::Timeout,
            Err(
                ErrorKind::MalformedArguments
                | ErrorKind::TruncatedArguments
                | ErrorKind::InvalidArguments,
            ) => Self::Error,
            Err(_) if ran => Self::Error,
            Err(_) => Self::Blocked,
        }
    }
}
