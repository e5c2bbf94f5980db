//! One page of a text file, cut out of a stream.
//!
//! Only the page is held in memory. What is before and after it is counted, so that the total is
//! exact whatever the size of the file.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};

use hermes_tools::Cancel;
use hermes_tools::workspace::PathFacts;

use super::lines::{LineIndex, Marks};
use super::stream::Stream;
use super::text::{self, Kind, LONGEST_LINE, json_length};

/// Characters of one line that are shown.
pub(super) const LINE_LIMIT: usize = 2_000;

/// Characters of one page, counted as they stand in the JSON of the result.
pub(super) const PAGE_LIMIT: usize = 100_000;

/// A page and what was learnt of the file on the way.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
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
    let mark = bom_of(&head)?;
    let mut page = cut(head[mark..].chain(reader), first, limit, cancel)?;
    page.bytes += mark as u64;
    Ok(page)
}

fn cut(reader: impl Read, first: u64, limit: u64, cancel: &Cancel) -> Result<Page, NoPage> {
    let mut stream = Stream::new(reader, cancel);
    cut_stream(&mut stream, first, limit)
}

/// Cuts a page out of a stream, and counts the rest of it.
fn cut_stream(stream: &mut Stream<'_, impl Read>, first: u64, limit: u64) -> Result<Page, NoPage> {
    let mut page = Page::default();
    if stream.skip_lines(first - 1)? {
        fill(&mut page, stream, first, limit)?;
    }
    while stream.skip_chunk()? {}
    page.total_lines = stream.newlines + u64::from(stream.unfinished);
    page.bytes = stream.bytes;
    page.too_long = stream.longest.max(stream.line) > LONGEST_LINE as u64;
    Ok(page)
}

/// [`read_page`] of a large file, and where its lines begin, so that the next page of it is found
/// without reading what is before it and after it.
pub(super) fn read_large(
    mut file: File,
    facts: &PathFacts,
    first: u64,
    limit: u64,
    cancel: &Cancel,
) -> Result<(Page, LineIndex), NoPage> {
    let head = text::read_head(&mut file).map_err(NoPage::Io)?;
    let mark = bom_of(&head)?;
    file.seek(SeekFrom::Start(mark as u64))
        .map_err(NoPage::Io)?;
    let mut stream = Stream::new(file, cancel).marking(Marks::default());
    let mut page = cut_stream(&mut stream, first, limit)?;
    page.bytes += mark as u64;
    let index = LineIndex::new(*facts, mark as u64, stream.into_marks(), &page);
    Ok((page, index))
}

/// A page of a large file whose lines were counted before.
pub(super) fn read_indexed(
    mut file: File,
    index: &LineIndex,
    first: u64,
    limit: u64,
    cancel: &Cancel,
) -> Result<Page, NoPage> {
    let mut page = index.page();
    if first <= page.total_lines {
        let (place, lines) = index.before(first);
        file.seek(SeekFrom::Start(place)).map_err(NoPage::Io)?;
        let mut stream = Stream::new(file, cancel);
        if stream.skip_lines(first - 1 - lines)? {
            fill(&mut page, &mut stream, first, limit)?;
        }
    }
    Ok(page)
}

/// Length of the byte order mark at the start of a text.
fn bom_of(head: &[u8]) -> Result<usize, NoPage> {
    match text::sniff(head) {
        Kind::Text { bom: true } => Ok(text::BOM.len()),
        Kind::Text { bom: false } => Ok(0),
        Kind::Foreign(encoding) => Err(NoPage::Foreign(encoding)),
        Kind::Binary(format) => Err(NoPage::Binary(format)),
    }
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
