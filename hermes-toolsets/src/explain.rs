//! Why a session has a tool, or why not.

use std::fmt;

use hermes_tools::Effect;

use crate::error::SelectError;
use crate::request::Request;
use crate::table::ToolsetTable;

/// Why a request gives a tool, or why not. Whether the tool can be used is another question, which a
/// session answers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Explanation {
    /// It is selected.
    Selected {
        /// Names of toolsets, from the enabled one to the one that grants the tool.
        via: Vec<Box<str>>,
    },
    /// An enabled toolset grants it, and a disabled one takes it away.
    Disabled {
        /// The toolsets that grant it: the way from the enabled one.
        via: Vec<Box<str>>,
        /// The disabled names that take it away.
        by: Vec<Box<str>>,
    },
    /// It may do more than the toolset that grants it allows.
    BeyondEffect {
        /// The toolsets that grant it: the way from the enabled one.
        via: Vec<Box<str>>,
        /// What it may do.
        effect: Effect,
        /// What it may do at most.
        bound: Effect,
    },
    /// No enabled toolset grants it.
    NotSelected {
        /// Toolsets that would: the tool's own, then the others, sorted.
        granted_by: Vec<Box<str>>,
    },
    /// No toolset lists it, and it is not registered.
    Unknown {
        /// The tool that was probably meant.
        nearest: Option<Box<str>>,
    },
}

impl Explanation {
    /// Whether the request gives the tool.
    pub const fn is_selected(&self) -> bool {
        matches!(self, Self::Selected { .. })
    }

    /// A stable word for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Selected { .. } => "selected",
            Self::Disabled { .. } => "disabled",
            Self::BeyondEffect { .. } => "beyond_effect",
            Self::NotSelected { .. } => "not_selected",
            Self::Unknown { .. } => "unknown",
        }
    }
}

impl ToolsetTable<'_> {
    /// Why a request gives a tool, or why not.
    ///
    /// # Errors
    ///
    /// As for [`ToolsetTable::select`].
    pub fn explain(&self, request: &Request, tool: &str) -> Result<Explanation, SelectError> {
        let enabled = self.enabled(request)?;
        let disabled: Vec<&str> = request.disabled.iter().map(|name| &**name).collect();
        self.check_known(enabled.iter().chain(&disabled))?;
        let granted = self.granted(&enabled);
        let Some(via) = granted.via(tool) else {
            return Ok(self.not_granted(tool));
        };
        let via: Vec<Box<str>> = via.into_iter().map(Into::into).collect();
        let taken_by = |names: &[&str]| !self.subtract(&enabled, names).selection.contains(tool);
        let bound = granted.bound(tool);
        if let Some(effect) = self.effect_of(tool).filter(|effect| *effect > bound) {
            return Ok(Explanation::BeyondEffect { via, effect, bound });
        }
        if !taken_by(&disabled) {
            return Ok(Explanation::Selected { via });
        }
        let mut by: Vec<Box<str>> = Vec::new();
        for name in &disabled {
            if taken_by(&[name]) {
                by.push((*name).into());
            }
        }
        // Some take a tool only together, such as an owner and its lender.
        if by.is_empty() {
            by = disabled.into_iter().map(Into::into).collect();
        }
        Ok(Explanation::Disabled { via, by })
    }

    fn not_granted(&self, tool: &str) -> Explanation {
        let names = self.names();
        let granting = |name: &&str| self.resolve(name).contains(tool);
        let mut granted_by: Vec<Box<str>> =
            names.into_iter().filter(granting).map(Into::into).collect();
        // The tool's own toolset brings least beside it.
        let own = self.toolset_of(tool);
        granted_by.sort_by_key(|name| Some(&**name) != own);
        if granted_by.is_empty() && self.registered().all(|it| it != tool) {
            let everything = self.resolve("all");
            let known = everything.tools().chain(self.registered());
            let nearest = hermes_tools::names::nearest(tool, known).map(Into::into);
            return Explanation::Unknown { nearest };
        }
        Explanation::NotSelected { granted_by }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &[Box<str>]| format!("`{}`", names.join("`, `"));
        match self {
            Self::Selected { via } => write!(f, "selected through {}", via.join(" > ")),
            Self::Disabled { via, by } => write!(
                f,
                "granted through {} and taken away by {}: take that out of the disabled toolsets",
                via.join(" > "),
                list(by)
            ),
            Self::BeyondEffect { via, effect, bound } => write!(
                f,
                "granted through {}, where {bound} is the most that a tool may do, and its effect \
                 is {effect}: enable a toolset without that bound",
                via.join(" > ")
            ),
            Self::NotSelected { granted_by } if granted_by.is_empty() => {
                f.write_str("not selected, and no toolset lists it: define one that does")
            }
            Self::NotSelected { granted_by } => {
                write!(f, "not selected: enable {}", list(first(granted_by)))?;
                match granted_by.len() {
                    0..=3 => Ok(()),
                    more => write!(f, " or one of {} more", more - 3),
                }
            }
            Self::Unknown {
                nearest: Some(nearest),
            } => write!(f, "there is no such tool: did you mean `{nearest}`?"),
            Self::Unknown { nearest: None } => {
                f.write_str("there is no such tool: `hermes tools --all` lists all names")
            }
        }
    }
}

fn first(names: &[Box<str>]) -> &[Box<str>] {
    names.get(..3).unwrap_or(names)
}

#[cfg(test)]
mod tests {
    use hermes_tools::{RuntimeTool, ToolRegistry};
    use serde_json::json;

    use super::*;
    use crate::toolsets::Toolsets;

    #[test]
    fn every_reason_is_told_with_what_would_change_it() {
        let registry = ToolRegistry::of(&[]).unwrap();
        let tool =
            |name, toolset, effect| RuntimeTool::new(name, toolset, "", json!({})).effect(effect);
        registry.register(tool("web_search", "web", Effect::Write));
        registry.register(tool("read_file", "file", Effect::Read));
        let snapshot = registry.snapshot();
        let toolsets = Toolsets::linked().unwrap();
        let table = toolsets.with_registry(&snapshot);
        let told = |request: &Request, tool| table.explain(request, tool).unwrap().to_string();

        let file = Request::default().enable(["file"]);
        assert_eq!(told(&file, "read_file"), "selected through file");
        assert_eq!(
            told(&file.clone().disable(["file_tools"]), "read_file"),
            "granted through file and taken away by `file_tools`: take that out of the disabled \
             toolsets"
        );
        assert_eq!(
            told(&file, "web_search"),
            "not selected: enable `web`, `browser`, `coding` or one of 27 more"
        );
        assert_eq!(
            told(
                &Request::new(hermes_tools::SessionSource::Webhook),
                "web_search"
            ),
            "granted through hermes-webhook, where read is the most that a tool may do, and its \
             effect is write: enable a toolset without that bound"
        );
        assert_eq!(
            told(&file, "raed_file"),
            "there is no such tool: did you mean `read_file`?"
        );
    }
}
