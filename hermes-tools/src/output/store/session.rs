//! The folder of one session.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, DirBuilder, OpenOptions};

use super::draft::Draft;
use super::name::{self, MARK, SESSION, TURN};
use super::{Inner, file_name, is_own, is_private};
use crate::output::{ErrorKind, KeptResult, ToolError};
use crate::workspace::{Confined, FileIdentity, Resolved, WorkspaceBackend};

/// Where the long results of a session go. Nothing is made before there is one.
pub(crate) struct SessionFolder {
    pub(super) store: Arc<Inner>,
    pub(super) name: PathBuf,
    path: PathBuf,
    /// What is added to the numbers of turns, so that sessions that share a folder have turns of their own.
    before: u64,
}

/// The stored results of a session as files that its tools may read.
pub(crate) struct StoredResults {
    folder: Arc<SessionFolder>,
    opened: OnceLock<Confined>,
}

/// Files of one id in one turn, of which each has a number of its own.
const SAME_NAMES: u32 = 10_000;

impl SessionFolder {
    pub(super) fn new(store: Arc<Inner>, place: Option<&str>) -> Self {
        // The keys of a hasher are the standard library's source of chance.
        let chance = || RandomState::new().hash_one(std::process::id());
        let (name, before) = match place {
            None => (format!("{SESSION}{:016x}", chance()), 0),
            Some(place) => {
                // In the order of time for whoever looks at the folder; two that begin at once share a turn,
                // in which no file replaces another.
                let now = SystemTime::now().duration_since(UNIX_EPOCH);
                let millis = now.map_or(0, |now| u64::try_from(now.as_millis()).unwrap_or(0));
                (name::of_place(place), millis)
            }
        };
        let name = PathBuf::from(name);
        Self {
            path: store.path.join(&name),
            store,
            name,
            before,
        }
    }

    /// Where it is, or will be.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The folder as it may be read: what stands in the store under this name, made by this user for no one
    /// else. Nothing is made, and a store that others can change is not read.
    fn readable(&self) -> Option<Confined> {
        if self.store.path.symlink_metadata().ok()?.is_symlink() {
            return None;
        }
        let store = Dir::open_ambient_dir(&self.store.path, ambient_authority()).ok()?;
        is_private(&store).ok()?;
        let metadata = store.symlink_metadata(&self.name).ok()?;
        let own = metadata.is_dir() && is_own(&store.open_dir(&self.name).ok()?);
        own.then(|| Confined::open(&self.path).ok()).flatten()
    }

    /// Stores a result of a turn at one stroke, and tells the path of its file. A result of an id that has
    /// one gets a number behind its name: what a model was told of stays.
    ///
    /// # Errors
    ///
    /// Those of the operating system, and [`io::ErrorKind::QuotaExceeded`].
    pub(crate) fn put(&self, turn: u64, call_id: &str, text: &str) -> io::Result<PathBuf> {
        let mut draft = self.begin(turn, call_id)?;
        draft.write_all(text.as_bytes())?;
        Box::new(draft).keep()
    }

    /// Begins the file of a result that is written piece by piece.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    pub(crate) fn begin(&self, turn: u64, call_id: &str) -> io::Result<impl KeptResult + use<>> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let root = self.store.folder_in_use()?;
        let turn = self
            .name
            .join(format!("{TURN}{}", self.before.saturating_add(turn)));
        make_folder(&root, &self.name)?;
        make_folder(&root, &self.name.join(MARK))?;
        make_folder(&root, &turn)?;
        let folder = root.open_dir(&turn)?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let draft = format!(".draft-{}-{number}", std::process::id());
        let file = folder.open_with(&draft, &new_file())?;
        Ok(Draft {
            store: Arc::clone(&self.store),
            root,
            turn,
            folder,
            file,
            hidden_name: draft,
            name: file_name(call_id),
            bytes: 0,
        })
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

/// Gives the draft its name; a link fails where a rename would replace what is there.
pub(super) fn place(folder: &Dir, draft: &str, name: &str) -> io::Result<String> {
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
        let opened = self.folder.readable()?;
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
                ToolError::new(ErrorKind::NotFound, "no result is stored here")
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
