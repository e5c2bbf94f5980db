//! Telling what a search has found while it goes on.

use std::sync::{Mutex, PoisonError};

use hermes_tools::Progress;

use crate::file::text::counted;

/// Finds that are told one by one. Of what comes after them, one in so many is.
const EACH: u64 = 100;

/// Tells whoever listens; where nobody does it costs nothing.
#[derive(Debug)]
pub(super) struct Tell {
    progress: Progress,
    found: Mutex<Counts>,
}

/// What was found so far.
#[derive(Debug, Default)]
struct Counts {
    files: u64,
    lines: u64,
}

impl Tell {
    pub(super) fn new(progress: Progress) -> Self {
        Self {
            progress,
            found: Mutex::default(),
        }
    }

    /// A file was found, by the lines in it that match or by its name.
    pub(super) fn found(&self, lines: Option<u64>, path: impl FnOnce() -> String) {
        if !self.progress.is_heard() {
            return;
        }
        // Held while it is told, so that the counts grow from event to event.
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.files += 1;
        found.lines += lines.unwrap_or_default();
        if found.files > EACH && !found.files.is_multiple_of(EACH) {
            return;
        }
        let path = path();
        let files = counted(found.files, "file");
        let message = match lines {
            Some(lines) => format!(
                "`{path}`: {}; {} in {files} so far",
                counted(lines, "line"),
                counted(found.lines, "line")
            ),
            None => format!("`{path}`; {files} so far"),
        };
        // No count of files comes near the precision of a float.
        #[expect(clippy::cast_precision_loss, reason = "a count of files")]
        self.progress.report(found.files as f64, None, &message);
    }
}
