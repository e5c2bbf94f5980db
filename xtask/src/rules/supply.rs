//! What tools take from their sessions, and whether the hosts of the workspace give it.
//!
//! A host is a member with a binary that makes sessions. Where it gives its sessions something whose type
//! its source does not show, nothing is concluded.

use std::collections::BTreeSet;

use super::Check;
use crate::report::Problem;
use crate::scan::{CheckFunction, Found, Name, Supplied, Tool};
use crate::workspace::{FRAMEWORK, Package, TargetKind};

/// A member that makes sessions, and what it gives them.
#[derive(Debug)]
pub(crate) struct Host<'a> {
    pub(crate) package: &'a Package,
    /// Packages in its binaries, itself left out.
    libraries: BTreeSet<&'a str>,
    supplied: BTreeSet<&'a Supplied>,
}

/// The hosts of the workspace.
pub(crate) fn hosts<'a>(check: &Check<'a>) -> Vec<Host<'a>> {
    let Check {
        workspace, scan, ..
    } = *check;
    let members = workspace.packages.iter().filter(|package| package.member);
    let with_bin = members.filter(|package| package.bins().next().is_some());
    let hosts = with_bin.map(|package| {
        let libraries = workspace.dependencies_of(package, false);
        let mut supplied = BTreeSet::new();
        for owner in libraries.iter().copied().chain([package.name.as_str()]) {
            // The framework itself passes on what it is given.
            if owner == FRAMEWORK || !workspace.may_host(owner) {
                continue;
            }
            supplied.extend(scan.supplied.get(owner).into_iter().flatten());
        }
        Host {
            package,
            libraries,
            supplied,
        }
    });
    hosts
        .filter(|host| host.gives(&Supplied::Session))
        .collect()
}

impl Host<'_> {
    fn gives(&self, wanted: &Supplied) -> bool {
        self.supplied.contains(wanted)
    }

    /// Whether the session of a tool that takes a value of this type may lack it.
    pub(crate) fn lacks_state(&self, type_name: &str) -> bool {
        match type_name {
            "ToolContext" | "SessionFacts" => false,
            "Workspace" => !self.gives(&Supplied::Workspace),
            name => {
                !self.gives(&Supplied::State(name.to_owned())) && !self.gives(&Supplied::Unknown)
            }
        }
    }

    /// Whether its binaries have the tool.
    fn has(&self, tool: &Found<Tool>) -> bool {
        let unit = &tool.unit;
        let own = unit.package == self.package.name;
        let linked = own || self.libraries.contains(unit.package.as_str());
        tool.ships_from_member()
            && !tool.item.agent_loop
            && (linked && unit.kind == TargetKind::Lib || own && unit.kind == TargetKind::Bin)
    }
}

/// A tool takes a value of the host, and a host that has the tool never gives one.
pub(super) fn state_not_supplied(check: &Check<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for host in hosts(check) {
        for tool in check.scan.tools.iter().filter(|tool| host.has(tool)) {
            let lacking = |state: &&Name| host.lacks_state(&state.text);
            for state in tool.item.state.iter().filter(lacking) {
                problems.push(missing_state(&tool.item.name.text, state, &host));
            }
        }
    }
    problems
}

/// What a tool is told of that takes a value which the host never gives.
pub(crate) fn missing_state(tool: &str, state: &Name, host: &Host<'_>) -> Problem {
    let (name, package) = (&state.text, &host.package.name);
    let call = match name.as_str() {
        "Workspace" => "workspace(..)".to_owned(),
        name => format!("state({name} ..)"),
    };
    Problem {
        message: format!("tool `{tool}` takes a `{name}`, which `{package}` never supplies"),
        position: state.position.clone(),
        notes: vec![format!(
            "neither `{package}` nor what it links calls `SessionBuilder::{}` with one",
            call.split('(').next().unwrap_or_default()
        )],
        help: format!("give sessions one with `SessionBuilder::{call}`"),
    }
}

/// A check of a tool asks for what no session of a host that has the tool is given.
pub(super) fn check_not_supplied(check: &Check<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for host in hosts(check) {
        for tool in check.scan.tools.iter().filter(|tool| host.has(tool)) {
            let mut asked = Vec::new();
            if let Some(variable) = &tool.item.requires_env {
                asked.push((variable, &Supplied::Environment, None));
            }
            for name in &tool.item.checks {
                if let Some(function) = function(check, tool, name) {
                    let needs = function.item.needs.iter();
                    asked.extend(needs.map(|need| (name, need, Some(function))));
                }
            }
            let lacking = |asked: &(_, &Supplied, _)| !host.gives(asked.1);
            for (name, need, function) in asked.into_iter().filter(lacking) {
                problems.push(unanswered(tool, name, need, function, &host));
            }
        }
    }
    problems
}

/// The function that the tool names as its check, if the package has one of that name alone.
fn function<'a>(
    check: &Check<'a>,
    tool: &Found<Tool>,
    name: &Name,
) -> Option<&'a Found<CheckFunction>> {
    let mut functions = check.scan.checks.iter().filter(|function| {
        function.unit.package == tool.unit.package
            && function.unit.kind == tool.unit.kind
            && function.item.name.text == name.text
    });
    functions.next().filter(|_| functions.next().is_none())
}

fn unanswered(
    tool: &Found<Tool>,
    name: &Name,
    need: &Supplied,
    function: Option<&Found<CheckFunction>>,
    host: &Host<'_>,
) -> Problem {
    let package = &host.package.name;
    let (what, help) = match need {
        Supplied::Workspace => (
            "the workspace",
            "give sessions a folder with `SessionBuilder::workspace(..)`",
        ),
        _ => (
            "environment variables",
            "say where they are looked up with `SessionFacts::environment(..)`",
        ),
    };
    Problem {
        message: format!(
            "tool `{}` asks for {what}, which `{package}` never supplies",
            tool.item.name.text
        ),
        position: name.position.clone(),
        notes: function
            .map(|function| {
                let place = crate::report::place(&function.item.name.position);
                format!("its check is declared at {place}")
            })
            .into_iter()
            .chain(["the tool is unavailable in every session".to_owned()])
            .collect(),
        help: help.to_owned(),
    }
}
