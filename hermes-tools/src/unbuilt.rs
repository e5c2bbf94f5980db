//! Why a session cannot be put together.

use std::fmt;

use crate::names;
use crate::registry::{Snapshot, Tool};
use crate::selection::{Selection, Why};

/// A session was put together from names that no tool has, without state that its tools take, or with
/// rules that do not read. All of it is told at once.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildError {
    /// Tools that were selected by their names and are not in the registry, sorted by name.
    ///
    /// Tools that a toolset names do not count: it may name what only other packs have. Nor do any
    /// where the builder was told that tools come later
    /// ([`SessionBuilder::tools_come_later`](crate::SessionBuilder::tools_come_later)).
    pub unknown: Vec<UnknownTool>,
    /// Each tool with the type that it takes and the session does not have, sorted by tool.
    ///
    /// Tools marked `agent_loop` do not count: theirs is the answer that the agent loop must handle
    /// the call. Nor does the workspace: tools that take it are unavailable without one.
    pub missing: Vec<(&'static str, &'static str)>,
    /// Rules of the [`Policy`](crate::dispatch::guard::Policy) that do not read, as they were given: what
    /// they forbid is not known.
    pub rules: Vec<String>,
}

/// A name that no tool has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTool {
    /// The name as it was selected.
    pub name: String,
    /// Tools of the registry with nearly this name, the nearest first, at most three.
    pub near: Vec<String>,
}

impl BuildError {
    /// Whether there is nothing wrong.
    pub(crate) fn is_empty(&self) -> bool {
        self.unknown.is_empty() && self.missing.is_empty() && self.rules.is_empty()
    }
}

/// The tools that were selected one by one and are not there.
pub(crate) fn unknown_tools(selection: &Selection, snapshot: &Snapshot) -> Vec<UnknownTool> {
    let unknown = selection
        .iter()
        .filter(|(name, why)| matches!(why, Why::Named) && snapshot.get(name).is_none());
    unknown
        .map(|(name, _)| UnknownTool {
            name: name.to_owned(),
            near: names::near(name, snapshot.tools().iter().map(Tool::name))
                .into_iter()
                .map(str::to_owned)
                .collect(),
        })
        .collect()
}

impl fmt::Display for UnknownTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no tool `{}`", self.name)?;
        if !self.near.is_empty() {
            write!(f, "; did you mean `{}`?", self.near.join("` or `"))?;
        }
        Ok(())
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, unknown) in self.unknown.iter().enumerate() {
            let between = if index > 0 { "; " } else { "" };
            write!(f, "{between}{unknown}")?;
        }
        if self.unknown.iter().any(|unknown| unknown.near.is_empty()) {
            f.write_str("; link its pack, or say `SessionBuilder::tools_come_later`")?;
        }
        for (index, (tool, name)) in self.missing.iter().enumerate() {
            let between = if index > 0 || !self.unknown.is_empty() {
                "; "
            } else {
                ""
            };
            write!(
                f,
                "{between}`{tool}` takes `{name}`, which the session does not have"
            )?;
        }
        if !self.missing.is_empty() {
            f.write_str("; put it in with `SessionBuilder::state`, or leave the tool out")?;
        }
        if !self.rules.is_empty() {
            let between = if self.unknown.is_empty() && self.missing.is_empty() {
                ""
            } else {
                "; "
            };
            write!(
                f,
                "{between}what the policy forbids cannot be told from `{}`; write a host for `block_site`, \
                 and a pattern with `*` and `?` for `deny_command`",
                self.rules.join("`, `")
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for BuildError {}
