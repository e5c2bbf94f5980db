//! Changing several files at once: all of them, or none.
//!
//! A [`Change`] holds the lock of every path from the first look to the last write. Its operations are
//! done in memory first, each on what the ones before leave; only then does [`commit`] touch a file,
//! and takes back what it did when something fails on the way.

mod commit;
mod names;
mod report;
mod source;

use std::sync::Arc;

use hermes_tools::workspace::{PathFacts, PathKind, PathLock, Replaced, WorkspacePath};
use hermes_tools::{Cancel, ErrorKind, ToolError, Workspace};

pub(super) use self::names::is_private;
pub(super) use self::report::Moved;
pub(super) use self::source::Source;
use super::ledger::Ledger;
use super::warning::Warning;

/// Changes of files that are made together.
pub(super) struct Change {
    /// The paths as they were given, each with the number of its place.
    names: Vec<(String, usize)>,
    places: Vec<Spot>,
    files: Vec<Draft>,
    steps: Vec<Step>,
    cancel: Cancel,
    /// Where what stood there before is kept, once it is.
    checkpoint: Option<Arc<str>>,
    _lock: PathLock,
}

/// A path, and what stands there after the operations so far.
struct Spot {
    target: WorkspacePath,
    /// What stood there before.
    facts: PathFacts,
    /// Whether it was looked at since: what stands there now is then in `file`.
    known: bool,
    file: Option<usize>,
    /// What was made there in the end, once it was.
    made: Option<Replaced>,
}

/// A file, wherever it is.
struct Draft {
    /// What it was; none for a new file.
    source: Option<Source>,
    /// Where it was.
    origin: Option<usize>,
    /// Its new text, without byte order mark; none while it is as it was.
    text: Option<String>,
}

/// What is done to the file system, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Writes the text that the file has in the end.
    Write {
        place: usize,
        file: usize,
    },
    Move {
        from: usize,
        to: usize,
    },
    Remove {
        place: usize,
        file: usize,
    },
}

impl Change {
    /// Resolves and locks these paths, and no others.
    pub(super) fn begin(
        workspace: &Workspace,
        paths: &[&str],
        cancel: Cancel,
    ) -> Result<Self, ToolError> {
        let (targets, lock) = workspace.resolve_all_locked(paths)?;
        let mut places: Vec<Spot> = Vec::new();
        let mut names = Vec::new();
        for (path, target) in paths.iter().zip(targets) {
            let shown = target.display();
            let known = places
                .iter()
                .position(|spot| spot.target.display() == shown);
            let place = known.unwrap_or(places.len());
            if known.is_none() {
                places.push(Spot {
                    facts: target.facts()?,
                    target,
                    known: false,
                    file: None,
                    made: None,
                });
            }
            names.push(((*path).to_owned(), place));
        }
        Ok(Self {
            names,
            places,
            files: Vec::new(),
            steps: Vec::new(),
            cancel,
            checkpoint: None,
            _lock: lock,
        })
    }

    /// The path as it is shown.
    pub(super) fn shown(&self, path: &str) -> String {
        self.places[self.place(path)].target.display()
    }

    /// The text of a file as the operations so far leave it, without byte order mark.
    pub(super) fn text(&mut self, path: &str) -> Result<&str, ToolError> {
        let file = self.file(path)?;
        self.read(file)?;
        let draft = &self.files[file];
        let old = || draft.source.as_ref().map_or("", Source::text);
        Ok(draft.text.as_deref().unwrap_or_else(old))
    }

    /// Sets the text of a file that is there.
    pub(super) fn update(&mut self, path: &str, text: String) -> Result<(), ToolError> {
        let place = self.place(path);
        let file = self.file(path)?;
        self.files[file].text = Some(text);
        self.write(place, file);
        Ok(())
    }

    /// Makes a file where nothing is.
    pub(super) fn add(&mut self, path: &str, text: String) -> Result<(), ToolError> {
        let place = self.place(path);
        self.vacant(place)?;
        if let Some(file) = self.comes_back(place) {
            // What is taken away and made anew is replaced, and keeps its permissions and its byte order
            // mark, as a file that is written whole does. What is no text has no diff, and goes all the same.
            let _ = self.read(file);
            let source = self.files[file].source.as_ref();
            let text = match source.map_or("", Source::mark) {
                "" => text,
                mark => text.strip_prefix(mark).map_or(text.clone(), str::to_owned),
            };
            self.places[place].file = Some(file);
            return self.update(path, text);
        }
        let file = self.files.len();
        self.files.push(Draft {
            source: None,
            origin: None,
            text: Some(text),
        });
        self.places[place].file = Some(file);
        self.write(place, file);
        Ok(())
    }

    /// Takes a file away.
    pub(super) fn delete(&mut self, path: &str) -> Result<(), ToolError> {
        let place = self.place(path);
        let file = self.file(path)?;
        self.not_by_link(place)?;
        if self.files[file].source.is_none() {
            return Err(self.contradiction(place, "made and taken away"));
        }
        self.steps.push(Step::Remove { place, file });
        self.places[place].file = None;
        Ok(())
    }

