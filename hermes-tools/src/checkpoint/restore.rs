//! Putting files back as they were.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::Path;

use super::objects::digest;
use super::{Checkpoints, KeptContents, KeptFile};
use crate::context::Cancel;
use crate::names;
use crate::output::{ErrorKind, ToolError};
use crate::workspace::{PathFacts, PathKind, Workspace, WorkspacePath};

/// A file that differs from what it was before a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// Its path in the form in which it can be sent to a tool.
    pub path: String,
    /// What it held before; none when there was no file.
    pub before: Option<Vec<u8>>,
    /// What it holds now; none when there is no file.
    pub now: Option<Vec<u8>>,
}

/// A file that cannot be compared or put back, such as one where a folder stands now.
#[derive(Debug)]
#[non_exhaustive]
pub struct Failed {
    /// The path.
    pub path: String,
    /// Why.
    pub error: ToolError,
}

/// What was put back, and what could not be.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Restoration {
    /// The files that were put back or taken away.
    pub restored: Vec<Restored>,
    /// The files that are as they were.
    pub failed: Vec<Failed>,
}

/// What was put back.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Restored {
    /// The path.
    pub path: String,
    /// Whether there is a file again; otherwise one was taken away that was not there before.
    pub exists: bool,
}

impl Checkpoints {
    /// What differs from what it was before a checkpoint and those after it, of these paths, or of all
    /// when there are none. Each file is read when its turn comes; one that cannot be compared does not
    /// keep the others from it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] for an id that does not exist and for a path of no file that was changed since,
    /// and those of finding the paths.
    pub fn changes<'c>(
        &'c self,
        workspace: &'c Workspace,
        id: &str,
        paths: &[String],
    ) -> Result<impl Iterator<Item = Result<Change, Failed>> + use<'c>, ToolError> {
        let files = self.wanted(workspace, id, paths)?;
        Ok(files.into_iter().filter_map(move |kept| {
            let change = self.change(workspace, &kept);
            change.map_err(|error| failed(kept, error)).transpose()
        }))
    }

    /// Puts files back as they were before a checkpoint and those after it: these paths, or all when
    /// there are none. Where the workspace has a journal, what stands there now is kept in it.
    ///
    /// No file is held in memory as a whole, and one that cannot be put back does not keep the others
    /// from it.
    ///
    /// # Errors
    ///
    /// Those of [`changes`](Self::changes); those of single files are in what is answered.
    pub fn restore(
        &self,
        workspace: &Workspace,
        id: &str,
        paths: &[String],
    ) -> Result<Restoration, ToolError> {
        let mut done = Restoration::default();
        for kept in self.wanted(workspace, id, paths)? {
            match self.put_back(workspace, &kept) {
                Ok(restored) => done.restored.extend(restored),
                Err(error) => done.failed.push(failed(kept, error)),
            }
        }
        Ok(done)
    }

    /// The files of a checkpoint and of those after it, each as it was first, of these paths.
    fn wanted(
        &self,
        workspace: &Workspace,
        id: &str,
        paths: &[String],
    ) -> Result<Vec<KeptFile>, ToolError> {
        let wanted = resolved(workspace, paths)?;
        let mut seen = HashSet::new();
        let mut files = self.since(id)?;
        for (path, (root, relative)) in paths.iter().zip(&wanted) {
            if !files
                .iter()
                .any(|kept| kept.root == *root && kept.path == *relative)
            {
                return Err(not_kept(workspace, id, path, &files));
            }
        }
        files.retain(|kept| {
            let place = (kept.root.clone(), kept.path.clone());
            (paths.is_empty() || wanted.contains(&place)) && seen.insert(place)
        });
        Ok(files)
    }

    fn change(&self, workspace: &Workspace, kept: &KeptFile) -> Result<Option<Change>, ToolError> {
        let target = workspace.resolve(&place_of(kept))?;
        let facts = target.facts()?;
        if !differs(&target, &facts, kept)? {
            return Ok(None);
        }
        let now = match facts.kind {
            PathKind::Missing => None,
            _ => Some(read(target.open()?, &target)?),
        };
        let before = kept.before.as_ref();
        Ok(Some(Change {
            path: target.display(),
            before: before.map(|contents| self.kept(contents)).transpose()?,
            now,
        }))
    }

    fn put_back(
        &self,
        workspace: &Workspace,
        kept: &KeptFile,
    ) -> Result<Option<Restored>, ToolError> {
        let (target, _lock) = workspace.resolve_locked(&place_of(kept))?;
        let seen = target.facts()?;
        if !differs(&target, &seen, kept)? {
            return Ok(None);
        }
        match &kept.before {
            Some(contents) => {
                let objects = &self.inner.objects;
                let mut kept = objects.open(&contents.digest).map_err(unkept)?;
                let replaced = target.replace_unchanged_from(&mut kept, &seen, &Cancel::never());
                if kept.has_failed() {
                    return Err(unkept(io::ErrorKind::InvalidData.into()));
                }
                replaced?;
                if let Some(mode) = contents.mode {
                    set_mode(&target, mode)?;
                }
            }
            None => drop(target.remove_unchanged(&seen, &Cancel::never())?),
        }
        Ok(Some(Restored {
            path: target.display(),
            exists: kept.before.is_some(),
        }))
    }

    /// The files of a checkpoint and of those after it, the oldest first.
    fn since(&self, id: &str) -> Result<Vec<KeptFile>, ToolError> {
        let failed = |error: io::Error| {
            ToolError::new(
                ErrorKind::Io,
                format!("checkpoints cannot be read: {error}"),
            )
            .because(error)
        };
        let mut checkpoints = self.list().map_err(failed)?;
        checkpoints.reverse();
        if !checkpoints.iter().any(|checkpoint| checkpoint.id == id) {
            let error = ToolError::new(ErrorKind::NotFound, format!("no such checkpoint: `{id}`"));
            return Err(error.with_help("list the checkpoints for their ids"));
        }
        let newer = checkpoints.into_iter().skip_while(|it| it.id != id);
        Ok(newer.flat_map(|checkpoint| checkpoint.files).collect())
    }

    fn kept(&self, contents: &KeptContents) -> Result<Vec<u8>, ToolError> {
        self.contents(contents).map_err(unkept)
    }
}

