//! Making a change, and taking back what was made when the rest fails.

use hermes_tools::workspace::{PathFacts, Replaced};
use hermes_tools::{Cancel, ToolError};

use super::{Change, Source, Spot, Step, noted};

/// A step that was made, as it is taken back.
enum Done {
    /// Something was written over the old file.
    Written {
        place: usize,
        file: usize,
    },
    /// A file was made.
    Made {
        place: usize,
    },
    Moved {
        from: usize,
        to: usize,
    },
    Removed {
        place: usize,
        file: usize,
    },
}

impl Change {
    /// Makes all steps, or none: where one fails those before it are taken back.
    ///
    /// A file that was taken away and comes back is another one by its identity and its times, with the
    /// old contents and permissions.
    pub(in crate::file) fn commit(&mut self) -> Result<(), ToolError> {
        let mut done = Vec::new();
        for step in self.steps.clone() {
            match self.make(step) {
                Ok(made) => done.push(made),
                Err(error) if done.is_empty() => return Err(error),
                Err(error) => return Err(self.take_back(done, &error)),
            }
        }
        Ok(())
    }

    fn make(&mut self, step: Step) -> Result<Done, ToolError> {
        match step {
            Step::Write { place, file } => {
                let draft = &self.files[file];
                let mark = draft.source.as_ref().map_or("", Source::mark);
                let text = draft.text.as_deref().unwrap_or_default();
                let bytes = if mark.is_empty() {
                    text.as_bytes()
                } else {
                    &[mark, text].concat().into_bytes()
                };
                let spot = &mut self.places[place];
                let replaced = spot
                    .target
                    .replace_unchanged(bytes, &spot.facts, &self.cancel)?;
                spot.facts = replaced.facts;
                let created = replaced.created;
                self.checkpoint = replaced.checkpoint.clone().or(self.checkpoint.take());
                spot.made = Some(replaced);
                Ok(if created {
                    Done::Made { place }
                } else {
                    Done::Written { place, file }
                })
            }
            Step::Move { from, to } => {
                let cancel = self.cancel.clone();
                self.shift(from, to, &cancel)?;
                Ok(Done::Moved { from, to })
            }
            Step::Remove { place, file } => {
                let spot = &mut self.places[place];
                let checkpoint = spot.target.remove_unchanged(&spot.facts, &self.cancel)?;
                self.checkpoint = checkpoint.or(self.checkpoint.take());
                spot.facts = PathFacts::MISSING;
                spot.made = None;
                Ok(Done::Removed { place, file })
            }
        }
    }

    fn shift(&mut self, from: usize, to: usize, cancel: &Cancel) -> Result<(), ToolError> {
        let (source, goal) = (&self.places[from], &self.places[to]);
        let seen = source.facts;
        let checkpoint = source
            .target
            .rename_unchanged(&seen, &goal.target, cancel)?;
        self.checkpoint = checkpoint.or(self.checkpoint.take());
        self.places[from].facts = PathFacts::MISSING;
        self.places[from].made = None;
        // Another name is a change of the file too.
        let facts = self.places[to].target.facts()?;
        self.places[to].facts = facts;
        self.places[to].made = Some(Replaced {
            created: true,
            facts,
            checkpoint: None,
        });
        Ok(())
    }

    /// Undoes steps, the last first. What someone else has changed meanwhile is left alone.
    fn take_back(&mut self, done: Vec<Done>, error: &ToolError) -> ToolError {
        let mut left = Vec::new();
        for step in done.into_iter().rev() {
            let place = match &step {
                Done::Written { place, .. }
                | Done::Made { place }
                | Done::Removed { place, .. } => *place,
                Done::Moved { from, .. } => *from,
            };
            if self.undo(&step).is_err() {
                left.push(format!("`{}`", self.places[place].target.display()));
            }
        }
        if left.is_empty() {
            return noted(error, "nothing was changed");
        }
        let left = left.join(", ");
        let note = format!("what was changed before could not be taken back: look at {left}");
        noted(error, &note)
    }

    fn undo(&mut self, step: &Done) -> Result<(), ToolError> {
        let never = Cancel::never();
        match *step {
            Done::Made { place } => {
                let spot = &self.places[place];
                spot.target.remove_unchanged(&spot.facts, &never).map(drop)
            }
            Done::Written { place, file } => self.restore(place, file),
            Done::Moved { from, to } => self.shift(to, from, &never),
            Done::Removed { place, file } => {
                self.restore(place, file)?;
                let source = self.files[file].source.as_ref();
                let Some(permissions) = source.and_then(Source::permissions) else {
                    return Ok(());
                };
                let Spot { target, facts, .. } = &mut self.places[place];
                let (opened, _) = target.open_seen()?;
                let set = opened.set_permissions(permissions.clone());
                set.map_err(|error| crate::file::text::unreadable(&target.display(), error))?;
                *facts = target.facts()?;
                Ok(())
            }
        }
    }

    fn restore(&mut self, place: usize, file: usize) -> Result<(), ToolError> {
        let Some(source) = &self.files[file].source else {
            return Ok(());
        };
        let Spot { target, facts, .. } = &mut self.places[place];
        let bytes = source.bytes();
        let bytes =
            bytes.map_err(|error| crate::file::text::unreadable(&target.display(), error))?;
        *facts = target
            .replace_unchanged(&bytes, facts, &Cancel::never())?
            .facts;
        Ok(())
    }
}
