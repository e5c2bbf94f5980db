//! What a sub-agent keeps of its parent's tools.

use crate::error::SelectError;
use crate::presets::SUBAGENT_BLOCKED;
use crate::request::Request;
use crate::select::Selected;
use crate::table::ToolsetTable;
use crate::warning::{Warning, WhyEmpty};

/// The toolset and the tool that hand a task to a sub-agent.
const DELEGATION: &str = "delegation";
const DELEGATE_TASK: &str = "delegate_task";

/// What the toolsets of MCP servers start with.
const MCP: &str = "mcp-";

/// What a sub-agent is meant to be, and which of its parent's toolsets it asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChildRequest {
    requested: Option<Vec<Box<str>>>,
    role: ChildRole,
    inherit_mcp: bool,
}

/// Whether a sub-agent may have sub-agents of its own. Whoever starts it decides, by the depth that
/// is allowed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ChildRole {
    /// Does its task itself.
    #[default]
    Leaf,
    /// May delegate, even where its parent's toolsets do not hold `delegate_task`.
    Orchestrator,
}

impl ChildRole {
    /// How deep sub-agents go unless the operator says otherwise: the sub-agents of a session have none.
    pub const DEFAULT_DEPTH: usize = 1;

    /// What a sub-agent may be at a depth, counted from 1 for those of a session: one may delegate only
    /// above the deepest level.
    ///
    /// ```
    /// use hermes_toolsets::ChildRole;
    ///
    /// let wanted = ChildRole::Orchestrator;
    /// assert_eq!(wanted.at(1, ChildRole::DEFAULT_DEPTH), ChildRole::Leaf);
    /// assert_eq!(wanted.at(1, 2), ChildRole::Orchestrator);
    /// assert_eq!(wanted.at(2, 2), ChildRole::Leaf);
    /// ```
    #[must_use]
    pub fn at(self, depth: usize, deepest: usize) -> Self {
        if depth < deepest { self } else { Self::Leaf }
    }
}

impl ChildRequest {
    /// All that the parent has.
    pub fn new(role: ChildRole) -> Self {
        Self {
            requested: None,
            role,
            inherit_mcp: true,
        }
    }

    /// Only these toolsets, as far as the parent has them in full. An empty list asks for nothing.
    #[must_use]
    pub fn only<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.requested
            .get_or_insert_default()
            .extend(crate::custom::boxed(names));
        self
    }

    /// Whether a list of toolsets keeps the parent's MCP toolsets beside it; it does unless told
    /// otherwise.
    #[must_use]
    pub fn inherit_mcp(mut self, inherit: bool) -> Self {
        self.inherit_mcp = inherit;
        self
    }
}

