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
    Empty,
    /// Tools are selected, but none of them is registered.
    NothingRegistered {
        /// How many tools are selected.
        selected: usize,
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

impl ToolsetTable<'_> {
    pub(crate) fn warnings(&self, selection: &Selection, granted: &Resolution<'_>) -> Vec<Warning> {
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
            warnings.push(Warning::Empty);
        } else if !self.registered().any(|tool| selection.contains(tool)) {
            warnings.push(Warning::NothingRegistered {
                selected: selection.len(),
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
            Self::Empty => f.write_str("no tool is selected: enable a toolset, or disable fewer"),
            Self::NothingRegistered { selected: 1 } => {
                f.write_str("the selected tool is not registered: link the pack that has it")
            }
            Self::NothingRegistered { selected } => {
                write!(f, "none of the {selected} selected tools is registered: ")?;
                f.write_str("link the pack that has them")
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

#[cfg(test)]
mod tests {
    use crate::custom::CustomToolset;
    use crate::request::Request;
    use crate::toolsets::Toolsets;

    fn warnings(toolsets: &Toolsets, tools: &[(&str, &str)], request: &Request) -> Vec<String> {
        let table = toolsets.with_tools(tools.iter().copied());
        let selected = table.select(request).unwrap();
        selected.warnings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_selection_that_ends_empty_warns() {
        let presets = Toolsets::linked().unwrap();
        let request = Request::default().enable(["file"]).disable(["file_tools"]);
        assert_eq!(
            warnings(&presets, &[("read_file", "file")], &request),
            ["no tool is selected: enable a toolset, or disable fewer"]
        );
    }

    #[test]
    fn a_selection_of_tools_that_are_not_linked_warns() {
        let presets = Toolsets::linked().unwrap();
        let tools = [("read_file", "file")];
        assert_eq!(
            warnings(&presets, &tools, &Request::default().enable(["spotify"])),
            ["none of the 7 selected tools is registered: link the pack that has them"]
        );
        assert_eq!(
            warnings(&presets, &tools, &Request::default().enable(["search"])),
            ["the selected tool is not registered: link the pack that has it"]
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
