//! Putting files back as they were.

use std::collections::HashSet;
use std::fs::File;
use std::path::Path;

use super::{Checkpoints, KeptContents, KeptFile};
use crate::context::Cancel;
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
    /// What is kept of it.
    kept: KeptFile,
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
    /// when there are none.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] for an id that does not exist, and those of reading.
    pub fn changes(
        &self,
        workspace: &Workspace,
        id: &str,
        paths: &[String],
    ) -> Result<Vec<Change>, ToolError> {
        let wanted = resolved(workspace, paths)?;
        let mut seen = HashSet::new();
        let mut changes = Vec::new();
        for kept in self.since(id)? {
            if !seen.insert((kept.root.clone(), kept.path.clone())) {
                continue;
            }
            let place = (kept.root.clone(), kept.path.clone());
            if !paths.is_empty() && !wanted.contains(&place) {
                continue;
            }
            let target = open(workspace, &kept)?;
            let now = match target.facts()?.kind {
                PathKind::Missing => None,
                _ => Some(read(target.open()?, &target)?),
            };
            let before = kept.before.as_ref();
            let before = before.map(|contents| self.kept(contents)).transpose()?;
            if before != now {
                changes.push(Change {
                    path: target.display(),
                    before,
                    now,
                    kept,
                });
            }
        }
        Ok(changes)
    }

    /// Puts files back as they were before a checkpoint and those after it: these paths, or all when
    /// there are none. Where the workspace has a journal, what stands there now is kept in it.
    ///
    /// # Errors
    ///
    /// Those of [`changes`](Self::changes) and of writing. Files before the one that failed are put
    /// back then, and those behind it are not.
    pub fn restore(
        &self,
        workspace: &Workspace,
        id: &str,
        paths: &[String],
    ) -> Result<Vec<Restored>, ToolError> {
        let changes = self.changes(workspace, id, paths)?;
        let mut restored = Vec::new();
        for change in changes {
            let (target, _lock) = workspace.resolve_locked(&change.path)?;
            let seen = target.facts()?;
            match (&change.before, &change.kept.before) {
                (Some(bytes), contents) => {
                    target.replace_unchanged(bytes, &seen, &Cancel::never())?;
                    if let Some(mode) = contents.as_ref().and_then(|contents| contents.mode) {
                        set_mode(&target, mode)?;
                    }
                }
                (None, _) if seen == PathFacts::MISSING => continue,
                (None, _) => drop(target.remove_unchanged(&seen, &Cancel::never())?),
            }
            restored.push(Restored {
                path: change.path,
                exists: change.before.is_some(),
            });
        }
        Ok(restored)
    }

    /// The files of a checkpoint and of those after it, the oldest first.
    fn since(&self, id: &str) -> Result<Vec<KeptFile>, ToolError> {
        let failed = |error: std::io::Error| {
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
        self.contents(contents).map_err(|error| {
            let message = format!("what was kept cannot be read: {error}");
            ToolError::new(ErrorKind::Io, message).because(error)
        })
    }
}

/// Where paths of a call lead: their roots, and the paths from there.
fn resolved(
    workspace: &Workspace,
    paths: &[String],
) -> Result<HashSet<(String, String)>, ToolError> {
    let place = |path: &String| {
        let target = workspace.resolve(path)?;
        let text = |path: &Path| path.to_string_lossy().into_owned();
        Ok((text(target.root()), text(target.relative())))
    };
    paths.iter().map(place).collect()
}

/// The place of a file that was kept, through the workspace as it is now.
fn open(workspace: &Workspace, kept: &KeptFile) -> Result<WorkspacePath, ToolError> {
    let path = Path::new(&kept.root).join(&kept.path);
    workspace.resolve(&path.to_string_lossy())
}

fn read(mut file: File, target: &WorkspacePath) -> Result<Vec<u8>, ToolError> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| {
        let message = format!("`{}` cannot be read: {error}", target.display());
        ToolError::new(ErrorKind::Io, message).because(error)
    })?;
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
