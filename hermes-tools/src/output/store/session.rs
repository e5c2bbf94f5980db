//! The folder of one session.

use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cap_std::fs::{Dir, DirBuilder, OpenOptions};

use super::{Inner, file_name};

/// Where the long results of a session go. Removed with the session when nothing was stored.
pub(crate) struct SessionFolder {
    store: Arc<Inner>,
    name: PathBuf,
    folder: Dir,
}

/// Files of one id in one turn, of which each has a number of its own.
const SAME_NAMES: u32 = 10_000;

impl SessionFolder {
    pub(super) fn make(store: Arc<Inner>) -> io::Result<Self> {
        /// Tells the sessions of this process apart.
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let process = std::process::id();
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = PathBuf::from(format!("session-{process}-{number}"));
            match make_folder(&store.folder, &name) {
                Ok(()) => {
                    let folder = store.folder.open_dir(&name)?;
                    return Ok(Self {
                        store,
                        name,
                        folder,
                    });
                }
                // Left by an earlier process of the same number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The path of the folder.
    pub(crate) fn path(&self) -> PathBuf {
        self.store.path.join(&self.name)
    }

    /// Stores a result of a turn at one stroke, and tells the path of its file. A result of an id that has
    /// one gets a number behind its name: what a model was told of stays.
    ///
    /// # Errors
    ///
    /// Those of the operating system, and [`io::ErrorKind::QuotaExceeded`].
    pub(crate) fn put(&self, turn: u64, call_id: &str, text: &str) -> io::Result<PathBuf> {
        let turn = format!("turn-{turn}");
        match make_folder(&self.folder, Path::new(&turn)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let bytes = text.len() as u64;
        self.store.reserve(bytes, &self.name.join(&turn))?;
        let written = self
            .folder
            .open_dir(&turn)
            .and_then(|folder| write(&folder, &file_name(call_id), text));
        match written {
            Ok(name) => Ok(self.path().join(turn).join(name)),
            Err(error) => {
                self.store.release(bytes);
                Err(error)
            }
        }
    }
}

/// Writes a file that is not there yet, and tells its name.
fn write(folder: &Dir, name: &str, text: &str) -> io::Result<String> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let draft = format!(".draft-{}-{number}", std::process::id());
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let filled = folder
        .open_with(&draft, &options)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    let placed = filled.and_then(|()| place(folder, &draft, name));
    // The draft is a second name of the file by now, or has failed.
    let removed = folder.remove_file(&draft);
    placed.and_then(|name| removed.map(|()| name))
}

/// Gives the draft its name; a link fails where a rename would replace what is there.
fn place(folder: &Dir, draft: &str, name: &str) -> io::Result<String> {
    let stem = name.strip_suffix(".txt").unwrap_or(name);
    for number in 1..SAME_NAMES {
        let name = match number {
            1 => name.to_owned(),
            number => format!("{stem}-{number}.txt"),
        };
        match folder.hard_link(draft, folder, &name) {
            Ok(()) => return Ok(name),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn make_folder(parent: &Dir, name: &Path) -> io::Result<()> {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    cap_std::fs::DirBuilderExt::mode(&mut builder, 0o700);
    parent.create_dir_with(name, &builder)
}

impl Drop for SessionFolder {
    fn drop(&mut self) {
        // Fails where there are results, which are for whoever goes on with the conversation.
        let _ = self.store.folder.remove_dir(&self.name);
    }
}

impl fmt::Debug for SessionFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SessionFolder({})", self.path().display())
    }
}
