//! Where a workspace keeps its files, as the host supplies it.

use std::any::Any;
use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use super::{FileIdentity, PathFacts, PathPlace, Replaced, real};
use crate::output::ToolError;

/// One root of a workspace. The host supplies it, such as [`Confined`](super::Confined).
pub trait WorkspaceBackend: Send + Sync + 'static {
    /// The root as an absolute path without links, for listings and for walking. Never joined and
    /// opened.
    fn root(&self) -> &Path;

    /// An absolute path as one relative to the root, by its text; `None` when it is not below it.
    fn below_root<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        path.strip_prefix(self.root()).ok()
    }

    /// An absolute path that is not below the root by its text, as one relative to the root: links
    /// outside may lead into it. What is opened is found by the relative path alone.
    fn through_links(&self, path: &Path) -> Option<PathBuf> {
        let _ = path;
        None
    }

    /// Which folder the root is, where the system says so. A root inside another one is known by it,
    /// by whatever path it was come to.
    fn identity(&self) -> Option<FileIdentity> {
        None
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
    /// [`ErrorKind::OutsideWorkspace`](crate::ErrorKind::OutsideWorkspace) for a path that leads
    /// out, and the kinds of input and output.
    fn resolve(&self, relative: &Path) -> Result<Resolved, ToolError>;
}

/// Where a path led.
pub enum Resolved {
    /// To a place below the root: the path by which it is shown, and its handle.
    Here(PathBuf, Box<dyn PathHandle>),
    /// To a link whose target is an absolute path that is not below the root. It may be below
    /// another root of the workspace.
    Elsewhere {
        /// The path of the link from the root.
        link: PathBuf,
        /// Its target, with what came behind the link.
        target: PathBuf,
    },
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

    /// Opens a regular file in the folder that stands here. The name is no path, and a link of that
    /// name is not followed.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    fn open_in(&self, name: &OsStr) -> io::Result<(File, PathFacts)>;

    /// Looks at what stands at a name in the folder that stands here. The name is no path, and a link of
    /// that name is not followed. Nothing there is no error.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    fn facts_in(&self, name: &OsStr) -> io::Result<PathFacts>;

    /// Puts these bytes here at one stroke, with the folders that are missing. Readers see the old
    /// file or the new one. The bytes are read once, to their end, before anything is changed; where
    /// that fails nothing is.
    ///
    /// The new file is another one by its identity. It gets the permissions of the old file, without
    /// set-user-id and set-group-id, and its owner and group as far as the process may give them. A
    /// further name of the old file (a hard link) keeps the old contents.
    ///
    /// When all is ready, `consent` is asked with the facts of what stands here. When it says no the
    /// answer is `None`, and nothing is changed.
    ///
    /// # Errors
    ///
    /// Those of the operating system; the old file is then whole.
    fn replace(
        &self,
        contents: &mut dyn BufRead,
        consent: &mut dyn FnMut(&PathFacts) -> bool,
    ) -> io::Result<Option<Replaced>>;

    /// Takes the file away that stands here, if `consent` has nothing against what stands here then;
    /// whether it did.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    fn remove(&self, consent: &mut dyn FnMut(&PathFacts) -> bool) -> io::Result<bool>;

    /// Gives the file that stands here another name, where nothing stands, with the folders that are
    /// missing. It stays the same file in every other respect.
    ///
    /// `consent` is asked with the facts of what stands here and there, directly before; whether it was
    /// done is told. The other place is one of the same kind of handle, told by
    /// [`as_any`](Self::as_any).
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::Unsupported`] for another kind of handle, and by default;
    /// [`io::ErrorKind::CrossesDevices`] where the file would have to be copied; those of the operating
    /// system.
    fn rename(
        &self,
        target: &dyn PathHandle,
        consent: &mut dyn FnMut(&PathFacts, &PathFacts) -> bool,
    ) -> io::Result<bool> {
        let _ = (target, consent);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The handle as itself, for [`rename`](Self::rename).
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }

    /// The place that a writer locks.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    fn place(&self) -> io::Result<PathPlace>;

    /// Whether a folder is this one or above it, looked at from here upwards.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    fn is_below(&self, folder: FileIdentity) -> io::Result<bool>;

    /// The path from the root by which this was named, when that is a link to it.
    fn link(&self) -> Option<&Path> {
        None
    }

    /// The absolute path of this place without links and `..`, told by what is held open and not by the
    /// path that led here; `None` where that cannot be told.
    fn real(&self) -> Option<PathBuf> {
        None
    }

    /// Names in the folder that this path is in, at most `limit`, in no order.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    fn siblings(&self, limit: usize) -> io::Result<Vec<String>>;
}

impl fmt::Debug for Resolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Here(shown, _) => write!(f, "Here({})", shown.display()),
            Self::Elsewhere { link, target } => {
                write!(f, "Elsewhere({} -> {})", link.display(), target.display())
            }
        }
    }
}
