//! The toolsets of a program: what packs declare, and what a configuration adds.

use std::collections::BTreeMap;

use hermes_tools::{SessionSource, Snapshot, Toolset, linked_toolsets};

use crate::custom::{CustomToolset, Definition, Names, boxed};
use crate::error::DuplicateToolset;
use crate::presets::CORE_TOOLS;
use crate::table::ToolsetTable;

/// All definitions of toolsets, without the tools that are registered.
///
/// Made once; with the tools of a registry it becomes a [`ToolsetTable`], which answers questions.
#[derive(Debug, Clone, Default)]
pub struct Toolsets {
    /// Sorted by name, no name twice.
    declared: Vec<&'static Toolset>,
    custom: BTreeMap<Box<str>, CustomToolset>,
    /// Alias and target, in the order of registration.
    aliases: Vec<(Box<str>, Box<str>)>,
    /// Where in `aliases` an alias stands.
    alias_index: BTreeMap<Box<str>, usize>,
    /// Names of the bundles of plugin platforms, `hermes-` included.
    platform_bundles: Vec<Box<str>>,
    expected: Vec<Box<str>>,
    core: Option<Vec<Box<str>>>,
    defaults: BTreeMap<Box<str>, Vec<Box<str>>>,
}

impl Toolsets {
    /// No definitions at all.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Every toolset that is linked into this binary: the presets of this crate, and those of
    /// packs.
    ///
    /// # Errors
    ///
    /// Two declarations of one name: which of them came first would be up to the linker.
    pub fn linked() -> Result<Self, DuplicateToolset> {
        Self::of(linked_toolsets())
    }

    /// These declared toolsets.
    ///
    /// # Errors
    ///
    /// Two declarations of one name.
    pub fn of(mut declared: Vec<&'static Toolset>) -> Result<Self, DuplicateToolset> {
        declared
            .sort_unstable_by(|a, b| (a.name.cmp(b.name)).then_with(|| a.origin.cmp(&b.origin)));
        for pair in declared.windows(2) {
            let (first, second): (&'static Toolset, &'static Toolset) = (pair[0], pair[1]);
            if first.name == second.name {
                let (name, first, second) = (first.name, &first.origin, &second.origin);
                return Err(DuplicateToolset {
                    name,
                    first,
                    second,
                });
            }
        }
        Ok(Self {
            declared,
            ..Self::default()
        })
    }

    /// Adds a toolset defined at run time. It replaces one of the same name, with effect on every
    /// toolset that includes it.
    pub fn define(&mut self, toolset: CustomToolset) {
        self.custom.insert(toolset.name().into(), toolset);
    }

    /// Gives a toolset another name, which means all that the target means. The latest target of an
    /// alias holds; the target need not exist yet.
    pub fn alias(&mut self, alias: &str, target: &str) {
        if let Some(&index) = self.alias_index.get(alias) {
            self.aliases[index].1 = target.into();
        } else {
            self.alias_index.insert(alias.into(), self.aliases.len());
            self.aliases.push((alias.into(), target.into()));
        }
    }

    /// Tells of a messaging platform that a plugin brings. Where nothing else defines
    /// `hermes-<platform>`, that name then means the core list and every tool registered under the
    /// toolset `<platform>`.
    pub fn plugin_platform(&mut self, platform: &str) {
        self.platform_bundles
            .push(format!("hermes-{platform}").into());
    }

    /// Makes a name known before its tools arrive, such as that of a configured MCP server that is
    /// still starting. Until then it stands for no tools.
    pub fn expect(&mut self, name: &str) {
        self.expected.push(name.into());
    }

    /// Makes the toolset `mcp-NAME` of a server known before its tools arrive, and the name of the server as
    /// another name of it, as it is when they are there.
    pub fn server(&mut self, name: &str) {
        let toolset = hermes_tools::registry::foreign_toolset(name);
        self.expect(&toolset);
        self.alias(name, &toolset);
    }

    /// Replaces the core list.
    pub fn set_core<S: AsRef<str>>(&mut self, tools: impl IntoIterator<Item = S>) {
        self.core = Some(boxed(tools));
    }

