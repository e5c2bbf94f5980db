//! Changing the registry: who may register, replace and remove what.

use std::fmt;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Tool;
use super::snapshot::Snapshot;
use crate::entry::ToolEntry;

/// What became of a registration.
#[derive(Debug, Clone)]
pub enum Registration {
    /// The tool is there.
    Registered,
    /// The tool is there, in the place of another one.
    Replaced {
        /// The tool that had the name.
        previous: Tool,
    },
    /// Nothing has changed.
    Refused {
        /// The reason.
        why: Refusal,
        /// The tool that has the name.
        existing: Option<Tool>,
    },
}

/// What became of a removal.
#[derive(Debug, Clone)]
pub enum Removal {
    /// The tool is gone.
    Removed {
        /// The tool that had the name.
        previous: Tool,
    },
    /// There was no such tool.
    Nothing,
    /// Nothing has changed.
    Refused {
        /// The reason.
        why: Refusal,
        /// The tool that has the name.
        existing: Tool,
    },
}

/// Why a change was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// A tool of another toolset has the name, and the new one does not say that it overrides.
    NameTaken,
    /// The tool overrides, and the operator has not allowed its plugin to.
    OverrideNotAllowed,
    /// A plugin may replace and remove only what it owns.
    NotTheOwner,
    /// The name belongs to the tool search.
    NameReserved,
    /// The name is not 1 to 64 ASCII letters, digits, `_` and `-`, so that no provider would take it.
    NameInvalid,
}

/// Names that no tool can have: those of the tool search.
pub const RESERVED_NAMES: [&str; 3] = ["tool_search", "tool_describe", "tool_call"];

/// The longest name that all providers take, in characters.
pub const MAX_NAME: usize = 64;

/// What the toolsets of MCP servers start with.
pub(super) const MCP_TOOLSET: &str = "mcp-";

/// A change of several steps. Readers see none of it before it is done, and then all of it.
#[derive(Debug)]
pub struct Change<'r> {
    pub(super) next: Snapshot,
    pub(super) writer: &'r mut Writer,
}

/// What only writers need to know.
#[derive(Debug, Default)]
pub(super) struct Writer {
    /// How many tools each toolset has.
    pub(super) counts: FxHashMap<Box<str>, usize>,
    /// Plugins that may override.
    pub(super) allowed: FxHashSet<Box<str>>,
    pub(super) last_order: u64,
    /// Whether `counts` may differ from what is published.
    pub(super) stale: bool,
}

impl Writer {
    pub(super) fn recount(&mut self, snapshot: &Snapshot) {
        self.counts.clear();
        for tool in snapshot.tools() {
            *self.counts.entry(tool.toolset().into()).or_default() += 1;
        }
    }
}

