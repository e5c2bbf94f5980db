//! A resolved path and what a tool does with it.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::roots::Roots;
use super::similar::similar;
use super::{Doubtful, PathFacts, PathHandle, PathKind, PathLock, PathPlace, Replaced, error};
use crate::context::Cancel;
use crate::output::{ErrorKind, ToolError};
use crate::target::Access;

/// A path of a call, resolved inside the workspace.
///
/// It may name nothing yet: [`replace`](Self::replace) makes the file and its folders.
pub struct WorkspacePath {
    roots: Arc<Roots>,
    /// Which of them it is below.
    root: usize,
    access: Access,
    relative: PathBuf,
    handle: Box<dyn PathHandle>,
    /// What is asked once for all files that are opened in it.
    inside: OnceLock<Inside>,
}

/// A folder as the rules see it.
struct Inside {
    /// Where it is as the system tells it.
    place: PathBuf,
    doubtful: Option<Doubtful>,
}

impl WorkspacePath {
    pub(super) fn new(
        roots: Arc<Roots>,
        root: usize,
        access: Access,
        relative: PathBuf,
        handle: Box<dyn PathHandle>,
    ) -> Self {
        Self {
            roots,
            root,
            access,
            relative,
            handle,
            inside: OnceLock::new(),
        }
    }

    /// The root that the path is below, as an absolute path.
    pub fn root(&self) -> &Path {
        self.roots.root(self.root)
    }

    /// The path from its root, without `..`; where the last part is a link, that of its target. `.`
    /// for the root itself.
    pub fn relative(&self) -> &Path {
        &self.relative
    }

    /// What may be done there.
    pub fn access(&self) -> Access {
        self.access
    }

    /// The path as text, with `/` between its parts, in the form in which it can be sent again: from
    /// the first root, and absolute below another one.
    pub fn display(&self) -> String {
        self.roots
            .shown(self.root, &self.relative)
            .to_string_lossy()
            .replace(std::path::MAIN_SEPARATOR, "/")
    }

    /// How a name in this folder is shown.
    pub fn display_in(&self, name: &Path) -> String {
        let inside = if self.relative == Path::new(".") {
            name.to_owned()
        } else {
            self.relative.join(name)
        };
        self.roots
            .shown(self.root, &inside)
            .to_string_lossy()
            .replace(std::path::MAIN_SEPARATOR, "/")
    }

    /// Whether this may be done here, by the rules of the session. Opening and changing what stands here
    /// asks too, so this is for those who want to know before.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::ProtectedPath`] and the like.
    pub fn judge(&self, access: Access) -> Result<(), ToolError> {
        self.judge_inside(None, access)
    }

    fn judge_inside(
        &self,
        name: Option<&std::ffi::OsStr>,
        access: Access,
    ) -> Result<(), ToolError> {
        let Some(rules) = self.roots.rules() else {
            return Ok(());
        };
        let here = || {
            let unknown = || self.root().join(&self.relative);
            self.handle.real().unwrap_or_else(unknown)
        };
        let Some(name) = name else {
            return rules.judge(&here(), &self.display(), access);
        };
        let inside = self.inside.get_or_init(|| {
            let place = here();
            Inside {
                doubtful: rules.doubtful(&place, Access::Read),
                place,
            }
        });
        if access == Access::Read && inside.doubtful.is_some_and(|doubtful| !doubtful(name)) {
            return Ok(());
        }
        let place = inside.place.join(name);
        rules.judge(&place, &self.display_in(Path::new(name)), access)
    }

    /// Looks at what stands here. Nothing here is no error.
    ///
    /// # Errors
    ///
    /// The kinds of input and output.
    pub fn facts(&self) -> Result<PathFacts, ToolError> {
        self.handle.facts().map_err(|error| self.error(error))
    }

    /// Opens a regular file for reading.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] with similar names, [`ErrorKind::IsDirectory`],
    /// [`ErrorKind::NotRegular`], and the kinds of input and output.
    pub fn open(&self) -> Result<File, ToolError> {
        self.open_seen().map(|(file, _)| file)
    }

    /// Opens a regular file that is to be changed, and tells the facts that
    /// [`replace_unchanged`](Self::replace_unchanged) compares. Keep the file open until then: while
    /// it is, no other file gets its identity.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open).
    pub fn open_seen(&self) -> Result<(File, PathFacts), ToolError> {
        self.judge(Access::Read)?;
        self.open_to_keep()
    }

