//! Which tools a session may see, and why.

use std::collections::BTreeMap;
use std::fmt;

use crate::effect::Effect;

/// The tools of a session by name, each with the reason why it is in.
///
/// A model cannot call what is not in the selection. Selections are made by the crate
/// `hermes-toolsets`, or by hand with [`Selection::of`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    tools: BTreeMap<Box<str>, Picked>,
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
        Self {
            tools: shared.collect(),
        }
    }

    /// Takes a tool out; true when it was there.
    pub fn remove(&mut self, name: &str) -> bool {
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
        self.tools.is_empty()
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
