//! Where results are kept that are too long for a model: files that it can read page by page.
//!
//! ```text
//! <store>/session-<digits>/turn-<number>/<call id>.txt
//! <store>/place-<digits>/turn-<number>/<call id>.txt
//! ```
//!
//! The host chooses the folder of the store, which several processes may share. What else stands in it
//! is never touched. Each session has a
//! folder of its own in it, which its tools may read and not change; other sessions' folders are
//! out of its reach. Short sessions that follow each other at one place, such as the runs of a command in a
//! workspace, share the folder of that place ([`ResultStore::of_place`]). Everything is private to the user of the process, is opened below the folder of
//! the store and nowhere else, and is removed when it is old or there is too much of it.

mod clean;
mod draft;
mod layout;
mod listing;
mod name;
mod session;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

pub(crate) use self::layout::lay_out_short;
pub use self::listing::{StoredPart, StoredResult};
pub use self::name::file_name;
pub(crate) use self::session::{SessionFolder, StoredResults};

/// Keeps long results in a folder. Clones share it.
///
/// ```
/// use hermes_tools::output::store::ResultStore;
///
/// # let folder = hermes_tools::testing::Folder::with([])?;
/// # let state = folder.path();
/// let store = ResultStore::open(state.join("results"))?.quota(50 << 20);
/// assert_eq!(store.used(), 0);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone)]
pub struct ResultStore {
    inner: Arc<Inner>,
    /// What sessions share a folder by, if they do.
    place: Option<Arc<str>>,
}

pub(super) struct Inner {
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    /// The folder, once it was opened.
    folder: Option<Arc<Dir>>,
    quota: u64,
    keep: Duration,
    /// Whether what is too old was removed, by the settings of whoever used the store first.
    cleaned: bool,
    /// Bytes in use as far as this process knows.
    used: u64,
}

/// How many bytes a store holds when nobody says.
pub const QUOTA: u64 = 512 << 20;

/// How long the results of a session are kept behind its last one when nobody says.
pub const KEEP: Duration = Duration::from_hours(7 * 24);

impl ResultStore {
    /// Opens a folder as a store and makes it when it is missing. Nothing in it is removed before a
    /// session puts its first result into it, and then only what sessions have stored.
    ///
    /// # Errors
    ///
    /// Those of the operating system, and [`io::ErrorKind::PermissionDenied`] for a folder that is a
    /// link, belongs to another user, or can be written by others: what stood there could be theirs.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let store = Self::at(path)?;
        store.inner.folder(&mut store.inner.state())?;
        Ok(store)
    }

    /// A store that is opened as [`open`](Self::open) does when the first result is put into it, and
    /// leaves no trace before. Where that fails results are cut.
    ///
    /// # Errors
    ///
    /// The path is relative and there is no current folder.
    pub fn at(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self {
            inner: Arc::new(Inner {
                path: std::path::absolute(path)?,
                state: Mutex::new(State {
                    folder: None,
                    quota: QUOTA,
                    keep: KEEP,
                    cleaned: false,
                    used: 0,
                }),
            }),
            place: None,
        })
    }

    /// The same store for sessions that follow each other at one place: what one of them has stored may be
    /// read by the next that names the same place, in this process or another of the same user. Each turn
    /// of such sessions is removed by its own age.
    ///
    /// The place is whatever tells apart those who may not read each other's results, such as the source of
    /// the session and the path of its workspace. Sessions of sub-agents keep folders of their own.
    #[must_use]
    pub fn of_place(mut self, place: impl Into<Arc<str>>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// The same store, whose sessions have folders of their own.
    pub(crate) fn of_no_place(mut self) -> Self {
        self.place = None;
        self
    }

    /// Sets how many bytes the store may hold. A result for which there is no room even when all
    /// earlier turns are removed is not kept.
    #[must_use]
    pub fn quota(self, bytes: u64) -> Self {
        self.inner.state().quota = bytes;
        self
    }

    /// Sets how long the results of a session are kept behind its last one, in place of [`KEEP`]. What is
    /// older goes when a session of this process puts its first result into the store.
    #[must_use]
    pub fn keep_for(self, time: Duration) -> Self {
        self.inner.state().keep = time;
        self
    }

    /// Removes the folders of sessions whose last result is too old at this moment.
    ///
    /// # Errors
    ///
    /// Those of the operating system while the store itself is read; what cannot be removed stays.
    pub fn clean_up(&self, now: SystemTime) -> io::Result<()> {
        let mut state = self.inner.state();
        let folder = self.inner.folder(&mut state)?;
        state.clean_up(&folder, now)
    }

    /// The folder of the store.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// Bytes in use, as far as this process knows.
    pub fn used(&self) -> u64 {
        self.inner.state().used
    }

    /// A folder for a new session, made when something is put into it.
    pub(crate) fn session(&self) -> SessionFolder {
        SessionFolder::new(Arc::clone(&self.inner), self.place.as_deref())
    }
}

