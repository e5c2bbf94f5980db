//! A folder that is there for one test.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::workspace::{Confined, Workspace};

/// A new folder, removed with all that is in it when this is dropped.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A folder with these files: paths relative to it, and what is in them. Folders on the way are
    /// made.
    ///
    /// # Errors
    ///
    /// The system's, when the folder or a file cannot be made.
    pub fn with<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("hermes-tools-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // Not `create_dir_all`: a folder that somebody else made is not ours to remove.
        fs::create_dir(&path)?;
        let folder = Self { path };
        for (name, contents) in files {
            let file = folder.path.join(name);
            if let Some(parent) = file.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(file, contents)?;
        }
        Ok(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// It as a workspace.
    ///
    /// # Errors
    ///
    /// The system's, when the folder cannot be opened.
    pub fn workspace(&self) -> io::Result<Workspace> {
        Confined::open(&self.path).map(Workspace::new)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind in the folder for temporary files harms nobody.
        let _ = fs::remove_dir_all(&self.path);
    }
}