impl ToolsetTable<'_> {
    /// The tools of a sub-agent: its parent's, or those it asks for among them, minus what
    /// the parent has disabled, minus what no sub-agent has. None may do more than it may for the
    /// parent; `delegate_task` of an orchestrator alone need not be the parent's.
    ///
    /// # Errors
    ///
    /// As for [`ToolsetTable::select`], for the parent's names and the requested ones.
    pub fn select_child(
        &self,
        parent: &Request,
        child: &ChildRequest,
    ) -> Result<Selected, SelectError> {
        let parent_names = self.enabled(parent)?;
        let granted_to_parent = parent_names.clone();
        let mut disabled: Vec<&str> = parent.disabled.iter().map(|name| &**name).collect();
        let parent_disabled = disabled.clone();
        let requested: Option<Vec<&str>> = child
            .requested
            .as_ref()
            .map(|names| names.iter().map(|name| &**name).collect());
        let all_names = parent_names
            .iter()
            .chain(&disabled)
            .chain(requested.iter().flatten());
        self.check_known(all_names)?;

        let mut beyond = Vec::new();
        let mut enabled = match &requested {
            None => parent_names,
            Some(names) if names.is_empty() => Vec::new(),
            Some(names) => self.of_parent(&parent_names, names, child.inherit_mcp, &mut beyond),
        };
        if child.role == ChildRole::Orchestrator {
            disabled.retain(|name| *name != DELEGATION);
            if self.is_known(DELEGATION) {
                enabled.push(DELEGATION);
            }
        }

        let mut selected = self.subtract(&enabled, &disabled);
        let mut parents = self
            .subtract(&granted_to_parent, &parent_disabled)
            .selection;
        if let (ChildRole::Orchestrator, Some(bound), Some(why)) = (
            child.role,
            selected.selection.bound(DELEGATE_TASK),
            selected.selection.why(DELEGATE_TASK),
        ) {
            parents.insert_bounded(DELEGATE_TASK, why.clone(), bound);
        }
        selected.selection = selected.selection.within(&parents);
        for tool in SUBAGENT_BLOCKED {
            if *tool != DELEGATE_TASK || child.role == ChildRole::Leaf {
                selected.selection.remove(tool);
            }
        }
        let told = |warning: &Warning| matches!(warning, Warning::Empty { .. });
        if selected.selection.is_empty() && !selected.warnings.iter().any(told) {
            let why = WhyEmpty::BlockedForSubAgents;
            // What is said of the tools that are gone means nothing any more.
            selected
                .warnings
                .retain(|it| !matches!(it, Warning::NothingRegistered { .. }));
            selected.warnings.push(Warning::Empty { why });
        }
        selected.warnings.extend(beyond);
        Ok(selected)
    }

    /// The requested names whose tools are all among the parent's, and the parent's MCP toolsets.
    fn of_parent<'s>(
        &'s self,
        parent: &[&'s str],
        requested: &[&'s str],
        inherit_mcp: bool,
        beyond: &mut Vec<Warning>,
    ) -> Vec<&'s str> {
        let of_parent = self.granted(parent);
        let mut kept = Vec::new();
        for &name in requested {
            if self
                .granted(&[name])
                .tools()
                .all(|tool| of_parent.contains(tool))
            {
                kept.push(name);
            } else {
                beyond.push(Warning::BeyondParent {
                    toolset: name.into(),
                });
            }
        }
        if inherit_mcp {
            kept.extend(of_parent.reached().filter(|name| name.starts_with(MCP)));
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use hermes_tools::{Effect, RuntimeTool, ToolRegistry};
    use serde_json::json;

    use super::*;
    use crate::custom::CustomToolset;
    use crate::toolsets::Toolsets;

    fn names(selected: &Selected) -> Vec<&str> {
        selected.selection.iter().map(|(name, _)| name).collect()
    }

    fn leaf() -> ChildRequest {
        ChildRequest::new(ChildRole::Leaf)
    }

    #[test]
    fn a_leaf_loses_what_no_sub_agent_has() {
        let toolsets = Toolsets::linked().unwrap();
        let table = toolsets.with_tools([]);
        let child = table.select_child(&Request::default(), &leaf()).unwrap();
        assert_eq!(child.selection.len(), 53 - 5);
        assert!(
            SUBAGENT_BLOCKED
                .iter()
                .all(|tool| !child.selection.contains(tool))
        );
    }

    #[test]
    fn an_orchestrator_delegates_although_its_parent_disabled_delegation() {
        let toolsets = Toolsets::linked().unwrap();
        let table = toolsets.with_tools([]);
        let parent = Request::default()
            .enable(["search"])
            .disable(["delegation"]);
        let child = ChildRequest::new(ChildRole::Orchestrator);
        let selected = table.select_child(&parent, &child).unwrap();
        assert_eq!(names(&selected), ["delegate_task", "web_search"]);
    }

    #[test]
    fn a_toolset_beyond_the_parents_is_left_out_and_told() {
        let toolsets = Toolsets::linked().unwrap();
        let table = toolsets.with_tools([("web_search", "web")]);
        let parent = Request::default().enable(["search"]);
        let selected = table
            .select_child(&parent, &leaf().only(["search", "web"]))
            .unwrap();
        assert_eq!(names(&selected), ["web_search"]);
        assert_eq!(
            selected.warnings,
            [Warning::BeyondParent {
                toolset: "web".into()
            }]
        );
        assert_eq!(
            selected.warnings[0].to_string(),
            "toolset `web` is left out: the parent does not have all of it"
        );
    }

    /// The bound of the parent's toolset holds for the child, under whatever name it asks for the tools.
    #[test]
    fn a_child_may_do_no_more_than_its_parent() {
        let registry = ToolRegistry::of(&[]).unwrap();
        let tool = |name, effect| RuntimeTool::new(name, "file", "", json!({})).effect(effect);
        registry.register(tool("read_file", Effect::Read));
        registry.register(tool("write_file", Effect::Write));
        let mut toolsets = Toolsets::linked().unwrap();
        toolsets.define(
            CustomToolset::new("look")
                .includes(["file"])
                .max_effect(Effect::Read),
        );
        let snapshot = registry.snapshot();
        let table = toolsets.with_registry(&snapshot);
        let parent = Request::default().enable(["look"]);
        let selected = table
            .select_child(&parent, &leaf().only(["file"]))
            .unwrap()
            .selection;
        assert!(!selected.contains("write_file"));
        assert_eq!(selected.bound("read_file"), Some(Effect::Read));
        // A tool that is registered later under the name is bounded as well.
        assert_eq!(selected.bound("patch"), Some(Effect::Read));
    }

    #[test]
    fn an_unknown_name_is_an_error() {
        let toolsets = Toolsets::linked().unwrap();
        let table = toolsets.with_tools([]);
        let error = table
            .select_child(&Request::default(), &leaf().only(["flie"]))
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown toolset `flie`, did you mean `file`?"
        );
    }

    #[test]
    fn mcp_toolsets_stay_also_through_includes_unless_they_are_not_inherited() {
        let mut toolsets = Toolsets::linked().unwrap();
        toolsets.define(CustomToolset::new("mine").includes(["search", "mcp-gh"]));
        let table = toolsets.with_tools([("gh_list", "mcp-gh")]);
        let parent = Request::default().enable(["mine"]);
        let only = || leaf().only(["search"]);
        let with = table.select_child(&parent, &only()).unwrap();
        assert_eq!(names(&with), ["gh_list", "web_search"]);
        let without = table
            .select_child(&parent, &only().inherit_mcp(false))
            .unwrap();
        assert_eq!(names(&without), ["web_search"]);
    }

    #[test]
    fn asking_for_nothing_gives_nothing() {
        let toolsets = Toolsets::linked().unwrap();
        let table = toolsets.with_tools([("gh_list", "mcp-gh")]);
        let parent = Request::default().enable(["all"]);
        let selected = table.select_child(&parent, &leaf().only([""; 0])).unwrap();
        assert!(selected.selection.is_empty());
        let why = WhyEmpty::NothingEnabled;
        assert_eq!(selected.warnings, [Warning::Empty { why }]);
    }
}
