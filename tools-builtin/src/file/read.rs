//! `read_file`.

use std::fs::File;
use std::io::{Read as _, Seek as _};

use hermes_tools::workspace::{PathFacts, WorkspacePath};
use hermes_tools::{
    CallNumber, Cancel, Content, ErrorKind, Kept, NotShown, ToolError, Workspace, tool,
};

use super::format::{self, Named};
use super::history::{FileHistory, Repeat};
use super::notebook;
use super::page::{NoPage, Page, read_indexed, read_large, read_page};
use super::shown::FilePage;
use super::text::{self, Kind};

/// Size from which the lines of a file are counted once, and not for every page. Counting takes so
/// long then that a change before its end leaves another time stamp than one after it.
const LARGE: u64 = 64 << 20;

/// Largest file in another encoding that is shown, in bytes.
const LARGEST_FOREIGN: u64 = 32 << 20;

/// Largest picture that is shown, in bytes: what providers take.
const LARGEST_PICTURE: u64 = 5 << 20;

/// Read a text file page by page. Each line is shown as its number, `|` and its text.
///
/// A page has at most `limit` lines and 100,000 characters; where there is more, `next_offset` is
/// the `offset` of the next page. Lines over 2,000 characters are cut and say so. Pictures are shown as
/// such, notebooks as the text of their cells; folders and other binary files are refused. A page that
/// you have already is answered with `status` `unchanged`.
#[tool(
    toolset = "file",
    effect = "read",
    idempotent,
    emoji = "📖",
    timeout = "60s",
    max_result = "unlimited",
    spill = false
)]
pub(crate) fn read_file(
    #[ctx] workspace: Workspace,
    #[ctx] history: Kept<FileHistory>,
    #[ctx] number: CallNumber,
    #[ctx] not_shown: Kept<NotShown>,
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
) -> Result<Content, ToolError> {
    let target = workspace.resolve(&path)?;
    let (file, facts) = target.open_seen()?;
    let reading = Reading {
        target: &target,
        shown: target.display(),
        facts,
        history: &history,
        window: (offset, u64::from(limit)),
        cancel: &cancel,
    };
    let (page, extracted) = match format::by_name(&reading.shown) {
        Named::Picture(media_type) => return reading.picture(file, media_type),
        Named::Binary => {
            return Err(text::binary(
                &reading.shown,
                &ending(&reading.shown),
                facts.len,
            ));
        }
        Named::Notebook => reading.notebook(file)?,
        Named::Sheet | Named::Document => reading.document(file)?,
        Named::Text => reading.text(file)?,
    };
    if page.lines == 0 && offset > 1 {
        return Err(past_the_end(&reading.shown, offset, page.total_lines));
    }
    history.consults(&not_shown);
    let (seen, shown_by) = history.shows(&target, reading.window, &page, number);
    let lines = (offset, page.lines, page.total_lines);
    history.read(&target, &facts, lines, shown_by);
    match seen {
        Repeat::New => Content::json(&FilePage::new(page, offset, extracted)),
        Repeat::Same => Content::json(&FilePage::unchanged(&page, offset, extracted)),
        Repeat::TooOften => Err(too_often(&reading.shown, offset, &page)),
    }
}

/// A file on its way to a page.
struct Reading<'r> {
    target: &'r WorkspacePath,
    shown: String,
    facts: PathFacts,
    history: &'r FileHistory,
    window: (u64, u64),
    cancel: &'r Cancel,
}

/// What a page was made of, when that is not the file's own text.
type Extracted = Option<&'static str>;