    /// Replaces the toolsets that a session of this source starts with.
    pub fn set_default<S: AsRef<str>>(
        &mut self,
        source: &SessionSource,
        toolsets: impl IntoIterator<Item = S>,
    ) {
        self.defaults.insert(source.name().into(), boxed(toolsets));
    }

    /// Joins the definitions with registered tools, given as pairs of tool name and toolset name.
    pub fn with_tools<'t>(
        &'t self,
        tools: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> ToolsetTable<'t> {
        ToolsetTable::new(self, tools)
    }

    /// Joins the definitions with the tools of a registry as they are now, its aliases, and what each
    /// tool may do: a tool beyond the bound of its toolset is then left out of selections.
    pub fn with_registry<'t>(&'t self, snapshot: &'t Snapshot) -> ToolsetTable<'t> {
        ToolsetTable::of_registry(self, snapshot)
    }

    /// Names of the core list.
    pub fn core_tools(&self) -> impl Iterator<Item = &str> {
        self.core()
    }

    pub(crate) fn get(&self, name: &str) -> Option<Definition<'_>> {
        if let Some(set) = self.custom.get(name) {
            return Some(Definition::Custom(set));
        }
        let index = self
            .declared
            .binary_search_by_key(&name, |set| set.name)
            .ok()?;
        Some(Definition::Declared(self.declared[index]))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Definition<'_>> {
        let declared = self
            .declared
            .iter()
            .filter(|set| !self.custom.contains_key(set.name));
        declared
            .map(|set| Definition::Declared(set))
            .chain(self.custom.values().map(Definition::Custom))
    }

    /// Pairs of alias and target, in the order of registration.
    pub(crate) fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.aliases
            .iter()
            .map(|(alias, target)| (&**alias, &**target))
    }

    pub(crate) fn alias_target(&self, alias: &str) -> Option<&str> {
        self.alias_index
            .get(alias)
            .map(|&index| &*self.aliases[index].1)
    }

    pub(crate) fn platform_bundles(&self) -> Names<'_> {
        Names::owned(&self.platform_bundles)
    }

    pub(crate) fn expected(&self) -> Names<'_> {
        Names::owned(&self.expected)
    }

    pub(crate) fn core(&self) -> Names<'_> {
        match &self.core {
            Some(tools) => Names::owned(tools),
            None => Names::fixed(CORE_TOOLS),
        }
    }

    pub(crate) fn default_of(&self, source: &SessionSource) -> Option<Names<'_>> {
        self.defaults
            .get(source.name())
            .map(|names| Names::owned(names))
    }
}

#[cfg(test)]
mod tests {
    use hermes_tools::Origin;

    use super::*;

    const fn declared(line: u32) -> Toolset {
        let place = Origin {
            package: "p",
            module: "p",
            file: "src/p.rs",
            line,
        };
        Toolset::new("web", "", place)
    }

    #[test]
    fn two_declarations_of_one_name_are_refused_whatever_their_order() {
        static FIRST: Toolset = declared(1);
        static SECOND: Toolset = declared(2);
        for order in [vec![&FIRST, &SECOND], vec![&SECOND, &FIRST]] {
            let error = Toolsets::of(order).unwrap_err();
            assert_eq!(
                (error.name, error.first.line, error.second.line),
                ("web", 1, 2)
            );
        }
    }

    #[test]
    fn the_linked_toolsets_have_one_declaration_each() {
        assert_eq!(Toolsets::linked().unwrap().iter().count(), 58);
    }

    #[test]
    fn a_definition_replaces_the_declared_one() {
        static DECLARED: Toolset = declared(1).tools(&["old"]);
        let mut toolsets = Toolsets::of(vec![&DECLARED]).unwrap();
        toolsets.define(CustomToolset::new("web").tools(["new"]));
        assert_eq!(
            toolsets.get("web").unwrap().tools().collect::<Vec<_>>(),
            ["new"]
        );
        assert_eq!(toolsets.iter().count(), 1);
    }
}
