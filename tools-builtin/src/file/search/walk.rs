//! The files of a folder as ripgrep finds them: without those that a `.gitignore` of a repository, an
//! `.ignore` or an `.rgignore` names, without hidden ones that no glob names by their point, and without
//! following links.
//!
//! The walk goes by names on several threads, and yields names. What they stand for is opened through
//! the workspace, in the folder that was opened before, and never through a link.

use std::ffi::OsStr;
use std::fs::File;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hermes_tools::workspace::{PathFacts, WorkspacePath};
use hermes_tools::{ErrorKind, ToolError, Workspace};
use ignore::{DirEntry, ParallelVisitor, ParallelVisitorBuilder, WalkBuilder, WalkState};

use super::output::{Reason, Skipped};
use super::pattern::{HiddenName, NameGlob};
use super::scope::Folder;
use super::stop::Stop;

/// Most threads of a walk.
const THREADS: usize = 8;

/// A file on the way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<'f> {
    folder: &'f Folder,
    /// Where the walk found it.
    pub(super) place: &'f Path,
}

impl Candidate<'_> {
    /// The path by which it is shown.
    pub(super) fn path(&self) -> String {
        self.folder.show(self.place)
    }
}

/// The folder of a path of the walk, and the name in it. The last part of such a path is a name.
#[cfg(unix)]
fn split(path: &Path) -> (&Path, &OsStr) {
    use std::os::unix::ffi::OsStrExt as _;

    let bytes = path.as_os_str().as_bytes();
    match memchr::memrchr(b'/', bytes) {
        Some(slash) if slash > 0 => (
            Path::new(OsStr::from_bytes(&bytes[..slash])),
            OsStr::from_bytes(&bytes[slash + 1..]),
        ),
        _ => by_parts(path),
    }
}

#[cfg(not(unix))]
fn split(path: &Path) -> (&Path, &OsStr) {
    by_parts(path)
}

fn by_parts(path: &Path) -> (&Path, &OsStr) {
    let name = path.file_name().unwrap_or(OsStr::new(""));
    (path.parent().unwrap_or(path), name)
}

/// What was seen on the way.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Files that fit the globs.
    pub(super) files: u64,
    /// Files that did not.
    pub(super) others: u64,
    pub(super) skipped: Skipped,
    /// Whether the search had to end before it had seen everything.
    pub(super) stopped: bool,
}

/// What one thread does with the files that it comes to.
pub(super) trait Visit: Send {
    /// What it finds.
    type Found: Send;

    /// Looks at a file: what it found, or why it could not look.
    fn file(&mut self, candidate: &Candidate<'_>) -> Result<Option<Self::Found>, Reason>;

    /// What it has kept to itself until now, asked once at the end.
    fn kept(&mut self) -> Vec<Self::Found> {
        Vec::new()
    }
}

/// Visits the files of a folder that fit all globs. What is found comes in no order.
pub(super) fn visit<V: Visit>(
    folder: &Folder,
    globs: &[&NameGlob],
    stop: &Stop,
    make: impl Fn() -> V + Sync,
) -> Result<(Vec<V::Found>, Seen), ToolError> {
    let shared = Shared {
        folder,
        globs,
        stop,
        make,
        gathered: Mutex::default(),
    };
    let odd = Odd::default();
    shared.walk(&odd)?;
    let mut gathered = shared
        .gathered
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    for place in odd.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        let shown = folder.show(place);
        gathered.skipped.push((shown, Reason::Unreadable));
    }
    gathered.skipped.sort_unstable();
    let mut seen = Seen {
        files: gathered.files,
        others: gathered.others,
        stopped: gathered.stopped,
        ..Seen::default()
    };
    for (path, reason) in gathered.skipped {
        seen.skipped.add(reason, path);
    }
    Ok((gathered.found, seen))
}

/// Where two paths stand to each other: as their parts do.
pub(super) fn in_order(one: &Path, other: &Path) -> std::cmp::Ordering {
    let (one, other) = (
        one.as_os_str().as_encoded_bytes(),
        other.as_os_str().as_encoded_bytes(),
    );
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    // A slash ends a part, so it comes before whatever else a longer part goes on with.
    let rank = |byte: Option<&u8>| byte.map(|byte| if *byte == b'/' { 0 } else { *byte });
    rank(one.get(same)).cmp(&rank(other.get(same)))
}

