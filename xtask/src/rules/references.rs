//! Names that toolsets use: is there such a tool, such a toolset, and only one.

use std::collections::{BTreeMap, BTreeSet};

use super::{Check, checked};
use crate::clash::clashes;
use crate::nearest::nearest;
use crate::report::{Problem, place};
use crate::scan::Name;

/// Two tools of one name that end in one binary. Which of them answers would be chance.
pub(super) fn duplicate_tool(
    Check {
        workspace, scan, ..
    }: &Check<'_>,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    let tools: Vec<_> = scan
        .tools
        .iter()
        .filter(|tool| !tool.item.overrides)
        .collect();
    for (first, second) in clashes(workspace, &scan.impossible, &tools, |tool| &tool.name) {
        problems.push(Problem {
            message: format!("tool `{}` is declared twice", second.item.name.text),
            position: second.item.name.position.clone(),
            notes: vec![format!(
                "first declared at {}",
                place(&first.item.name.position)
            )],
            help: "rename one of them with `name = \"...\"`".to_owned(),
        });
    }
    problems
}

/// Two toolsets of one name that end in one binary.
pub(super) fn duplicate_toolset(
    Check {
        workspace, scan, ..
    }: &Check<'_>,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    let toolsets: Vec<_> = scan.toolsets.iter().collect();
    for (first, second) in clashes(workspace, &scan.impossible, &toolsets, |toolset| {
        &toolset.name
    }) {
        problems.push(Problem {
            message: format!("toolset `{}` is declared twice", second.item.name.text),
            position: second.item.name.position.clone(),
            notes: vec![format!(
                "first declared at {}",
                place(&first.item.name.position)
            )],
            help: "rename one of them, or merge their lists".to_owned(),
        });
    }
    problems
}

/// A toolset that includes itself, directly or through others.
pub(super) fn include_cycle(Check { scan, .. }: &Check<'_>) -> Vec<Problem> {
    let mut includes: BTreeMap<&str, Vec<&Name>> = BTreeMap::new();
    for toolset in scan.toolsets.iter().filter(|toolset| toolset.ships()) {
        includes
            .entry(&toolset.item.name.text)
            .or_default()
            .extend(&toolset.item.includes);
    }
    let mut problems = Vec::new();
    for start in includes.keys() {
        let Some(cycle) = cycle_from(start, &includes) else {
            continue;
        };
        // Every member of a circle finds it; the first by name reports it.
        if cycle.iter().any(|name| name.text.as_str() < *start) {
            continue;
        }
        let way: Vec<&str> = cycle.iter().map(|name| name.text.as_str()).collect();
        let way = way.join("` -> `");
        problems.push(Problem {
            message: format!("toolset `{start}` includes itself: `{start}` -> `{way}`"),
            position: cycle[0].position.clone(),
            notes: Vec::new(),
            help: "remove one of these includes".to_owned(),
        });
    }
    problems
}

/// A toolset includes a toolset that nothing declares.
pub(super) fn unknown_include(Check { scan, .. }: &Check<'_>) -> Vec<Problem> {
    let known: BTreeSet<&str> = scan
        .toolsets
        .iter()
        .map(|toolset| toolset.item.name.text.as_str())
        .collect();
    // `mcp-*` toolsets come with a server at run time, and the special names need no declaration.
    let expected = |name: &str| {
        known.contains(name) || matches!(name, "all" | "*") || name.starts_with("mcp-")
    };
    let mut problems = Vec::new();
    for toolset in checked(&scan.toolsets) {
        for include in toolset
            .item
            .includes
            .iter()
            .filter(|include| !expected(&include.text))
        {
            let (owner, name) = (&toolset.item.name.text, &include.text);
            problems.push(Problem {
                message: format!("toolset `{owner}` includes `{name}`, which nothing declares"),
                position: include.position.clone(),
                notes: Vec::new(),
                help: match nearest(name, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("declare it with `toolset! {{ name: \"{name}\", ... }}`"),
                },
            });
        }
    }
    problems
}

/// A toolset lists a tool that nobody has written and nobody plans.
pub(super) fn unknown_tool_in_toolset(Check { scan, .. }: &Check<'_>) -> Vec<Problem> {
    let declared = scan.tools.iter().map(|tool| tool.item.name.text.as_str());
    let reserved = scan.reserved.iter().map(|name| name.item.text.as_str());
    let known: BTreeSet<&str> = declared.chain(reserved).collect();
    let mut problems = Vec::new();
    for toolset in checked(&scan.toolsets) {
        let listed = toolset.item.tools.iter().chain(&toolset.item.lent);
        for tool in listed.filter(|tool| !known.contains(tool.text.as_str())) {
            let (owner, name) = (&toolset.item.name.text, &tool.text);
            problems.push(Problem {
                message: format!("toolset `{owner}` lists tool `{name}`, which nothing declares"),
                position: tool.position.clone(),
                notes: Vec::new(),
                help: match nearest(name, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "write the tool, or add the name to `reserved_tools!`".to_owned(),
                },
            });
        }
    }
    problems
}

/// A list of names that is out of order.
pub(super) fn unsorted_names(Check { scan, .. }: &Check<'_>) -> Vec<Problem> {
    let lists = scan.unsorted.iter().filter(|list| list.ships_from_member());
    lists
        .map(|found| {
            let list = &found.item;
            Problem {
                message: format!(
                    "{} is out of order: `{}` stands after `{}`",
                    list.list, list.name.text, list.before
                ),
                position: list.name.position.clone(),
                notes: Vec::new(),
                help: "sort it by name; `--fix` does".to_owned(),
            }
        })
        .collect()
}

/// The shortest way from `start` back to itself, as the includes that lead there.
fn cycle_from<'a>(start: &str, includes: &BTreeMap<&str, Vec<&'a Name>>) -> Option<Vec<&'a Name>> {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut ways: Vec<Vec<&Name>> = vec![Vec::new()];
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            let here = way.last().map_or(start, |name: &&Name| name.text.as_str());
            for include in includes.get(here).into_iter().flatten().copied() {
                let mut way = way.clone();
                way.push(include);
                if include.text == start {
                    return Some(way);
                }
                if seen.insert(&include.text) {
                    longer.push(way);
                }
            }
        }
        ways = longer;
    }
    None
}
