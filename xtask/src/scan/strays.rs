//! Files beside the modules of a package that no `mod` leads to, as far as the scan can see.
//!
//! A macro of another file or another crate can write the `mod` that leads to them. Nothing in the call
//! shows that, so what tells is the file.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::sources::{MAX_THREADS, Read};
use super::{Unit, unit_of};
use crate::workspace::{Package, TargetKind, Workspace};

/// A file, and the target in whose folder it lies.
pub(super) type Stray = (PathBuf, Arc<Unit>);

/// The source files of the libraries and binaries of members that were not read. Links are not followed.
pub(super) fn of(workspace: &Workspace, read: &Read) -> Vec<Stray> {
    let members: Vec<&Package> = workspace
        .packages
        .iter()
        .filter(|package| package.member)
        .collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = members.len().div_ceil(threads.min(MAX_THREADS)).max(1);
    let mut strays: Vec<Stray> = std::thread::scope(|scope| {
        let shares: Vec<_> = members
            .chunks(share)
            .map(|share| {
                scope.spawn(move || share.iter().flat_map(|it| of_package(it, read)).collect())
            })
            .collect();
        let done = shares
            .into_iter()
            .map(|share| share.join().unwrap_or_default());
        done.collect::<Vec<Vec<Stray>>>().concat()
    });
    strays.sort_by(|(a, _), (b, _)| a.cmp(b));
    strays
}

fn of_package(package: &Package, read: &Read) -> Vec<Stray> {
    let mut strays = Vec::new();
    let mut folders: Vec<&Path> = Vec::new();
    for target in &package.targets {
        let ships = matches!(target.kind, TargetKind::Lib | TargetKind::Bin);
        let Some(folder) = target.root.parent().filter(|_| ships) else {
            continue;
        };
        if folders.iter().any(|known| folder.starts_with(known)) {
            continue;
        }
        folders.push(folder);
        let mut found = Vec::new();
        collect(folder, read, &mut found);
        let unit = Arc::new(unit_of(package, target));
        strays.extend(found.into_iter().map(|path| (path, Arc::clone(&unit))));
    }
    strays
}

/// What cannot be listed holds nothing that can be told. A folder with a `Cargo.toml` is another package's,
/// or, where a root lies beside its own, holds much that is no source.
fn collect(folder: &Path, read: &Read, found: &mut Vec<PathBuf>) {
    let entries: Vec<DirEntry> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .collect();
    if entries
        .iter()
        .any(|entry| entry.file_name() == "Cargo.toml")
    {
        return;
    }
    for entry in entries {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(&entry.path(), read, found),
            Ok(kind) if kind.is_file() => {
                let path = entry.path();
                let is_source = path.extension().is_some_and(|extension| extension == "rs");
                if is_source && !read.contains_key(&path) {
                    found.push(path);
                }
            }
            _ => {}
        }
    }
}