/// Folders that were left out since their ignore files are no files.
type Odd = Arc<Mutex<Vec<PathBuf>>>;

/// What all threads gather.
#[derive(Debug)]
struct Gathered<T> {
    found: Vec<T>,
    skipped: Vec<(String, Reason)>,
    files: u64,
    others: u64,
    stopped: bool,
}

impl<T> Default for Gathered<T> {
    fn default() -> Self {
        Self {
            found: Vec::new(),
            skipped: Vec::new(),
            files: 0,
            others: 0,
            stopped: false,
        }
    }
}

struct Shared<'s, V: Visit, M> {
    folder: &'s Folder,
    globs: &'s [&'s NameGlob],
    stop: &'s Stop,
    make: M,
    gathered: Mutex<Gathered<V::Found>>,
}

/// One thread of a walk. What it gathered is handed over when it ends.
struct Thread<'s, V: Visit, M> {
    shared: &'s Shared<'s, V, M>,
    visit: V,
    own: Gathered<V::Found>,
}

impl<'s, V: Visit, M: Fn() -> V + Sync> Shared<'s, V, M> {
    fn walk(&'s self, odd: &Odd) -> Result<(), ToolError> {
        let start = self.folder.start();
        for above in start
            .ancestors()
            .take_while(|above| above.starts_with(self.folder.root()))
        {
            if !rules_are_files(above) {
                let shown = self.folder.show(above);
                return Err(ToolError::new(
                    ErrorKind::NotRegular,
                    format!("an ignore file of `{shown}` is a device, a pipe or a socket"),
                )
                .with_help("remove it, or search another folder"));
            }
        }
        let mut builder = WalkBuilder::new(start);
        // The rules of the workspace decide what is found, not those of whoever runs it.
        builder.git_global(false);
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        builder.threads(threads.min(THREADS));
        builder.add_custom_ignore_filename(".rgignore");
        let hidden: Vec<HiddenName> = self
            .globs
            .iter()
            .flat_map(|glob| glob.hidden().iter().cloned())
            .collect();
        builder.hidden(hidden.is_empty());
        let odd = Arc::clone(odd);
        builder.filter_entry(move |entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            if !hidden.is_empty() && entry.depth() > 0 {
                let name = entry.file_name();
                let is_hidden = name.as_encoded_bytes().starts_with(b".");
                if is_hidden && !hidden.iter().any(|hidden| hidden.fits(name, is_folder)) {
                    return false;
                }
            }
            let fine = !is_folder || rules_are_files(entry.path());
            if !fine {
                let mut odd = odd.lock().unwrap_or_else(PoisonError::into_inner);
                odd.push(entry.path().to_owned());
            }
            fine
        });
        builder.build_parallel().visit(&mut Visitors(self));
        Ok(())
    }
}

struct Visitors<'s, V: Visit, M>(&'s Shared<'s, V, M>);

impl<'s, V: Visit, M: Fn() -> V + Sync> ParallelVisitorBuilder<'s> for Visitors<'s, V, M> {
    fn build(&mut self) -> Box<dyn ParallelVisitor + 's> {
        Box::new(Thread {
            visit: (self.0.make)(),
            shared: self.0,
            own: Gathered::default(),
        })
    }
}

impl<V: Visit, M: Fn() -> V + Sync> ParallelVisitor for Thread<'_, V, M> {
    fn visit(&mut self, entry: Result<DirEntry, ignore::Error>) -> WalkState {
        if self.shared.stop.is_given() {
            self.own.stopped = true;
            return WalkState::Quit;
        }
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                self.file(entry.path());
            }
            Ok(_) => {}
            Err(error) => {
                let place = place(&error, self.shared.folder);
                self.own.skipped.push((place, Reason::Unreadable));
            }
        }
        WalkState::Continue
    }
}

