//! Toolsets and the tools in them.

use std::collections::BTreeSet;

use super::{Check, checked};
use crate::nearest::nearest;
use crate::report::{Problem, place};
use crate::scan::{Found, Tool, Toolset};

/// A tool names a toolset that nothing declares, and no toolset lists it.
pub(super) fn tool_in_no_toolset(check: &Check<'_>) -> Vec<Problem> {
    undeclared(check, false)
}

/// A tool names a toolset that nothing declares; others list it.
pub(super) fn undeclared_toolset(check: &Check<'_>) -> Vec<Problem> {
    undeclared(check, true)
}

fn undeclared(Check { scan, .. }: &Check<'_>, wanted_listed: bool) -> Vec<Problem> {
    let known: BTreeSet<&str> = names(&scan.toolsets);
    let listed: BTreeSet<&str> = scan
        .toolsets
        .iter()
        .flat_map(|toolset| toolset.item.tools.iter().chain(&toolset.item.lent))
        .map(|name| name.text.as_str())
        .collect();
    let mut problems = Vec::new();
    for tool in scan.tools.iter().filter(|tool| tool.ships_from_member()) {
        let (name, toolset) = (&tool.item.name.text, &tool.item.toolset);
        let is_listed = listed.contains(name.as_str());
        if known.contains(toolset.text.as_str()) || is_listed != wanted_listed {
            continue;
        }
        let toolset_name = &toolset.text;
        problems.push(Problem {
            message: format!("tool `{name}` names toolset `{toolset_name}`, which nothing declares"),
            position: toolset.position.clone(),
            notes: if is_listed {
                Vec::new()
            } else {
                vec!["no other toolset lists it, so it can be chosen by that name alone".to_owned()]
            },
            help: match nearest(toolset_name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "declare it with `hermes_tools::toolset! {{ name: \"{toolset_name}\", description: \"...\" }}`"
                ),
            },
        });
    }
    problems
}

/// A toolset that no tool names, that lists and includes nothing.
pub(super) fn empty_toolset(Check { scan, .. }: &Check<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for toolset in checked(&scan.toolsets) {
        let Toolset {
            name,
            tools,
            includes,
            lent,
            complete,
            core,
            ..
        } = &toolset.item;
        let lists = !(tools.is_empty() && includes.is_empty() && lent.is_empty());
        if lists || *core || !complete || members(&scan.tools, name).next().is_some() {
            continue;
        }
        problems.push(Problem {
            message: format!("toolset `{}` has no tools", name.text),
            position: name.position.clone(),
            notes: vec!["no tool names it, and it lists and includes nothing".to_owned()],
            help: format!(
                "write `toolset = \"{}\"` on a tool, or remove the toolset",
                name.text
            ),
        });
    }
    problems
}

/// A toolset that nothing refers to: no tool names it, it is included nowhere, and no string in the
/// sources and no configuration mentions it.
///
/// A toolset that lists tools is a choice for users even so.
pub(super) fn unused_toolset(check: &Check<'_>) -> Vec<Problem> {
    let scan = check.scan;
    let included: BTreeSet<&str> = scan
        .toolsets
        .iter()
        .flat_map(|toolset| &toolset.item.includes)
        .map(|name| name.text.as_str())
        .collect();
    let configured: BTreeSet<&str> = scan
        .configured
        .iter()
        .filter(|name| name.toolset)
        .map(|name| name.name.text.as_str())
        .collect();
    let mut problems = Vec::new();
    for toolset in checked(&scan.toolsets) {
        let name = &toolset.item.name;
        let text = name.text.as_str();
        let own = !toolset.item.tools.is_empty() || toolset.item.core || !toolset.item.complete;
        if own
            || included.contains(text)
            || configured.contains(text)
            || scan.strings.contains(text)
            || members(&scan.tools, name).next().is_some()
            // Then it is empty, and said to be.
            || toolset.item.includes.is_empty() && toolset.item.lent.is_empty()
        {
            continue;
        }
        problems.push(Problem {
            message: format!("nothing refers to toolset `{text}`"),
            position: name.position.clone(),
            notes: Vec::new(),
            help: "name it in a tool, a toolset, the sources or `hermes.toml`, or remove it"
                .to_owned(),
        });
    }
    problems
}

/// A tool that may do more than a toolset allows. Sessions with that toolset leave the tool out.
pub(super) fn effect_beyond_bound(Check { scan, .. }: &Check<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for toolset in checked(&scan.toolsets) {
        let Some(bound) = &toolset.item.max_effect else {
            continue;
        };
        let listed = |tool: &Found<Tool>| {
            let name = &tool.item.name.text;
            toolset
                .item
                .tools
                .iter()
                .find(|listed| listed.text == *name)
        };
        for tool in scan.tools.iter().filter(|tool| tool.ships()) {
            let member = tool.item.toolset.text == toolset.item.name.text;
            let entry = listed(tool);
            // What depends on the arguments is judged call by call.
            if !(member || entry.is_some()) || tool.item.effect_of {
                continue;
            }
            let effect = tool.item.effect.as_deref();
            if rank(effect.unwrap_or("destructive")) <= rank(bound) {
                continue;
            }
            let (owner, name) = (&toolset.item.name.text, &tool.item.name);
            let does = match effect {
                Some(effect) => format!("is `{effect}`"),
                None => "counts as `destructive`".to_owned(),
            };
            let at_list = entry.filter(|_| !member || !tool.unit.member);
            problems.push(Problem {
                message: format!(
                    "tool `{}` {does}, and toolset `{owner}` allows `{bound}`",
                    name.text
                ),
                position: at_list
                    .map_or(&name.position, |entry| &entry.position)
                    .clone(),
                notes: vec![if at_list.is_some() {
                    format!("the tool is declared at {}", place(&name.position))
                } else {
                    format!(
                        "the bound is declared at {}",
                        place(&toolset.item.name.position)
                    )
                }],
                help:
                    "sessions leave it out: raise `max_effect`, or take the tool out of the toolset"
                        .to_owned(),
            });
        }
    }
    problems
}

fn rank(effect: &str) -> u8 {
    match effect {
        "read" => 0,
        "write" => 1,
        _ => 2,
    }
}

fn names(toolsets: &[Found<Toolset>]) -> BTreeSet<&str> {
    toolsets
        .iter()
        .map(|toolset| toolset.item.name.text.as_str())
        .collect()
}

/// Tools that name the toolset, wherever they are.
fn members<'a>(
    tools: &'a [Found<Tool>],
    toolset: &'a crate::scan::Name,
) -> impl Iterator<Item = &'a Found<Tool>> {
    tools
        .iter()
        .filter(|tool| tool.item.toolset.text == toolset.text)
}
