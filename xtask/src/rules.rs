//! What can be wrong with the tools and toolsets of a workspace. One function a rule.
//!
//! Rules look at what reaches users: libraries, binaries and examples of the members. Names that
//! other targets or packages declare count as known.

use std::collections::{BTreeMap, BTreeSet};

use crate::clash::clashes;
use crate::nearest::nearest;
use crate::report::{Finding, Problem, Severity, place};
use crate::scan::{Found, Name, Position, Scan, Tool, Toolset};
use crate::workspace::{Package, TargetKind, Workspace};

/// One rule.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its id.
    pub id: &'static str,
    /// How much its findings matter.
    pub severity: Severity,
    /// Reads the scan, returns what it finds.
    pub find: fn(&Workspace, &Scan) -> Vec<Problem>,
}

/// All rules, by id.
pub const RULES: [Rule; 9] = [
    error("duplicate-tool", duplicate_tool),
    error("duplicate-toolset", duplicate_toolset),
    error("include-cycle", include_cycle),
    warning("missing-effect", missing_effect),
    error("pack-not-linked", pack_not_linked),
    error("reserved-tool-exists", reserved_tool_exists),
    error("unknown-include", unknown_include),
    error("unknown-tool-in-toolset", unknown_tool_in_toolset),
    error("unparsed-file", unparsed_file),
];

/// Applies every rule.
pub fn check(workspace: &Workspace, scan: &Scan) -> Vec<Finding> {
    let mut findings = Vec::new();
    for Rule { id, severity, find } in RULES {
        findings.extend(
            find(workspace, scan)
                .into_iter()
                .map(|problem| problem.of(id, severity)),
        );
    }
    findings
}

const fn error(id: &'static str, find: fn(&Workspace, &Scan) -> Vec<Problem>) -> Rule {
    Rule {
        id,
        severity: Severity::Error,
        find,
    }
}

const fn warning(id: &'static str, find: fn(&Workspace, &Scan) -> Vec<Problem>) -> Rule {
    Rule {
        id,
        severity: Severity::Warning,
        find,
    }
}

/// Two tools of one name that end in one binary. Which of them answers would be chance.
fn duplicate_tool(workspace: &Workspace, scan: &Scan) -> Vec<Problem> {
    let mut problems = Vec::new();
    let tools: Vec<_> = scan
        .tools
        .iter()
        .filter(|tool| !tool.item.overrides)
        .collect();
    for (first, second) in clashes(workspace, &tools, |tool| &tool.name) {
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
fn duplicate_toolset(workspace: &Workspace, scan: &Scan) -> Vec<Problem> {
    let mut problems = Vec::new();
    let toolsets: Vec<_> = scan.toolsets.iter().collect();
    for (first, second) in clashes(workspace, &toolsets, |toolset| &toolset.name) {
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
fn include_cycle(_: &Workspace, scan: &Scan) -> Vec<Problem> {
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

/// A tool without `effect` counts as destructive, so that it asks more often than it needs to.
fn missing_effect(_: &Workspace, scan: &Scan) -> Vec<Problem> {
    let silent = |tool: &&Found<Tool>| {
        tool.ships_from_member() && tool.item.effect.is_none() && !tool.item.effect_of
    };
    let mut problems = Vec::new();
    for tool in scan.tools.iter().filter(silent) {
        problems.push(Problem {
            message: format!(
                "tool `{}` does not say what it does and counts as destructive",
                tool.item.name.text
            ),
            position: tool.item.name.position.clone(),
            notes: Vec::new(),
            help: "add `effect = \"read\"`, `\"write\"` or `\"destructive\"`".to_owned(),
        });
    }
    problems
}

/// A binary whose package depends on a pack and never names it: the compiler leaves the pack out.
/// `link!` names it, and so does any path into it.
fn pack_not_linked(workspace: &Workspace, scan: &Scan) -> Vec<Problem> {
    let is_pack = |name: &str| {
        scan.packs
            .iter()
            .any(|pack| pack.unit.package == name && pack.unit.kind == TargetKind::Lib)
    };
    let links = |package: &Package, crate_name: &str| {
        let mut named = scan.named.get(&package.name).into_iter().flatten();
        let by_path = named.any(|name| name == crate_name);
        by_path
            || scan.links.iter().any(|link| {
                link.unit.package == package.name
                    && matches!(link.unit.kind, TargetKind::Lib | TargetKind::Bin)
                    && link.item.text == crate_name
            })
    };
    let mut problems = Vec::new();
    for package in workspace.packages.iter().filter(|package| package.member) {
        let Some(bin) = package.bins().next() else {
            continue;
        };
        for dependency in package
            .dependencies
            .iter()
            .filter(|dependency| !dependency.dev)
        {
            let crate_name = &dependency.crate_name;
            if !is_pack(&dependency.package) || links(package, crate_name) {
                continue;
            }
            let pack = &dependency.package;
            let file = workspace.display(&bin.root);
            problems.push(Problem {
                message: format!(
                    "`{}` depends on the pack `{pack}` and never links it",
                    bin.name
                ),
                help: format!("add `hermes_tools::link!({crate_name});` to {file}"),
                position: Position {
                    file,
                    line: 1,
                    column: 1,
                },
                notes: vec![format!("the tools of `{pack}` are not in the binary")],
            });
        }
    }
    problems
}

/// A name in `reserved_tools!` whose tool has been written.
fn reserved_tool_exists(_: &Workspace, scan: &Scan) -> Vec<Problem> {
    let mut problems = Vec::new();
    for reserved in scan
        .reserved
        .iter()
        .filter(|reserved| reserved.ships_from_member())
    {
        let name = &reserved.item;
        let library_tool = scan.tools.iter().find(|tool| {
            tool.ships_from_member()
                && tool.unit.kind == TargetKind::Lib
                && tool.item.name.text == name.text
        });
        let Some(tool) = library_tool else { continue };
        problems.push(Problem {
            message: format!("`{}` is reserved, and the tool exists", name.text),
            position: name.position.clone(),
            notes: vec![format!("declared at {}", place(&tool.item.name.position))],
            help: "remove the name from `reserved_tools!`".to_owned(),
        });
    }
    problems
}

/// A toolset includes a toolset that nothing declares.
fn unknown_include(_: &Workspace, scan: &Scan) -> Vec<Problem> {
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
fn unknown_tool_in_toolset(_: &Workspace, scan: &Scan) -> Vec<Problem> {
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

/// A source file that could not be read or parsed: its tools are not checked.
fn unparsed_file(_: &Workspace, scan: &Scan) -> Vec<Problem> {
    let mut problems = Vec::new();
    for unparsed in scan.unparsed.iter().filter(|unparsed| unparsed.unit.member) {
        problems.push(Problem {
            message: format!("cannot read this file: {}", unparsed.item.reason),
            position: unparsed.item.position.clone(),
            notes: vec!["its tools and modules are not checked".to_owned()],
            help: "`cargo check` shows the compiler's view of it".to_owned(),
        });
    }
    problems
}

/// The toolsets whose lists are checked.
fn checked(toolsets: &[Found<Toolset>]) -> impl Iterator<Item = &Found<Toolset>> {
    toolsets
        .iter()
        .filter(|toolset| toolset.ships_from_member())
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
