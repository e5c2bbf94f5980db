//! The folder of a session for what its shells tell of themselves, and what is known by it: whose
//! session it is, so that what a session left behind that was killed can be found and ended.

use std::fs::{self, DirBuilder};
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use super::tree::{Force, Tree, exists_since, started};

/// A folder that goes with its session.
#[derive(Debug)]
pub(super) struct Scratch {
    folder: PathBuf,
    name: String,
}

impl Scratch {
    /// Makes a folder, and ends what sessions left behind whose process is gone.
    pub(super) fn new(temporary: &Path) -> io::Result<Self> {
        let all = temporary.join(format!(
            "hermes-terminal-{}",
            rustix::process::geteuid().as_raw()
        ));
        private_folder(&all)?;
        end_leftovers(&all);
        let own = std::process::id();
        let start = started(own).unwrap_or_default();
        let random = RandomState::new().hash_one(own);
        let name = format!("{own}-{start}-{random:016x}");
        let folder = all.join(&name);
        DirBuilder::new().mode(0o700).create(&folder)?;
        Ok(Self { folder, name })
    }

    /// The mark of the session: what its commands are known by.
    pub(super) fn mark(&self) -> &str {
        &self.name
    }

    /// A file for the output of a command that goes on when the session has ended.
    pub(super) fn log(&self, number: u64) -> io::Result<PathBuf> {
        let logs = self.folder.with_file_name("detached");
        private_folder(&logs)?;
        Ok(logs.join(format!("{}.{number}.log", self.name)))
    }

    /// A folder for the temporary files of commands, where there is no other.
    pub(super) fn temporary(&self) -> io::Result<PathBuf> {
        let folder = self.folder.join("tmp");
        private_folder(&folder)?;
        Ok(folder)
    }

    /// A file for the state of one shell.
    pub(super) fn state(&self, number: u64) -> PathBuf {
        self.folder.join(number.to_string())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays is taken away by the next session.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Makes a folder that is ours alone. The place is open to all users, so one that is there may not be.
fn private_folder(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let facts = fs::symlink_metadata(path)?;
            // Nobody else may do anything with it.
            let ours = facts.uid() == rustix::process::geteuid().as_raw();
            if facts.is_dir() && ours && facts.mode().trailing_zeros() >= 6 {
                return Ok(());
            }
            let text = format!("`{}` belongs to somebody else", path.display());
            Err(io::Error::new(io::ErrorKind::PermissionDenied, text))
        }
        made => made,
    }
}

/// Ends the commands of sessions whose process was killed. They are known by their mark alone: what is
/// written down can be forged by a command, the environment of a process of somebody else cannot.
fn end_leftovers(all: &Path) {
    let Ok(entries) = all.read_dir() else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some((name, (owner, start))) =
            name.to_str().and_then(|name| Some((name, owner(name)?)))
        else {
            continue;
        };
        if !exists_since(owner, start) {
            let tree = Tree {
                leader: None,
                mark: name,
                session: true,
                pipes: &[],
                domain: None,
            };
            tree.end(Force::Make);
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The process of a session, by the name of its folder: its number and when it started.
fn owner(name: &str) -> Option<(u32, u64)> {
    let mut parts = name.split('-');
    let owner = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    (parts.next()?.len() == 16 && parts.next().is_none()).then_some(owner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_says_whose_it_is() {
        assert_eq!(owner("12-345-0123456789abcdef"), Some((12, 345)));
        for name in [
            "",
            "12",
            "12-345",
            "12-345-x",
            "a-345-0123456789abcdef",
            "1-2-0123456789abcdef-3",
        ] {
            assert_eq!(owner(name), None, "{name}");
        }
    }

    #[test]
    fn folders_of_processes_that_are_gone_are_taken_away() {
        let temporary = tempfile::tempdir().unwrap();
        let first = Scratch::new(temporary.path()).unwrap();
        let all = first.folder.parent().unwrap().to_owned();
        // No process starts with the system and has this number.
        let dead = all.join("4194303-1-0123456789abcdef");
        fs::create_dir(&dead).unwrap();
        let second = Scratch::new(temporary.path()).unwrap();
        assert!(!dead.exists() && first.folder.exists() && second.folder.exists());
        drop(first);
        assert_eq!(all.read_dir().unwrap().count(), 1);
    }
}
