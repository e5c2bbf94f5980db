//! Why a session cannot be put together.

use std::error::Error;
use std::fmt;

use crate::names;
use crate::registry::{Snapshot, Tool};
use crate::selection::{Selection, Why};

/// Why a session cannot be put together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// Its tools take state that it does not have.
    MissingState(MissingState),
    /// Rules of its policy do not read, so that what they forbid is not known.
    UnreadableRules(UnreadableRules),
    /// It was to have tools that do not exist.
    UnknownTools(UnknownTools),
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
            Self::UnknownTools(unknown) => unknown.fmt(f),
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

impl From<UnknownTools> for BuildError {
    fn from(unknown: UnknownTools) -> Self {
        Self::UnknownTools(unknown)
    }
}

/// Tools were selected by names that no tool of the registry has.
///
/// What a toolset grants does not count: it may list what only other packs have. Nor does anything where
/// the builder was told that tools come later
/// ([`SessionBuilder::tools_come_later`](crate::SessionBuilder::tools_come_later)).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTools {
    /// The names, at least one, sorted.
    pub unknown: Vec<UnknownTool>,
}

/// A name that no tool has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTool {
    /// The name as it was selected.
    pub name: String,
    /// Tools of the registry with nearly this name, the nearest first, at most three.
    pub near: Vec<String>,
}

impl UnknownTools {
    /// Looks for the names that were selected one by one.
    pub(crate) fn look_for(selection: &Selection, snapshot: &Snapshot) -> Result<(), Self> {
        let tools = || snapshot.tools().iter().map(Tool::name);
        let unknown: Vec<UnknownTool> = selection
            .iter()
            .filter(|(name, why)| matches!(why, Why::Named) && snapshot.get(name).is_none())
            .map(|(name, _)| {
                let near = names::near(name, tools());
                UnknownTool {
                    name: name.to_owned(),
                    near: near.into_iter().map(str::to_owned).collect(),
                }
            })
            .collect();
        if unknown.is_empty() {
            return Ok(());
        }
        Err(Self { unknown })
    }
}

impl fmt::Display for UnknownTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, UnknownTool { name, near }) in self.unknown.iter().enumerate() {
            let between = if index > 0 { "; " } else { "" };
            write!(f, "{between}there is no tool `{name}`")?;
            if !near.is_empty() {
                write!(f, "; did you mean `{}`?", near.join("` or `"))?;
            }
        }
        if self.unknown.iter().any(|unknown| unknown.near.is_empty()) {
            f.write_str("; link its pack, or say `SessionBuilder::tools_come_later`")?;
        }
        Ok(())
    }
}

impl Error for UnknownTools {}

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
