//! Line ends: what a text has, and giving them to another text.

use std::borrow::Cow;
use std::io::{self, BufRead};

/// What ends a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// LF.
    Lf,
    /// CR LF.
    CrLf,
}

impl LineEnd {
    /// The end of all lines of a stream; none where they differ or there are none.
    pub(super) fn of_all(mut reader: impl BufRead) -> io::Result<Option<Self>> {
        let mut common = None;
        let mut before = 0;
        loop {
            let chunk = reader.fill_buf()?;
            for newline in memchr::memchr_iter(b'\n', chunk) {
                let last = newline.checked_sub(1).map_or(before, |last| chunk[last]);
                let end = if last == b'\r' { Self::CrLf } else { Self::Lf };
                if common.is_some_and(|common| common != end) {
                    return Ok(None);
                }
                common = Some(end);
            }
            let Some(last) = chunk.last() else {
                return Ok(common);
            };
            before = *last;
            let length = chunk.len();
            reader.consume(length);
        }
    }

    /// The characters of it.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }

    /// The text with this end on every line. A CR without LF is no line end and stays.
    pub(super) fn give(self, text: &str) -> Cow<'_, str> {
        if !text.contains('\n') {
            return Cow::Borrowed(text);
        }
        let unix = if text.contains("\r\n") {
            Cow::Owned(text.replace("\r\n", "\n"))
        } else {
            Cow::Borrowed(text)
        };
        match self {
            Self::Lf => unix,
            Self::CrLf => Cow::Owned(unix.replace('\n', "\r\n")),
        }
    }
}

/// The ends of the lines of a text, for places that are asked for from left to right. All questions
/// together read the text once.
#[derive(Debug)]
pub(super) struct LineEnds<'t> {
    text: &'t [u8],
    /// Where the line of the last place ends: its line feed, or the end of the text.
    line: Option<usize>,
    /// What ends that line; for the last line, what ends the line before.
    end: Option<LineEnd>,
}

impl<'t> LineEnds<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self {
            text: text.as_bytes(),
            line: None,
            end: None,
        }
    }

    /// The end of the line that a place is in; for the last line, that of the line before.
    pub(super) fn at(&mut self, place: usize) -> Option<LineEnd> {
        if self.line.is_none_or(|line| line < place) {
            let rest = &self.text[place..];
            let next = memchr::memchr(b'\n', rest).map(|after| place + after);
            self.line = Some(next.unwrap_or(self.text.len()));
            let newline = next.or_else(|| memchr::memrchr(b'\n', &self.text[..place]));
            self.end = newline.map(|newline| {
                if self.text[..newline].ends_with(b"\r") {
                    LineEnd::CrLf
                } else {
                    LineEnd::Lf
                }
            });
        }
        self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_line_end_decides() {
        let text = "a\r\nb\nc";
        let mut ends = LineEnds::of(text);
        let found: Vec<Option<LineEnd>> = (0..=text.len()).map(|place| ends.at(place)).collect();
        let (crlf, lf) = (Some(LineEnd::CrLf), Some(LineEnd::Lf));
        assert_eq!(found, [crlf, crlf, crlf, lf, lf, lf, lf]);
        assert_eq!(LineEnds::of("a").at(1), None);
    }

    #[test]
    fn a_text_has_a_line_end_when_all_its_lines_have() {
        let of_all = |text: &str| {
            // A buffer of one byte puts every CR and its LF into two chunks.
            let small = io::BufReader::with_capacity(1, text.as_bytes());
            let end = LineEnd::of_all(text.as_bytes()).unwrap();
            assert_eq!(LineEnd::of_all(small).unwrap(), end);
            end
        };
        assert_eq!(of_all("a\r\nb\r\n"), Some(LineEnd::CrLf));
        assert_eq!(of_all("a\nb"), Some(LineEnd::Lf));
        assert_eq!(of_all("a\r\nb\n"), None);
        assert_eq!(of_all("a\rb"), None);
    }

    #[test]
    fn giving_line_ends_leaves_other_carriage_returns() {
        assert_eq!(LineEnd::CrLf.give("a\nb\r\nc\rd"), "a\r\nb\r\nc\rd");
        assert_eq!(LineEnd::Lf.give("a\nb\r\nc\rd"), "a\nb\nc\rd");
        assert_eq!(LineEnd::CrLf.give("a"), "a");
    }
}