impl Reading<'_> {
    fn page(&self, file: File) -> Result<Page, ToolError> {
        let (first, limit) = self.window;
        if self.facts.len < LARGE {
            let page = read_page(file, first, limit, self.cancel);
            return page.map_err(|why| self.no_page(why));
        }
        if let Some(index) = self.history.index(self.target, &self.facts) {
            let page = read_indexed(file, &index, first, limit, self.cancel);
            return page.map_err(|why| self.no_page(why));
        }
        let (page, index) = read_large(file, &self.facts, first, limit, self.cancel)
            .map_err(|why| self.no_page(why))?;
        // What was changed while it was read is counted anew next time.
        if self.target.facts().is_ok_and(|now| now == self.facts) {
            self.history.keep_index(self.target, index);
        }
        Ok(page)
    }

    /// A page of text. What is UTF-16 is shown as what it says.
    fn text(&self, mut file: File) -> Result<(Page, Extracted), ToolError> {
        let head = text::read_head(&mut file);
        let head = head.map_err(|error| text::unreadable(&self.shown, error))?;
        self.again(&mut file)?;
        if self.facts.len <= LARGEST_FOREIGN && text::sniff(&head) == Kind::Foreign(text::UTF_16) {
            let bytes = self.bytes(&mut file, LARGEST_FOREIGN)?;
            if let Some(decoded) = text::of_utf_16(&bytes) {
                return Ok((self.page_of(&decoded)?, Some("UTF-16")));
            }
            self.again(&mut file)?;
        }
        self.page(file).map(|page| (page, None))
    }

    fn notebook(&self, mut file: File) -> Result<(Page, Extracted), ToolError> {
        if self.facts.len <= notebook::LARGEST {
            let bytes = self.bytes(&mut file, notebook::LARGEST)?;
            if let Some(text) = notebook::text_of(&bytes) {
                return Ok((self.page_of(&text)?, Some("a notebook")));
            }
            self.again(&mut file)?;
        }
        self.page(file).map(|page| (page, None))
    }

    /// A document, as far as this build can read its kind.
    #[cfg(feature = "documents")]
    fn document(&self, mut file: File) -> Result<(Page, Extracted), ToolError> {
        use super::document;

        let bytes = if self.facts.len <= document::LARGEST {
            self.bytes(&mut file, document::LARGEST)?
        } else {
            Vec::new()
        };
        let found = match format::by_name(&self.shown) {
            Named::Sheet => document::sheets(bytes, self.cancel).map(|text| (text, "sheets")),
            _ => document::words(bytes, self.cancel).map(|text| (text, "a document")),
        };
        if self.cancel.is_cancelled() {
            return Err(self.no_page(NoPage::Cancelled));
        }
        match found {
            Some((text, kind)) => Ok((self.page_of(&text)?, Some(kind))),
            None => Err(text::binary(
                &self.shown,
                &ending(&self.shown),
                self.facts.len,
            )),
        }
    }

    #[cfg(not(feature = "documents"))]
    #[expect(clippy::needless_pass_by_value, reason = "as where documents are read")]
    fn document(&self, _: File) -> Result<(Page, Extracted), ToolError> {
        Err(text::binary(
            &self.shown,
            &ending(&self.shown),
            self.facts.len,
        ))
    }

    fn picture(&self, mut file: File, media_type: &'static str) -> Result<Content, ToolError> {
        let bytes = if self.facts.len <= LARGEST_PICTURE {
            self.bytes(&mut file, LARGEST_PICTURE)?
        } else {
            text::read_head(&mut file).map_err(|error| text::unreadable(&self.shown, error))?
        };
        if !format::is_picture(media_type, &bytes) {
            return Err(text::binary(
                &self.shown,
                &ending(&self.shown),
                self.facts.len,
            ));
        }
        if self.facts.len > LARGEST_PICTURE {
            let what =
                format!("{media_type}, larger than the {LARGEST_PICTURE} bytes that can be shown");
            return Err(text::binary(&self.shown, &what, self.facts.len));
        }
        Ok(Content::image(media_type, bytes))
    }

    fn page_of(&self, text: &str) -> Result<Page, ToolError> {
        let (first, limit) = self.window;
        let page = read_page(text.as_bytes(), first, limit, self.cancel);
        let mut page = page.map_err(|why| self.no_page(why))?;
        page.bytes = self.facts.len;
        Ok(page)
    }

    /// The whole file, at most so many bytes of it.
    fn bytes(&self, file: &mut File, most: u64) -> Result<Vec<u8>, ToolError> {
        const PIECE: u64 = 4 << 20;
        let mut bytes = Vec::new();
        let mut left = most;
        loop {
            if self.cancel.is_cancelled() {
                return Err(self.no_page(NoPage::Cancelled));
            }
            let read = file.take(left.min(PIECE)).read_to_end(&mut bytes);
            match read.map_err(|error| text::unreadable(&self.shown, error))? {
                0 => return Ok(bytes),
                count => left = left.saturating_sub(count as u64),
            }
        }
    }

    fn again(&self, file: &mut File) -> Result<(), ToolError> {
        file.rewind()
            .map_err(|error| text::unreadable(&self.shown, error))
    }

    fn no_page(&self, why: NoPage) -> ToolError {
        match why {
            NoPage::Binary(format) => text::binary(&self.shown, format, self.facts.len),
            NoPage::Foreign(encoding) => text::foreign(&self.shown, encoding),
            NoPage::Cancelled => ToolError::new(ErrorKind::Cancelled, "the call was cancelled"),
            NoPage::Io(error) => text::unreadable(&self.shown, error),
        }
    }
}

/// What a file is by its ending, in words.
fn ending(path: &str) -> String {
    let ending = path.rsplit('.').next().unwrap_or_default();
    format!("a `.{}` file", ending.to_ascii_lowercase())
}

fn too_often(path: &str, first: u64, page: &Page) -> ToolError {
    let last = (first + page.lines).saturating_sub(1);
    ToolError::new(
        ErrorKind::Repeated,
        format!("lines {first} to {last} of `{path}` are unchanged, and you have them already"),
    )
    .with_help("use what you have, or read other lines")
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
