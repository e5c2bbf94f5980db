//! How far a batch is: answers on the standard output, a line beside them on a terminal.

use std::fmt;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::error::CliError;
use crate::terminal::{self, Look};

/// Counts lines and answers, and shows them on the error output if that is a terminal.
#[derive(Debug)]
pub(super) struct Progress {
    counts: Counts,
    look: Look,
    started: Instant,
    /// When the line was written last.
    drawn: Option<Instant>,
    /// Whether it stands there.
    visible: bool,
}

#[derive(Debug, Default)]
struct Counts {
    lines: u64,
    answered: u64,
    failed: u64,
    bytes: u64,
    /// Bytes of the whole input, when they are known.
    length: Option<u64>,
}

/// The line is not written more often than this, so that fast calls are not held up.
const INTERVAL: Duration = Duration::from_millis(50);

impl Progress {
    /// Starts to count. `length` is that of the input in bytes, when it is known.
    pub(super) fn start(length: Option<u64>) -> Self {
        let counts = Counts {
            length,
            ..Counts::default()
        };
        Self {
            counts,
            look: Look::of_stderr(),
            started: Instant::now(),
            drawn: None,
            visible: false,
        }
    }

    /// Counts a line of so many bytes, and gives back its number.
    pub(super) fn read(&mut self, bytes: usize) -> u64 {
        self.counts.lines += 1;
        self.counts.bytes += bytes as u64;
        self.draw();
        self.counts.lines
    }

    /// Counts an answer and prints it.
    pub(super) fn answered(&mut self, ok: bool, answer: &str) -> Result<(), CliError> {
        self.counts.answered += 1;
        self.counts.failed += u64::from(!ok);
        // Both outputs may be the same terminal.
        self.clear();
        terminal::print(answer)
    }

    /// Ends the line with a summary, and gives back how many answers are errors.
    pub(super) fn finish(mut self) -> u64 {
        self.clear();
        if self.look.terminal {
            let seconds = self.started.elapsed().as_secs_f64();
            // Nobody is left to tell when the error output is closed.
            let _ = writeln!(io::stderr(), "{} in {seconds:.1} s", self.counts);
        }
        self.counts.failed
    }

    fn draw(&mut self) {
        let waits = self.drawn.is_some_and(|drawn| drawn.elapsed() < INTERVAL);
        if self.look.rewrites && !waits {
            let percent = self.counts.percent();
            let share = percent
                .map(|percent| format!("{percent:>3} %  "))
                .unwrap_or_default();
            let _ = write!(io::stderr(), "{CLEAR}{share}{}", self.counts);
            self.drawn = Some(Instant::now());
            self.visible = true;
        }
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.visible) {
            let _ = write!(io::stderr(), "{CLEAR}");
        }
    }
}

/// Back to the start of the line, and nothing on it.
const CLEAR: &str = "\r\u{1b}[K";

impl Counts {
    /// How much of the input was read, in whole percent.
    fn percent(&self) -> Option<u64> {
        let length = self.length.filter(|length| *length > 0)?;
        Some((self.bytes.saturating_mul(100) / length).min(100))
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
    fn counts_are_told_with_the_share_of_the_input() {
        let counts = Counts {
            answered: 1,
            failed: 0,
            bytes: 50,
            length: Some(201),
            lines: 1,
        };
        assert_eq!(
            (counts.to_string().as_str(), counts.percent()),
            ("1 call, 0 failed", Some(24))
        );
        let pipe = Counts {
            answered: 3,
            failed: 2,
            length: None,
            ..counts
        };
        assert_eq!(
            (pipe.to_string().as_str(), pipe.percent()),
            ("3 calls, 2 failed", None)
        );
    }
}
