//! What a search gives back.

use serde::Serialize;

use crate::file::warning::Warning;

/// The result of a search.
#[derive(Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Found {
    /// Lines that match, by file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) matches: Option<Vec<FileLines>>,
    /// Files, for target `files` and for output mode `files_only`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) files: Option<Vec<String>>,
    /// How many lines match in each file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) counts: Option<Vec<FileCount>>,
    /// Lines that match in all files; files where files are listed.
    pub(super) total_count: u64,
    /// Files with lines that match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) total_files: Option<u64>,
    /// Whether there is more after this page.
    pub(super) truncated: bool,
    /// The offset of the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next_offset: Option<u64>,
    /// What was not searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skipped: Option<Skipped>,
    /// Whether the search ended before it had seen everything.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) incomplete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) warnings: Vec<Warning>,
}

/// The lines of one file.
#[derive(Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct FileLines {
    pub(super) path: String,
    pub(super) lines: Vec<ShownLine>,
}

/// A line that matches, or one beside it.
#[derive(Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct ShownLine {
    /// Counted from 1.
    pub(super) line: u64,
    pub(super) text: String,
    /// Whether it is only shown for the match beside it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) context: bool,
}

/// How many lines match in one file.
#[derive(Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct FileCount {
    pub(super) path: String,
    pub(super) count: u64,
}

/// Files that were to be searched and were not, by reason.
#[derive(Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Skipped {
    /// Files that are no text.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) binary: u64,
    /// Files in another encoding than UTF-8.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) encoding: u64,
    /// Files and folders that could not be opened or read, or whose name is no UTF-8.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) unreadable: u64,
    /// Files with a line of over 16 MiB.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) long_lines: u64,
    /// The first few of them.
    pub(super) examples: Vec<String>,
}

/// Why a file was not searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    Binary,
    Encoding,
    Unreadable,
    LongLine,
}

impl Skipped {
    /// Notes a file or folder.
    pub(super) fn add(&mut self, reason: Reason, path: impl Into<String>) {
        const EXAMPLES: usize = 5;
        let number = match reason {
            Reason::Binary => &mut self.binary,
            Reason::Encoding => &mut self.encoding,
            Reason::Unreadable => &mut self.unreadable,
            Reason::LongLine => &mut self.long_lines,
        };
        *number += 1;
        if self.examples.len() < EXAMPLES {
            self.examples.push(path.into());
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.binary + self.encoding + self.unreadable + self.long_lines
    }

    /// Itself, when there is anything to tell.
    pub(super) fn told(self) -> Option<Self> {
        (self.count() > 0).then_some(self)
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}
