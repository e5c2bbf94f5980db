//! From names of toolsets to tools, each with the way to it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use hermes_tools::Effect;

use crate::custom::Definition;
use crate::table::{ToolsetTable, is_everything};

/// The tools that names resolve to: sorted, none twice, each with the way from the name that was
/// asked for.
#[derive(Debug, Clone)]
pub struct Resolution<'t> {
    /// Toolsets in the order in which they were reached, the nearer ones first.
    steps: Vec<Step<'t>>,
    /// Sorted by tool, the best way to it first.
    grants: Vec<Grant<'t>>,
    /// Includes that name no toolset, with the toolset that includes them.
    unknown_includes: Vec<(&'t str, &'t str)>,
    /// Every include that was followed, as pairs of steps; also those that reached nothing new.
    edges: Vec<(usize, usize)>,
    /// The most that a tool may do that is reached through a step, by the widest way.
    bounds: Vec<Effect>,
}

/// A toolset that was reached, from another one or because it was asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step<'t> {
    pub(crate) name: &'t str,
    from: Option<usize>,
}

/// A tool that a toolset hands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Grant<'t> {
    pub(crate) tool: &'t str,
    pub(crate) hold: Hold,
    step: usize,
}

/// How a toolset holds a tool. The order is that of preference, when several hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Hold {
    /// It is the tool's own toolset, or one that lists it as its own.
    Owns,
    /// A bundle or a posture lists it.
    Lists,
    /// Handed out for somebody else.
    Lends,
}

impl<'t> Resolution<'t> {
    /// Names of the tools, sorted.
    pub fn tools(&self) -> impl Iterator<Item = &'t str> {
        self.best().map(|grant| grant.tool)
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.best().count()
    }

    /// Whether there is no tool at all.
    pub fn is_empty(&self) -> bool {
        self.grants.is_empty()
    }

    /// Whether this tool is among them.
    pub fn contains(&self, tool: &str) -> bool {
        !self.grants_of(tool).is_empty()
    }

    /// The way to a tool: names of toolsets from the one that was asked for to the one that lists
    /// the tool. `None` when the tool is not among them.
    ///
    /// Of several ways, one that ends at a toolset that owns the tool is preferred, then a
    /// short one.
    pub fn via(&self, tool: &str) -> Option<Vec<&'t str>> {
        self.grants_of(tool).first().map(|grant| self.way(grant))
    }

    /// Includes that name no toolset: the toolset that includes, and the name that it includes.
    pub fn unknown_includes(&self) -> &[(&'t str, &'t str)] {
        &self.unknown_includes
    }

    /// The most that a tool may do to be among them: the bounds of the toolsets on a way hold all
    /// at once, and of several ways the widest counts.
    pub fn bound(&self, tool: &str) -> Effect {
        let bounds = self.grants_of(tool).iter().map(|it| self.bounds[it.step]);
        bounds.max().unwrap_or(Effect::Read)
    }

    /// Bounds go along includes until nothing gets wider.
    fn spread_bounds(&mut self, own: impl Fn(&str) -> Effect) {
        self.bounds = self
            .steps
            .iter()
            .map(|step| match step.from {
                None => own(step.name),
                Some(_) => Effect::Read,
            })
            .collect();
        // Three widths, so a toolset gets wider twice at most.
        let mut wider = true;
        while wider {
            wider = false;
            for &(from, to) in &self.edges {
                let bound = self.bounds[from].min(own(self.steps[to].name));
                if bound > self.bounds[to] {
                    self.bounds[to] = bound;
                    wider = true;
                }
            }
        }
    }

    pub(crate) fn way(&self, grant: &Grant<'t>) -> Vec<&'t str> {
        let mut way = Vec::new();
        let mut next = Some(grant.step);
        while let Some(index) = next {
            way.push(self.steps[index].name);
            next = self.steps[index].from;
        }
        way.reverse();
        way
    }

    /// One grant of each tool, the best one.
    pub(crate) fn best(&self) -> impl Iterator<Item = &Grant<'t>> {
        self.grants
            .chunk_by(|a, b| a.tool == b.tool)
            .map(|same| &same[0])
    }

    pub(crate) fn grants_of(&self, tool: &str) -> &[Grant<'t>] {
        let start = self.grants.partition_point(|grant| grant.tool < tool);
        let end = self.grants.partition_point(|grant| grant.tool <= tool);
        &self.grants[start..end]
    }

    /// The toolset that gives a grant.
    pub(crate) fn giver(&self, grant: &Grant<'t>) -> &'t str {
        self.steps[grant.step].name
    }

    /// Every toolset that was reached.
    pub(crate) fn reached(&self) -> impl Iterator<Item = &'t str> {
        self.steps.iter().map(|step| step.name)
    }
}

/// A walk over toolsets, nearer ones first, each of them once.
///
/// Toolsets reached so far are the queue of the walk as well: a chain of includes may be as long as it
/// likes, and cycles and diamonds need no further care.
pub(crate) struct Walk<'t> {
    table: &'t ToolsetTable<'t>,
    seen: BTreeMap<&'t str, usize>,
    core_granted: bool,
    /// Whether closed toolsets are taken for all that their names could mean.
    wide: bool,
    found: Resolution<'t>,
}

