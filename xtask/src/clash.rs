//! Which declarations of one name can meet in one build.

use std::collections::BTreeMap;

use crate::cfg::compatible;
use crate::scan::{Found, Name, Position};
use crate::workspace::{Package, Target, TargetKind, Workspace};

/// Two declarations of one name, by place.
type Pair<'a, T> = (&'a Found<T>, &'a Found<T>);

/// Pairs of one name that one build can hold, sorted by place.
///
/// In one build are a target, the library of its package, and the libraries that this depends on.
/// Code whose conditions exclude each other does not clash, also where a `compile_error!` says so, nor does a file that two targets share
/// with itself. Clashes between packages outside the workspace are theirs.
pub(crate) fn clashes<'a, T>(
    workspace: &Workspace,
    impossible: &[Found<Position>],
    all: &[&'a Found<T>],
    name: fn(&T) -> &Name,
) -> Vec<Pair<'a, T>> {
    // Features are those of a package, and so is what excludes some of them.
    let refused = |first: &Found<T>, second: &Found<T>| -> Vec<&[String]> {
        let of_both = |found: &&Found<Position>| {
            found.unit.package == first.unit.package && first.unit.package == second.unit.package
        };
        let refused = impossible.iter().filter(of_both);
        refused.map(|found| found.cfg.as_slice()).collect()
    };
    let mut pairs: BTreeMap<(&Position, &Position), Pair<'_, T>> = BTreeMap::new();
    for package in workspace.packages.iter().filter(|package| package.member) {
        for target in package.targets.iter().filter(|target| target.kind.ships()) {
            let mut by_name: BTreeMap<&str, Vec<&Found<T>>> = BTreeMap::new();
            for found in in_build(workspace, package, target, all) {
                by_name
                    .entry(&name(&found.item).text)
                    .or_default()
                    .push(found);
            }
            for mut same in by_name.into_values() {
                same.sort_by_key(|found| &name(&found.item).position);
                for (index, second) in same.iter().enumerate() {
                    let here = &name(&second.item).position;
                    let clashing = |first: &&&Found<T>| {
                        name(&first.item).position != *here
                            && (first.unit.member || second.unit.member)
                            && compatible(&first.cfg, &second.cfg, &refused(first, second))
                    };
                    if let Some(first) = same[..index].iter().find(clashing) {
                        pairs.insert((here, &name(&first.item).position), (first, second));
                    }
                }
            }
        }
    }
    pairs.into_values().collect()
}

/// What is compiled into `target`.
fn in_build<'a, T>(
    workspace: &Workspace,
    package: &Package,
    target: &Target,
    all: &[&'a Found<T>],
) -> Vec<&'a Found<T>> {
    let libraries = workspace.dependencies_of(package, target.kind == TargetKind::Example);
    all.iter()
        .copied()
        .filter(|found| found.ships())
        .filter(|found| {
            let unit = &found.unit;
            let own = unit.package == package.name;
            let linked = own || libraries.contains(unit.package.as_str());
            let this = own && unit.target == target.name && unit.kind == target.kind;
            this || linked && unit.kind == TargetKind::Lib
        })
        .collect()
}
