//! Packs, and the binaries that link them.

use super::Check;
use crate::report::{Problem, place};
use crate::scan::Position;
use crate::workspace::{Package, TargetKind};

/// A binary whose package depends on a pack and never names it: the compiler leaves the pack out.
/// `link!` names it, and so does any path into it.
pub(super) fn pack_not_linked(
    Check {
        workspace, scan, ..
    }: &Check<'_>,
) -> Vec<Problem> {
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
                help: format!("add `{}` to {file}", workspace.linking(package, crate_name)),
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
pub(super) fn reserved_tool_exists(Check { scan, .. }: &Check<'_>) -> Vec<Problem> {
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

/// `link!` of a crate that declares no pack. It does not compile, and says less why.
pub(super) fn link_of_non_pack(
    Check {
        workspace, scan, ..
    }: &Check<'_>,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    for link in scan.links.iter().filter(|link| link.ships_from_member()) {
        let name = &link.item.text;
        let Some(package) = workspace.member(&link.unit.package) else {
            continue;
        };
        let dependency = package
            .dependencies
            .iter()
            .find(|dependency| dependency.crate_name == *name);
        let pack_in = |pack: &str| {
            scan.packs
                .iter()
                .any(|found| found.unit.package == pack && found.unit.kind == TargetKind::Lib)
        };
        // A module of this target may be a pack too, and so may the package's own library.
        let inside = scan.packs.iter().any(|pack| {
            pack.unit.package == package.name
                && (pack.module.rsplit("::").next() == Some(name.as_str())
                    || pack.unit.kind == TargetKind::Lib
                        && pack.unit.target.replace('-', "_") == *name)
        });
        if inside {
            continue;
        }
        let (message, help) = match dependency {
            Some(dependency) if pack_in(&dependency.package) => continue,
            Some(dependency) => (
                format!("`{name}` is no pack"),
                format!(
                    "write `hermes_tools::pack!();` in the library of `{}`, or take `{name}` out of `link!`",
                    dependency.package
                ),
            ),
            None if matches!(name.as_str(), "crate" | "self" | "super") => continue,
            None => (
                format!("`{}` does not depend on `{name}`", package.name),
                format!("add the pack to the dependencies of `{}`", package.name),
            ),
        };
        problems.push(Problem {
            message,
            position: link.item.position.clone(),
            notes: Vec::new(),
            help,
        });
    }
    problems
}
