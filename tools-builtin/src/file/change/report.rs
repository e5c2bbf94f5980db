//! What a change does, as it is told.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hermes_tools::ToolError;
use serde::Serialize;

use super::{Change, Draft, Source, is_private};
use crate::file::diff::unified;
use crate::file::lint::{Lint, LintMode, lint};

/// Characters of all diffs together after which only names are told.
const LIMIT: usize = 40_000;

/// Largest file whose loss is shown as a diff, in bytes.
const SHOWN: u64 = 1 << 20;

/// What a change does.
#[derive(Debug, Default)]
pub(in crate::file) struct Outcome {
    pub(in crate::file) modified: Vec<String>,
    pub(in crate::file) created: Vec<String>,
    pub(in crate::file) deleted: Vec<String>,
    pub(in crate::file) moved: Vec<Moved>,
    pub(in crate::file) diff: String,
    /// What a parser says of each file that it knows.
    pub(in crate::file) lints: BTreeMap<String, Lint>,
}

/// A file that has another path.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(in crate::file) struct Moved {
    from: String,
    to: String,
}

impl Change {
    /// What the change will do.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::DoesNotParse`](hermes_tools::ErrorKind::DoesNotParse) when it breaks a file and the
    /// session refuses that.
    pub(in crate::file) fn review(&mut self, mode: LintMode) -> Result<Outcome, ToolError> {
        let mut outcome = Outcome::default();
        for index in 0..self.files.len() {
            let origin = self.files[index].origin;
            let goal = self.places.iter().position(|spot| spot.file == Some(index));
            let name = |place: usize| self.places[place].target.display();
            let (before, after) = (origin.map(name), goal.map(name));
            match (before, after) {
                (Some(before), None) => {
                    self.read_to_show(index);
                    outcome.show(&before, |path| lost(&self.files[index], path));
                    outcome.deleted.push(before);
                }
                (before, Some(after)) => {
                    let draft = &self.files[index];
                    let moved = before.as_ref().is_some_and(|before| *before != after);
                    if let (Some(before), true) = (&before, moved) {
                        let _ = writeln!(outcome.diff, "rename from {before}\nrename to {after}");
                    }
                    if let Some(text) = &draft.text {
                        let old = draft.source.as_ref().filter(|source| source.is_read());
                        let old = old.map(Source::text);
                        outcome.show(&after, |path| match (&draft.source, old) {
                            // It was taken away and made anew.
                            (Some(_), None) => {
                                let why = "what stood there cannot be shown as text";
                                format!("[the diff of `{path}` is not shown: {why}]\n")
                            }
                            _ => unified(path, old.unwrap_or_default(), text),
                        });
                        if let Some(lint) = lint(&after, old, text) {
                            Lint::enforce(Some(&lint), mode, &after)?;
                            outcome.lints.insert(after.clone(), lint);
                        }
                    }
                    match before {
                        Some(from) if moved => outcome.moved.push(Moved { from, to: after }),
                        Some(_) if draft.text.is_none() => {}
                        Some(_) => outcome.modified.push(after),
                        None => outcome.created.push(after),
                    }
                }
                (None, None) => {}
            }
        }
        Ok(outcome)
    }

    /// Reads a file that goes, where it is a text of a size to be shown.
    fn read_to_show(&mut self, file: usize) {
        let draft = &mut self.files[file];
        if let (Some(source), Some(place)) = (&mut draft.source, draft.origin)
            && source.facts().len <= SHOWN
        {
            // What cannot be read as text is told by its name alone.
            let _ = source.read(&self.places[place].target);
        }
    }
}

fn lost(draft: &Draft, path: &str) -> String {
    let text = draft.source.as_ref().map_or("", Source::text);
    match unified(path, text, "") {
        diff if diff.is_empty() => format!("--- a/{path}\n+++ /dev/null\n"),
        diff => diff.replacen(&format!("\n+++ b/{path}\n"), "\n+++ /dev/null\n", 1),
    }
}

impl Outcome {
    /// Whether nothing would be different.
    pub(in crate::file) fn is_empty(&self) -> bool {
        self.modified.is_empty()
            && self.created.is_empty()
            && self.deleted.is_empty()
            && self.moved.is_empty()
    }

    fn show(&mut self, path: &str, diff: impl FnOnce(&str) -> String) {
        // Writing to a `String` cannot fail.
        let _ = if is_private(path) {
            let why = "it may hold credentials";
            writeln!(self.diff, "[the diff of `{path}` is not shown: {why}]")
        } else if self.diff.len() > LIMIT {
            let why = "there is too much of it";
            writeln!(self.diff, "[the diff of `{path}` is not shown: {why}]")
        } else {
            self.diff.write_str(&diff(path))
        };
    }
}