impl Change<'_> {
    /// Registers a tool, if it may have its name.
    pub fn register(&mut self, tool: impl Into<Tool>) -> Registration {
        let tool = tool.into();
        let existing = self.next.get(tool.name()).cloned();
        if let Err(why) = self.judge(&tool, existing.as_ref()) {
            return Registration::Refused { why, existing };
        }
        self.put(tool);
        match existing {
            None => Registration::Registered,
            Some(previous) => {
                self.leave(previous.toolset());
                Registration::Replaced { previous }
            }
        }
    }

    /// Removes a tool on behalf of the host.
    pub fn deregister(&mut self, name: &str) -> Removal {
        match self.next.get(name).cloned() {
            None => Removal::Nothing,
            Some(previous) => self.take(previous),
        }
    }

    /// Removes a tool on behalf of a plugin, named by the path of the module that asks.
    pub fn deregister_as(&mut self, name: &str, module: &str) -> Removal {
        let Some(existing) = self.next.get(name).cloned() else {
            return Removal::Nothing;
        };
        let plugin = plugin_of(module);
        let may = existing.plugin() == Some(plugin)
            || existing.toolset().starts_with(MCP_TOOLSET)
            || self.writer.allowed.contains(plugin);
        if may {
            self.take(existing)
        } else {
            Removal::Refused {
                why: Refusal::NotTheOwner,
                existing,
            }
        }
    }

    /// Gives a toolset another name. The latest target of an alias holds; it need not exist.
    pub fn alias(&mut self, alias: &str, toolset: &str) {
        let aliases = Arc::make_mut(&mut self.next.aliases);
        match aliases.iter_mut().find(|(name, _)| **name == *alias) {
            Some((_, target)) => *target = toolset.into(),
            None => aliases.push((alias.into(), toolset.into())),
        }
        self.next.generation += 1;
    }

    /// The tools as the change has left them so far.
    pub fn snapshot(&self) -> &Snapshot {
        &self.next
    }

    fn judge(&self, tool: &Tool, existing: Option<&Tool>) -> Result<(), Refusal> {
        if RESERVED_NAMES.contains(&tool.name()) {
            return Err(Refusal::NameReserved);
        }
        if !is_valid(tool.name()) {
            return Err(Refusal::NameInvalid);
        }
        let Some(existing) = existing else {
            return Ok(());
        };
        let plugin = tool.plugin();
        let allowed = plugin.is_none_or(|plugin| self.writer.allowed.contains(plugin));
        if tool.toolset() == existing.toolset() {
            let own = plugin == existing.plugin();
            return if own || allowed {
                Ok(())
            } else {
                Err(Refusal::NotTheOwner)
            };
        }
        let mcp = |tool: &Tool| tool.toolset().starts_with(MCP_TOOLSET);
        if mcp(tool) && mcp(existing) {
            return Ok(());
        }
        if !tool.runtime().is_some_and(|tool| tool.is_overriding()) {
            return Err(Refusal::NameTaken);
        }
        if allowed {
            Ok(())
        } else {
            Err(Refusal::OverrideNotAllowed)
        }
    }

    pub(super) fn put(&mut self, tool: Tool) {
        match self.writer.counts.get_mut(tool.toolset()) {
            Some(count) => *count += 1,
            None => {
                self.writer.counts.insert(tool.toolset().into(), 1);
            }
        }
        self.writer.last_order += 1;
        self.next.shards.insert(tool, self.writer.last_order);
        self.next.touch();
        self.next.generation += 1;
    }

    /// Puts a linked tool in, in the place of one that it overrides.
    pub(super) fn put_linked(&mut self, tool: &'static ToolEntry) {
        let tool = Tool::from(tool);
        let previous = self.next.get(tool.name()).cloned();
        if previous.as_ref().is_some_and(|it| it.is_same(&tool)) {
            return;
        }
        self.put(tool);
        if let Some(previous) = previous {
            self.leave(previous.toolset());
        }
    }

    fn take(&mut self, previous: Tool) -> Removal {
        self.next.shards.remove(previous.name());
        self.next.touch();
        self.next.generation += 1;
        self.leave(previous.toolset());
        Removal::Removed { previous }
    }

    /// A toolset has lost a tool; with its last one go the aliases that mean it.
    fn leave(&mut self, toolset: &str) {
        let Some(count) = self.writer.counts.get_mut(toolset) else {
            return;
        };
        *count -= 1;
        if *count > 0 {
            return;
        }
        self.writer.counts.remove(toolset);
        if self.next.aliases().any(|(_, target)| target == toolset) {
            Arc::make_mut(&mut self.next.aliases).retain(|(_, target)| **target != *toolset);
        }
    }
}

/// The plugin that a module belongs to: the first part of its path.
pub(super) fn plugin_of(module: &str) -> &str {
    module.split(['.', ':', '/']).next().unwrap_or(module)
}

/// Whether every provider takes the name.
pub(super) fn is_valid(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(fits)
}

impl Registration {
    /// Whether the tool is there now.
    pub const fn is_done(&self) -> bool {
        !matches!(self, Self::Refused { .. })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NameTaken => {
                "a tool of another toolset has this name: rename one, or register it as overriding"
            }
            Self::OverrideNotAllowed => {
                "the operator has not allowed this plugin to override tools: \
                 set `allow_tool_override` for it"
            }
            Self::NotTheOwner => {
                "a plugin may replace and remove only its own tools: \
                 set `allow_tool_override` for it, or choose another name"
            }
            Self::NameReserved => "the name belongs to the tool search: choose another name",
            Self::NameInvalid => {
                "a name is 1 to 64 ASCII letters, digits, `_` and `-`: choose another name"
            }
        })
    }
}

impl std::error::Error for Refusal {}
