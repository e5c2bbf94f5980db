//! Whether a tool can be used at all, here and now.

mod cache;
mod check;
mod jobs;
mod probe;
#[cfg(feature = "host")]
mod report;

use std::borrow::Cow;
use std::fmt;

pub use self::cache::{Answer, CheckCache, FRESH, GRACE, PROBE_TIMEOUT};
pub use self::check::CheckHandle;
#[cfg(feature = "host")]
pub use self::report::{ToolReport, ToolsetReport};

use crate::context::{SessionFacts, Workspace};

/// The answer of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Availability {
    /// The tool can be called.
    Available,
    /// It cannot.
    Unavailable {
        /// Why, as a lowercase fragment.
        reason: Cow<'static, str>,
        /// What would help, as a lowercase fragment in the imperative.
        remedy: Option<Cow<'static, str>>,
    },
}

/// What a check may ask. Checks read the session's facts and environment, never the process's.
#[derive(Debug, Clone, Copy)]
pub struct CheckContext<'a> {
    facts: &'a SessionFacts,
    workspace: Option<&'a Workspace>,
}

impl Availability {
    /// Unavailable for this reason.
    pub fn unavailable(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Unavailable {
            reason: reason.into(),
            remedy: None,
        }
    }

    /// Adds what would help.
    #[must_use]
    pub fn with_remedy(self, advice: impl Into<Cow<'static, str>>) -> Self {
        match self {
            Self::Available => Self::Available,
            Self::Unavailable { reason, .. } => Self::Unavailable {
                reason,
                remedy: Some(advice.into()),
            },
        }
    }

    /// Unavailable because these environment variables are not set. Values are never shown.
    pub fn missing_env(names: &[&str]) -> Self {
        let list = names
            .iter()
            .map(|name| format!("`{name}`"))
            .collect::<Vec<_>>()
            .join(", ");
        let noun = if names.len() == 1 {
            "variable"
        } else {
            "variables"
        };
        Self::unavailable(format!("environment {noun} not set: {list}"))
            .with_remedy(format!("set {list}"))
    }

    /// Whether the tool can be called.
    pub const fn is_available(&self) -> bool {
        matches!(self, Self::Available)
    }

    /// Why it cannot be called.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Available => None,
            Self::Unavailable { reason, .. } => Some(reason),
        }
    }

    /// What would help.
    pub fn remedy(&self) -> Option<&str> {
        match self {
            Self::Available => None,
            Self::Unavailable { remedy, .. } => remedy.as_deref(),
        }
    }
}

impl<'a> CheckContext<'a> {
    /// A context made of a session's facts and its workspace.
    pub const fn new(facts: &'a SessionFacts, workspace: Option<&'a Workspace>) -> Self {
        Self { facts, workspace }
    }

    /// The session's facts: where it comes from, whether it is delegated.
    pub const fn facts(&self) -> &'a SessionFacts {
        self.facts
    }

    /// The session's workspace, if it has one.
    pub const fn workspace(&self) -> Option<&'a Workspace> {
        self.workspace
    }

    /// An environment variable as the session sees it. Empty counts as not set.
    pub fn env(&self, name: &str) -> Option<String> {
        self.facts.env(name).filter(|value| !value.is_empty())
    }
}

impl fmt::Display for Availability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Available => f.write_str("available"),
            Self::Unavailable {
                reason,
                remedy: None,
            } => f.write_str(reason),
            Self::Unavailable {
                reason,
                remedy: Some(remedy),
            } => write!(f, "{reason}; {remedy}"),
        }
    }
}
