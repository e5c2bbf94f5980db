//! The folder in which a session's tools read and write, and nowhere else.
//!
//! A path that a model sends is resolved once, to a handle: the same handle is then looked at, read,
//! written and reported. Nothing checks a path as text and opens it afterwards.

#[cfg(feature = "host")]
mod confined;
mod error;
mod lock;
mod path;
mod real;

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

#[cfg(feature = "host")]
pub use self::confined::Confined;
pub use self::lock::{PathLock, PathPlace};
pub use self::path::WorkspacePath;

use crate::output::{ErrorKind, ToolError};

/// A handle on the session's folder. Clones share the folder.
#[derive(Clone)]
pub struct Workspace {
    backend: Arc<dyn WorkspaceBackend>,
    /// Folders that may be read besides.
    readable: Vec<Arc<dyn WorkspaceBackend>>,
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
    /// Which file it is, where the system says so. Another file has another identity, also at the
    /// same path.
    pub identity: Option<FileIdentity>,
    /// Whether it is a file that nobody may write: no write bit of its mode is set.
    pub read_only: bool,
}

/// Which file of the system something is, by whatever path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileIdentity {
    /// Number of the device.
    pub device: u64,
    /// Number of the file on it.
    pub inode: u64,
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

    /// Where an absolute path leads when its links are followed, also outside of the root: for telling
    /// whether two calls meet. Nothing is opened by it. A backend without links need not do anything.
    fn real(&self, path: &Path) -> PathBuf {
        real::follow(path, |_| None)
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

    /// Opens a regular file for reading, without waiting where a pipe was put in its place, and tells
    /// the facts of what was opened.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    fn open(&self) -> io::Result<(File, PathFacts)>;

    /// Puts these bytes here at one stroke, with the folders that are missing. Readers see the old
    /// file or the new one.
    ///
    /// The new file is another one by its identity. It gets the permissions of the old file, without
    /// set-user-id and set-group-id, and its owner and group as far as the process may give them. A
    /// further name of the old file (a hard link) keeps the old contents.
    ///
    /// When all is ready, `consent` is asked with the facts of what stands here. When it says no the
    /// answer is `None`, and nothing is changed but for folders that were missing.
    ///
    /// # Errors
    ///
    /// Those of the operating system; the old file is then whole.
    fn replace(
        &self,
        contents: &[u8],
        consent: &mut dyn FnMut(&PathFacts) -> bool,
    ) -> io::Result<Option<Replaced>>;

    /// The place that a writer locks.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    fn place(&self) -> io::Result<PathPlace>;

    /// The path from the root by which this was named, when that is a link to it.
    fn link(&self) -> Option<&Path> {
        None
    }

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
            readable: Vec::new(),
        }
    }

    /// The same workspace with one more folder that may be read, by absolute paths below its root, and
    /// never written.
    #[must_use]
    pub fn reading(mut self, backend: impl WorkspaceBackend) -> Self {
        self.readable.push(Arc::new(backend));
        self
    }

    /// Where a path of a call leads, for telling whether two calls meet. It may lead anywhere, and
    /// nothing is opened by it. `home` is what `~` stands for.
    #[cfg(feature = "host")]
    pub(crate) fn real(&self, path: &str, home: Option<&str>) -> PathBuf {
        let path = match (path.strip_prefix('~'), home) {
            (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
                Path::new(home).join(rest.trim_start_matches('/'))
            }
            _ => PathBuf::from(path),
        };
        self.backend.real(&self.root().join(path))
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
            match self.backend.below_root(path) {
                Some(below) => below,
                None => return self.resolve_readable(path),
            }
        } else {
            path
        };
        let (relative, handle) = self.backend.resolve(relative)?;
        Ok(WorkspacePath::new(relative, handle))
    }

    fn resolve_readable(&self, path: &Path) -> Result<WorkspacePath, ToolError> {
        let mut folders = self.readable.iter();
        let found = folders.find_map(|folder| Some((folder, folder.below_root(path)?)));
        let (folder, below) = found.ok_or_else(|| error::outside(path, self.root()))?;
        let (relative, handle) = folder.resolve(below)?;
        // Shown by the whole path: relative ones are those of the workspace.
        Ok(WorkspacePath::read_only(folder.root().join(relative), handle))
    }

    /// Resolves a path of a call that will change what stands there, and locks the place. Waits while
    /// another call of this process holds it.
    ///
    /// # Errors
    ///
    /// Those of [`resolve`](Self::resolve).
    pub fn resolve_locked(&self, path: &str) -> Result<(WorkspacePath, PathLock), ToolError> {
        let mut target = self.resolve(path)?;
        loop {
            let lock = target.lock()?;
            // Meanwhile the holder before may have made the folder, or changed a link.
            target = self.resolve(path)?;
            if target.place()? == *lock.place() {
                return Ok((target, lock));
            }
        }
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Workspace({})", self.root().display())
    }
}