    /// Opens a regular file for what keeps old contents, which shows them to nobody.
    pub(crate) fn open_to_keep(&self) -> Result<(File, PathFacts), ToolError> {
        match self.facts()?.kind {
            PathKind::File => self.handle.open().map_err(|error| self.error(error)),
            PathKind::Missing => Err(self.not_found()),
            PathKind::Directory => Err(self.is_directory()),
            PathKind::Other => Err(self.not_regular()),
        }
    }

    /// Opens a regular file in the folder that stands here, by its name. A link of that name is
    /// refused, not followed.
    ///
    /// # Errors
    ///
    /// The kinds of input and output.
    pub fn open_in(&self, name: &std::ffi::OsStr) -> Result<(File, PathFacts), ToolError> {
        self.judge_inside(Some(name), Access::Read)?;
        let opened = self.handle.open_in(name);
        opened.map_err(|error| error::from_io(Path::new(&self.display_in(Path::new(name))), error))
    }

    /// Looks at what stands at a name in the folder that stands here, without following a link. Nothing
    /// there is no error.
    ///
    /// # Errors
    ///
    /// The kinds of input and output.
    pub fn facts_in(&self, name: &std::ffi::OsStr) -> Result<PathFacts, ToolError> {
        let facts = self.handle.facts_in(name);
        facts.map_err(|error| error::from_io(Path::new(&self.display_in(Path::new(name))), error))
    }

    /// Waits until no other call of this process holds this place, and holds it. See
    /// [`Workspace::resolve_locked`](super::Workspace::resolve_locked).
    ///
    /// # Errors
    ///
    /// The kinds of input and output.
    pub fn lock(&self) -> Result<PathLock, ToolError> {
        self.place().map(PathLock::take)
    }

    pub(super) fn place(&self) -> Result<PathPlace, ToolError> {
        self.handle.place().map_err(|error| self.error(error))
    }

    /// Puts these bytes here at one stroke; see [`PathHandle::replace`].
    ///
    /// # Errors
    ///
    /// [`ErrorKind::IsDirectory`], [`ErrorKind::NotRegular`], [`ErrorKind::PermissionDenied`] for a
    /// file that is read-only, and the kinds of input and output.
    pub fn replace(&self, contents: &[u8]) -> Result<Replaced, ToolError> {
        self.replace_if(&mut &*contents, &|_| Ok(()))
    }

    /// Puts these bytes here unless what stands here was changed since `seen`, or the call is
    /// cancelled. Both are looked at when all is ready, directly before the change.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Conflict`], [`ErrorKind::Cancelled`], and those of [`replace`](Self::replace).
    pub fn replace_unchanged(
        &self,
        contents: &[u8],
        seen: &PathFacts,
        cancel: &Cancel,
    ) -> Result<Replaced, ToolError> {
        self.replace_unchanged_from(&mut &*contents, seen, cancel)
    }

    /// The same with bytes that are read as they are written, so that they need not fit into memory.
    /// Where reading them fails, what stands here is as it was.
    ///
    /// # Errors
    ///
    /// Those of [`replace_unchanged`](Self::replace_unchanged).
    pub fn replace_unchanged_from(
        &self,
        contents: &mut dyn BufRead,
        seen: &PathFacts,
        cancel: &Cancel,
    ) -> Result<Replaced, ToolError> {
        self.replace_if(contents, &|now| self.unchanged(now, seen, cancel))
    }

    /// Takes the file away that stands here, unless it was changed since `seen`, or the call is
    /// cancelled. The checkpoint that holds it is told, when the workspace has a journal.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`], and those of [`replace_unchanged`](Self::replace_unchanged).
    pub fn remove_unchanged(
        &self,
        seen: &PathFacts,
        cancel: &Cancel,
    ) -> Result<Option<Arc<str>>, ToolError> {
        if seen.kind == PathKind::Missing {
            return Err(self.not_found());
        }
        let condition = |now: &PathFacts| self.unchanged(now, seen, cancel);
        let mut change = Change::begin(self, &condition)?;
        let removed = self
            .handle
            .remove(&mut |now| change.consent(now, &condition));
        let ((), checkpoint) = change.end(removed.map(|done| done.then_some(())))?;
        if let Some(journal) = self.roots.journal() {
            journal.changed(self, &PathFacts::MISSING);
        }
        Ok(checkpoint)
    }

