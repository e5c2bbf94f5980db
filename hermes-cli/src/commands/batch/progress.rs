//! How far a batch is: answers on the standard output, a bar beside them on a terminal.

use std::fmt;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::error::CliError;
use crate::terminal;

/// Counts lines and answers, and shows them on the error output if that is a terminal.
#[derive(Debug)]
pub(in crate::commands) struct Progress {
    counts: Counts,
    bar: ProgressBar,
    started: Instant,
    /// Whether a question has the place of the bar.
    away: bool,
}

#[derive(Debug, Default)]
struct Counts {
    lines: u64,
    answered: u64,
    failed: u64,
}

impl Progress {
    /// Starts to count. `length` is that of the input in bytes, when it is known.
    pub(in crate::commands) fn start(length: Option<u64>) -> Self {
        // The target draws nothing unless it is a terminal.
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
        let template = match length {
            Some(_) => "{bar:30} {percent:>3} %  {msg}  {eta} left",
            None => "{spinner} {msg}  {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self {
            counts: Counts::default(),
            bar,
            started: Instant::now(),
            away: false,
        }
    }

    /// Takes the bar off the terminal while a question stands there.
    pub(in crate::commands) fn make_room(&mut self, question: bool) {
        if self.away == question {
            return;
        }
        self.away = question;
        if !question {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        } else if !self.bar.is_hidden() {
            self.bar.set_draw_target(ProgressDrawTarget::hidden());
            // What was drawn last stays where it is until something is written over it.
            let _ = write!(io::stderr(), "\r\u{1b}[K");
        }
    }

    /// Counts a line of so many bytes, and gives back its number.
    pub(in crate::commands) fn read(&mut self, bytes: usize) -> u64 {
        self.counts.lines += 1;
        self.bar.inc(bytes as u64);
        self.counts.lines
    }

    /// Counts an answer and prints it.
    pub(in crate::commands) fn answered(&mut self, ok: bool, answer: &str) -> Result<(), CliError> {
        self.counts.answered += 1;
        self.counts.failed += u64::from(!ok);
        // Both outputs may be the same terminal.
        let printed = self.bar.suspend(|| terminal::print(answer));
        if !self.bar.is_hidden() {
            self.bar.set_message(self.counts.to_string());
        }
        printed
    }

    /// Ends the bar with a summary, and gives back how many answers are errors.
    pub(in crate::commands) fn finish(&self) -> u64 {
        self.bar.finish_and_clear();
        if io::stderr().is_terminal() {
            let seconds = self.started.elapsed().as_secs_f64();
            // Nobody is left to tell when the error output is closed.
            let _ = writeln!(io::stderr(), "{} in {seconds:.1} s", self.counts);
        }
        self.counts.failed
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls = if self.answered == 1 { "call" } else { "calls" };
        write!(f, "{} {calls}, {} failed", self.answered, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_told_in_words() {
        let one = Counts {
            lines: 2,
            answered: 1,
            failed: 0,
        };
        assert_eq!(one.to_string(), "1 call, 0 failed");
        let three = Counts {
            answered: 3,
            failed: 2,
            ..one
        };
        assert_eq!(three.to_string(), "3 calls, 2 failed");
    }
}