impl State {
    fn clean_up(&mut self, folder: &Dir, now: SystemTime) -> io::Result<()> {
        clean::remove_old(folder, now, self.keep)?;
        self.cleaned = true;
        self.used = clean::size(folder)?;
        Ok(())
    }
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder, opened when it is asked for first.
    fn folder(&self, state: &mut State) -> io::Result<Arc<Dir>> {
        if let Some(folder) = &state.folder {
            return Ok(Arc::clone(folder));
        }
        make_private(&self.path)?;
        let folder = Dir::open_ambient_dir(&self.path, ambient_authority())?;
        is_private(&folder)?;
        state.used = clean::size(&folder)?;
        Ok(Arc::clone(state.folder.insert(Arc::new(folder))))
    }

    /// The folder for a session that puts something into it: what is too old goes before the first time.
    fn folder_in_use(&self) -> io::Result<Arc<Dir>> {
        let mut state = self.state();
        let folder = self.folder(&mut state)?;
        if !state.cleaned {
            state.clean_up(&folder, SystemTime::now())?;
        }
        Ok(folder)
    }

    /// Makes room for so many bytes, by removing the oldest turns but the one at `spare`.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::QuotaExceeded`] when there is too little even then.
    fn reserve(&self, folder: &Dir, bytes: u64, spare: &Path) -> io::Result<()> {
        let mut state = self.state();
        let full = || io::Error::new(io::ErrorKind::QuotaExceeded, "the store is full");
        let most = state.quota.checked_sub(bytes).ok_or_else(full)?;
        if state.used > most {
            // Other processes write too, so it is counted before anything is removed.
            state.used = clean::shrink(folder, most, spare)?;
        }
        if state.used > most {
            return Err(full());
        }
        state.used += bytes;
        Ok(())
    }

    fn release(&self, bytes: u64) {
        let mut state = self.state();
        state.used = state.used.saturating_sub(bytes);
    }
}

/// Makes a folder that only its user may enter, with those above it.
fn make_private(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    if path.symlink_metadata()?.is_symlink() {
        return Err(denied("it is a link"));
    }
    Ok(())
}

/// Looks at the folder that was opened, and not at what stands at its path.
#[cfg(unix)]
fn is_private(folder: &Dir) -> io::Result<()> {
    use cap_std::fs::MetadataExt as _;
    let metadata = folder.dir_metadata()?;
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(denied("it belongs to another user"));
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(denied("others may write it"));
    }
    Ok(())
}

/// Whether a folder in the store is one that the store made for this user: nobody else may enter it, and it
/// has the mark.
#[cfg(unix)]
fn is_own(folder: &Dir) -> bool {
    use cap_std::fs::MetadataExt as _;
    const OF_OTHERS: u32 = 0o077;
    let marked = folder.symlink_metadata(name::MARK);
    folder.dir_metadata().is_ok_and(|metadata| {
        metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & OF_OTHERS == 0
    }) && marked.is_ok_and(|mark| mark.is_dir())
}

#[cfg(not(unix))]
fn is_own(folder: &Dir) -> bool {
    let marked = folder.symlink_metadata(name::MARK);
    marked.is_ok_and(|mark| mark.is_dir())
}

#[cfg(not(unix))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "only Unix has owners and modes to look at"
)]
fn is_private(_: &Dir) -> io::Result<()> {
    Ok(())
}

fn denied(why: &'static str) -> io::Error {
    io::Error::new(
        io::ErrorKind::PermissionDenied,
        format!("the folder cannot keep results: {why}"),
    )
}

impl fmt::Debug for ResultStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResultStore({})", self.path().display())
    }
}
