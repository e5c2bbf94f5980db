//! Where a search goes, and how what it finds is shown.

use std::path::{Component, Path, PathBuf};

use hermes_tools::workspace::{PathKind, WorkspacePath};
use hermes_tools::{ToolError, Workspace};

use super::pattern::NameGlob;

/// Where a search goes.
#[derive(Debug)]
pub(super) enum Scope {
    /// One file.
    File(WorkspacePath),
    /// A folder with all that is in it.
    Folder(Folder),
}

/// A folder that is searched.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    start: PathBuf,
    /// What stands before the paths in it, when they are shown.
    prefix: String,
    /// What stands before them for a glob, which begins above: the folders of it that are a link.
    below: String,
}

impl Scope {
    /// Where a path leads.
    pub(super) fn of(workspace: &Workspace, path: &str) -> Result<Self, ToolError> {
        let target = workspace.resolve(path)?;
        match target.facts()?.kind {
            PathKind::Directory => Ok(Self::Folder(Folder::new(&target, path))),
            PathKind::Missing => Err(target.not_found()),
            // Opening it says what else it is.
            PathKind::File | PathKind::Other => target.open().map(|_| Self::File(target)),
        }
    }

    /// Where a glob on paths leads. A walk follows no links; where the folders that a glob begins with
    /// are one, it begins behind it.
    pub(super) fn of_glob(
        workspace: &Workspace,
        path: &str,
        glob: &NameGlob,
    ) -> Result<Self, ToolError> {
        let scope = Self::of(workspace, path)?;
        let Some(folders) = glob.folders() else {
            return Ok(scope);
        };
        let behind = match path {
            "." | "" => folders.to_owned(),
            path => format!("{}/{folders}", path.trim_end_matches('/')),
        };
        let named = named(folders);
        let Some(named) = named.filter(|_| leads_elsewhere(workspace, path, &behind, folders))
        else {
            return Ok(scope);
        };
        Ok(match Self::of(workspace, &behind)? {
            Self::Folder(folder) => Self::Folder(Folder {
                below: format!("{named}/"),
                ..folder
            }),
            file @ Self::File(_) => file,
        })
    }

    /// The path of it.
    pub(super) fn display(&self) -> String {
        match self {
            Self::File(target) => target.display(),
            Self::Folder(folder) if folder.prefix.is_empty() => ".".to_owned(),
            Self::Folder(folder) => folder.prefix.clone(),
        }
    }
}

impl Folder {
    /// A folder as it was asked for: what is found behind a link is shown with the link, since that is
    /// how the caller knows it.
    fn new(target: &WorkspacePath, asked: &str) -> Self {
        let asked_parts = Path::new(asked).components();
        let winds = asked_parts.clone().any(|part| part == Component::ParentDir);
        let prefix = if Path::new(asked).is_absolute() || winds {
            target.display()
        } else {
            tidy(asked)
        };
        Self {
            root: target.root().to_owned(),
            start: target.root().join(target.relative()),
            prefix: if prefix == "." { String::new() } else { prefix },
            below: String::new(),
        }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Where the walk begins.
    pub(super) fn start(&self) -> &Path {
        &self.start
    }

    /// A path of the walk as it is shown, and from the folder that was asked for.
    pub(super) fn spell(&self, path: &Path) -> (String, String) {
        let inside = slashed(path.strip_prefix(&self.start).unwrap_or(path));
        (self.show_inside(&inside), format!("{}{inside}", self.below))
    }

    /// How a path in the folder is shown.
    pub(super) fn show_inside(&self, from_folder: &str) -> String {
        if self.prefix.is_empty() {
            from_folder.to_owned()
        } else {
            format!("{}/{from_folder}", self.prefix)
        }
    }

    /// How a path of the walk is shown.
    pub(super) fn show(&self, path: &Path) -> String {
        match path.strip_prefix(&self.start) {
            Ok(inside) if inside.as_os_str().is_empty() => match &*self.prefix {
                "" => ".".to_owned(),
                prefix => prefix.to_owned(),
            },
            Ok(inside) => self.show_inside(&slashed(inside)),
            Err(_) => match slashed(path.strip_prefix(&self.root).unwrap_or(path)) {
                above if above.is_empty() => ".".to_owned(),
                above => above,
            },
        }
    }
}

/// Whether folders of a glob are a folder that stands elsewhere than below the path. Both are looked at
/// as they resolve: one place has many spellings.
fn leads_elsewhere(workspace: &Workspace, path: &str, behind: &str, folders: &str) -> bool {
    let (Ok(above), Ok(target)) = (workspace.resolve(path), workspace.resolve(behind)) else {
        return false;
    };
    let expected = tidy(&slashed(&above.relative().join(folders)));
    let is_there = target.root() == above.root() && tidy(&slashed(target.relative())) == expected;
    !is_there
        && target
            .facts()
            .is_ok_and(|facts| facts.kind == PathKind::Directory)
}

/// The folders of a glob without what means nothing in them; none where they lead up.
fn named(folders: &str) -> Option<String> {
    let mut parts = Path::new(folders).components();
    (!parts.any(|part| part == Component::ParentDir)).then(|| tidy(folders))
}

/// A path as it was sent, without what means nothing in it.
fn tidy(path: &str) -> String {
    let parts = Path::new(path).components();
    let tidy: PathBuf = parts.filter(|part| *part != Component::CurDir).collect();
    match slashed(&tidy) {
        empty if empty.is_empty() => ".".to_owned(),
        path => path,
    }
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy()
        .replace(std::path::MAIN_SEPARATOR, "/")
}
