//! How far a batch is: answers on the standard output, a bar beside them on a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::error::CliError;
use crate::terminal;

/// Counts lines and answers.
#[derive(Debug)]
pub(super) struct Progress {
    lines: u64,
    answered: u64,
    failed: u64,
    /// On a terminal only.
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Starts to count. `length` is that of the input in bytes, when it is known.
    pub(super) fn start(length: Option<u64>) -> Self {
        let bar = io::stderr().is_terminal().then(|| bar(length));
        Self {
            lines: 0,
            answered: 0,
            failed: 0,
            bar,
        }
    }

    /// Counts a line of so many bytes, and gives back its number.
    pub(super) fn read(&mut self, bytes: usize) -> u64 {
        self.lines += 1;
        if let Some(bar) = &self.bar {
            bar.inc(bytes as u64);
        }
        self.lines
    }

    /// Counts an answer and prints it.
    pub(super) fn answered(&mut self, ok: bool, answer: &str) -> Result<(), CliError> {
        self.answered += 1;
        self.failed += u64::from(!ok);
        match &self.bar {
            None => terminal::print(answer),
            Some(bar) => {
                bar.set_message(self.counts());
                bar.suspend(|| terminal::print(answer))
            }
        }
    }

    /// Ends the bar with a summary, and gives back how many answers are errors.
    pub(super) fn finish(self) -> u64 {
        if let Some(bar) = &self.bar {
            let took = bar.elapsed();
            bar.finish_and_clear();
            // Nobody is left to tell when the error output is closed.
            let _ = writeln!(io::stderr(), "{} in {}", self.counts(), HumanDuration(took));
        }
        self.failed
    }

    fn counts(&self) -> String {
        let calls = if self.answered == 1 { "call" } else { "calls" };
        format!("{} {calls}, {} failed", self.answered, self.failed)
    }
}

fn bar(length: Option<u64>) -> ProgressBar {
    let (bar, template) = match length {
        Some(length) => (ProgressBar::new(length), "{bar:30} {percent:>3} %  {msg}"),
        None => (ProgressBar::no_length(), "{spinner} {msg}"),
    };
    let style = ProgressStyle::with_template(template).expect("the template is right");
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
