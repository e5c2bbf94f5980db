//! One page of a text file, cut out of a stream.
//!
//! Only the page is held in memory. What is before and after it is counted, so that the total is
//! exact whatever the size of the file.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read};

use hermes_tools::Cancel;

use super::text::{self, Kind, LONGEST_LINE, json_length};

/// Characters of one line that are shown.
pub(super) const LINE_LIMIT: usize = 2_000;

/// Characters of one page, counted as they stand in the JSON of the result.
pub(super) const PAGE_LIMIT: usize = 100_000;

/// Bytes of one line that are kept: enough for [`LINE_LIMIT`] characters of four bytes.
const LINE_KEPT: usize = 4 * LINE_LIMIT;

const BUFFER: usize = 64 * 1024;

/// A page and what was learnt of the file on the way.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    /// The lines, each as number, `|` and text, joined by line feeds.
    pub(super) content: String,
    /// How many lines the page has.
    pub(super) lines: u64,
    /// How many lines the file has. The line feed that ends the last line begins no other.
    pub(super) total_lines: u64,
    /// Size of the file in bytes, as it was read.
    pub(super) bytes: u64,
    /// Whether the page ended at [`PAGE_LIMIT`].
    pub(super) full: bool,
    /// How many of its lines were cut at [`LINE_LIMIT`].
    pub(super) cut_lines: u64,
    /// Whether a line of the file is longer than [`LONGEST_LINE`].
    pub(super) too_long: bool,
    /// Whether bytes that are no UTF-8 stand in it as U+FFFD.
    pub(super) lossy: bool,
    /// How many of its lines end in CR LF.
    pub(super) crlf: u64,
    /// How many of its lines end in LF, those with a CR before it included.
    pub(super) terminated: u64,
}

/// Why there is no page.
#[derive(Debug)]
pub(super) enum NoPage {
    /// The file is no text.
    Binary(&'static str),
    /// The file is text in another encoding.
    Foreign(&'static str),
    /// The call was cancelled.
    Cancelled,
    /// The system failed.
    Io(io::Error),
}

/// Reads the page of at most `limit` lines that begins with line `first`, counted from 1. A page
/// past the end has no lines.
pub(super) fn read_page(
    mut reader: impl Read,
    first: u64,
    limit: u64,
    cancel: &Cancel,
) -> Result<Page, NoPage> {
    let head = text::read_head(&mut reader).map_err(NoPage::Io)?;
    let mark = match text::sniff(&head) {
        Kind::Text { bom: true } => text::BOM.len(),
        Kind::Text { bom: false } => 0,
        Kind::Foreign(encoding) => return Err(NoPage::Foreign(encoding)),
        Kind::Binary(format) => return Err(NoPage::Binary(format)),
    };
    let mut page = cut(head[mark..].chain(reader), first, limit, cancel)?;
    page.bytes += mark as u64;
    Ok(page)
}

fn cut(reader: impl Read, first: u64, limit: u64, cancel: &Cancel) -> Result<Page, NoPage> {
    let mut stream = Stream::new(reader, cancel);
    let mut page = Page::default();
    if stream.skip_lines(first - 1)? {
        fill(&mut page, &mut stream, first, limit)?;
    }
    while stream.skip_chunk()? {}
    page.total_lines = stream.newlines + u64::from(stream.unfinished);
    page.bytes = stream.bytes;
    page.too_long = stream.longest.max(stream.line) > LONGEST_LINE as u64;
    Ok(page)
}

fn fill(
    page: &mut Page,
    stream: &mut Stream<'_, impl Read>,
    first: u64,
    limit: u64,
) -> Result<(), NoPage> {
    let mut room = PAGE_LIMIT;
    let mut shown = String::new();
    while page.lines < limit {
        let Some(line) = stream.line()? else { break };
        let decoded = line.decode();
        shown.clear();
        if page.lines > 0 {
            shown.push('\n');
        }
        // Writing to a `String` cannot fail.
        let _ = write!(shown, "{}|{}", first + page.lines, decoded.text);
        if decoded.missing > 0 {
            let more = text::counted(decoded.missing, "more character");
            let _ = write!(shown, " [... {more}]");
        }
        let Some(left) = room.checked_sub(json_length(&shown)) else {
            page.full = true;
            break;
        };
        room = left;
        page.content.push_str(&shown);
        page.lines += 1;
        page.cut_lines += u64::from(decoded.missing > 0);
        page.lossy |= decoded.lossy;
        page.terminated += u64::from(line.terminated);
        page.crlf += u64::from(line.is_crlf());
    }
    Ok(())
}

/// A reader that counts what passes through it.
struct Stream<'c, R> {
    reader: BufReader<R>,
    cancel: &'c Cancel,
    bytes: u64,
    newlines: u64,
    /// Whether the last byte that passed is no line feed.
    unfinished: bool,
    /// Bytes of the line that is passing, until now.
    line: u64,
    /// Bytes of the longest line before it, of those that lie in more than one chunk.
    longest: u64,
}

impl<'c, R: Read> Stream<'c, R> {
    fn new(reader: R, cancel: &'c Cancel) -> Self {
        let reader = BufReader::with_capacity(BUFFER, reader);
        Self {
            reader,
            cancel,
            bytes: 0,
            newlines: 0,
            unfinished: false,
            line: 0,
            longest: 0,
        }
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
        self.reader.consume(length);
    }

    /// Passes a whole chunk; false at the end.
    fn skip_chunk(&mut self) -> Result<bool, NoPage> {
        let chunk = self.chunk()?;
        let (length, newlines) = (chunk.len(), count_newlines(chunk));
        self.pass(length, newlines);
        Ok(length > 0)
    }

