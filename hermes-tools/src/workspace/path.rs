//! A resolved path and what a tool does with it.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::{PathFacts, PathHandle, PathKind, PathLock, PathPlace, Replaced, error};
use crate::context::Cancel;
use crate::output::{ErrorKind, ToolError};

/// A path of a call, resolved inside the workspace.
///
/// It may name nothing yet: [`replace`](Self::replace) makes the file and its folders.
pub struct WorkspacePath {
    relative: PathBuf,
    handle: Box<dyn PathHandle>,
    read_only: bool,
}

impl WorkspacePath {
    pub(super) fn new(relative: PathBuf, handle: Box<dyn PathHandle>) -> Self {
        Self {
            relative,
            handle,
            read_only: false,
        }
    }

    /// A path in a folder that may only be read, by its whole path.
    pub(super) fn read_only(path: PathBuf, handle: Box<dyn PathHandle>) -> Self {
        Self {
            relative: path,
            handle,
            read_only: true,
        }
    }

    /// Whether it is in a folder that may only be read.
    pub const fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// The path from the root, without `..`; where the last part is a link, that of its target. `.`
    /// for the root itself. A path in a folder that may only be read is absolute.
    pub fn relative(&self) -> &Path {
        &self.relative
    }

    /// The path from the root as text, with `/` between its parts.
    pub fn display(&self) -> String {
        self.relative
            .to_string_lossy()
            .replace(std::path::MAIN_SEPARATOR, "/")
    }

    /// Looks at what stands here. Nothing here is no error.
    ///
    /// # Errors
    ///
    /// The kinds of input and output.
    pub fn facts(&self) -> Result<PathFacts, ToolError> {
        self.handle.facts().map_err(|error| self.error(error))
    }

    /// Opens a regular file for reading.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] with similar names, [`ErrorKind::IsDirectory`],
    /// [`ErrorKind::NotRegular`], and the kinds of input and output.
    pub fn open(&self) -> Result<File, ToolError> {
        self.open_seen().map(|(file, _)| file)
    }

    /// Opens a regular file that is to be changed, and tells the facts that
    /// [`replace_unchanged`](Self::replace_unchanged) compares. Keep the file open until then: while
    /// it is, no other file gets its identity.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open).
    pub fn open_seen(&self) -> Result<(File, PathFacts), ToolError> {
        match self.facts()?.kind {
            PathKind::File => self.handle.open().map_err(|error| self.error(error)),
            PathKind::Missing => Err(self.not_found()),
            PathKind::Directory => Err(self.is_directory()),
            PathKind::Other => Err(self.not_regular()),
        }
    }

    /// Waits until no other call of this process holds this place, and holds it. See
    /// [`Workspace::resolve_locked`](super::Workspace::resolve_locked).
    ///
    /// # Errors
    ///
    /// The kinds of input and output.
    pub fn lock(&self) -> Result<PathLock, ToolError> {
        self.is_in_workspace()?;
        self.place().map(PathLock::take)
    }

    pub(super) fn place(&self) -> Result<PathPlace, ToolError> {
        self.handle.place().map_err(|error| self.error(error))
    }

    /// Puts these bytes here at one stroke; see [`PathHandle::replace`].
    ///
    /// # Errors
    ///
    /// [`ErrorKind::IsDirectory`], [`ErrorKind::NotRegular`], [`ErrorKind::PermissionDenied`] for a
    /// file that is read-only, and the kinds of input and output.
    pub fn replace(&self, contents: &[u8]) -> Result<Replaced, ToolError> {
        self.replace_if(contents, |_| Ok(()))
    }

    /// Puts these bytes here unless what stands here was changed since `seen`, or the call is
    /// cancelled. Both are looked at when all is ready, directly before the change.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Conflict`], [`ErrorKind::Cancelled`], and those of [`replace`](Self::replace).
    pub fn replace_unchanged(
        &self,
        contents: &[u8],
        seen: &PathFacts,
        cancel: &Cancel,
    ) -> Result<Replaced, ToolError> {
        if cancel.is_cancelled() {
            return Err(self.cancelled());
        }
        self.replace_if(contents, |now| {
            if cancel.is_cancelled() {
                return Err(self.cancelled());
            }
            if now != seen {
                return Err(self.conflict());
            }
            Ok(())
        })
    }

