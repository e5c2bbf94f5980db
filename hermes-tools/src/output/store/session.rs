//! The folder of one session.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use cap_std::fs::{Dir, DirBuilder, OpenOptions};

use super::name::{MARK, SESSION, TURN};
use super::{Inner, file_name};
use crate::output::{ErrorKind, ToolError};
use crate::workspace::{Confined, FileIdentity, Resolved, WorkspaceBackend};

/// Where the long results of a session go. Nothing is made before there is one.
pub(crate) struct SessionFolder {
    pub(super) store: Arc<Inner>,
    pub(super) name: PathBuf,
    path: PathBuf,
}

/// The stored results of a session as files that its tools may read.
pub(crate) struct StoredResults {
    folder: Arc<SessionFolder>,
    opened: OnceLock<Confined>,
}

/// Files of one id in one turn, of which each has a number of its own.
const SAME_NAMES: u32 = 10_000;

impl SessionFolder {
    pub(super) fn new(store: Arc<Inner>) -> Self {
        // The keys of a hasher are the standard library's source of chance.
        let chance = RandomState::new().hash_one(std::process::id());
        let name = PathBuf::from(format!("{SESSION}{chance:016x}"));
        Self {
            path: store.path.join(&name),
            store,
            name,
        }
    }

    /// Stores a result of a turn at one stroke, and tells the path of its file. A result of an id that has
    /// one gets a number behind its name: what a model was told of stays.
    ///
    /// # Errors
    ///
    /// Those of the operating system, and [`io::ErrorKind::QuotaExceeded`].
    pub(crate) fn put(&self, turn: u64, call_id: &str, text: &str) -> io::Result<PathBuf> {
        let store = self.store.folder_in_use()?;
        let turn = format!("{TURN}{turn}");
        let place = self.name.join(&turn);
        let bytes = text.len() as u64;
        self.store.reserve(&store, bytes, &place)?;
        let written = make_folder(&store, &self.name)
            .and_then(|()| make_folder(&store, &self.name.join(MARK)))
            .and_then(|()| make_folder(&store, &place))
            .and_then(|()| store.open_dir(&place))
            .and_then(|folder| write(&folder, &file_name(call_id), text));
        match written {
            Ok(name) => Ok(self.path.join(turn).join(name)),
            Err(error) => {
                self.store.release(bytes);
                Err(error)
            }
        }
    }
}

/// Makes a folder unless it is there.
fn make_folder(parent: &Dir, name: &Path) -> io::Result<()> {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    cap_std::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match parent.create_dir_with(name, &builder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// How a file is made that is not there yet.
fn new_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Writes a file that is not there yet, and tells its name.
fn write(folder: &Dir, name: &str, text: &str) -> io::Result<String> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let draft = format!(".draft-{}-{number}", std::process::id());
    let filled = folder
        .open_with(&draft, &new_file())
        .and_then(|mut file| file.write_all(text.as_bytes()));
    let placed = filled.and_then(|()| place(folder, &draft, name));
    // By now the draft is a second name of the file, or of no use.
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

impl StoredResults {
    pub(crate) fn new(folder: Arc<SessionFolder>) -> Self {
        Self {
            folder,
            opened: OnceLock::new(),
        }
    }

    /// The folder, when something was stored.
    fn opened(&self) -> Option<&Confined> {
        if let Some(opened) = self.opened.get() {
            return Some(opened);
        }
        let opened = Confined::open(&self.folder.path).ok()?;
        Some(self.opened.get_or_init(|| opened))
    }
}

impl WorkspaceBackend for StoredResults {
    fn root(&self) -> &Path {
        &self.folder.path
    }

    fn identity(&self) -> Option<FileIdentity> {
        self.opened()?.identity()
    }

    fn resolve(&self, relative: &Path) -> Result<Resolved, ToolError> {
        match self.opened() {
            Some(opened) => opened.resolve(relative),
            None => Err(
                ToolError::new(ErrorKind::NotFound, "no result of this session is stored")
                    .with_help("name a file of the workspace"),
            ),
        }
    }
}

impl fmt::Debug for SessionFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SessionFolder({})", self.path.display())
    }
}
