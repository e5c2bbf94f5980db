//! The tools at one moment.

use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHasher;

use super::Tool;
use crate::entry::ToolEntry;
use crate::names;

/// The tools at one moment. It never changes; a change of the registry makes another one.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub(super) generation: u64,
    pub(super) shards: Shards,
    pub(super) aliases: Arc<Vec<(Box<str>, Box<str>)>>,
    pub(super) overridden: Arc<Vec<&'static ToolEntry>>,
    sorted: Arc<OnceLock<Vec<Tool>>>,
}

/// One tool and when its name was first registered.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) tool: Tool,
    pub(super) order: u64,
}

/// Tools by name, in parts of which a change copies one.
///
/// A part is a short list, sorted by name. With 128 of them a change among 10,000 tools copies some
/// 80 entries, where one table would be copied whole.
#[derive(Debug, Clone)]
pub(super) struct Shards {
    parts: Vec<Arc<Vec<Record>>>,
    len: usize,
}

const PARTS: usize = 128;

impl Snapshot {
    /// Linked tools in the order of their names.
    pub(super) fn of_linked(
        tools: &[&'static ToolEntry],
        overridden: Vec<&'static ToolEntry>,
    ) -> Self {
        let tools: Vec<Tool> = tools.iter().map(|tool| Tool::from(*tool)).collect();
        Self {
            generation: 0,
            shards: Shards::of(&tools),
            aliases: Arc::default(),
            overridden: Arc::new(overridden),
            sorted: Arc::new(OnceLock::from(tools)),
        }
    }

    /// A copy that may differ, its sorted list not yet made.
    pub(super) fn successor(&self) -> Self {
        Self {
            sorted: Arc::default(),
            ..self.clone()
        }
    }

    /// Forgets the sorted list, since a tool comes or goes.
    pub(super) fn touch(&mut self) {
        if self.sorted.get().is_some() {
            self.sorted = Arc::default();
        }
    }

    /// Grows by one with every registration, removal and alias.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// All tools, sorted by name.
    pub fn tools(&self) -> &[Tool] {
        self.sorted.get_or_init(|| {
            let tools: Vec<&Tool> = self.shards.iter().map(|it| &it.tool).collect();
            let sorted = names::sorted(tools.iter().map(|tool| tool.name()));
            sorted
                .into_iter()
                .map(|(_, at)| tools[at].clone())
                .collect()
        })
    }

    /// Linked tools that another one of their name replaces, which names their package in `overrides`.
    /// Sorted by name.
    pub fn overridden(&self) -> &[&'static ToolEntry] {
        &self.overridden
    }

    /// The tool of a name.
    pub fn get(&self, name: &str) -> Option<&Tool> {
        self.shards.get(name).map(|record| &record.tool)
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.shards.len
    }

    /// Whether there is no tool at all.
    pub fn is_empty(&self) -> bool {
        self.shards.len == 0
    }

    /// Other names of toolsets with their targets, in the order in which they were first given. The
    /// targets need not exist.
    pub fn aliases(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.aliases
            .iter()
            .map(|(alias, target)| (&**alias, &**target))
    }

    /// The toolset that an alias means.
    pub fn alias_target(&self, alias: &str) -> Option<&str> {
        let mut all = self.aliases();
        all.find(|(name, _)| *name == alias)
            .map(|(_, target)| target)
    }

    /// Names of the tools that are registered under a toolset, sorted.
    pub fn tools_in(&self, toolset: &str) -> Vec<&str> {
        self.tools()
            .iter()
            .filter(|tool| tool.toolset() == toolset)
            .map(Tool::name)
            .collect()
    }

    /// Names of the toolsets under which tools are registered, sorted.
    pub fn toolsets(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.shards.iter().map(|it| it.tool.toolset()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl Shards {
    /// Tools in the order of their names.
    fn of(tools: &[Tool]) -> Self {
        let mut parts: Vec<Vec<Record>> = vec![Vec::new(); PARTS];
        for (order, tool) in (1..).zip(tools) {
            let tool = tool.clone();
            parts[part_of(tool.name())].push(Record { tool, order });
        }
        let empty = Arc::default();
        let shared = |part: Vec<Record>| {
            if part.is_empty() {
                Arc::clone(&empty)
            } else {
                Arc::new(part)
            }
        };
        Self {
            parts: parts.into_iter().map(shared).collect(),
            len: tools.len(),
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Record> {
        let part = &self.parts[part_of(name)];
        let place = place_of(part, name).ok()?;
        part.get(place)
    }

    /// Puts a tool in, in the place of the one of its name.
    pub(super) fn insert(&mut self, tool: Tool, order: u64) {
        let part = Arc::make_mut(&mut self.parts[part_of(tool.name())]);
        match place_of(part, tool.name()) {
            Ok(place) => part[place].tool = tool,
            Err(place) => {
                part.insert(place, Record { tool, order });
                self.len += 1;
            }
        }
    }

    pub(super) fn remove(&mut self, name: &str) {
        let part = &mut self.parts[part_of(name)];
        if let Ok(place) = place_of(part, name) {
            Arc::make_mut(part).remove(place);
            self.len -= 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Record> {
        self.parts.iter().flat_map(|part| part.iter())
    }
}

fn part_of(name: &str) -> usize {
    // Names are the host's, not an attacker's, so a fast hash without a secret does.
    let hash = BuildHasherDefault::<FxHasher>::default().hash_one(name);
    // The high bits of this hash are its best.
    usize::try_from(hash >> 57).unwrap_or_default() % PARTS
}

fn place_of(part: &[Record], name: &str) -> Result<usize, usize> {
    part.binary_search_by(|record| record.tool.name().cmp(name))
}
