//! A workspace on a folder of the file system, opened once.
//!
//! Every path is resolved by the kernel or component by component below the open folder
//! (`openat2` where there is one), so that neither `..` nor a link leads out, whatever happens to
//! the folder meanwhile. A link with an absolute target is followed when the target lies below the
//! root by its text: what is left of it is resolved below the open folder like any other path.

mod handle;
mod locate;
mod rename;
mod replace;
#[cfg(target_os = "linux")]
mod staging;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use self::locate::Found;
use super::{FileIdentity, Resolved, WorkspaceBackend, real};
use crate::output::ToolError;

/// A folder that nothing leads out of.
#[derive(Debug)]
pub struct Confined {
    /// The root with its links resolved.
    root: PathBuf,
    /// The root as it was named, for people who send back what they know it by.
    named: PathBuf,
    folder: Arc<Dir>,
}

impl Confined {
    /// Opens a folder as a root, and takes away what a program left in it that was killed while it
    /// wrote.
    ///
    /// # Errors
    ///
    /// Those of the operating system when it is no folder that can be opened.
    pub fn open(root: impl AsRef<Path>) -> io::Result<Self> {
        let named = std::path::absolute(root.as_ref())?;
        let root = root.as_ref().canonicalize()?;
        let folder = Dir::open_ambient_dir(&root, ambient_authority())?;
        #[cfg(target_os = "linux")]
        staging::sweep(&folder);
        Ok(Self {
            root,
            named,
            folder: Arc::new(folder),
        })
    }
}

impl WorkspaceBackend for Confined {
    fn root(&self) -> &Path {
        &self.root
    }

    fn below_root<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        path.strip_prefix(&self.root)
            .or_else(|_| path.strip_prefix(&self.named))
            .ok()
    }

    fn real(&self, path: &Path) -> PathBuf {
        real::follow(path, |path| path.read_link().ok())
    }

    fn through_links(&self, path: &Path) -> Option<PathBuf> {
        let (real, above) = path
            .ancestors()
            .find_map(|above| Some((above.canonicalize().ok()?, above)))?;
        let rest = path.strip_prefix(above).ok()?;
        let inside = real.strip_prefix(&self.root).ok()?;
        // Joining nothing would add a slash, which says something.
        Some(if rest.as_os_str().is_empty() {
            inside.to_owned()
        } else {
            inside.join(rest)
        })
    }

    fn identity(&self) -> Option<FileIdentity> {
        handle::identity_of(&self.folder).ok()
    }

    fn resolve(&self, relative: &Path) -> Result<Resolved, ToolError> {
        Ok(match self.locate(relative)? {
            Found::Here(shown, located) => Resolved::Here(shown, Box::new(located)),
            Found::Elsewhere { link, target } => Resolved::Elsewhere { link, target },
        })
    }
}
