//! Toolsets defined at run time, and one view over both kinds of definition.

use std::slice::Iter;

use hermes_tools::{Effect, Toolset};

/// A toolset that a configuration file or a plugin defines while the program runs.
///
/// ```
/// use hermes_toolsets::CustomToolset;
///
/// let review = CustomToolset::new("review")
///     .description("Reading code and asking about it.")
///     .tools(["read_file", "search_files"])
///     .includes(["clarify"]);
/// assert_eq!(review.name(), "review");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomToolset {
    name: Box<str>,
    description: Box<str>,
    tools: Vec<Box<str>>,
    includes: Vec<Box<str>>,
    lent: Vec<Box<str>>,
    core: bool,
    posture: bool,
    closed: bool,
    max_effect: Option<Effect>,
}

impl CustomToolset {
    /// A toolset of this name without tools.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.into(),
            description: "".into(),
            tools: Vec::new(),
            includes: Vec::new(),
            lent: Vec::new(),
            core: false,
            posture: false,
            closed: false,
            max_effect: None,
        }
    }

    /// Says in one sentence what it is for.
    #[must_use]
    pub fn description(mut self, description: &str) -> Self {
        self.description = description.into();
        self
    }

    /// Sets the listed tools; they need not be registered.
    #[must_use]
    pub fn tools<S: AsRef<str>>(mut self, tools: impl IntoIterator<Item = S>) -> Self {
        self.tools = boxed(tools);
        self
    }

    /// Sets the included toolsets.
    #[must_use]
    pub fn includes<S: AsRef<str>>(mut self, includes: impl IntoIterator<Item = S>) -> Self {
        self.includes = boxed(includes);
        self
    }

    /// Names the tools among the listed ones that it hands out without owning them, as in
    /// [`Toolset::lent`].
    #[must_use]
    pub fn lent<S: AsRef<str>>(mut self, lent: impl IntoIterator<Item = S>) -> Self {
        self.lent = boxed(lent);
        self
    }

    /// Says whether the core list belongs to it, as in [`Toolset::core`].
    #[must_use]
    pub fn core(mut self, core: bool) -> Self {
        self.core = core;
        self
    }

    /// Says whether it is a posture, as in [`Toolset::posture`].
    #[must_use]
    pub fn posture(mut self, posture: bool) -> Self {
        self.posture = posture;
        self
    }

    /// Says whether it has exactly what it lists and includes. Otherwise the tools that are registered
    /// under its name belong to it, too. Where it is disabled, they are taken away in any case.
    #[must_use]
    pub fn closed(mut self, closed: bool) -> Self {
        self.closed = closed;
        self
    }

    /// Bounds what its tools may do.
    #[must_use]
    pub fn max_effect(mut self, effect: Effect) -> Self {
        self.max_effect = Some(effect);
        self
    }

    /// The name that configurations use.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A definition of either kind.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Definition<'t> {
    Declared(&'static Toolset),
    Custom(&'t CustomToolset),
}

impl<'t> Definition<'t> {
    pub(crate) fn name(self) -> &'t str {
        match self {
            Self::Declared(set) => set.name,
            Self::Custom(set) => &set.name,
        }
    }

    pub(crate) fn description(self) -> &'t str {
        match self {
            Self::Declared(set) => set.description,
            Self::Custom(set) => &set.description,
        }
    }

    pub(crate) fn tools(self) -> Names<'t> {
        match self {
            Self::Declared(set) => Names::fixed(set.tools),
            Self::Custom(set) => Names::owned(&set.tools),
        }
    }

    pub(crate) fn includes(self) -> Names<'t> {
        match self {
            Self::Declared(set) => Names::fixed(set.includes),
            Self::Custom(set) => Names::owned(&set.includes),
        }
    }

    pub(crate) fn lends(self, tool: &str) -> bool {
        match self {
            Self::Declared(set) => set.lent.contains(&tool),
            Self::Custom(set) => set.lent.iter().any(|lent| **lent == *tool),
        }
    }

    pub(crate) fn core(self) -> bool {
        match self {
            Self::Declared(set) => set.core,
            Self::Custom(set) => set.core,
        }
    }

    pub(crate) fn posture(self) -> bool {
        match self {
            Self::Declared(set) => set.posture,
            Self::Custom(set) => set.posture,
        }
    }

    pub(crate) fn closed(self) -> bool {
        match self {
            Self::Declared(_) => false,
            Self::Custom(set) => set.closed,
        }
    }

    pub(crate) fn max_effect(self) -> Option<Effect> {
        match self {
            Self::Declared(set) => set.max_effect,
            Self::Custom(set) => set.max_effect,
        }
    }
}

/// Names of a definition: those of a declared one are read where the linker put them.
#[derive(Debug, Clone)]
pub(crate) struct Names<'t> {
    fixed: Iter<'t, &'static str>,
    owned: Iter<'t, Box<str>>,
}

impl<'t> Names<'t> {
    pub(crate) fn fixed(names: &'t [&'static str]) -> Self {
        Self {
            fixed: names.iter(),
            owned: [].iter(),
        }
    }

    pub(crate) fn owned(names: &'t [Box<str>]) -> Self {
        Self {
            fixed: [].iter(),
            owned: names.iter(),
        }
    }
}

impl<'t> Iterator for Names<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        match self.fixed.next() {
            Some(name) => Some(name),
            None => self.owned.next().map(|name| &**name),
        }
    }
}

/// Owned copies of names.
pub(crate) fn boxed<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Vec<Box<str>> {
    names.into_iter().map(|name| name.as_ref().into()).collect()
}
