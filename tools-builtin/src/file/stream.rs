//! The lines of a stream, counted as they pass.

use std::io::{BufRead as _, BufReader, Read};

use hermes_tools::Cancel;

use super::lines::Marks;
use super::page::{LINE_LIMIT, NoPage};

/// Bytes of one line that are kept: enough for [`LINE_LIMIT`] characters of four bytes.
const LINE_KEPT: usize = 4 * LINE_LIMIT;

const BUFFER: usize = 64 * 1024;

/// A reader that counts what passes through it.
pub(super) struct Stream<'c, R> {
    reader: BufReader<R>,
    cancel: &'c Cancel,
    pub(super) bytes: u64,
    pub(super) newlines: u64,
    /// Whether the last byte that passed is no line feed.
    pub(super) unfinished: bool,
    /// Bytes of the line that is passing, until now.
    pub(super) line: u64,
    /// Bytes of the longest line before it, of those that lie in more than one chunk.
    pub(super) longest: u64,
    marks: Option<Marks>,
}

impl<'c, R: Read> Stream<'c, R> {
    pub(super) fn new(reader: R, cancel: &'c Cancel) -> Self {
        let reader = BufReader::with_capacity(BUFFER, reader);
        Self {
            reader,
            cancel,
            bytes: 0,
            newlines: 0,
            unfinished: false,
            line: 0,
            longest: 0,
            marks: None,
        }
    }

    /// Notes on the way where lines begin.
    pub(super) fn marking(mut self, marks: Marks) -> Self {
        self.marks = Some(marks);
        self
    }

    pub(super) fn into_marks(self) -> Marks {
        self.marks.unwrap_or_default()
    }

    /// The bytes that come next; none at the end.
    fn chunk(&mut self) -> Result<&[u8], NoPage> {
        if self.cancel.is_cancelled() {
            return Err(NoPage::Cancelled);
        }
        self.reader.fill_buf().map_err(NoPage::Io)
    }

    /// Passes bytes of the chunk with this many line feeds among them.
    fn pass(&mut self, length: usize, newlines: u64) {
        let passed = &self.reader.buffer()[..length];
        if let Some(last) = passed.last() {
            self.unfinished = *last != b'\n';
        }
        // A line within one chunk is shorter than any that matters, so only the ends are counted.
        let first = memchr::memchr(b'\n', passed);
        self.line += first.unwrap_or(length) as u64;
        if let (Some(_), Some(last)) = (first, memchr::memrchr(b'\n', passed)) {
            self.longest = self.longest.max(self.line);
            self.line = (length - last - 1) as u64;
        }
        self.newlines += newlines;
        self.bytes += length as u64;
        if let Some(marks) = &mut self.marks {
            marks.pass(self.bytes, self.newlines);
        }
        self.reader.consume(length);
    }

    /// Passes a whole chunk; false at the end.
    pub(super) fn skip_chunk(&mut self) -> Result<bool, NoPage> {
        let chunk = self.chunk()?;
        let (length, newlines) = (chunk.len(), count_newlines(chunk));
        self.pass(length, newlines);
        Ok(length > 0)
    }

    /// Passes so many lines; false when there are fewer.
    pub(super) fn skip_lines(&mut self, lines: u64) -> Result<bool, NoPage> {
        let mut left = lines;
        while left > 0 {
            let chunk = self.chunk()?;
            if chunk.is_empty() {
                return Ok(false);
            }
            let here = count_newlines(chunk);
            if here < left {
                let length = chunk.len();
                self.pass(length, here);
                left -= here;
            } else {
                // The chunk has `left` line feeds, so `left` fits and one of that number is there.
                let nth = usize::try_from(left - 1).unwrap_or(usize::MAX);
                let end = memchr::memchr_iter(b'\n', chunk)
                    .nth(nth)
                    .map_or(0, |end| end + 1);
                self.pass(end, left);
                left = 0;
            }
        }
        Ok(true)
    }

    /// The next line; none at the end.
    pub(super) fn line(&mut self) -> Result<Option<Line>, NoPage> {
        let mut line = Line::default();
        loop {
            let chunk = self.chunk()?;
            if chunk.is_empty() {
                return Ok((line.length > 0).then_some(line));
            }
            let end = memchr::memchr(b'\n', chunk);
            line.add(&chunk[..end.unwrap_or(chunk.len())]);
            let length = end.map_or(chunk.len(), |end| end + 1);
            self.pass(length, u64::from(end.is_some()));
            if end.is_some() {
                line.terminated = true;
                return Ok(Some(line));
            }
        }
    }
}

/// A line of which only the start is kept.
#[derive(Default)]
pub(super) struct Line {
    kept: Vec<u8>,
    length: u64,
    /// Bytes that begin a character, in the whole line.
    characters: u64,
    last: Option<u8>,
    pub(super) terminated: bool,
}

pub(super) struct Decoded {
    pub(super) text: String,
    /// Characters that were left out.
    pub(super) missing: u64,
    pub(super) lossy: bool,
}

impl Line {
    fn add(&mut self, bytes: &[u8]) {
        let room = LINE_KEPT - self.kept.len();
        self.kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.length += bytes.len() as u64;
        self.characters += bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u64;
        self.last = bytes.last().copied().or(self.last);
    }

    pub(super) fn is_crlf(&self) -> bool {
        self.terminated && self.last == Some(b'\r')
    }

    pub(super) fn decode(&self) -> Decoded {
        let whole = self.length == self.kept.len() as u64;
        let crlf = self.is_crlf();
        let kept = if whole && crlf {
            &self.kept[..self.kept.len() - 1]
        } else {
            &self.kept
        };
        let (mut text, lossy) = match str::from_utf8(kept) {
            Ok(text) => (text.to_owned(), false),
            // The cut went through a character.
            Err(error) if !whole && error.error_len().is_none() => (
                String::from_utf8_lossy(&kept[..error.valid_up_to()]).into_owned(),
                false,
            ),
            Err(_) => (String::from_utf8_lossy(kept).into_owned(), true),
        };
        let characters = if whole {
            text.chars().count() as u64
        } else {
            // Counted as if all bytes were UTF-8; for a line with other bytes that is about right.
            self.characters - u64::from(crlf)
        };
        if let Some((end, _)) = text.char_indices().nth(LINE_LIMIT) {
            text.truncate(end);
        }
        let missing = characters.saturating_sub(LINE_LIMIT as u64);
        Decoded {
            text,
            missing,
            lossy,
        }
    }
}

fn count_newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}