    /// Moves the file that stands here to a path where nothing stands, unless it was changed since
    /// `seen`, or the call is cancelled. It stays the same file: its permissions, its times and its
    /// further names are as they were. The checkpoint that holds it is told, when the workspace has a
    /// journal.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Exists`] when something stands there, [`ErrorKind::Io`] when the paths are not in
    /// one file system, and those of [`replace_unchanged`](Self::replace_unchanged) for both.
    pub fn rename_unchanged(
        &self,
        seen: &PathFacts,
        target: &Self,
        cancel: &Cancel,
    ) -> Result<Option<Arc<str>>, ToolError> {
        if seen.kind == PathKind::Missing {
            return Err(self.not_found());
        }
        let here = |now: &PathFacts| self.unchanged(now, seen, cancel);
        let there = |now: &PathFacts| target.vacant(now);
        let mut source = Change::begin(self, &here)?;
        let mut goal = Change::begin(target, &there)?;
        let renamed = self.handle.rename(&*target.handle, &mut |now, then| {
            source.consent(now, &here) && goal.consent(then, &there)
        });
        let done = match renamed {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(target.exists());
            }
            Err(error) => return Err(target.error(error)),
            Ok(done) => done.then_some(()),
        };
        if goal.refusal.is_some() {
            goal.end(Ok(done))?;
        }
        let ((), checkpoint) = source.end(Ok(done))?;
        if let Some(journal) = self.roots.journal() {
            journal.changed(self, &PathFacts::MISSING);
            journal.changed(target, &target.facts()?);
        }
        Ok(checkpoint)
    }

    /// Whether nothing stands here.
    fn vacant(&self, now: &PathFacts) -> Result<(), ToolError> {
        match now.kind {
            PathKind::Missing => Ok(()),
            PathKind::Directory => Err(self.is_directory()),
            PathKind::File | PathKind::Other => Err(self.exists()),
        }
    }

    /// The error that something stands here already.
    pub fn exists(&self) -> ToolError {
        ToolError::new(
            ErrorKind::Exists,
            format!("`{}` is there already", self.display()),
        )
        .with_help("name another path, or change the file that is there")
    }

    /// The path by which this was named, when that is a link to it.
    pub fn link(&self) -> Option<&Path> {
        self.handle.link()
    }

    fn unchanged(
        &self,
        now: &PathFacts,
        seen: &PathFacts,
        cancel: &Cancel,
    ) -> Result<(), ToolError> {
        if cancel.is_cancelled() {
            return Err(self.cancelled());
        }
        if now != seen {
            return Err(self.conflict());
        }
        Ok(())
    }

    fn replace_if(
        &self,
        contents: &mut dyn BufRead,
        condition: &dyn Fn(&PathFacts) -> Result<(), ToolError>,
    ) -> Result<Replaced, ToolError> {
        let mut change = Change::begin(self, condition)?;
        let replaced = self
            .handle
            .replace(contents, &mut |now| change.consent(now, condition));
        let (mut replaced, checkpoint) = change.end(replaced)?;
        replaced.checkpoint = checkpoint;
        if let Some(journal) = self.roots.journal() {
            journal.changed(self, &replaced.facts);
        }
        Ok(replaced)
    }

    /// Has what stands here kept in the journal.
    fn keep(&self, now: &PathFacts) -> Result<Option<Arc<str>>, ToolError> {
        let Some(journal) = self.roots.journal() else {
            return Ok(None);
        };
        journal.keep(self, now).map(Some).map_err(|error| {
            ToolError::new(
                ErrorKind::Io,
                format!(
                    "`{}` is as it was: its contents could not be kept in a checkpoint: {error}",
                    self.display()
                ),
            )
            .with_help("tell the user: the checkpoint store cannot be written")
            .because(error)
        })
    }

    /// Whether what stands here may be replaced by a file.
    fn writable(&self, now: &PathFacts) -> Result<(), ToolError> {
        if self.access == Access::Read {
            return Err(ToolError::new(
                ErrorKind::PermissionDenied,
                format!(
                    "`{}` may only be read: nothing below `{}` may be changed",
                    self.display(),
                    self.root().display()
                ),
            )
            .with_help("write to another folder"));
        }
        self.judge(Access::Write)?;
        match now.kind {
            PathKind::File if now.read_only => Err(ToolError::new(
                ErrorKind::PermissionDenied,
                format!("`{}` is read-only: nobody may write it", self.display()),
            )
            .with_help("write another file, or ask for this one to be made writable")),
            PathKind::File | PathKind::Missing => Ok(()),
            PathKind::Directory => Err(self.is_directory()),
            PathKind::Other => Err(self.not_regular()),
        }
    }

    fn cancelled(&self) -> ToolError {
        ToolError::new(
            ErrorKind::Cancelled,
            format!("the call was cancelled: `{}` is as it was", self.display()),
        )
    }

    fn conflict(&self) -> ToolError {
        ToolError::new(
            ErrorKind::Conflict,
            format!("`{}` was changed by someone else meanwhile", self.display()),
        )
        .with_help("read the file again, then send the change again")
    }

    /// The error that there is nothing here, with the similar names of the folder.
    pub fn not_found(&self) -> ToolError {
        let name = self
            .relative
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        let siblings = self.handle.siblings(SIBLINGS).unwrap_or_default();
        let folder = self.relative.parent().unwrap_or(Path::new(""));
        let similar: Vec<String> = similar(&name, siblings.iter().map(String::as_str))
            .into_iter()
            .map(|name| {
                let shown = self.roots.shown(self.root, &folder.join(name));
                format!("`{}`", shown.display())
            })
            .collect();
        let help = if similar.is_empty() {
            "look for it with `search_files`, target `files`".to_owned()
        } else {
            format!("did you mean {}?", similar.join(" or "))
        };
        let message = match self.handle.link() {
            Some(link) => format!(
                "`{}` is a link to `{}`, which does not exist",
                link.display(),
                self.display()
            ),
            None => format!("no such file: `{}`", self.display()),
        };
        ToolError::new(ErrorKind::NotFound, message).with_help(help)
    }

    fn is_directory(&self) -> ToolError {
        ToolError::new(
            ErrorKind::IsDirectory,
            format!("`{}` is a folder", self.display()),
        )
        .with_help("name a file in it")
    }

    /// The error that the path can only be that of a folder, which may not exist.
    fn folder_to_be(&self, before: &PathFacts) -> ToolError {
        if before.kind != PathKind::Missing {
            return self.is_directory();
        }
        ToolError::new(
            ErrorKind::IsDirectory,
            format!("`{}/` ends in `/`, so it names a folder", self.display()),
        )
        .with_help("name a file in it")
    }

    fn not_regular(&self) -> ToolError {
        ToolError::new(
            ErrorKind::NotRegular,
            format!("`{}` is a device, a pipe or a socket", self.display()),
        )
        .with_help("name a regular file")
    }

    fn error(&self, error: io::Error) -> ToolError {
        error::from_io(Path::new(&self.display()), error)
    }
}

