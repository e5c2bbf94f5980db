//! The folder in which a session's tools read and write, and nowhere else.
//!
//! A path that a model sends is resolved once, to a handle: the same handle is then looked at, read,
//! written and reported. Nothing checks a path as text and opens it afterwards.

#[cfg(feature = "host")]
mod confined;
mod error;

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

#[cfg(feature = "host")]
pub use self::confined::Confined;

use crate::output::{ErrorKind, ToolError};

/// A handle on the session's folder. Clones share the folder.
#[derive(Clone)]
pub struct Workspace {
    backend: Arc<dyn WorkspaceBackend>,
}

/// A path of a call, resolved inside the workspace.
///
/// It may name nothing yet: [`replace`](Self::replace) makes the file and its folders.
pub struct WorkspacePath {
    relative: PathBuf,
    handle: Box<dyn PathHandle>,
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    /// A regular file.
    File,
    /// A folder.
    Directory,
    /// A device, a pipe or a socket.
    Other,
    /// Nothing.
    Missing,
}

/// Facts about what stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathFacts {
    /// What it is.
    pub kind: PathKind,
    /// Size of a file in bytes.
    pub len: u64,
    /// When it was changed last, where the system says so.
    pub modified: Option<SystemTime>,
}

/// What a write did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replaced {
    /// Whether there was no file before.
    pub created: bool,
}

/// Where a workspace keeps its files. The host supplies one, such as [`Confined`].
pub trait WorkspaceBackend: Send + Sync + 'static {
    /// The root as an absolute path, for listings and for walking. Never joined and opened.
    fn root(&self) -> &Path;

    /// An absolute path as one relative to the root, by its text; `None` when it is not below it.
    fn below_root<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        path.strip_prefix(self.root()).ok()
    }

    /// Resolves a relative path to a handle and to the path by which it is shown. The path may lead
    /// through links and `..` as long as it stays inside; what it names may be missing.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::OutsideWorkspace`] for a path that leads out, and the kinds of input and output.
    fn resolve(&self, relative: &Path) -> Result<(PathBuf, Box<dyn PathHandle>), ToolError>;
}

/// What a resolved path can do. Errors are those of the operating system.
pub trait PathHandle: Send + Sync {
    /// Looks at what stands here.
    ///
    /// # Errors
    ///
    /// Those of the operating system; nothing here is no error.
    fn facts(&self) -> io::Result<PathFacts>;

    /// Opens a regular file for reading, without waiting where a pipe was put in its place.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    fn open(&self) -> io::Result<File>;

    /// Puts these bytes here at one stroke, with the folders that are missing. Readers see the old
    /// file or the new one. Permissions of an old file are kept.
    ///
    /// # Errors
    ///
    /// Those of the operating system; the old file is then whole.
    fn replace(&self, contents: &[u8]) -> io::Result<Replaced>;

    /// Names in the folder that this path is in, at most `limit`, in no order.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    fn siblings(&self, limit: usize) -> io::Result<Vec<String>>;
}

impl Workspace {
    /// A workspace on this backend.
    pub fn new(backend: impl WorkspaceBackend) -> Self {
        Self {
            backend: Arc::new(backend),
        }
    }

    /// The root as an absolute path, for listings and for walking. Open files by
    /// [`resolve`](Self::resolve) alone.
    pub fn root(&self) -> &Path {
        self.backend.root()
    }

    /// Resolves a path of a call: relative to the root, or absolute below it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::OutsideWorkspace`] for a path that leads out, [`ErrorKind::BadPath`] for one that
    /// cannot be a path, and the kinds of input and output.
    pub fn resolve(&self, path: &str) -> Result<WorkspacePath, ToolError> {
        if path.contains('\0') {
            return Err(
                ToolError::new(ErrorKind::BadPath, "a path cannot hold a NUL character")
                    .with_help("send a path without it"),
            );
        }
        if path == "~" || path.starts_with("~/") {
            // To a model this is the home folder; to the file system it is a name like any other.
            return Err(error::outside(Path::new(path), self.root()));
        }
        let path = Path::new(path);
        let relative = if path.is_absolute() {
            let below = self.backend.below_root(path);
            below.ok_or_else(|| error::outside(path, self.root()))?
        } else {
            path
        };
        let (relative, handle) = self.backend.resolve(relative)?;
        Ok(WorkspacePath { relative, handle })
    }
}

impl WorkspacePath {
    /// The path from the root, without `..`; where the last part is a link, that of its target. `.`
    /// for the root itself.
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
        match self.facts()?.kind {
            PathKind::File => self.handle.open().map_err(|error| self.error(error)),
            PathKind::Missing => Err(self.not_found()),
            PathKind::Directory => Err(self.is_directory()),
            PathKind::Other => Err(self.not_regular()),
        }
    }

    /// Puts these bytes here at one stroke; see [`PathHandle::replace`].
    ///
    /// # Errors
    ///
    /// [`ErrorKind::IsDirectory`], [`ErrorKind::NotRegular`], and the kinds of input and output.
    pub fn replace(&self, contents: &[u8]) -> Result<Replaced, ToolError> {
        match self.facts()?.kind {
            PathKind::File | PathKind::Missing => self
                .handle
                .replace(contents)
                .map_err(|error| self.error(error)),
            PathKind::Directory => Err(self.is_directory()),
            PathKind::Other => Err(self.not_regular()),
        }
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
        ToolError::new(
            ErrorKind::NotFound,
            format!("no such file: `{}`", self.display()),
        )
        .with_help(help)
    }

    fn is_directory(&self) -> ToolError {
        ToolError::new(
            ErrorKind::IsDirectory,
            format!("`{}` is a folder", self.display()),
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

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Workspace({})", self.root().display())
    }
}

impl fmt::Debug for WorkspacePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WorkspacePath({})", self.relative.display())
    }
}
