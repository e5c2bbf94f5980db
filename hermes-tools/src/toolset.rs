//! Toolsets as they are declared: a name, the tools it lists, the toolsets it includes.
//!
//! This module holds declarations only. What a name means in the end (includes, aliases, tools that
//! were merely registered under it) is resolved by the crate `hermes-toolsets`.

use crate::effect::Effect;
use crate::entry::Origin;

/// One declared toolset. Written with [`toolset!`](crate::toolset!).
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Toolset {
    /// Name: lower case, digits, `_` and `-`.
    pub name: &'static str,
    /// One sentence for people.
    pub description: &'static str,
    /// Names of the tools it lists. They need not be linked.
    pub tools: &'static [&'static str],
    /// Names of the toolsets it includes.
    pub includes: &'static [&'static str],
    /// Tools among `tools` that it hands out without owning them: disabling this toolset does not
    /// take them from another enabled one that grants them.
    pub lent: &'static [&'static str],
    /// Also hands out the core list, and disabling it never takes a core tool away. True for the
    /// bundles of platforms.
    pub core: bool,
    /// Lists tools for a way of working without owning them: disabling it takes away only what is
    /// not in the core list.
    pub posture: bool,
    /// The most that any tool of this toolset may do.
    pub max_effect: Option<Effect>,
    /// Where it was declared.
    pub origin: Origin,
}

impl Toolset {
    /// A toolset without tools; [`toolset!`](crate::toolset!) fills in the rest.
    pub const fn new(name: &'static str, description: &'static str, origin: Origin) -> Self {
        Self {
            name,
            description,
            tools: &[],
            includes: &[],
            lent: &[],
            core: false,
            posture: false,
            max_effect: None,
            origin,
        }
    }

    /// Sets the listed tools.
    #[must_use]
    pub const fn tools(mut self, tools: &'static [&'static str]) -> Self {
        self.tools = tools;
        self
    }

    /// Sets the included toolsets.
    #[must_use]
    pub const fn includes(mut self, includes: &'static [&'static str]) -> Self {
        self.includes = includes;
        self
    }

    /// Names the tools that are handed out without being owned.
    #[must_use]
    pub const fn lent(mut self, lent: &'static [&'static str]) -> Self {
        self.lent = lent;
        self
    }

    /// Says whether the core list belongs to it.
    #[must_use]
    pub const fn core(mut self, core: bool) -> Self {
        self.core = core;
        self
    }

    /// Says whether it is a posture.
    #[must_use]
    pub const fn posture(mut self, posture: bool) -> Self {
        self.posture = posture;
        self
    }

    /// Bounds what its tools may do.
    #[must_use]
    pub const fn max_effect(mut self, effect: Effect) -> Self {
        self.max_effect = Some(effect);
        self
    }
}

/// Every toolset that is linked into this binary, sorted by name, then by the place of declaration.
///
/// Empty without the feature `link`.
pub fn linked_toolsets() -> Vec<&'static Toolset> {
    #[cfg(feature = "link")]
    let mut toolsets: Vec<&'static Toolset> = crate::link::toolsets().collect();
    #[cfg(not(feature = "link"))]
    let mut toolsets: Vec<&'static Toolset> = Vec::new();
    // Names differ nearly always, so that the places are seldom looked at.
    toolsets.sort_unstable_by(|a, b| (a.name.cmp(b.name)).then_with(|| a.origin.cmp(&b.origin)));
    toolsets
}

/// Declares a toolset and registers it at link time.
///
/// `name` and `description` come first, everything else is optional and may stand in any order:
/// `tools`, `includes`, `lent` (lists of names), `core`, `posture` (`true` or `false`) and
/// `max_effect` (an [`Effect`](crate::Effect)).
///
/// ```
/// hermes_tools::toolset! {
///     name: "research",
///     description: "Reading the web and files, changing nothing.",
///     tools: ["web_search", "read_file"],
///     includes: ["vision"],
///     max_effect: hermes_tools::Effect::Read,
/// }
///
/// let toolsets = hermes_tools::linked_toolsets();
/// let research = toolsets.iter().find(|toolset| toolset.name == "research").unwrap();
/// assert_eq!(research.includes, ["vision"]);
/// ```
#[macro_export]
macro_rules! toolset {
    (
        name: $name:literal,
        description: $description:literal
        $(, $key:ident : $value:tt $(:: $rest:ident)*)*
        $(,)?
    ) => {
        const _: () = {
            static TOOLSET: $crate::Toolset =
                $crate::Toolset::new($name, $description, $crate::__private::origin!())
                $(.$key($crate::__toolset_value!($key $value $(:: $rest)*)))*;
            $crate::__private::submit_toolset!(TOOLSET);
        };
    };
}

/// Lists are written without `&` in `toolset!`.
#[doc(hidden)]
#[macro_export]
macro_rules! __toolset_value {
    (tools [$($name:literal),* $(,)?]) => { &[$($name),*] };
    (includes [$($name:literal),* $(,)?]) => { &[$($name),*] };
    (lent [$($name:literal),* $(,)?]) => { &[$($name),*] };
    ($key:ident $($value:tt)*) => { $($value)* };
}