/// How many names of a folder are looked at for similar ones.
const SIBLINGS: usize = 10_000;

/// A change on its way.
struct Change<'p> {
    path: &'p WorkspacePath,
    /// What stood there when it was kept.
    before: PathFacts,
    checkpoint: Option<Arc<str>>,
    refusal: Option<ToolError>,
}

impl<'p> Change<'p> {
    fn begin(
        path: &'p WorkspacePath,
        condition: &dyn Fn(&PathFacts) -> Result<(), ToolError>,
    ) -> Result<Self, ToolError> {
        let before = path.facts()?;
        path.writable(&before)?;
        condition(&before)?;
        Ok(Self {
            path,
            before,
            checkpoint: path.keep(&before)?,
            refusal: None,
        })
    }

    /// Whether nothing is against the change directly before it.
    fn consent(
        &mut self,
        now: &PathFacts,
        condition: &dyn Fn(&PathFacts) -> Result<(), ToolError>,
    ) -> bool {
        self.refusal = self.check(now, condition).err();
        self.refusal.is_none()
    }

    fn check(
        &mut self,
        now: &PathFacts,
        condition: &dyn Fn(&PathFacts) -> Result<(), ToolError>,
    ) -> Result<(), ToolError> {
        condition(now)?;
        self.path.writable(now)?;
        if *now != self.before {
            self.checkpoint = self.path.keep(now)?;
            self.before = *now;
        }
        Ok(())
    }

    /// What came of it, and where the old contents are.
    fn end<T>(self, outcome: io::Result<Option<T>>) -> Result<(T, Option<Arc<str>>), ToolError> {
        match (outcome, self.refusal) {
            (_, Some(refusal)) => Err(refusal),
            (Ok(Some(done)), None) => Ok((done, self.checkpoint)),
            (Ok(None), None) => Err(self.path.conflict()),
            (Err(error), None) if error.kind() == io::ErrorKind::IsADirectory => {
                Err(self.path.folder_to_be(&self.before))
            }
            (Err(error), None) => Err(self.path.error(error)),
        }
    }
}

impl fmt::Debug for WorkspacePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WorkspacePath({})", self.relative.display())
    }
}