/// A path of which nothing is kept: who names it would otherwise take it for unchanged.
fn not_kept(workspace: &Workspace, id: &str, path: &str, files: &[KeptFile]) -> ToolError {
    /// Names that are told where none is near.
    const TOLD: usize = 3;

    let shown = |kept: &KeptFile| {
        let target = workspace.resolve(&place_of(kept));
        target.map_or_else(|_| kept.path.clone(), |target| target.display())
    };
    let mut names: Vec<String> = files.iter().map(shown).collect();
    names.sort_unstable();
    names.dedup();
    let all = || names.iter().map(String::as_str);
    let near = names::near(path, all());
    let help = if near.is_empty() {
        let more = if names.len() > TOLD {
            ", and others"
        } else {
            ""
        };
        let first: Vec<&str> = all().take(TOLD).collect();
        format!("name one that it has: `{}`{more}", first.join("`, `"))
    } else {
        format!("did you mean `{}`?", near.join("` or `"))
    };
    let message = format!("the checkpoint `{id}` and those after it have no file `{path}`");
    ToolError::new(ErrorKind::NotFound, message).with_help(help)
}

fn unkept(error: io::Error) -> ToolError {
    let message = format!("what was kept cannot be read: {error}");
    ToolError::new(ErrorKind::Io, message).because(error)
}

/// Where paths of a call lead: their roots, and the paths from there.
fn resolved(workspace: &Workspace, paths: &[String]) -> Result<Vec<(String, String)>, ToolError> {
    let place = |path: &String| {
        let target = workspace.resolve(path)?;
        let text = |path: &Path| path.to_string_lossy().into_owned();
        Ok((text(target.root()), text(target.relative())))
    };
    paths.iter().map(place).collect()
}

/// Where a file stands that was kept, for the workspace as it is now.
fn place_of(kept: &KeptFile) -> String {
    let path = Path::new(&kept.root).join(&kept.path);
    path.to_string_lossy().into_owned()
}

fn failed(kept: KeptFile, error: ToolError) -> Failed {
    Failed {
        path: kept.path,
        error,
    }
}

/// Whether what stands at a place is not what was kept. Neither is held in memory.
fn differs(target: &WorkspacePath, facts: &PathFacts, kept: &KeptFile) -> Result<bool, ToolError> {
    if facts.kind == PathKind::Missing {
        return Ok(kept.before.is_some());
    }
    // What is no file is an error here, whatever was kept.
    let mut file = target.open()?;
    let Some(before) = &kept.before else {
        return Ok(true);
    };
    if facts.len != before.length {
        return Ok(true);
    }
    let now = digest(&mut file).map_err(|error| unreadable(target, error))?;
    Ok(now != before.digest)
}

fn unreadable(target: &WorkspacePath, error: io::Error) -> ToolError {
    let message = format!("`{}` cannot be read: {error}", target.display());
    ToolError::new(ErrorKind::Io, message).because(error)
}

fn read(mut file: File, target: &WorkspacePath) -> Result<Vec<u8>, ToolError> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)
        .map_err(|error| unreadable(target, error))?;
    Ok(bytes)
}

#[cfg(unix)]
fn set_mode(target: &WorkspacePath, mode: u32) -> Result<(), ToolError> {
    use std::os::unix::fs::PermissionsExt as _;
    let permissions = std::fs::Permissions::from_mode(mode);
    target
        .open()?
        .set_permissions(permissions)
        .map_err(|error| {
            let message = format!("`{}` has other permissions now: {error}", target.display());
            ToolError::new(ErrorKind::Io, message).because(error)
        })
}

#[cfg(not(unix))]
fn set_mode(_: &WorkspacePath, _: u32) -> Result<(), ToolError> {
    Ok(())
}