impl<'t> Walk<'t> {
    pub(crate) fn new(table: &'t ToolsetTable<'t>) -> Self {
        Self {
            table,
            seen: BTreeMap::new(),
            core_granted: false,
            wide: false,
            found: Resolution {
                steps: Vec::new(),
                grants: Vec::new(),
                unknown_includes: Vec::new(),
                edges: Vec::new(),
                bounds: Vec::new(),
            },
        }
    }

    /// Takes closed toolsets for all that their names could mean, as is right for what is taken away.
    pub(crate) fn wide(mut self) -> Self {
        self.wide = true;
        self
    }

    /// Starts from this toolset, too.
    pub(crate) fn start(&mut self, name: &'t str) {
        self.reach(name, None);
    }

    /// Hands out a fixed list of tools under a name that is no toolset.
    pub(crate) fn start_list(&mut self, name: &'t str, tools: &[&'t str]) {
        let step = self.found.steps.len();
        if let Entry::Vacant(place) = self.seen.entry(name) {
            place.insert(step);
            self.found.steps.push(Step { name, from: None });
            for tool in tools {
                self.grant(tool, Hold::Owns, step);
            }
        }
    }

    pub(crate) fn finish(mut self) -> Resolution<'t> {
        let mut next = 0;
        while next < self.found.steps.len() {
            self.expand(next);
            next += 1;
        }
        let table = self.table;
        self.found.spread_bounds(|name| {
            let bound = table.definition(name).and_then(Definition::max_effect);
            bound.unwrap_or(Effect::Destructive)
        });
        self.found.grants.sort_unstable();
        self.found.grants.dedup();
        self.found
    }

    fn reach(&mut self, name: &'t str, from: Option<usize>) {
        let next = self.found.steps.len();
        let step = *self.seen.entry(name).or_insert(next);
        if step == next {
            self.found.steps.push(Step { name, from });
        }
        match from {
            Some(from) => self.found.edges.push((from, step)),
            // Asked for by name, after another toolset has included it.
            None => self.found.steps[step].from = None,
        }
    }

    fn grant(&mut self, tool: &'t str, hold: Hold, step: usize) {
        self.found.grants.push(Grant { tool, hold, step });
    }

    /// Takes in everything that the name of a step means: a name may be a definition, the toolset of
    /// registered tools, an alias and the bundle of a plugin platform at once.
    fn expand(&mut self, step: usize) {
        let table = self.table;
        let name = self.found.steps[step].name;
        if is_everything(name) {
            for other in table.names() {
                self.reach(other, Some(step));
            }
        }
        if let Some(set) = table.definition(name) {
            let own = if table.is_bundle(name) {
                Hold::Lists
            } else {
                Hold::Owns
            };
            for tool in set.tools() {
                self.grant(tool, if set.lends(tool) { Hold::Lends } else { own }, step);
            }
            if set.core() {
                self.grant_core(step);
            }
            for included in set.includes() {
                if table.is_known(included) {
                    self.reach(included, Some(step));
                } else {
                    self.found.unknown_includes.push((name, included));
                }
            }
        } else if let Some(platform) = table.plugin_platform(name) {
            self.grant_core(step);
            for tool in table.registered_under(platform) {
                self.grant(tool, Hold::Lists, step);
            }
        }
        if !self.wide && table.definition(name).is_some_and(Definition::closed) {
            return;
        }
        for tool in table.registered_under(name) {
            self.grant(tool, Hold::Owns, step);
        }
        if let Some(target) = table.alias_target(name) {
            self.reach(target, Some(step));
        }
    }

    /// The core list is handed out by the nearest bundle alone: the other bundles would only
    /// repeat it.
    fn grant_core(&mut self, step: usize) {
        if !self.core_granted {
            self.core_granted = true;
            for tool in self.table.core() {
                self.grant(tool, Hold::Lists, step);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::custom::CustomToolset;
    use crate::toolsets::Toolsets;

    fn define(sets: &[(&str, &[&str], &[&str])]) -> Toolsets {
        let mut toolsets = Toolsets::empty();
        for (name, tools, includes) in sets {
            toolsets.define(CustomToolset::new(name).tools(*tools).includes(*includes));
        }
        toolsets
    }

    fn tools<'t>(table: &'t ToolsetTable<'t>, names: &[&'t str]) -> Vec<&'t str> {
        table.resolve_many(names.iter().copied()).tools().collect()
    }

    #[test]
    fn cycles_and_diamonds_lose_nothing_whatever_the_order() {
        let toolsets = define(&[
            ("a", &["t1"], &["b", "c"]),
            ("b", &["t2"], &["d"]),
            ("c", &["t3"], &["d", "a"]),
            ("d", &["t4"], &["d"]),
        ]);
        let table = toolsets.with_tools([]);
        for names in [&["a"][..], &["c"], &["c", "a"], &["all"], &["*"]] {
            assert_eq!(tools(&table, names), ["t1", "t2", "t3", "t4"], "{names:?}");
        }
        assert_eq!(tools(&table, &["b"]), ["t2", "t4"]);
    }

    #[test]
    fn unknown_includes_are_reported() {
        let toolsets = define(&[("e", &["ghost"], &["nope"])]);
        let table = toolsets.with_tools([]);
        let resolved = table.resolve("e");
        assert_eq!(resolved.tools().collect::<Vec<_>>(), ["ghost"]);
        assert_eq!(resolved.unknown_includes(), [("e", "nope")]);
    }

    #[test]
    fn all_meanings_of_a_name_are_united() {
        let mut toolsets = define(&[("browser", &["listed"], &[])]);
        toolsets.alias("browser", "mcp-browser");
        let table = toolsets.with_tools([("plugged", "browser"), ("served", "mcp-browser")]);
        assert_eq!(tools(&table, &["browser"]), ["listed", "plugged", "served"]);
    }

    #[test]
    fn a_closed_toolset_has_what_it_lists_and_takes_away_what_its_name_means() {
        let mut toolsets = define(&[("both", &["other"], &["file"])]);
        toolsets.define(CustomToolset::new("file").tools(["listed"]).closed(true));
        toolsets.alias("file", "mcp-file");
        let table = toolsets.with_tools([("plugged", "file"), ("served", "mcp-file")]);
        assert_eq!(tools(&table, &["file"]), ["listed"]);
        assert_eq!(tools(&table, &["both"]), ["listed", "other"]);
        let request = crate::Request::default()
            .enable(["both", "all"])
            .disable(["file"]);
        let selected = table.select(&request).unwrap();
        let left: Vec<&str> = selected.selection.iter().map(|(name, _)| name).collect();
        assert_eq!(left, ["other"]);
    }

    #[test]
    fn a_plugin_platform_has_the_core_list_and_its_own_tools() {
        let mut toolsets = Toolsets::empty();
        toolsets.set_core(["c1"]);
        toolsets.plugin_platform("irc");
        let table = toolsets.with_tools([("irc_send", "irc"), ("other", "web")]);
        assert_eq!(tools(&table, &["hermes-irc"]), ["c1", "irc_send"]);

        toolsets.define(CustomToolset::new("hermes-irc").tools(["own"]));
        let table = toolsets.with_tools([("irc_send", "irc")]);
        assert_eq!(tools(&table, &["hermes-irc"]), ["own"]);
    }

    #[test]
    fn bounds_go_along_includes_and_the_widest_way_counts() {
        let mut toolsets = define(&[("low", &["t"], &[]), ("loop", &["u"], &["tight"])]);
        toolsets.define(
            CustomToolset::new("tight")
                .includes(["low", "loop"])
                .max_effect(Effect::Read),
        );
        toolsets.define(
            CustomToolset::new("loose")
                .includes(["tight", "low"])
                .max_effect(Effect::Write),
        );
        let table = toolsets.with_tools([]);
        let bound =
            |names: &[&'static str], tool| table.resolve_many(names.iter().copied()).bound(tool);
        assert_eq!(bound(&["tight"], "t"), Effect::Read);
        assert_eq!(bound(&["loose"], "t"), Effect::Write);
        assert_eq!(bound(&["loose"], "u"), Effect::Read);
        assert_eq!(bound(&["loose", "loop"], "u"), Effect::Destructive);
        assert_eq!(bound(&["tight", "low"], "t"), Effect::Destructive);
    }

    #[test]
    fn everything_may_be_included() {
        let toolsets = define(&[("big", &["b1"], &["*"]), ("x", &["x1"], &[])]);
        let table = toolsets.with_tools([("r1", "mcp-r")]);
        assert_eq!(tools(&table, &["big"]), ["b1", "r1", "x1"]);
    }

    #[test]
    fn a_chain_of_includes_may_be_long() {
        let names: Vec<String> = (0..20_000).map(|index| format!("s{index}")).collect();
        let mut toolsets = Toolsets::empty();
        for pair in names.windows(2) {
            toolsets.define(CustomToolset::new(&pair[0]).includes([&pair[1]]));
        }
        toolsets.define(CustomToolset::new("s19999").tools(["end"]));
        let table = toolsets.with_tools([]);
        let resolved = table.resolve("s0");
        assert_eq!(resolved.tools().collect::<Vec<_>>(), ["end"]);
        assert_eq!(resolved.via("end").unwrap().len(), 20_000);
    }

    #[test]
    fn the_way_that_is_shown_is_short_and_ends_at_the_owner() {
        let toolsets = Toolsets::linked().unwrap();
        let table = toolsets.with_tools([]);
        let via = |name, tool| table.resolve(name).via(tool).unwrap();
        assert_eq!(via("debugging", "read_file"), ["debugging", "file"]);
        assert_eq!(
            via("hermes-gateway", "todo"),
            ["hermes-gateway", "hermes-telegram"]
        );
        // `browser` only lends it, `coding` only lists it, and both come before `web`.
        let many = table.resolve_many(["browser", "coding", "debugging", "web"]);
        assert_eq!(many.via("web_search").unwrap(), ["web"]);
        assert_eq!(table.resolve("web").via("read_file"), None);
    }
}
