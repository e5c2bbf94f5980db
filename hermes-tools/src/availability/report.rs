//! Which toolsets can be used, and what would help with the others.

use std::collections::BTreeMap;

use super::Availability;
use crate::registry::Tool;
use crate::session::Session;

/// The tools of one toolset and whether they can be used.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolsetReport {
    /// The toolset under which they are registered.
    pub toolset: Box<str>,
    /// Its tools in this session, sorted by name.
    pub tools: Vec<ToolReport>,
}

/// One tool and whether it can be used.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolReport {
    /// The tool.
    pub tool: Tool,
    /// Whether it can be used, why not, and what would help.
    pub availability: Availability,
    /// Environment variables that it needs and that are not set.
    pub missing_env: Vec<Box<str>>,
}

impl ToolsetReport {
    /// Whether the toolset can be used: one usable tool is enough, and no tool's check speaks for
    /// another tool.
    pub fn is_available(&self) -> bool {
        let mut tools = self.tools.iter();
        tools.any(|it| it.availability.is_available())
    }
}

impl Session {
    /// Whether the session's tools can be used, by toolset, sorted by name. It may wait for checks.
    pub fn availability_report(&self) -> Vec<ToolsetReport> {
        let mut toolsets: BTreeMap<Box<str>, Vec<ToolReport>> = BTreeMap::new();
        for (tool, availability) in self.tools() {
            let facts = self.facts();
            let is_set = |name: &str| facts.env(name).is_some_and(|value| !value.is_empty());
            let mut missing = tool.required_env();
            missing.retain(|name| !is_set(name));
            let missing_env = missing.into_iter().map(Into::into).collect();
            let toolset = toolsets.entry(tool.toolset().into()).or_default();
            toolset.push(ToolReport {
                tool,
                availability,
                missing_env,
            });
        }
        toolsets
            .into_iter()
            .map(|(toolset, tools)| ToolsetReport { toolset, tools })
            .collect()
    }
}