    fn replace_if(
        &self,
        contents: &[u8],
        condition: impl Fn(&PathFacts) -> Result<(), ToolError>,
    ) -> Result<Replaced, ToolError> {
        self.is_in_workspace()?;
        let before = self.facts()?;
        self.writable(&before)?;
        let mut refusal = None;
        let replaced = self.handle.replace(contents, &mut |now| {
            refusal = condition(now).and_then(|()| self.writable(now)).err();
            refusal.is_none()
        });
        match (replaced, refusal) {
            (_, Some(refusal)) => Err(refusal),
            (Ok(Some(replaced)), None) => Ok(replaced),
            (Ok(None), None) => Err(self.conflict()),
            (Err(error), None) if error.kind() == io::ErrorKind::IsADirectory => {
                Err(self.folder_to_be(&before))
            }
            (Err(error), None) => Err(self.error(error)),
        }
    }

    fn is_in_workspace(&self) -> Result<(), ToolError> {
        if !self.read_only {
            return Ok(());
        }
        let error = format!("`{}` is in a folder that may only be read", self.display());
        Err(ToolError::new(ErrorKind::PermissionDenied, error)
            .with_help("write a file in the workspace"))
    }

    /// Whether what stands here may be replaced by a file.
    fn writable(&self, now: &PathFacts) -> Result<(), ToolError> {
        match now.kind {
            PathKind::File if now.read_only => Err(ToolError::new(
                ErrorKind::PermissionDenied,
                format!("`{}` is read-only: nobody may write it", self.display()),
            )
            .with_help("write another file, or ask for this one to be made writable")),
            PathKind::File | PathKind::Missing => Ok(()),
            PathKind::Directory => Err(self.is_directory()),
            PathKind::Other => Err(self.not_regular()),
        }
    }

    fn cancelled(&self) -> ToolError {
        ToolError::new(
            ErrorKind::Cancelled,
            format!("the call was cancelled: `{}` is as it was", self.display()),
        )
    }

    fn conflict(&self) -> ToolError {
        ToolError::new(
            ErrorKind::Conflict,
            format!("`{}` was changed by someone else meanwhile", self.display()),
        )
        .with_help("read the file again, then send the change again")
    }

    /// The error that there is nothing here, with the similar names of the folder.
    pub fn not_found(&self) -> ToolError {
        let name = self
            .relative
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        let siblings = self.handle.siblings(SIBLINGS).unwrap_or_default();
        let folder = self.relative.parent().unwrap_or(Path::new(""));
        let similar: Vec<String> = crate::names::near(&name, siblings.iter().map(String::as_str))
            .into_iter()
            .map(|name| format!("`{}`", folder.join(name).display()))
            .collect();
        let help = if similar.is_empty() {
            "look for it with `search_files`, target `files`".to_owned()
        } else {
            format!("did you mean {}?", similar.join(" or "))
        };
        let message = match self.handle.link() {
            Some(link) => format!(
                "`{}` is a link to `{}`, which does not exist",
                link.display(),
                self.display()
            ),
            None => format!("no such file: `{}`", self.display()),
        };
        ToolError::new(ErrorKind::NotFound, message).with_help(help)
    }

    fn is_directory(&self) -> ToolError {
        ToolError::new(
            ErrorKind::IsDirectory,
            format!("`{}` is a folder", self.display()),
        )
        .with_help("name a file in it")
    }

    /// The error that the path can only be that of a folder, which may not exist.
    fn folder_to_be(&self, before: &PathFacts) -> ToolError {
        if before.kind != PathKind::Missing {
            return self.is_directory();
        }
        ToolError::new(
            ErrorKind::IsDirectory,
            format!("`{}/` ends in `/`, so it names a folder", self.display()),
        )
        .with_help("name a file in it")
    }

    fn not_regular(&self) -> ToolError {
        ToolError::new(
            ErrorKind::NotRegular,
            format!("`{}` is a device, a pipe or a socket", self.display()),
        )
        .with_help("name a regular file")
    }

    fn error(&self, error: io::Error) -> ToolError {
        error::from_io(&self.relative, error)
    }
}

/// How many names of a folder are looked at for similar ones.
const SIBLINGS: usize = 1_000;

impl fmt::Debug for WorkspacePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WorkspacePath({})", self.relative.display())
    }
}
