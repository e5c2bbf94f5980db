//! What `read_file` answers.

use serde::Serialize;

use super::page::{LINE_LIMIT, PAGE_LIMIT, Page};
use super::text::{self, LONGEST_LINE};

/// How an answer without content begins, so that it is known when it comes back as the text of a file.
pub(super) const UNCHANGED: &str = "unchanged since you read it";

/// A page of a text file.
#[derive(Debug, Serialize)]
pub(super) struct FilePage {
    /// Absent where the model has the page already.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    /// `unchanged` where the model has the page already.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    total_lines: u64,
    file_size: u64,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<u64>,
    /// What the text was made of: `a notebook`, `sheets`, `a document` or `UTF-16`.
    #[serde(skip_serializing_if = "Option::is_none")]
    extracted: Option<&'static str>,
    /// `crlf` or `mixed`; absent where every line shown ends in LF.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_endings: Option<&'static str>,
    /// Whether bytes that are no UTF-8 are shown as U+FFFD.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lossy: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl FilePage {
    pub(super) fn new(page: Page, first: u64, extracted: Option<&'static str>) -> Self {
        let next = first + page.lines;
        let next_offset = (next <= page.total_lines).then_some(next);
        let line_endings = match page.crlf {
            0 => None,
            crlf if crlf == page.terminated => Some("crlf"),
            _ => Some("mixed"),
        };
        Self {
            status: None,
            total_lines: page.total_lines,
            file_size: page.bytes,
            truncated: next_offset.is_some(),
            next_offset,
            extracted,
            line_endings,
            lossy: page.lossy,
            hint: hint(&page, first, next_offset, extracted),
            content: Some(page.content),
        }
    }

    /// A page that the model has already.
    pub(super) fn unchanged(page: &Page, first: u64, extracted: Option<&'static str>) -> Self {
        let next = first + page.lines;
        let next_offset = (next <= page.total_lines).then_some(next);
        Self {
            content: None,
            status: Some("unchanged"),
            total_lines: page.total_lines,
            file_size: page.bytes,
            truncated: next_offset.is_some(),
            next_offset,
            extracted,
            line_endings: None,
            lossy: false,
            hint: Some(match page.lines {
                0 => format!("{UNCHANGED}: the file is empty"),
                lines => format!("{UNCHANGED}: lines {first} to {}", first + lines - 1),
            }),
        }
    }
}

fn hint(
    page: &Page,
    first: u64,
    next_offset: Option<u64>,
    extracted: Option<&str>,
) -> Option<String> {
    let mut hints = Vec::new();
    if let Some(kind) = extracted {
        hints.push(format!(
            "taken from {kind}: `patch` cannot edit it as it is shown"
        ));
    }
    if page.total_lines == 0 {
        hints.push("the file is empty".to_owned());
    }
    if let Some(next) = next_offset {
        let (last, total) = (next - 1, page.total_lines);
        let why = if page.full {
            format!(", a page of {PAGE_LIMIT} characters")
        } else {
            String::new()
        };
        hints.push(format!(
            "lines {first} to {last} of {total}{why}; go on with offset {next}"
        ));
    }
    if page.cut_lines > 0 {
        let lines = text::counted(page.cut_lines, "line");
        let behind = if page.too_long {
            format!(
                "`search_files` leaves the file out: it has a line of over {} MiB",
                LONGEST_LINE >> 20
            )
        } else {
            "`search_files` finds what is behind".to_owned()
        };
        hints.push(format!("{lines} cut at {LINE_LIMIT} characters; {behind}"));
    }
    if page.lossy {
        hints.push(
            "not UTF-8: other bytes are shown as U+FFFD, and `patch` refuses the file".to_owned(),
        );
    }
    (!hints.is_empty()).then(|| hints.join(". "))
}
