//! What can be wrong with the tools and toolsets of a workspace. One function a rule.
//!
//! Rules look at what reaches users: libraries, binaries and examples of the members. Names that
//! other targets or packages declare count as known.

mod allows;
mod packs;
mod references;
mod strings;
pub(crate) mod supply;
mod table;
mod tools;
mod toolsets;

use crate::allow::Allowed;
use crate::report::{Finding, Problem, Severity};
use crate::scan::{Found, Scan, Toolset};
use crate::settings::Settings;
use crate::workspace::Workspace;

pub use table::RULES;

/// One rule.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its id.
    pub id: &'static str,
    /// How much its findings matter, unless `Cargo.toml` says otherwise.
    pub severity: Severity,
    /// What it finds and why that matters, in Markdown.
    pub about: &'static str,
    /// Sources that show it, files introduced by `//- path`. Empty where a binary is needed.
    pub example: &'static str,
    /// Reads the scan, returns what it finds. Nothing for rules that [`linked`](crate::linked) applies.
    pub find: fn(&Check<'_>) -> Vec<Problem>,
}

/// What rules see.
#[derive(Debug, Clone, Copy)]
pub struct Check<'a> {
    /// Packages and targets.
    pub workspace: &'a Workspace,
    /// What was found in their sources.
    pub scan: &'a Scan,
    /// What `Cargo.toml` says of the check.
    pub settings: &'a Settings,
}

/// Applies every rule.
pub fn check(check: &Check<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for Rule {
        id, severity, find, ..
    } in RULES
    {
        let problems = find(check).into_iter();
        findings.extend(problems.map(|problem| problem.of(id, *severity)));
    }
    findings
}

/// Gives findings the severity that `Cargo.toml` asks for, and takes out those that a comment
/// allows. Answers what is left, and what was allowed with its reason.
pub fn settle(check: &Check<'_>, findings: Vec<Finding>) -> (Vec<Finding>, Vec<Allowed>) {
    let wanted = findings.into_iter().filter_map(|mut finding| {
        finding.severity = check.settings.severity(finding.rule, finding.severity)?;
        Some(finding)
    });
    let (mut left, allowed) = crate::allow::apply(check.scan, wanted.collect());
    for (rule, problem) in allows::problems(check.scan, &allowed) {
        let usual = table::severity(rule);
        if let Some(severity) = check.settings.severity(rule, usual) {
            left.push(problem.of(rule, severity));
        }
    }
    (left, allowed)
}

/// The rule of this id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}

/// The toolsets whose lists are checked.
fn checked(toolsets: &[Found<Toolset>]) -> impl Iterator<Item = &Found<Toolset>> {
    toolsets
        .iter()
        .filter(|toolset| toolset.ships_from_member())
}
