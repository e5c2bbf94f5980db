//! Which tools a session may see, and why.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::effect::Effect;

/// The tools of a session by name, each with the reason why it is in.
///
/// A model cannot call what is not in the selection. Selections are made by the crate
/// `hermes-toolsets`, or by hand with [`Selection::of`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    tools: BTreeMap<Box<str>, Picked>,
    /// Toolsets of which every tool is in, also one that is registered later.
    open: BTreeMap<Box<str>, Picked>,
    /// Tools that no open toolset brings in.
    never: BTreeSet<Box<str>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Picked {
    why: Why,
    max_effect: Effect,
}

/// Why a tool is in a selection: the way from an enabled name to the toolset that grants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// Named one by one.
    Named,
    /// Granted by a toolset: `via` holds the names from the enabled one to the one that lists the
    /// tool, so `["debugging", "file"]` is `file`, included by `debugging`.
    Toolset {
        /// Toolset names, the enabled one first, at least one.
        via: Vec<Box<str>>,
    },
}

impl Selection {
    /// No tools at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// Exactly these tools.
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        names.into_iter().map(|name| (name, Why::Named)).collect()
    }

    /// Adds a tool. The first reason given for a tool stays.
    pub fn insert(&mut self, name: &str, why: Why) {
        self.insert_bounded(name, why, Effect::Destructive);
    }

    /// Adds a tool that is seen only while it says that it does no more than this. The first reason
    /// given for a tool stays, and the widest bound.
    pub fn insert_bounded(&mut self, name: &str, why: Why, max_effect: Effect) {
        let picked = self
            .tools
            .entry(name.into())
            .or_insert(Picked { why, max_effect });
        picked.max_effect = picked.max_effect.max(max_effect);
        self.never.remove(name);
    }

    /// Adds whatever tools a toolset has at any time, as far as they do no more than this: for toolsets
    /// that arrive late or change while the session goes on, such as those of MCP servers. Tools that were
    /// taken out stay out.
    pub fn insert_toolset(&mut self, toolset: &str, why: Why, max_effect: Effect) {
        self.open
            .entry(toolset.into())
            .or_insert(Picked { why, max_effect });
    }

    /// Those of these tools that another selection has too, each with the narrower bound: what a
    /// sub-agent may have of the tools of its parent.
    #[must_use]
    pub fn within(&self, other: &Self) -> Self {
        let shared = self.tools.iter().filter_map(|(name, picked)| {
            let bound = other.bound(name)?.min(picked.max_effect);
            let why = picked.why.clone();
            let max_effect = bound;
            Some((name.clone(), Picked { why, max_effect }))
        });
        let open = self.open.iter().filter_map(|(toolset, picked)| {
            let bound = other.open.get(toolset)?.max_effect.min(picked.max_effect);
            let why = picked.why.clone();
            let max_effect = bound;
            Some((toolset.clone(), Picked { why, max_effect }))
        });
        Self {
            tools: shared.collect(),
            open: open.collect(),
            never: self.never.union(&other.never).cloned().collect(),
        }
    }

    /// Takes a tool out, so that no toolset brings it in either; true when it was there.
    pub fn remove(&mut self, name: &str) -> bool {
        self.never.insert(name.into());
        self.tools.remove(name).is_some()
    }

    /// Whether the tool may be seen and called.
    pub fn contains(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }

    /// Whether a tool of this name that may do so much may be seen and called.
    pub fn allows(&self, name: &str, effect: Effect) -> bool {
        self.bound(name).is_some_and(|bound| effect <= bound)
    }

    /// Whether a tool of this name and toolset that may do so much may be seen and called.
    pub fn admits(&self, name: &str, toolset: &str, effect: Effect) -> bool {
        if self.allows(name, effect) {
            return true;
        }
        // Most selections have no open toolset.
        let open = self.open.get(toolset);
        open.is_some_and(|it| effect <= it.max_effect && !self.never.contains(name))
    }

    /// The most that the tool may do and still be seen, or `None` when it is not selected.
    pub fn bound(&self, name: &str) -> Option<Effect> {
        self.tools.get(name).map(|picked| picked.max_effect)
    }

    /// Why the tool is in, or `None` when it is not.
    pub fn why(&self, name: &str) -> Option<&Why> {
        self.tools.get(name).map(|picked| &picked.why)
    }

    /// Names with their reasons, sorted by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Why)> {
        self.tools
            .iter()
            .map(|(name, picked)| (&**name, &picked.why))
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether there is no tool at all.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.open.is_empty()
    }
}

impl<'n> FromIterator<(&'n str, Why)> for Selection {
    fn from_iter<I: IntoIterator<Item = (&'n str, Why)>>(tools: I) -> Self {
        let mut selection = Self::new();
        for (name, why) in tools {
            selection.insert(name, why);
        }
        selection
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named => f.write_str("named"),
            Self::Toolset { via } => {
                for (index, name) in via.iter().enumerate() {
                    if index > 0 {
                        f.write_str(" > ")?;
                    }
                    f.write_str(name)?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named() -> Why {
        Why::Named
    }

    #[test]
    fn an_open_toolset_brings_in_what_it_has_within_its_bound() {
        let mut selection = Selection::of(["a"]);
        selection.insert_toolset("mcp-x", named(), Effect::Write);
        assert!(selection.admits("a", "file", Effect::Destructive));
        assert!(selection.admits("late", "mcp-x", Effect::Write));
        assert!(!selection.admits("late", "mcp-x", Effect::Destructive));
        assert!(!selection.admits("late", "mcp-y", Effect::Read));
        selection.remove("late");
        assert!(!selection.admits("late", "mcp-x", Effect::Read));
        selection.insert("late", named());
        assert!(selection.admits("late", "mcp-x", Effect::Write));
    }

    #[test]
    fn a_child_has_no_open_toolset_that_its_parent_has_not() {
        let mut parent = Selection::new();
        parent.insert_toolset("mcp-x", named(), Effect::Read);
        parent.remove("secret");
        let mut child = Selection::new();
        child.insert_toolset("mcp-x", named(), Effect::Destructive);
        child.insert_toolset("mcp-y", named(), Effect::Destructive);
        let within = child.within(&parent);
        assert!(within.admits("look", "mcp-x", Effect::Read));
        assert!(!within.admits("look", "mcp-x", Effect::Write));
        assert!(!within.admits("secret", "mcp-x", Effect::Read));
        assert!(!within.admits("look", "mcp-y", Effect::Read));
    }
}
