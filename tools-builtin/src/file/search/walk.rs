//! The files of a folder, in the order of their paths, as ripgrep finds them: without hidden ones
//! and those that a `.gitignore` of a repository or an `.ignore` names, and without following links.
//!
//! The walk goes by names and yields names. What they stand for is opened through the workspace.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use hermes_tools::workspace::{PathKind, WorkspacePath};
use hermes_tools::{ErrorKind, ToolError, Workspace};
use ignore::{DirEntry, WalkBuilder};

use super::output::{Reason, Skipped};
use super::pattern::NameGlob;
use super::stop::Stop;

/// Where a search goes.
#[derive(Debug)]
pub(super) enum Scope {
    /// One file.
    File(WorkspacePath),
    /// A folder, by its path from the workspace's root.
    Folder(PathBuf),
}

/// A file on the way.
#[derive(Debug)]
pub(super) struct Candidate<'s> {
    /// Path from the workspace's root, with `/` between its parts.
    pub(super) path: String,
    found: Place<'s>,
}

#[derive(Debug)]
enum Place<'s> {
    Named(&'s WorkspacePath),
    Walked(DirEntry),
}

/// What was seen on the way.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Files that fit the globs.
    pub(super) files: u64,
    /// Files that did not.
    pub(super) others: u64,
    pub(super) skipped: Skipped,
    /// Whether the time ran out.
    pub(super) late: bool,
}

impl Scope {
    /// Where a path leads.
    pub(super) fn of(workspace: &Workspace, path: &str) -> Result<Self, ToolError> {
        let target = workspace.resolve(path)?;
        match target.facts()?.kind {
            PathKind::Directory => Ok(Self::Folder(target.relative().to_owned())),
            PathKind::Missing => Err(target.not_found()),
            // Opening it says what else it is.
            PathKind::File | PathKind::Other => target.open().map(|_| Self::File(target)),
        }
    }

    /// The path from the workspace's root.
    pub(super) fn display(&self) -> String {
        match self {
            Self::File(target) => target.display(),
            Self::Folder(path) => slashed(path),
        }
    }
}

impl Candidate<'_> {
    /// Opens the file through the workspace.
    pub(super) fn open(&self, workspace: &Workspace) -> Result<File, ToolError> {
        match &self.found {
            Place::Named(target) => target.open(),
            Place::Walked(_) => workspace.resolve(&self.path)?.open(),
        }
    }

    /// When the file was changed last.
    pub(super) fn modified(&self) -> Option<SystemTime> {
        match &self.found {
            Place::Named(target) => target.facts().ok()?.modified,
            Place::Walked(entry) => entry.metadata().ok()?.modified().ok(),
        }
    }
}

/// Visits the files of a scope that fit all globs. A file that is searched alone fits any.
pub(super) fn visit(
    workspace: &Workspace,
    scope: &Scope,
    globs: &[&NameGlob],
    stop: &Stop,
    mut visitor: impl FnMut(Candidate<'_>, &mut Seen) -> Result<(), ToolError>,
) -> Result<Seen, ToolError> {
    let mut seen = Seen::default();
    let folder = match scope {
        Scope::File(target) => {
            seen.files = 1;
            let candidate = Candidate {
                path: target.display(),
                found: Place::Named(target),
            };
            visitor(candidate, &mut seen)?;
            return Ok(seen);
        }
        Scope::Folder(folder) => folder,
    };
    let root = workspace.root();
    let start = root.join(folder);
    let odd = Odd::default();
    for result in walker(root, folder, &odd)?.build() {
        stop.cancelled()?;
        if stop.is_late() {
            seen.late = true;
            break;
        }
        let entry = match result {
            Ok(entry) => entry,
            Err(error) => {
                seen.skipped.add(Reason::Unreadable, place(&error, root));
                continue;
            }
        };
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        let path = from_root(entry.path(), root);
        let from_folder = from_root(entry.path(), &start);
        if !globs.iter().all(|glob| glob.fits(&path, &from_folder)) {
            seen.others += 1;
            continue;
        }
        seen.files += 1;
        visitor(
            Candidate {
                path,
                found: Place::Walked(entry),
            },
            &mut seen,
        )?;
    }
    for folder in odd.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        seen.skipped
            .add(Reason::Unreadable, from_root(folder, root));
    }
    Ok(seen)
}

/// Folders that were left out since their ignore files are no files.
type Odd = Arc<Mutex<Vec<PathBuf>>>;

fn walker(root: &Path, folder: &Path, odd: &Odd) -> Result<WalkBuilder, ToolError> {
    for above in folder.ancestors() {
        let above = root.join(above);
        if !rules_are_files(&above) {
            return Err(ToolError::new(
                ErrorKind::NotRegular,
                format!(
                    "an ignore file of `{}` is a device, a pipe or a socket",
                    from_root(&above, root)
                ),
            )
            .with_help("remove it, or search another folder"));
        }
    }
    let mut builder = WalkBuilder::new(root.join(folder));
    // The rules of the workspace decide what is found, not those of whoever runs it.
    builder.git_global(false);
    let odd = Arc::clone(odd);
    builder.filter_entry(move |entry| {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        let fine = !is_folder || rules_are_files(entry.path());
        if !fine {
            let mut odd = odd.lock().unwrap_or_else(PoisonError::into_inner);
            odd.push(entry.path().to_owned());
        }
        fine
    });
    builder.sort_by_file_name(Ord::cmp);
    Ok(builder)
}

/// Whether the ignore files of a folder can be read without waiting: the walk opens them by name.
fn rules_are_files(folder: &Path) -> bool {
    [".ignore", ".gitignore", ".git/info/exclude"]
        .iter()
        .all(|name| {
            folder
                .join(name)
                .metadata()
                .map_or(true, |metadata| metadata.is_file())
        })
}

/// The path that an error of the walk is about.
fn place(error: &ignore::Error, root: &Path) -> String {
    match error {
        ignore::Error::WithPath { path, .. } => from_root(path, root),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            place(err, root)
        }
        other => other.to_string(),
    }
}

fn from_root(path: &Path, root: &Path) -> String {
    slashed(path.strip_prefix(root).unwrap_or(path))
}

fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.is_empty() {
        return ".".to_owned();
    }
    text.replace(std::path::MAIN_SEPARATOR, "/")
}
