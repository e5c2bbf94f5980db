//! What is odd about a selection without being wrong.

use std::collections::BTreeSet;
use std::fmt;

use hermes_tools::{Effect, Selection};

use crate::custom::Definition;
use crate::resolution::Resolution;
use crate::table::ToolsetTable;

/// Something that the author of a request would want to know.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// No tool is selected.
    Empty {
        /// Why not.
        why: WhyEmpty,
    },
    /// Tools are selected, but none of them is registered.
    NothingRegistered {
        /// How many tools are selected.
        selected: usize,
        /// How many registered tools the enabled toolsets have, which disabled ones or bounds take away.
        taken: usize,
    },
    /// A toolset includes one that does not exist. The rest of it is selected.
    UnknownInclude {
        /// The toolset that includes.
        toolset: Box<str>,
        /// The name that it includes.
        include: Box<str>,
        /// The toolset that was probably meant.
        nearest: Option<Box<str>>,
    },
    /// A toolset that was defined at run time lists a tool that is not registered.
    UnregisteredTool {
        /// The toolset that lists the tool.
        toolset: Box<str>,
        /// The name of the tool.
        tool: Box<str>,
    },
    /// A toolset hands out a tool that may do more than the toolset's bound: the tool is left out.
    BeyondEffect {
        /// The toolset that hands it out.
        toolset: Box<str>,
        /// The name of the tool.
        tool: Box<str>,
        /// What it may do.
        effect: Effect,
        /// What it may do at most.
        bound: Effect,
    },
    /// A sub-agent asked for a toolset that its parent does not have in full, and did not get it.
    BeyondParent {
        /// The toolset that was asked for.
        toolset: Box<str>,
    },
}

/// Why no tool is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhyEmpty {
    /// No toolset is enabled.
    NothingEnabled,
    /// The enabled toolsets have no tools, such as those of a server that has not arrived.
    NoTools,
    /// The disabled toolsets take away all tools of the enabled ones.
    AllDisabled,
    /// All tools of the enabled toolsets may do more than their toolsets allow, or are disabled.
    AllBeyondEffect,
    /// All that was left is what no sub-agent may have.
    BlockedForSubAgents,
}

/// What was granted and is not selected.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Taken {
    pub(crate) disabled: usize,
    pub(crate) beyond: usize,
    /// Of both, how many are registered.
    pub(crate) registered: usize,
}

impl Warning {
    /// No tool is selected, of what these names have granted.
    fn empty(enabled: &[&str], taken: Taken) -> Self {
        let why = match taken {
            _ if enabled.is_empty() => WhyEmpty::NothingEnabled,
            Taken { beyond: 1.., .. } => WhyEmpty::AllBeyondEffect,
            Taken { disabled: 1.., .. } => WhyEmpty::AllDisabled,
            _ => WhyEmpty::NoTools,
        };
        Self::Empty { why }
    }
}

impl ToolsetTable<'_> {
    pub(crate) fn warnings(
        &self,
        enabled: &[&str],
        selection: &Selection,
        granted: &Resolution<'_>,
        taken: Taken,
    ) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for &(toolset, include) in granted.unknown_includes() {
            let nearest = self.nearest(include);
            let (toolset, include) = (toolset.into(), include.into());
            warnings.push(Warning::UnknownInclude {
                toolset,
                include,
                nearest,
            });
        }
        self.warn_of_unregistered(granted, &mut warnings);
        if selection.is_empty() {
            warnings.push(Warning::empty(enabled, taken));
        } else if !self.registered().any(|tool| selection.contains(tool)) {
            warnings.push(Warning::NothingRegistered {
                selected: selection.len(),
                taken: taken.registered,
            });
        }
        warnings
    }

    /// The static check looks after declared toolsets; nobody else looks after the others.
    fn warn_of_unregistered(&self, granted: &Resolution<'_>, warnings: &mut Vec<Warning>) {
        let mut custom = granted
            .reached()
            .filter_map(|name| self.definition(name))
            .filter(|set| matches!(set, Definition::Custom(_)))
            .peekable();
        if custom.peek().is_none() {
            return;
        }
        let registered: BTreeSet<&str> = self.registered().collect();
        for set in custom {
            for tool in set.tools().filter(|tool| !registered.contains(tool)) {
                let (toolset, tool) = (set.name().into(), tool.into());
                warnings.push(Warning::UnregisteredTool { toolset, tool });
            }
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { why } => write!(f, "no tool is selected: {why}"),
            Self::NothingRegistered { selected, taken } => {
                match selected {
                    1 => f.write_str("the selected tool is not registered")?,
                    more => write!(f, "none of the {more} selected tools is registered")?,
                }
                match taken {
                    0 => f.write_str(
                        ": link the pack that has what is selected, or enable a toolset of linked tools",
                    ),
                    1 => f.write_str(
                        ", and the one that is has been taken away: disable fewer toolsets",
                    ),
                    more => write!(
                        f,
                        ", and the {more} that are have been taken away: disable fewer toolsets"
                    ),
                }
            }
            Self::UnknownInclude {
                toolset,
                include,
                nearest,
            } => {
                write!(
                    f,
                    "toolset `{toolset}` includes `{include}`, which does not exist"
                )?;
                match nearest {
                    Some(nearest) => write!(f, ": did you mean `{nearest}`?"),
                    None => f.write_str(": define it, or take it out"),
                }
            }
            Self::UnregisteredTool { toolset, tool } => {
                write!(
                    f,
                    "toolset `{toolset}` lists `{tool}`, which is not registered: "
                )?;
                f.write_str("link the pack that has it, or take it out")
            }
            Self::BeyondEffect {
                toolset,
                tool,
                effect,
                bound,
            } => write!(
                f,
                "tool `{tool}` of toolset `{toolset}` is left out: its effect is {effect}, and \
                 {bound} is the most here"
            ),
            Self::BeyondParent { toolset } => {
                write!(
                    f,
                    "toolset `{toolset}` is left out: the parent does not have all of it"
                )
            }
        }
    }
}

