//! Names of tools and toolsets outside of declarations: in tables of the sources, in calls, and in
//! configuration files.

use std::collections::BTreeSet;

use super::Check;
use crate::nearest::nearest;
use crate::report::Problem;
use crate::scan::{Name, Scan};

/// A table of tool names, or a call of one, with a name that no tool has.
///
/// A list or a `match` is such a table when more than half of its strings, and at least two, are
/// names of tools.
pub(super) fn unknown_tool_in_string(Check { scan, .. }: &Check<'_>) -> Vec<Problem> {
    let known = tools(scan);
    let mut problems = Vec::new();
    for table in scan.tables.iter().filter(|table| table.ships_from_member()) {
        let names = &table.item.names;
        let matching = names
            .iter()
            .filter(|name| known.contains(name.text.as_str()))
            .count();
        if !table.item.call && (matching < 2 || matching * 2 <= names.len()) {
            continue;
        }
        for name in names
            .iter()
            .filter(|name| !known.contains(name.text.as_str()))
        {
            let text = &name.text;
            let message = if table.item.call {
                format!("this calls tool `{text}`, which nothing declares")
            } else {
                format!("`{text}` stands among names of tools, and no tool has that name")
            };
            problems.push(problem(message, name, &known));
        }
    }
    problems
}

/// A configuration file lists a tool that nobody has written.
pub(super) fn unknown_tool_in_configuration(Check { scan, .. }: &Check<'_>) -> Vec<Problem> {
    let known = tools(scan);
    let unknown = scan
        .configured
        .iter()
        .filter(|name| !name.toolset && !known.contains(name.name.text.as_str()));
    unknown
        .map(|name| {
            let message = format!(
                "the configuration lists tool `{}`, which nothing declares",
                name.name.text
            );
            problem(message, &name.name, &known)
        })
        .collect()
}

/// A configuration file names a toolset that neither it nor the sources declare.
pub(super) fn unknown_toolset_in_configuration(Check { scan, .. }: &Check<'_>) -> Vec<Problem> {
    let declared = scan
        .toolsets
        .iter()
        .map(|toolset| toolset.item.name.text.as_str());
    let of_tools = scan
        .tools
        .iter()
        .map(|tool| tool.item.toolset.text.as_str());
    let of_files = scan.configured_toolsets.iter().map(String::as_str);
    let known: BTreeSet<&str> = declared.chain(of_tools).chain(of_files).collect();
    let mut problems = Vec::new();
    for name in scan.configured.iter().filter(|name| name.toolset) {
        let text = name.name.text.as_str();
        let at_run_time = matches!(text, "all" | "*") || text.starts_with("mcp-");
        if known.contains(text) || at_run_time {
            continue;
        }
        let message = format!("the configuration names toolset `{text}`, which nothing declares");
        problems.push(problem(message, &name.name, &known));
    }
    problems
}

fn tools(scan: &Scan) -> BTreeSet<&str> {
    let declared = scan.tools.iter().map(|tool| tool.item.name.text.as_str());
    let reserved = scan.reserved.iter().map(|name| name.item.text.as_str());
    declared.chain(reserved).collect()
}

fn problem(message: String, name: &Name, known: &BTreeSet<&str>) -> Problem {
    Problem {
        message,
        position: name.position.clone(),
        notes: Vec::new(),
        help: match nearest(&name.text, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "correct the name, or remove it".to_owned(),
        },
    }
}
