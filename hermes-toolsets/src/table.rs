//! Definitions of toolsets together with registered tools, and what names mean there.

use std::collections::{BTreeMap, BTreeSet};

use hermes_tools::names::nearest;
use hermes_tools::{Effect, SessionSource, Snapshot};

use crate::custom::{Definition, Names};
use crate::presets::default_toolset;
use crate::resolution::{Resolution, Walk};
use crate::toolsets::Toolsets;

/// Toolsets over the tools of one registry. Made by [`Toolsets::with_tools`].
///
/// A name can mean four things, and all that apply are united: a definition, the tools registered
/// under it, the target of an alias, and the bundle of a plugin platform. `all` and `*` mean every
/// toolset.
#[derive(Debug, Clone)]
pub struct ToolsetTable<'t> {
    sets: &'t Toolsets,
    /// Pairs of toolset and tool, sorted.
    registered: Vec<(&'t str, &'t str)>,
    /// What the tools of a registry may do, sorted by name; empty where that is not known.
    effects: Vec<(&'t str, Effect)>,
    /// Aliases of a registry, in the order of registration.
    aliases: Vec<(&'t str, &'t str)>,
}

/// What is known of one toolset.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolsetInfo<'t> {
    /// The name that was asked for.
    pub name: &'t str,
    /// One sentence for people; empty where a definition has none.
    pub description: String,
    /// Tools that it lists itself or that are registered under it, sorted.
    pub tools: Vec<&'t str>,
    /// Toolsets that it includes, in the order of the definition.
    pub includes: Vec<&'t str>,
    /// The most that its tools may do.
    pub max_effect: Option<Effect>,
    /// Everything that it resolves to.
    pub resolved: Resolution<'t>,
}

impl<'t> ToolsetTable<'t> {
    pub(crate) fn new(
        sets: &'t Toolsets,
        tools: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Self {
        let mut registered: Vec<_> = tools.into_iter().map(|(tool, set)| (set, tool)).collect();
        registered.sort_unstable();
        registered.dedup();
        Self {
            sets,
            registered,
            effects: Vec::new(),
            aliases: Vec::new(),
        }
    }

    pub(crate) fn of_registry(sets: &'t Toolsets, snapshot: &'t Snapshot) -> Self {
        let tools = snapshot.tools();
        let mut table = Self::new(sets, tools.iter().map(|it| (it.name(), it.toolset())));
        // Sorted by name, as the snapshot is.
        table.effects = tools
            .iter()
            .map(|tool| (tool.name(), tool.declared_effect()))
            .collect();
        table.aliases = snapshot.aliases().collect();
        table
    }

    /// What a registered tool may do, where that is known.
    pub(crate) fn effect_of(&self, tool: &str) -> Option<Effect> {
        let place = self.effects.binary_search_by_key(&tool, |(name, _)| name);
        place.ok().map(|place| self.effects[place].1)
    }

    /// Pairs of alias and target: those of the definitions, then those of the registry.
    fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sets.aliases().chain(self.aliases.iter().copied())
    }

