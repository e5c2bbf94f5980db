//! The folders in which a session's tools read and write, and nowhere else.
//!
//! A path that a model sends is resolved once, to a handle: the same handle is then looked at, read,
//! written and reported. Nothing checks a path as text and opens it afterwards.
//!
//! A workspace has one root or several. A relative path starts at the first; an absolute one belongs
//! to the root that it is below, and a link may lead from one root to another.

mod backend;
#[cfg(feature = "host")]
mod confined;
mod error;
mod facts;
mod journal;
mod lock;
mod path;
mod real;
mod roots;
mod rules;
mod similar;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::backend::{PathHandle, Resolved, WorkspaceBackend};
#[cfg(feature = "host")]
pub use self::confined::Confined;
pub use self::facts::{FileIdentity, PathFacts, PathKind, Replaced};
pub use self::journal::Journal;
pub use self::lock::{PathLock, PathPlace};
pub use self::path::WorkspacePath;
use self::roots::Roots;
pub use self::rules::{Doubtful, PathRules};

use crate::context::Memory;
use crate::output::{ErrorKind, ToolError};
use crate::target::Access;

/// Most bytes of a path, as systems count them. A longer one could be made folder by folder, and no other
/// program could open what is there.
const LONGEST_PATH: usize = 4_095;

/// A handle on the session's folders. Clones share them.
///
/// ```
/// # #[cfg(feature = "host")] {
/// use hermes_tools::{Access, Workspace, workspace::Confined};
///
/// # let (project, manuals) = (tempfile::tempdir()?, tempfile::tempdir()?);
/// # std::fs::write(manuals.path().join("tar.txt"), "tar - an archiver")?;
/// let workspace = Workspace::new(Confined::open(project.path())?)
///     .with_root(Confined::open(manuals.path())?, Access::Read);
/// let manual = workspace.resolve(&format!("{}/tar.txt", manuals.path().display()))?;
/// assert_eq!(manual.facts()?.len, 17);
/// assert_eq!(manual.replace(b"").unwrap_err().code(), "permission_denied");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Workspace {
    roots: Arc<Roots>,
    /// What is remembered for all sessions that work here.
    memory: Arc<Memory>,
}

impl Workspace {
    /// A workspace on this root, in which files may be read and written.
    pub fn new(root: impl WorkspaceBackend) -> Self {
        Self::with_access(root, Access::Write)
    }

    /// A workspace on this root, in which files may be read alone.
    pub fn read_only(root: impl WorkspaceBackend) -> Self {
        Self::with_access(root, Access::Read)
    }

    fn with_access(root: impl WorkspaceBackend, access: Access) -> Self {
        Self {
            roots: Arc::new(Roots::new(Arc::new(root), access)),
            memory: Arc::default(),
        }
    }

    /// Adds a root, whose files are named by absolute paths. [`Access::Read`] says that they may be
    /// read and never changed. A root inside another one decides on what is below it.
    ///
    /// What clones of the workspace made before can do stays as it was.
    #[must_use]
    pub fn with_root(mut self, root: impl WorkspaceBackend, access: Access) -> Self {
        Arc::make_mut(&mut self.roots).add(Arc::new(root), access);
        self
    }

    /// Sets the folder at which relative paths start, as an absolute path without links and `..`.
    /// Without this it is the first root. It may be anywhere; what is outside the roots stays
    /// outside.
    #[must_use]
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        Arc::make_mut(&mut self.roots).start(folder.into());
        self
    }

    /// Sets what keeps the old contents of files that are changed.
    #[must_use]
    pub fn with_journal(mut self, journal: impl Journal) -> Self {
        Arc::make_mut(&mut self.roots).keep_in(Arc::new(journal));
        self
    }

    /// Tells the journal, if there is one, that a turn of the user begins.
    #[cfg(feature = "host")]
    pub(crate) fn begin_turn(&self, label: &str) {
        if let Some(journal) = self.roots.journal() {
            journal.begin_turn(label);
        }
    }

    /// Sets what judges the places of the workspace. A session does it for its own handle.
    #[must_use]
    pub fn with_rules(mut self, rules: Arc<dyn PathRules>) -> Self {
        Arc::make_mut(&mut self.roots).judge_by(rules);
        self
    }

    /// The first root as an absolute path, for listings and for walking. Open files by
    /// [`resolve`](Self::resolve) alone.
    pub fn root(&self) -> &Path {
        self.roots.first()
    }

    /// The folder at which relative paths start, as an absolute path. It may be outside the roots.
    pub fn folder(&self) -> &Path {
        self.roots.folder()
    }

    /// The roots as absolute paths, each with what may be done below it; the first one is that of
    /// relative paths.
    pub fn roots(&self) -> impl Iterator<Item = (&Path, Access)> {
        self.roots.list()
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
        self.roots.real(&path)
    }

    /// A value that tools keep for all sessions that share this workspace, by its type. It is made
    /// when it is asked for first.
    pub fn memory<T: Default + std::any::Any + Send + Sync>(&self) -> Arc<T> {
        self.memory.get()
    }

    /// Resolves a path of a call: relative to the first root, or absolute below any.
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
        if path.len() > LONGEST_PATH {
            let shown: String = path.chars().take(40).collect();
            let message = format!("`{shown}...`: a path of {} bytes is too long", path.len());
            return Err(ToolError::new(ErrorKind::BadPath, message)
                .with_help(format!("send a path of at most {LONGEST_PATH} bytes")));
        }
        if path == "~" || path.starts_with("~/") {
            // To a model this is the home folder; to the file system it is a name like any other.
            return Err(error::outside(Path::new(path), self.root()));
        }
        self.roots.resolve(Path::new(path))
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

    /// Resolves the paths of a call that will change several files, and locks them all at once: two
    /// such calls never wait for each other's half.
    ///
    /// # Errors
    ///
    /// Those of [`resolve`](Self::resolve), for the first path that has one.
    pub fn resolve_all_locked(
        &self,
        paths: &[&str],
    ) -> Result<(Vec<WorkspacePath>, PathLock), ToolError> {
        let resolve = || -> Result<(Vec<WorkspacePath>, PathPlace), ToolError> {
            let targets = paths.iter().map(|path| self.resolve(path));
            let targets = targets.collect::<Result<Vec<_>, _>>()?;
            let places = targets.iter().map(WorkspacePath::place);
            let places = places.collect::<Result<Vec<_>, _>>()?;
            Ok((targets, PathPlace::joined(places)))
        };
        let (_, mut place) = resolve()?;
        loop {
            let lock = PathLock::take(place);
            // Meanwhile the holder before may have made a folder, or changed a link.
            let (targets, now) = resolve()?;
            if now == *lock.place() {
                return Ok((targets, lock));
            }
            place = now;
        }
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Workspace({})", self.root().display())
    }
}