    /// Passes so many lines; false when there are fewer.
    fn skip_lines(&mut self, lines: u64) -> Result<bool, NoPage> {
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
    fn line(&mut self) -> Result<Option<Line>, NoPage> {
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
struct Line {
    kept: Vec<u8>,
    length: u64,
    /// Bytes that begin a character, in the whole line.
    characters: u64,
    last: Option<u8>,
    terminated: bool,
}

struct Decoded {
    text: String,
    /// Characters that were left out.
    missing: u64,
    lossy: bool,
}

impl Line {
    fn add(&mut self, bytes: &[u8]) {
        let room = LINE_KEPT - self.kept.len();
        self.kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.length += bytes.len() as u64;
        self.characters += bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u64;
        self.last = bytes.last().copied().or(self.last);
    }

    fn is_crlf(&self) -> bool {
        self.terminated && self.last == Some(b'\r')
    }

    fn decode(&self) -> Decoded {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives out its bytes in small pieces.
    struct Pieces<'b>(&'b [u8]);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.0.len().min(buffer.len()).min(3);
            let (piece, rest) = self.0.split_at(length);
            buffer[..length].copy_from_slice(piece);
            self.0 = rest;
            Ok(length)
        }
    }

    #[track_caller]
    fn check(text: &[u8], first: u64, limit: u64, content: &str, total_lines: u64) -> Page {
        let whole = read_page(text, first, limit, &Cancel::never()).unwrap();
        let unmarked = text.strip_prefix(text::BOM.as_bytes()).unwrap_or(text);
        let mut pieces = cut(Pieces(unmarked), first, limit, &Cancel::never()).unwrap();
        pieces.bytes += (text.len() - unmarked.len()) as u64;
        assert_eq!(whole, pieces);
        assert_eq!(whole.content, content);
        assert_eq!(whole.total_lines, total_lines);
        assert_eq!(whole.bytes, text.len() as u64);
        whole
    }

    #[test]
    fn the_last_line_feed_begins_no_line() {
        check(b"", 1, 10, "", 0);
        check(b"\n", 1, 10, "1|", 1);
        check(b"one\ntwo", 1, 10, "1|one\n2|two", 2);
        check(b"one\ntwo\n", 1, 10, "1|one\n2|two", 2);
        check(b"a\n\n\n", 1, 10, "1|a\n2|\n3|", 3);
    }

    #[test]
    fn pages_end_where_the_next_begins() {
        let text = b"l1\nl2\nl3\nl4\nl5";
        check(text, 1, 2, "1|l1\n2|l2", 5);
        check(text, 3, 2, "3|l3\n4|l4", 5);
        check(text, 5, 2, "5|l5", 5);
        check(text, 6, 2, "", 5);
        check(text, u64::MAX, 2, "", 5);
    }

    #[test]
    fn only_line_feeds_end_lines() {
        let page = check(
            "a\rb\u{2028}c\r\nd\n".as_bytes(),
            1,
            9,
            "1|a\rb\u{2028}c\n2|d",
            2,
        );
        assert_eq!((page.crlf, page.terminated), (1, 2));
    }

    #[test]
    fn the_byte_order_mark_is_no_text() {
        let page = check(b"\xef\xbb\xbfa\n", 1, 9, "1|a", 1);
        assert!(!page.lossy);
        check(b"\xef\xbb\xbf", 1, 9, "", 0);
    }

    #[test]
    fn long_lines_are_cut_at_characters_and_say_how_much_is_missing() {
        let exact = "é".repeat(LINE_LIMIT);
        let page = check(exact.as_bytes(), 1, 9, &format!("1|{exact}"), 1);
        assert_eq!(page.cut_lines, 0);

        let text = format!("{}\r\nz\n", "é".repeat(LINE_LIMIT + 1));
        let content = format!("1|{exact} [... 1 more character]\n2|z");
        let page = check(text.as_bytes(), 1, 9, &content, 2);
        assert_eq!((page.cut_lines, page.lossy), (1, false));

        let text = format!("a{}\n", "🎈".repeat(5_000));
        let content = format!(
            "1|a{} [... 3001 more characters]",
            "🎈".repeat(LINE_LIMIT - 1)
        );
        assert!(!check(text.as_bytes(), 1, 9, &content, 1).lossy);

        let exact = "🎈".repeat(LINE_LIMIT);
        check(
            format!("{exact}\r\n").as_bytes(),
            1,
            9,
            &format!("1|{exact}"),
            1,
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_told() {
        assert!(check(b"caf\xe9\nok\n", 1, 9, "1|caf\u{fffd}\n2|ok", 2).lossy);
        assert!(!check(b"caf\xe9\nok\n", 2, 9, "2|ok", 2).lossy);
    }

    #[test]
    fn a_page_ends_before_the_line_that_would_not_fit() {
        let line = "\"".repeat(1_000);
        let text = format!("{line}\n").repeat(100);
        let page = read_page(text.as_bytes(), 1, 100, &Cancel::never()).unwrap();
        // Each quote is two characters in JSON, each line has its number, a bar and a line feed.
        assert_eq!(page.lines, 49);
        assert!(page.full);
        assert!(json_length(&page.content) <= PAGE_LIMIT);
        assert_eq!(page.total_lines, 100);
    }

    #[test]
    fn a_cancelled_call_stops() {
        let cancel = Cancel::new();
        cancel.cancel();
        let result = read_page(&b"a\n"[..], 1, 1, &cancel);
        assert!(matches!(result, Err(NoPage::Cancelled)));
    }
}
