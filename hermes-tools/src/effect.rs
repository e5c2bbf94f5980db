//! What a tool does to the world, and what an argument is.
//!
//! Effects and roles are the only source for guards, planning, approvals and audit: no list of tool
//! names decides anything.

use std::fmt;

/// The most a call of a tool may do. The order is that of severity.
///
/// A tool that does not say is taken to be [`Effect::Destructive`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Looks, and changes nothing that outlives the call.
    Read,
    /// Adds or changes what can be changed back.
    Write,
    /// May lose something for good, or act outside the machine.
    Destructive,
}

impl Effect {
    /// The word used in `effect = "..."` and in every listing.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Destructive => "destructive",
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What an argument stands for, beside its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// A path, relative to the workspace or absolute below its root.
    Path,
    /// A shell command.
    Command,
    /// Source text that will be run.
    Code,
    /// An address that will be fetched.
    Url,
    /// A value that must not be shown or logged.
    Secret,
}

impl Role {
    /// The word used in `role = "..."`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Command => "command",
            Self::Code => "code",
            Self::Url => "url",
            Self::Secret => "secret",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
