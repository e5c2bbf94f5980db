//! All tools that can be called, by name.
//!
//! The registry is one pointer to an immutable [`Snapshot`]. Readers take the snapshot and never
//! wait; a change builds the next snapshot beside it and swaps the pointer, so nobody sees half of one.

#[cfg(feature = "host")]
mod by_name;
mod change;
mod foreign;
mod requirements;
mod runtime;
mod snapshot;
#[cfg(feature = "host")]
mod texts;
mod tool;

use std::fmt;
use std::sync::Arc;

#[cfg(feature = "host")]
pub(crate) use self::by_name::ByName;
pub use self::change::{Change, MAX_NAME, RESERVED_NAMES, Refusal, Registration, Removal};
use self::change::{Writer, plugin_of};
pub use self::foreign::{
    SERVER_HELPERS, ServerFilter, ServerReport, foreign_name, foreign_toolset,
};
pub use self::requirements::Requirements;
pub use self::runtime::RuntimeTool;
pub use self::snapshot::Snapshot;
pub use self::tool::Tool;
#[cfg(feature = "host")]
use crate::definitions::DefinitionsCache;
use crate::entry::{Origin, ToolEntry};
use crate::names;
use crate::protocol::Published;

/// What a list shows for a tool without a sign of its own.
pub const DEFAULT_EMOJI: &str = "⚡";

/// The place of a tool that has none in source.
const RUN_TIME: Origin = Origin {
    package: "",
    module: "registered at run time",
    file: "",
    line: 0,
};

/// The tools of a process.
#[derive(Debug)]
pub struct ToolRegistry {
    published: Published<Snapshot, Writer>,
    #[cfg(feature = "host")]
    definitions: DefinitionsCache,
}

/// Tools that cannot stand beside each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateTools {
    /// Each name that two tools have, with both places, sorted by name.
    pub duplicates: Vec<(&'static str, Origin, Origin)>,
}

impl ToolRegistry {
    /// A registry of everything that is linked into this binary.
    ///
    /// # Errors
    ///
    /// Two linked tools of one name, with both places in source.
    pub fn linked() -> Result<Self, DuplicateTools> {
        Self::of(&found())
    }

