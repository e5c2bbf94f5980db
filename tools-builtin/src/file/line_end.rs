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
    /// The end of the line that a place is in; for the last line, that of the line before.
    pub(super) fn at(text: &str, place: usize) -> Option<Self> {
        let bytes = text.as_bytes();
        let newline = memchr::memchr(b'\n', &bytes[place..])
            .map(|after| place + after)
            .or_else(|| memchr::memrchr(b'\n', &bytes[..place]))?;
        Some(if bytes[..newline].ends_with(b"\r") {
            Self::CrLf
        } else {
            Self::Lf
        })
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_line_end_decides() {
        let text = "a\r\nb\nc";
        assert_eq!(LineEnd::at(text, 0), Some(LineEnd::CrLf));
        assert_eq!(LineEnd::at(text, 3), Some(LineEnd::Lf));
        assert_eq!(LineEnd::at(text, 5), Some(LineEnd::Lf));
        assert_eq!(LineEnd::at("a", 1), None);
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