    /// Moves a file to where nothing is.
    pub(super) fn rename(&mut self, path: &str, to: &str) -> Result<(), ToolError> {
        let (from, goal) = (self.place(path), self.place(to));
        let file = self.file(path)?;
        if from == goal {
            return Err(self.contradiction(from, "moved to itself"));
        }
        self.not_by_link(from)?;
        self.not_onto_link(goal)?;
        self.vacant(goal)?;
        if self.files[file].source.is_none() {
            return Err(self.contradiction(from, "made and moved"));
        }
        self.steps.push(Step::Move { from, to: goal });
        self.places[from].file = None;
        self.places[goal].file = Some(file);
        Ok(())
    }

    /// What speaks against changing the files that are there.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Conflict`] when someone else has changed one and the session refuses that.
    pub(super) fn concerns(&self, ledger: &Ledger) -> Result<Vec<Warning>, ToolError> {
        let mut warnings = Vec::new();
        for place in self.files.iter().filter_map(|file| file.origin) {
            let spot = &self.places[place];
            warnings.extend(ledger.before(&spot.target, &spot.facts, false)?);
        }
        Ok(warnings)
    }

    /// Notes what was made, and tells the checkpoint that holds what stood there before.
    pub(super) fn note(&self, ledger: &Ledger, warnings: &mut [Warning]) -> Option<String> {
        for spot in &self.places {
            if let Some(made) = &spot.made {
                ledger.after(&spot.target, made, warnings);
            }
        }
        self.checkpoint.as_deref().map(str::to_owned)
    }

    /// The place of a path that was given to [`begin`](Self::begin).
    fn place(&self, path: &str) -> usize {
        let known = self.names.iter().find(|(name, _)| name == path);
        known.map_or(0, |(_, place)| *place)
    }

    /// The file that stands at a path now.
    fn file(&mut self, path: &str) -> Result<usize, ToolError> {
        let place = self.place(path);
        if !self.places[place].known {
            let source = Source::open(&self.places[place].target)?;
            // What was opened is what is compared, not what was there a moment before.
            self.places[place].facts = *source.facts();
            self.places[place].known = true;
            self.places[place].file = Some(self.files.len());
            self.files.push(Draft {
                source: Some(source),
                origin: Some(place),
                text: None,
            });
        }
        self.places[place]
            .file
            .ok_or_else(|| self.contradiction(place, "taken away or moved before"))
    }

    /// Reads the text of a file that is to be changed.
    fn read(&mut self, file: usize) -> Result<(), ToolError> {
        let origin = self.files[file].origin;
        match (&mut self.files[file].source, origin) {
            (Some(source), Some(place)) => source.read(&self.places[place].target),
            _ => Ok(()),
        }
    }

    /// Whether nothing stands at a place now.
    fn vacant(&mut self, place: usize) -> Result<(), ToolError> {
        let spot = &mut self.places[place];
        if !spot.known {
            return match spot.facts.kind {
                PathKind::Missing => {
                    spot.known = true;
                    Ok(())
                }
                _ => Err(spot.target.exists()),
            };
        }
        match spot.file {
            None => Ok(()),
            Some(file) if self.files[file].origin == Some(place) => Err(spot.target.exists()),
            Some(_) => Err(self.contradiction(place, "the goal of two operations")),
        }
    }

    /// The file that was taken away from a place last, where nothing came to it since: then it is not
    /// taken away after all.
    fn comes_back(&mut self, place: usize) -> Option<usize> {
        let touches = |step: &Step| match *step {
            Step::Write { place: at, .. } | Step::Remove { place: at, .. } => at == place,
            Step::Move { from, to } => from == place || to == place,
        };
        let last = self.steps.iter().rposition(touches)?;
        let Step::Remove { file, .. } = self.steps[last] else {
            return None;
        };
        self.steps.remove(last);
        Some(file)
    }

    fn write(&mut self, place: usize, file: usize) {
        let step = Step::Write { place, file };
        // One write at a place makes all changes since the file is there.
        let moved = |step: &Step| matches!(step, Step::Move { to, .. } if *to == place);
        let since = self
            .steps
            .iter()
            .rposition(moved)
            .map_or(0, |index| index + 1);
        if !self.steps[since..].contains(&step) {
            self.steps.push(step);
        }
    }

    fn not_by_link(&self, place: usize) -> Result<(), ToolError> {
        let target = &self.places[place].target;
        let Some(link) = target.link() else {
            return Ok(());
        };
        Err(ToolError::new(
            ErrorKind::NotRegular,
            format!("`{}` is a link to `{}`", link.display(), target.display()),
        )
        .with_help("name the file itself; the link would stay and lead nowhere"))
    }

    /// A link that leads nowhere is something too.
    fn not_onto_link(&self, place: usize) -> Result<(), ToolError> {
        let target = &self.places[place].target;
        let Some(link) = target.link() else {
            return Ok(());
        };
        Err(ToolError::new(
            ErrorKind::Exists,
            format!(
                "`{}` is there already, a link to `{}`",
                link.display(),
                target.display()
            ),
        )
        .with_help("name another path"))
    }

    fn contradiction(&self, place: usize, what: &str) -> ToolError {
        ToolError::new(
            ErrorKind::Conflict,
            format!(
                "`{}` is {what} in one patch",
                self.places[place].target.display()
            ),
        )
        .with_help("send operations that do not contradict each other")
    }
}

/// An error with a word on what became of the rest.
fn noted(error: &ToolError, note: &str) -> ToolError {
    let noted = ToolError::new(error.kind(), format!("{}; {note}", error.message()));
    match error.help() {
        Some(help) => noted.with_help(help.to_owned()),
        None => noted,
    }
}
