//! What is wrong with a configuration file, and where.

use std::fmt;
use std::io;

/// Line and column, both counted from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// A configuration that cannot be used. The program does not start with it, since what is left of it
/// may be wider than what was meant.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConfigError {
    /// The file as it was named.
    pub file: String,
    /// Line and column, counted from 1; `None` when the file cannot be read.
    pub place: Option<(usize, usize)>,
    /// What was expected there.
    pub expected: String,
    /// What was found instead.
    pub found: String,
}

impl Place {
    /// The place of a byte in a text.
    pub(super) fn of(text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
        }
    }
}

impl ConfigError {
    pub(super) fn new(file: &str, at: Place, expected: &str, found: String) -> Self {
        Self {
            file: file.to_owned(),
            place: Some((at.line, at.column)),
            expected: expected.to_owned(),
            found,
        }
    }

    pub(super) fn unreadable(file: String, error: &io::Error) -> Self {
        Self {
            file,
            place: None,
            expected: "a file that can be read".to_owned(),
            found: error.to_string(),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": expected {}, found {}", self.expected, self.found)
    }
}

impl std::error::Error for ConfigError {}