impl fmt::Display for WhyEmpty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NothingEnabled => "no toolset is enabled: enable one",
            Self::NoTools => "the enabled toolsets have no tools: enable another one",
            Self::AllDisabled => {
                "the disabled toolsets take away all that is enabled: disable fewer, or enable another one"
            }
            Self::AllBeyondEffect => {
                "all that is enabled may do more than its toolset allows, or is disabled: \
                 enable a toolset without that bound"
            }
            Self::BlockedForSubAgents => {
                "all that was asked for is kept from sub-agents: ask for another toolset"
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use hermes_tools::{Effect, RuntimeTool, ToolRegistry};
    use serde_json::json;

    use crate::custom::CustomToolset;
    use crate::request::Request;
    use crate::toolsets::Toolsets;

    fn warnings(toolsets: &Toolsets, tools: &[(&str, &str)], request: &Request) -> Vec<String> {
        let table = toolsets.with_tools(tools.iter().copied());
        let selected = table.select(request).unwrap();
        selected.warnings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_selection_that_ends_empty_says_why() {
        let mut presets = Toolsets::linked().unwrap();
        presets.expect("mcp-late");
        let told = |request: Request| warnings(&presets, &[("read_file", "file")], &request);
        for (request, why) in [
            (
                Request::default().enable(["file"]).disable(["file_tools"]),
                "the disabled toolsets take away all that is enabled: \
                 disable fewer, or enable another one",
            ),
            (
                Request::default().enable([""; 0]).disable(["file"]),
                "no toolset is enabled: enable one",
            ),
            (
                Request::default().enable(["mcp-late"]).disable(["file"]),
                "the enabled toolsets have no tools: enable another one",
            ),
        ] {
            assert_eq!(told(request), [format!("no tool is selected: {why}")]);
        }
    }

    #[test]
    fn a_bound_that_leaves_nothing_is_the_reason_that_is_told() {
        let registry = ToolRegistry::of(&[]).unwrap();
        let tool = |name| RuntimeTool::new(name, "pens", "", json!({})).effect(Effect::Write);
        registry.register(tool("draw"));
        registry.register(tool("paint"));
        let mut toolsets = Toolsets::empty();
        toolsets.define(
            CustomToolset::new("look")
                .includes(["pens"])
                .max_effect(Effect::Read),
        );
        let snapshot = registry.snapshot();
        let table = toolsets.with_registry(&snapshot);
        let request = Request::default().enable(["look"]);
        let selected = table.select(&request).unwrap();
        let told: Vec<String> = selected.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(
            told[0],
            "no tool is selected: all that is enabled may do more than its toolset allows, or is \
             disabled: enable a toolset without that bound"
        );
        assert_eq!(told.len(), 3, "{told:?}");
    }

    #[test]
    fn a_selection_of_tools_that_are_not_linked_warns() {
        let presets = Toolsets::linked().unwrap();
        let tools = [("read_file", "file"), ("patch", "file")];
        let told = |enabled: &[&str], disabled: &[&str]| {
            let request = Request::default().enable(enabled).disable(disabled);
            warnings(&presets, &tools, &request)
        };
        assert_eq!(
            told(&["spotify"], &[]),
            ["none of the 7 selected tools is registered: \
              link the pack that has what is selected, or enable a toolset of linked tools"]
        );
        assert_eq!(
            told(&["search"], &[]),
            ["the selected tool is not registered: \
              link the pack that has what is selected, or enable a toolset of linked tools"]
        );
        // Not the linker has emptied these, but who disabled `file`.
        assert_eq!(
            told(&["search", "file"], &["file"]),
            [
                "the selected tool is not registered, and the 2 that are have been taken away: \
              disable fewer toolsets"
            ]
        );
        assert!(warnings(&presets, &tools, &Request::default()).is_empty());
    }

    #[test]
    fn what_a_definition_names_in_vain_is_told() {
        let mut toolsets = Toolsets::linked().unwrap();
        toolsets.define(
            CustomToolset::new("e")
                .tools(["ghost", "read_file"])
                .includes(["nope", "fiel"]),
        );
        assert_eq!(
            warnings(
                &toolsets,
                &[("read_file", "file")],
                &Request::default().enable(["e"])
            ),
            [
                "toolset `e` includes `nope`, which does not exist: define it, or take it out",
                "toolset `e` includes `fiel`, which does not exist: did you mean `file`?",
                "toolset `e` lists `ghost`, which is not registered: \
                 link the pack that has it, or take it out",
            ]
        );
    }
}