    /// Names of all toolsets, sorted. Tools that are registered under a name which nothing defines are
    /// listed under the first alias of that name, unless the alias is defined otherwise.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.sets.iter().map(Definition::name).collect();
        let mut first_alias = BTreeMap::new();
        for (alias, target) in self.aliases() {
            first_alias.entry(target).or_insert(alias);
        }
        for same in self.registered.chunk_by(|a, b| a.0 == b.0) {
            let name = same[0].0;
            if self.definition(name).is_none() {
                let alias = first_alias.get(name).copied();
                names.push(
                    alias
                        .filter(|name| self.definition(name).is_none())
                        .unwrap_or(name),
                );
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Whether a name is that of a toolset, `all` and `*` included. It may stand for no tools.
    pub fn is_known(&self, name: &str) -> bool {
        is_everything(name)
            || self.definition(name).is_some()
            || self.registered_under(name).next().is_some()
            || self.alias_target(name).is_some()
            || self.plugin_platform(name).is_some()
            || self.sets.expected().any(|expected| expected == name)
    }

    /// The tools that a name stands for; none for an unknown name.
    pub fn resolve<'s>(&'s self, name: &'s str) -> Resolution<'s> {
        self.resolve_many([name])
    }

    /// The tools that any of these names stands for. Unknown names stand for none.
    pub fn resolve_many<'s>(&'s self, names: impl IntoIterator<Item = &'s str>) -> Resolution<'s> {
        let mut walk = Walk::new(self);
        for name in names {
            walk.start(name);
        }
        walk.finish()
    }

    /// What is known of a toolset, or `None` for an unknown name.
    pub fn info<'s>(&'s self, name: &'s str) -> Option<ToolsetInfo<'s>> {
        if !self.is_known(name) {
            return None;
        }
        let mut tools = BTreeSet::new();
        let mut includes = Vec::new();
        let mut max_effect = None;
        for meaning in self.meanings(name) {
            tools.extend(self.registered_under(meaning));
            if let Some(set) = self.definition(meaning) {
                tools.extend(set.tools());
                if set.core() {
                    tools.extend(self.core());
                }
                includes.extend(set.includes());
                max_effect = max_effect.or(set.max_effect());
            }
        }
        Some(ToolsetInfo {
            name,
            description: self.describe(name),
            tools: tools.into_iter().collect(),
            includes,
            max_effect,
            resolved: self.resolve(name),
        })
    }

    /// What disabling a toolset takes away, when nothing else that is enabled grants a tool that it
    /// only lends. Sorted.
    ///
    /// That is everything it resolves to. A platform bundle or a posture leaves the core list alone.
    pub fn removed_by<'s>(&'s self, name: &'s str) -> Vec<&'s str> {
        let spared = self.spared_by(name);
        self.resolve(name)
            .tools()
            .filter(|tool| !spared.contains(tool))
            .collect()
    }

    /// The core tools that disabling a toolset leaves alone.
    pub(crate) fn spared_by(&self, name: &str) -> BTreeSet<&str> {
        if self.meanings(name).any(|meaning| self.is_bundle(meaning)) {
            self.core().collect()
        } else {
            BTreeSet::new()
        }
    }

    /// The toolsets that a session of this source starts with, or `None` when there are none.
    pub(crate) fn default_of(&self, source: &SessionSource) -> Option<Vec<&str>> {
        if let Some(names) = self.sets.default_of(source) {
            return Some(names.collect());
        }
        if let Some(name) = default_toolset(source).filter(|name| self.is_known(name)) {
            return Some(vec![name]);
        }
        let is_its_bundle = |name: &&str| name.strip_prefix(BUNDLE) == Some(source.name());
        let mut bundles = self
            .sets
            .iter()
            .map(Definition::name)
            .chain(self.sets.platform_bundles());
        bundles.find(is_its_bundle).map(|name| vec![name])
    }

    /// The toolset that was probably meant by a wrong name: the owner of a tool of that name, or else
    /// the nearest name.
    pub(crate) fn nearest(&self, wrong: &str) -> Option<Box<str>> {
        if let Some(way) = self.resolve("all").via(wrong) {
            return way.last().map(|&owner| owner.into());
        }
        let candidates = self
            .names()
            .into_iter()
            .chain(self.aliases().map(|(alias, _)| alias))
            .chain(self.sets.platform_bundles())
            .chain(self.sets.expected());
        nearest(wrong, candidates).map(Into::into)
    }

    pub(crate) fn definition(&self, name: &str) -> Option<Definition<'t>> {
        self.sets.get(name)
    }

    pub(crate) fn core(&self) -> Names<'t> {
        self.sets.core()
    }

    /// Tools that are registered under this toolset, sorted.
    pub(crate) fn registered_under(&self, toolset: &str) -> impl Iterator<Item = &'t str> {
        let start = self.registered.partition_point(|&(set, _)| set < toolset);
        let same = self.registered[start..]
            .iter()
            .take_while(move |&&(set, _)| set == toolset);
        same.map(|&(_, tool)| tool)
    }

    /// The toolset under which a tool is registered.
    pub(crate) fn toolset_of(&self, tool: &str) -> Option<&'t str> {
        let mut registered = self.registered.iter();
        registered
            .find(|(_, name)| *name == tool)
            .map(|(set, _)| *set)
    }

    /// All registered tools, in the order of their toolsets.
    pub(crate) fn registered(&self) -> impl Iterator<Item = &'t str> {
        self.registered.iter().map(|&(_, tool)| tool)
    }

    pub(crate) fn alias_target(&self, name: &str) -> Option<&'t str> {
        let of_registry = || self.aliases.iter().find(|(alias, _)| *alias == name);
        self.sets
            .alias_target(name)
            .or_else(|| of_registry().map(|(_, target)| *target))
    }

    /// The platform of a bundle that a plugin's registration alone makes.
    pub(crate) fn plugin_platform(&self, name: &str) -> Option<&'t str> {
        if self.definition(name).is_some() {
            return None;
        }
        let bundle = self
            .sets
            .platform_bundles()
            .find(|bundle| *bundle == name)?;
        bundle.strip_prefix(BUNDLE)
    }

    /// Whether a toolset lists tools that it shares with others: a platform bundle or a posture.
    pub(crate) fn is_bundle(&self, name: &str) -> bool {
        name.starts_with(BUNDLE)
            || self
                .definition(name)
                .is_some_and(|set| set.core() || set.posture())
    }

    /// A name, the target of the alias of that name, and so on.
    fn meanings<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s str> {
        let mut seen = BTreeSet::new();
        std::iter::successors(Some(name), |name| self.alias_target(name))
            .take_while(move |name| seen.insert(*name))
    }

    fn describe(&self, name: &str) -> String {
        if let Some(set) = self.definition(name) {
            set.description().to_owned()
        } else if is_everything(name) {
            "Every tool of every toolset.".to_owned()
        } else if let Some(platform) = self.plugin_platform(name) {
            format!("The core list and the tools of the platform `{platform}`.")
        } else if let Some(target) = self.alias_target(name) {
            format!("Another name of `{target}`.")
        } else if self.registered_under(name).next().is_some() {
            format!("Tools registered under `{name}`.")
        } else {
            format!("Tools of `{name}`, which have not arrived yet.")
        }
    }
}

