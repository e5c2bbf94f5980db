//! `read_file`.

use hermes_tools::{Cancel, ErrorKind, Json, ToolError, Workspace, tool};
use serde::Serialize;

use super::page::{LINE_LIMIT, NoPage, PAGE_LIMIT, Page, read_page};
use super::text::{self, LONGEST_LINE};

/// A page of a text file.
#[derive(Debug, Serialize)]
pub(crate) struct FilePage {
    content: String,
    total_lines: u64,
    file_size: u64,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<u64>,
    /// `crlf` or `mixed`; absent where every line shown ends in LF.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_endings: Option<&'static str>,
    /// Whether bytes that are no UTF-8 are shown as U+FFFD.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lossy: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

/// Read a text file page by page. Each line is shown as its number, `|` and its text.
///
/// A page has at most `limit` lines and 100,000 characters; where there is more, `next_offset` is
/// the `offset` of the next page. Lines over 2,000 characters are cut and say so. Folders and binary
/// files are refused.
#[tool(
    toolset = "file",
    effect = "read",
    emoji = "📖",
    timeout = "60s",
    max_result = "unlimited",
    spill = false
)]
pub(crate) fn read_file(
    #[ctx] workspace: Workspace,
    #[ctx] cancel: Cancel,
    /// Path of the file, relative to the workspace.
    #[arg(role = "path", len = 1.., example = "src/main.rs")]
    path: String,
    /// First line to show, counted from 1.
    #[arg(default = 1, min = 1)]
    offset: u64,
    /// How many lines to show.
    #[arg(default = 500, min = 1, max = 2000)]
    limit: u32,
) -> Result<Json<FilePage>, ToolError> {
    let target = workspace.resolve(&path)?;
    let shown = target.display();
    let file = target.open()?;
    let size = file
        .metadata()
        .map_err(|error| text::unreadable(&shown, error))?
        .len();
    let page = read_page(file, offset, u64::from(limit), &cancel).map_err(|why| match why {
        NoPage::Binary(format) => text::binary(&shown, format, size),
        NoPage::Foreign(encoding) => text::foreign(&shown, encoding),
        NoPage::Cancelled => ToolError::new(ErrorKind::Cancelled, "the call was cancelled"),
        NoPage::Io(error) => text::unreadable(&shown, error),
    })?;
    if page.lines == 0 && offset > 1 {
        return Err(past_the_end(&shown, offset, page.total_lines));
    }
    Ok(Json(FilePage::new(page, offset)))
}

impl FilePage {
    fn new(page: Page, first: u64) -> Self {
        let next = first + page.lines;
        let next_offset = (next <= page.total_lines).then_some(next);
        let line_endings = match page.crlf {
            0 => None,
            crlf if crlf == page.terminated => Some("crlf"),
            _ => Some("mixed"),
        };
        Self {
            total_lines: page.total_lines,
            file_size: page.bytes,
            truncated: next_offset.is_some(),
            next_offset,
            line_endings,
            lossy: page.lossy,
            hint: hint(&page, first, next_offset),
            content: page.content,
        }
    }
}

fn hint(page: &Page, first: u64, next_offset: Option<u64>) -> Option<String> {
    let mut hints = Vec::new();
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

fn past_the_end(path: &str, offset: u64, total: u64) -> ToolError {
    let (size, help) = match total {
        0 => ("is empty".to_owned(), "there is nothing to read".to_owned()),
        total => (
            format!("has {}", text::counted(total, "line")),
            format!("use an offset from 1 to {total}"),
        ),
    };
    ToolError::new(
        ErrorKind::OutOfRange,
        format!("offset {offset} is past the end of `{path}`, which {size}"),
    )
    .with_help(help)
}