impl<V: Visit, M> Thread<'_, V, M> {
    fn file(&mut self, place: &Path) {
        let folder = self.shared.folder;
        let globs = self.shared.globs;
        let (_, name) = split(place);
        let fits = |glob: &&NameGlob| {
            glob.fits_name(name).unwrap_or_else(|| {
                let (from_root, from_folder) = folder.spell(place);
                glob.fits(&from_root, &from_folder)
            })
        };
        if !globs.iter().all(fits) {
            self.own.others += 1;
            return;
        }
        self.own.files += 1;
        let candidate = Candidate { folder, place };
        match self.visit.file(&candidate) {
            Ok(found) => {
                self.own.found.extend(found);
                // It may be all that was found of the file until then.
                self.own.stopped |= self.shared.stop.is_given();
            }
            Err(_) if self.shared.stop.is_given() => self.own.stopped = true,
            Err(reason) => self.own.skipped.push((candidate.path(), reason)),
        }
    }
}

impl<V: Visit, M> Drop for Thread<'_, V, M> {
    fn drop(&mut self) {
        let mut own = std::mem::take(&mut self.own);
        own.found.extend(self.visit.kept());
        let mut all = self
            .shared
            .gathered
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        all.found.extend(own.found);
        all.skipped.extend(own.skipped);
        all.files += own.files;
        all.others += own.others;
        all.stopped |= own.stopped;
    }
}

/// Opens files through the workspace, and keeps the last folders open: a walk comes to the files of a
/// folder mostly one after the other.
pub(super) struct Opener<'w> {
    workspace: &'w Workspace,
    /// The last one at the end.
    folders: Vec<(PathBuf, WorkspacePath)>,
}

/// Folders that are kept open.
const OPEN: usize = 4;

impl<'w> Opener<'w> {
    pub(super) fn new(workspace: &'w Workspace) -> Self {
        Self {
            workspace,
            folders: Vec::with_capacity(OPEN),
        }
    }

    pub(super) fn open(&mut self, path: &Path) -> Result<(File, PathFacts), Reason> {
        let (folder, name) = self.folder(path)?;
        folder.open_in(name).map_err(|_| Reason::Unreadable)
    }

    pub(super) fn facts(&mut self, path: &Path) -> Result<PathFacts, Reason> {
        let (folder, name) = self.folder(path)?;
        folder.facts_in(name).map_err(|_| Reason::Unreadable)
    }

    /// The folder of a path, and the name in it.
    fn folder<'p>(&mut self, path: &'p Path) -> Result<(&WorkspacePath, &'p OsStr), Reason> {
        let (parent, name) = split(path);
        // A name that is no UTF-8 could not be sent again.
        if name.to_str().is_none() {
            return Err(Reason::Unreadable);
        }
        let known = self
            .folders
            .iter()
            .rposition(|(folder, _)| folder.as_os_str() == parent.as_os_str());
        let index = match known {
            Some(index) => index,
            None => self.enter(parent)?,
        };
        let (_, folder) = &self.folders[index];
        Ok((folder, name))
    }

    fn enter(&mut self, parent: &Path) -> Result<usize, Reason> {
        // The slash says that only a folder will do.
        let text = format!("{}/", parent.to_str().ok_or(Reason::Unreadable)?);
        let folder = self.workspace.resolve(&text);
        let folder = folder.map_err(|_| Reason::Unreadable)?;
        if self.folders.len() == OPEN {
            self.folders.remove(0);
        }
        self.folders.push((parent.to_owned(), folder));
        Ok(self.folders.len() - 1)
    }
}

/// Whether the ignore files of a folder can be read without waiting: the walk opens them by name.
fn rules_are_files(folder: &Path) -> bool {
    [".ignore", ".rgignore", ".gitignore", ".git/info/exclude"]
        .iter()
        .all(|name| {
            folder
                .join(name)
                .metadata()
                .map_or(true, |metadata| metadata.is_file())
        })
}

/// The path that an error of the walk is about.
fn place(error: &ignore::Error, folder: &Folder) -> String {
    match error {
        ignore::Error::WithPath { path, .. } => folder.show(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            place(err, folder)
        }
        other => other.to_string(),
    }
}