/// What the names of platform bundles start with.
const BUNDLE: &str = "hermes-";

/// Whether a name means every toolset, whatever is defined under it.
pub(crate) fn is_everything(name: &str) -> bool {
    matches!(name, "all" | "*")
}

#[cfg(test)]
mod tests {
    use hermes_tools::{RuntimeTool, ToolRegistry};

    use super::*;
    use crate::custom::CustomToolset;
    use crate::request::Request;

    fn toolsets() -> Toolsets {
        let mut toolsets = Toolsets::empty();
        toolsets.define(CustomToolset::new("file").tools(["read", "write"]));
        toolsets.define(
            CustomToolset::new("work")
                .description("Work.")
                .tools(["note"])
                .includes(["file"]),
        );
        toolsets
    }

    #[test]
    fn info_tells_own_tools_from_included_ones() {
        let toolsets = toolsets();
        let table = toolsets.with_tools([("extra", "work")]);
        let info = table.info("work").unwrap();
        assert_eq!(info.description, "Work.");
        assert_eq!(info.tools, ["extra", "note"]);
        assert_eq!(info.includes, ["file"]);
        assert_eq!(
            info.resolved.tools().collect::<Vec<_>>(),
            ["extra", "note", "read", "write"]
        );
    }

    #[test]
    fn info_of_an_alias_is_that_of_its_target() {
        let mut toolsets = toolsets();
        toolsets.alias("job", "work");
        let table = toolsets.with_tools([]);
        let info = table.info("job").unwrap();
        assert_eq!(info.description, "Another name of `work`.");
        assert_eq!((info.tools, info.includes), (vec!["note"], vec!["file"]));
    }

    #[test]
    fn a_registry_brings_tools_aliases_and_effects() {
        let registry = ToolRegistry::of(&[]).unwrap();
        let tool = |name, toolset, effect| {
            RuntimeTool::new(name, toolset, "", serde_json::json!({})).effect(effect)
        };
        registry.register(tool("web_search", "web", Effect::Read));
        registry.register(tool("web_extract", "web", Effect::Destructive));
        registry.register(tool("mcp__gh__list", "mcp-gh", Effect::Read));
        registry.alias("gh", "mcp-gh");
        let toolsets = Toolsets::linked().unwrap();
        let snapshot = registry.snapshot();
        let table = toolsets.with_registry(&snapshot);
        assert_eq!(
            table.resolve("gh").tools().collect::<Vec<_>>(),
            ["mcp__gh__list"]
        );
        assert!(table.names().contains(&"gh"));
        // A webhook reads: what may do more is left out, and what comes later is bounded.
        let selected = table.select(&Request::new(SessionSource::Webhook)).unwrap();
        let selection = &selected.selection;
        assert_eq!(selection.bound("web_search"), Some(Effect::Read));
        assert_eq!(selection.bound("vision_analyze"), Some(Effect::Read));
        assert_eq!(selection.bound("web_extract"), None);
        assert_eq!(
            selected.warnings[0].to_string(),
            "tool `web_extract` of toolset `hermes-webhook` is left out: its effect is \
             destructive, and read is the most here"
        );
    }

    #[test]
    fn aliases_in_a_ring_end() {
        let mut toolsets = Toolsets::empty();
        toolsets.alias("a", "b");
        toolsets.alias("b", "a");
        let table = toolsets.with_tools([("t", "b")]);
        assert_eq!(table.info("a").unwrap().tools, ["t"]);
        assert_eq!(table.resolve("a").tools().collect::<Vec<_>>(), ["t"]);
        assert_eq!(table.removed_by("a"), ["t"]);
    }

    #[test]
    fn expected_names_are_known_and_stand_for_nothing() {
        let mut toolsets = Toolsets::empty();
        toolsets.expect("mcp-late");
        let table = toolsets.with_tools([]);
        assert!(table.is_known("mcp-late"));
        assert!(table.resolve("mcp-late").is_empty());
        assert_eq!(table.names(), Vec::<&str>::new());
    }

    #[test]
    fn a_wrong_name_leads_to_a_near_one_or_to_the_owner_of_a_tool() {
        let toolsets = Toolsets::linked().unwrap();
        let table = toolsets.with_tools([]);
        assert_eq!(table.nearest("wbe").as_deref(), Some("web"));
        assert_eq!(table.nearest("terminl").as_deref(), Some("terminal"));
        assert_eq!(table.nearest("file-tools").as_deref(), Some("file"));
        assert_eq!(table.nearest("read_file").as_deref(), Some("file"));
        assert_eq!(table.nearest("none"), None);
    }

    #[test]
    fn an_alias_of_a_bundle_spares_the_core_list_too() {
        let mut toolsets = Toolsets::empty();
        toolsets.set_core(["c1"]);
        toolsets.define(CustomToolset::new("hermes-pub").tools(["c1", "say"]));
        toolsets.alias("pub", "hermes-pub");
        let table = toolsets.with_tools([]);
        assert_eq!(table.removed_by("pub"), ["say"]);
    }
}
