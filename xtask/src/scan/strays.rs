//! Files beside the modules of a package that no `mod` leads to, as far as the scan can see.
//!
//! A macro of another file or another crate can write the `mod` that leads to them. Nothing in the call
//! shows that, so what tells is the file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::sources::Read;
use super::{Unit, unit_of};
use crate::workspace::{TargetKind, Workspace};

/// A file, and the target in whose folder it lies.
pub(super) type Stray = (PathBuf, Arc<Unit>);

/// The source files of the libraries and binaries of members that were not read. Links are not followed.
pub(super) fn of(workspace: &Workspace, read: &Read) -> Vec<Stray> {
    let mut strays: Vec<Stray> = Vec::new();
    for package in workspace.packages.iter().filter(|package| package.member) {
        let mut folders: Vec<&Path> = Vec::new();
        for target in &package.targets {
            let folder = target.root.parent();
            let Some(folder) =
                folder.filter(|folder| !folders.iter().any(|known| folder.starts_with(known)))
            else {
                continue;
            };
            // A root beside `Cargo.toml` has no folder of its own.
            if !matches!(target.kind, TargetKind::Lib | TargetKind::Bin) || has_manifest(folder) {
                continue;
            }
            folders.push(folder);
            let unit = Arc::new(unit_of(package, target));
            let mut found = Vec::new();
            collect(folder, read, &mut found);
            strays.extend(found.into_iter().map(|path| (path, Arc::clone(&unit))));
        }
    }
    strays.sort_by(|(a, _), (b, _)| a.cmp(b));
    strays
}

fn has_manifest(folder: &Path) -> bool {
    folder.join("Cargo.toml").exists()
}

/// What cannot be listed holds nothing that can be told.
fn collect(folder: &Path, read: &Read, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !has_manifest(&path) => collect(&path, read, found),
            Ok(kind) if kind.is_file() => {
                let is_source = path.extension().is_some_and(|extension| extension == "rs");
                if is_source && !read.contains_key(&path) {
                    found.push(path);
                }
            }
            _ => {}
        }
    }
}
