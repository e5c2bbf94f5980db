//! What a session lacks of what its tools take.

use std::fmt;

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

impl std::error::Error for MissingState {}
