//! What files were before a turn changed them, kept so that it can be had back.
//!
//! A [`Checkpoints`] is the journal of a workspace: before a file is changed its contents are put into a
//! store, and the checkpoint of the turn notes where. Contents are kept once, by their digest. The store is a
//! folder of its own: nothing is written into the workspace, and no repository of the user's is touched.
//!
//! What is changed without the workspace, such as by a command, is not kept.

mod date;
mod objects;
mod record;
mod restore;
mod turn;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use self::date::utc;
use self::objects::Objects;
pub use self::record::{Checkpoint, KeptContents, KeptFile};
pub use self::restore::{Change, Failed, Restoration, Restored};
use self::turn::Turn;

use crate::workspace::{Journal, PathFacts, PathKind, WorkspacePath};

/// Checkpoints in excess of which the oldest go.
const MOST: usize = 400;

/// How many stay when the oldest go.
const KEPT: usize = 200;

/// The checkpoints of a workspace. Clones share the turn.
///
/// ```
/// use hermes_tools::Workspace;
/// use hermes_tools::checkpoint::Checkpoints;
/// use hermes_tools::workspace::Confined;
///
/// # let (project, store) = (tempfile::tempdir()?, tempfile::tempdir()?);
/// std::fs::write(project.path().join("notes"), "milk")?;
/// let checkpoints = Checkpoints::open(store.path());
/// let workspace = Workspace::new(Confined::open(project.path())?).with_journal(checkpoints.clone());
///
/// checkpoints.begin_turn("make it bread");
/// workspace.resolve("notes")?.replace(b"bread")?;
///
/// let id = checkpoints.list()?[0].id.clone();
/// checkpoints.restore(&workspace, &id, &[])?;
/// assert_eq!(std::fs::read_to_string(project.path().join("notes"))?, "milk");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Checkpoints {
    inner: Arc<Inner>,
}

struct Inner {
    folder: PathBuf,
    objects: Objects,
    turn: Mutex<Turn>,
}

impl Checkpoints {
    /// The checkpoints in a folder, which is made when the first one is.
    pub fn open(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        Self {
            inner: Arc::new(Inner {
                objects: Objects::new(folder.join("objects")),
                turn: Mutex::default(),
                folder,
            }),
        }
    }

    /// Begins a turn: the next change begins a checkpoint with this label. `Session::begin_turn` does it
    /// for the journal of its workspace.
    pub fn begin_turn(&self, label: impl Into<String>) {
        *self.turn() = Turn::new(label.into());
    }

    /// All checkpoints, the newest first.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    pub fn list(&self) -> io::Result<Vec<Checkpoint>> {
        let mut found = Vec::new();
        for id in record::ids(&self.turns())?.into_iter().rev() {
            found.extend(record::read(&self.turns(), &id)?);
        }
        Ok(found)
    }

    /// One checkpoint; none of that id is none.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    pub fn get(&self, id: &str) -> io::Result<Option<Checkpoint>> {
        if !record::is_id(id) {
            return Ok(None);
        }
        record::read(&self.turns(), id)
    }

    /// The bytes of a file as it was.
    ///
    /// # Errors
    ///
    /// Those of the operating system, and [`io::ErrorKind::InvalidData`] when the store was damaged.
    pub fn contents(&self, kept: &KeptContents) -> io::Result<Vec<u8>> {
        self.inner.objects.get(&kept.digest)
    }

    /// Forgets all but the newest checkpoints, and the contents that only they had.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    pub fn keep_newest(&self, number: usize) -> io::Result<()> {
        self.tidy(number, None)
    }

    /// The same, but for contents whose checkpoint is about to be written: how old they are by the clock,
    /// which may have been set, is not asked.
    fn tidy(&self, number: usize, coming: Option<&KeptContents>) -> io::Result<()> {
        let ids = record::ids(&self.turns())?;
        let old = ids.len().saturating_sub(number);
        for id in &ids[..old] {
            record::forget(&self.turns(), id)?;
        }
        let mut needed = std::collections::HashSet::new();
        needed.extend(coming.map(|contents| contents.digest.clone()));
        for id in &ids[old..] {
            let files = record::read(&self.turns(), id)?.map(|checkpoint| checkpoint.files);
            let contents = files.into_iter().flatten().filter_map(|file| file.before);
            needed.extend(contents.map(|contents| contents.digest));
        }
        self.inner.objects.sweep(&needed)
    }

    fn turns(&self) -> PathBuf {
        self.inner.folder.join("turns")
    }

    fn turn(&self) -> MutexGuard<'_, Turn> {
        // A turn is whole after every step.
        self.inner
            .turn
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a file in the checkpoint of the turn, which is begun if need be.
    fn note(&self, file: &KeptFile, facts: &PathFacts) -> io::Result<Arc<str>> {
        let turns = self.turns();
        let mut turn = self.turn();
        if !turn.is_begun() && record::ids(&turns)?.len() >= MOST {
            self.tidy(KEPT, file.before.as_ref())?;
        }
        turn.note(&turns, file, facts)
    }
}

impl Journal for Checkpoints {
    fn keep(&self, path: &WorkspacePath, now: &PathFacts) -> io::Result<Arc<str>> {
        let (root, relative) = place(path)?;
        if let Some(id) = self.turn().has(&root, &relative, now) {
            return Ok(id);
        }
        let before = match now.kind {
            PathKind::Missing => None,
            _ => Some(self.inner.objects.put(path)?),
        };
        let file = KeptFile {
            root,
            path: relative,
            before,
        };
        self.note(&file, now)
    }

    fn begin_turn(&self, label: &str) {
        Self::begin_turn(self, label);
    }

    fn changed(&self, path: &WorkspacePath, facts: &PathFacts) {
        if let Ok((root, relative)) = place(path) {
            self.turn().changed(&root, &relative, facts);
        }
    }
}

/// A path as it is noted.
fn place(path: &WorkspacePath) -> io::Result<(String, String)> {
    let text = |path: &Path| {
        let text = path.to_str().map(str::to_owned);
        text.ok_or_else(|| io::Error::other("the path is no UTF-8"))
    };
    Ok((text(path.root())?, text(path.relative())?))
}

impl fmt::Debug for Checkpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Checkpoints({})", self.inner.folder.display())
    }
}
