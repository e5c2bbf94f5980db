//! What a guard says of a call.

use crate::effect::Role;
use crate::gate::Subject;
use crate::output::{ErrorKind, ToolError};
use crate::target::Access;

/// What a guard says of one text of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// It may be done.
    Allow,
    /// It may be done when a person consents.
    Ask {
        /// A stable word for what it is, by which consent is remembered.
        category: &'static str,
        /// Why, as a lowercase fragment for people and the model.
        why: String,
    },
    /// It is not done, whoever consents.
    Block {
        /// The kind of the error.
        kind: ErrorKind,
        /// A stable word for what it is.
        category: &'static str,
        /// Why, as a lowercase fragment.
        why: String,
        /// What to do next, as a lowercase fragment in the imperative.
        help: String,
    },
}

/// One text of a call with what a guard says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Where the text stands in the arguments, such as `edits[2].path`; empty for a path that the tool's
    /// `targets` found.
    pub argument: String,
    /// What it stands for.
    pub role: Role,
    /// The text as it may be shown, secrets taken out. For a path what it leads to.
    pub shown: String,
    /// What is done at a path.
    pub access: Option<Access>,
    /// What the guard says.
    pub verdict: Verdict,
}

/// What the guards say of a call: one finding for each text that has a role and is no secret, and
/// for each target, in that order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Findings {
    /// The findings.
    pub findings: Vec<Finding>,
}

impl Verdict {
    /// The word for listings and logs: `allow`, `ask` or `block`.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask { .. } => "ask",
            Self::Block { .. } => "block",
        }
    }

    /// The word for what it is; empty for what is allowed.
    pub const fn category(&self) -> &'static str {
        match self {
            Self::Allow => "",
            Self::Ask { category, .. } | Self::Block { category, .. } => category,
        }
    }
}

impl Finding {
    /// A finding on a text that is no path.
    pub(super) fn new(subject: &Subject, shown: String, verdict: Verdict) -> Self {
        Self {
            argument: subject.argument.clone(),
            role: subject.role,
            shown,
            access: None,
            verdict,
        }
    }
}

impl Findings {
    /// The error of the first text that is not done, whoever consents.
    pub fn refusal(&self) -> Option<ToolError> {
        self.findings.iter().find_map(|finding| {
            let Verdict::Block {
                kind, why, help, ..
            } = &finding.verdict
            else {
                return None;
            };
            Some(ToolError::new(*kind, why.clone()).with_help(help.clone()))
        })
    }

    /// What needs consent.
    pub fn questions(&self) -> impl Iterator<Item = &Finding> {
        let all = self.findings.iter();
        all.filter(|finding| matches!(finding.verdict, Verdict::Ask { .. }))
    }
}
