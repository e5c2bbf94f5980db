//! Why a session cannot be put together.

use std::error::Error;
use std::fmt;

/// Why a session cannot be put together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// Its tools take state that it does not have.
    MissingState(MissingState),
    /// Rules of its policy do not read, so that what they forbid is not known.
    UnreadableRules(UnreadableRules),
}

/// Rules of a [`Policy`](crate::dispatch::guard::Policy) that do not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableRules {
    /// The rules as they were given; at least one.
    pub rules: Vec<String>,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingState(missing) => missing.fmt(f),
            Self::UnreadableRules(rules) => rules.fmt(f),
        }
    }
}

impl Error for BuildError {}

impl fmt::Display for UnreadableRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.rules.join("`, `");
        write!(
            f,
            "what the policy forbids cannot be told from `{rules}`; write a host for `block_site`, and a \
             pattern with `*` and `?` for `deny_command`"
        )
    }
}

impl Error for UnreadableRules {}

impl From<MissingState> for BuildError {
    fn from(missing: MissingState) -> Self {
        Self::MissingState(missing)
    }
}

impl From<UnreadableRules> for BuildError {
    fn from(rules: UnreadableRules) -> Self {
        Self::UnreadableRules(rules)
    }
}

/// A session was put together without state that its tools take.
///
/// Tools marked `agent_loop` do not count: theirs is the answer that the agent loop must handle the
/// call. Nor does the workspace: tools that take it are unavailable without one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingState {
    /// Each tool with the type that it takes and the session does not have, sorted by tool.
    pub missing: Vec<(&'static str, &'static str)>,
}

impl fmt::Display for MissingState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (tool, name)) in self.missing.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            write!(
                f,
                "`{tool}` takes `{name}`, which the session does not have"
            )?;
        }
        f.write_str("; put it in with `SessionBuilder::state`, or leave the tool out")
    }
}

impl Error for MissingState {}
