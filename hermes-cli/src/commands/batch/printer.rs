//! Answers that come in any order and are printed in that of their lines.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::progress::Progress;
use crate::approval::Screen;
use crate::error::CliError;

/// Counts lines, and prints an answer as soon as all before it are printed.
pub(super) struct Printer {
    state: Mutex<State>,
}

struct State {
    progress: Progress,
    next: usize,
    waiting: BTreeMap<usize, (bool, String)>,
    failed: Option<CliError>,
    /// Whether a question stands on the terminal, on which answers would hide it.
    held: bool,
}

impl Printer {
    /// Starts to count. `length` is that of the input in bytes, when it is known.
    pub(super) fn start(length: Option<u64>) -> Self {
        Self {
            state: Mutex::new(State {
                progress: Progress::start(length),
                next: 0,
                waiting: BTreeMap::new(),
                failed: None,
                held: false,
            }),
        }
    }

    /// Counts a line of so many bytes, and gives back its number.
    pub(super) fn read(&self, bytes: usize) -> u64 {
        self.state().progress.read(bytes)
    }

    /// Takes an answer by its place among all answers, from 0.
    pub(super) fn put(&self, place: usize, ok: bool, answer: String) {
        let mut state = self.state();
        state.waiting.insert(place, (ok, answer));
        state.print();
    }

    /// How many answers were printed.
    ///
    /// # Errors
    ///
    /// One could not be printed.
    pub(super) fn printed(&self) -> Result<usize, CliError> {
        let mut state = self.state();
        // Nothing is asked any more; a question that was given up may still stand there.
        state.hold(false);
        match state.failed.take() {
            Some(error) => Err(error),
            None => Ok(state.next),
        }
    }

    /// Ends the bar with a summary, and gives back how many answers are errors.
    pub(super) fn finish(&self) -> u64 {
        self.state().progress.finish()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bar makes room for a question, and so do answers that go to the same terminal.
impl Screen for Printer {
    fn question(&self, stands: bool) {
        self.state().hold(stands);
    }
}

impl State {
    fn hold(&mut self, question: bool) {
        self.progress.make_room(question);
        self.held = question && io::stdout().is_terminal();
        self.print();
    }

    fn print(&mut self) {
        if self.held {
            return;
        }
        while let Some((ok, answer)) = self.waiting.remove(&self.next) {
            self.next += 1;
            if self.failed.is_none() {
                self.failed = self.progress.answered(ok, &answer).err();
            }
        }
    }
}