    /// A registry of these tools, such as a [`tools!`](crate::tools!) list. Its generation is 0.
    ///
    /// # Errors
    ///
    /// Two tools of one name.
    pub fn of(tools: &[&'static ToolEntry]) -> Result<Self, DuplicateTools> {
        let (tools, overridden) = arranged(tools)?;
        let writer = Writer {
            last_order: tools.len() as u64,
            // Toolsets are counted when a change asks for them first, not at every start.
            stale: true,
            ..Writer::default()
        };
        Ok(Self {
            published: Published::new(
                Snapshot::of_linked(&tools, overridden),
                |snapshot| snapshot.generation,
                writer,
            ),
            #[cfg(feature = "host")]
            definitions: DefinitionsCache::default(),
        })
    }

    /// Adds linked tools, all or none, and gives back the new generation.
    ///
    /// # Errors
    ///
    /// A name that is taken, or given twice. Nothing is changed then.
    pub fn add(&self, tools: &[&'static ToolEntry]) -> Result<u64, DuplicateTools> {
        self.try_change(|change| {
            let runtime: Vec<_> = tools
                .iter()
                .filter_map(|tool| {
                    let existing = change.next.get(tool.name())?;
                    let free = existing.entry().is_some();
                    (!free).then(|| (tool.name(), RUN_TIME, tool.declared_at()))
                })
                .collect();
            if !runtime.is_empty() {
                return Err(DuplicateTools {
                    duplicates: runtime,
                });
            }
            let linked = change.next.tools().iter().filter_map(Tool::entry);
            let before = linked.chain(change.next.overridden.iter().copied());
            let all: Vec<_> = before.chain(tools.iter().copied()).collect();
            let (all, overridden) = arranged(&all)?;
            for tool in all {
                change.put_linked(tool);
            }
            change.next.overridden = Arc::new(overridden);
            Ok(change.next.generation)
        })
    }

    /// Registers a tool, if it may have its name: the same name of another toolset is refused, except
    /// between MCP servers, or where the tool says that it overrides and the operator has
    /// allowed that to its plugin.
    pub fn register(&self, tool: impl Into<Tool>) -> Registration {
        self.change(|change| change.register(tool))
    }

    /// Removes a tool on behalf of the host.
    pub fn deregister(&self, name: &str) -> Removal {
        self.change(|change| change.deregister(name))
    }

    /// Removes a tool on behalf of a plugin, named by the path of the module that asks. A plugin may
    /// remove what it owns, tools of MCP servers, and anything when the operator has allowed it
    /// to override.
    pub fn deregister_as(&self, name: &str, module: &str) -> Removal {
        self.change(|change| change.deregister_as(name, module))
    }

    /// Gives a toolset another name. The latest target of an alias holds; it need not exist.
    pub fn alias(&self, alias: &str, toolset: &str) {
        self.change(|change| change.alias(alias, toolset));
    }

    /// Says whether a plugin may override tools that it does not own. The operator decides that, and
    /// no plugin may unless it is said here.
    pub fn allow_override(&self, plugin: &str, allowed: bool) {
        let mut writer = self.published.writer();
        let plugin = plugin_of(plugin);
        if allowed {
            writer.allowed.insert(plugin.into());
        } else {
            writer.allowed.remove(plugin);
        }
    }

    /// Makes a change of several steps, which readers see all at once. Steps that change the registry
    /// in another way than through the [`Change`] would wait for themselves.
    ///
    /// ```
    /// use hermes_tools::{RuntimeTool, ToolRegistry};
    /// use serde_json::json;
    ///
    /// let registry = ToolRegistry::of(&[])?;
    /// registry.change(|change| {
    ///     for name in ["mcp__notes__add", "mcp__notes__find"] {
    ///         change.register(RuntimeTool::new(name, "mcp-notes", "", json!({"type": "object"})));
    ///     }
    ///     change.alias("notes", "mcp-notes");
    /// });
    /// assert_eq!(registry.generation(), 3);
    /// assert_eq!(registry.snapshot().alias_target("notes"), Some("mcp-notes"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn change<T>(&self, steps: impl FnOnce(&mut Change<'_>) -> T) -> T {
        let done: Result<T, std::convert::Infallible> = self.try_change(|change| Ok(steps(change)));
        match done {
            Ok(value) => value,
        }
    }

    fn try_change<T, E>(
        &self,
        steps: impl FnOnce(&mut Change<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.published.change(|before, writer| {
            if writer.stale {
                writer.recount(before);
            }
            // Steps that fail or panic leave counts behind that nothing was published for.
            writer.stale = true;
            let mut change = Change {
                next: before.successor(),
                writer,
            };
            let value = steps(&mut change)?;
            let Change { next, writer } = change;
            writer.stale = false;
            let changed = next.generation != before.generation;
            Ok((changed.then_some(next), value))
        })
    }

    /// The tools as they are now.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.published.current()
    }

    /// Grows by one with every registration, removal and alias. What is refused does not move it.
    pub fn generation(&self) -> u64 {
        self.published.version()
    }

    /// The tool of a name, as it is now.
    pub fn get(&self, name: &str) -> Option<Tool> {
        self.published.look(|current| current.get(name).cloned())
    }

    /// The last definitions that sessions of this registry made.
    #[cfg(feature = "host")]
    pub(crate) fn definitions(&self) -> &DefinitionsCache {
        &self.definitions
    }
}

/// Linked tools in our order, and those that others replace.
///
/// # Errors
///
/// Two tools of one name, none of which replaces the other.
fn arranged(
    tools: &[&'static ToolEntry],
) -> Result<(Vec<&'static ToolEntry>, Vec<&'static ToolEntry>), DuplicateTools> {
    let mut tools = in_order(tools);
    let overridden = take_overridden(&mut tools);
    let duplicates: Vec<_> = tools
        .windows(2)
        .filter(|pair| pair[0].name() == pair[1].name())
        .map(|pair| (pair[0].name(), pair[0].declared_at(), pair[1].declared_at()))
        .collect();
    if duplicates.is_empty() {
        Ok((tools, overridden))
    } else {
        Err(DuplicateTools { duplicates })
    }
}

/// Every tool that is linked into this binary, sorted by name, then by the place of declaration.
///
/// Two tools of one name are both in it: who may stand for whom is what a [`ToolRegistry`] decides. For
/// programs that only list what they hold, or have a table of their own.
///
/// Empty without the feature `link`.
pub fn linked_tools() -> Vec<&'static ToolEntry> {
    in_order(&found())
}

/// What the linker found, in its order.
fn found() -> Vec<&'static ToolEntry> {
    #[cfg(feature = "link")]
    let tools = crate::link::tools().collect();
    #[cfg(not(feature = "link"))]
    let tools = Vec::new();
    tools
}

/// Tools by name, then by place. The linker's order differs between profiles.
fn in_order(tools: &[&'static ToolEntry]) -> Vec<&'static ToolEntry> {
    let sorted = names::sorted(tools.iter().map(|tool| tool.name()));
    let mut tools: Vec<_> = sorted.into_iter().map(|(_, at)| tools[at]).collect();
    for same in tools.chunk_by_mut(|a, b| a.name() == b.name()) {
        by_place(same);
    }
    tools
}

/// Sorts the few tools of one name by their places.
fn by_place(tools: &mut [&'static ToolEntry]) {
    for end in 1..tools.len() {
        let mut at = end;
        while at > 0 && tools[at].declared_at() < tools[at - 1].declared_at() {
            tools.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// Takes out the tools that another one of their name replaces. Tools that would replace each other
/// both stay, and are duplicates.
fn take_overridden(tools: &mut Vec<&'static ToolEntry>) -> Vec<&'static ToolEntry> {
    let replaces = |by: &ToolEntry, tool: &ToolEntry| {
        by.name() == tool.name() && by.overridden_package() == Some(tool.declared_at().package)
    };
    let all = tools.clone();
    let overridden = |tool: &&'static ToolEntry| {
        all.iter()
            .any(|by| replaces(by, tool) && !replaces(tool, by) && !std::ptr::eq(*by, *tool))
    };
    if all.iter().all(|tool| tool.overridden_package().is_none()) {
        return Vec::new();
    }
    tools.extract_if(.., |tool| overridden(tool)).collect()
}

impl fmt::Display for DuplicateTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, first, second)) in self.duplicates.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            write!(
                f,
                "two tools are called `{name}`: {first} and {second}; rename one, or say `overrides` with the package of the other"
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for DuplicateTools {}
