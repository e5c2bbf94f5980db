//! A text without its formatting, and the way back from there.
//!
//! Blanks at both ends of a line are dropped, runs of blanks within it become one, CR LF becomes LF,
//! and typographic characters become what is typed for them. Words stay as they are.

use std::ops::Range;

use super::lookalike::{is_blank, typed};

/// A folded text with where it came from.
#[derive(Debug, Default)]
pub(super) struct Folded {
    pub(super) bytes: Vec<u8>,
    /// What was not taken over as it stands, from left to right.
    marks: Vec<Mark>,
}

/// A part that became something else, or nothing.
#[derive(Debug, Clone, Copy)]
struct Mark {
    /// What it became.
    folded: usize,
    length: usize,
    /// What it was.
    start: usize,
    end: usize,
}

impl Folded {
    /// Folds a part of a text. It begins at a line and ends at one; a last line without a line feed is
    /// given one.
    pub(super) fn part(text: &str, part: Range<usize>) -> Self {
        let mut folded = Self::default();
        folded.mark(b"", 0..part.start);
        let is_last = part.end == text.len() && !text.ends_with('\n');
        folded.add(text, part);
        if is_last {
            folded.mark(b"\n", text.len()..text.len());
        }
        folded
    }

    /// Folds a whole text.
    pub(super) fn whole(text: &str) -> Self {
        let mut folded = Self::default();
        folded.add(text, 0..text.len());
        folded
    }

    fn add(&mut self, text: &str, part: Range<usize>) {
        let end = part.end;
        let bytes = text.as_bytes();
        self.bytes.reserve(part.len());
        let mut at = part.start;
        let mut line_start = true;
        while at < end {
            // What stays as it is goes over in one piece.
            let rest = &bytes[at..end];
            let length = unchanged(rest);
            if length > 0 {
                self.bytes.extend_from_slice(&rest[..length]);
                line_start = rest[length - 1] == b'\n';
                at += length;
                continue;
            }
            match bytes[at] {
                b' ' | b'\t' => {}
                b'\r' => {
                    if at + 1 < end && bytes[at + 1] == b'\n' {
                        self.mark(b"", at..at + 1);
                    } else {
                        self.bytes.push(b'\r');
                        line_start = false;
                    }
                    at += 1;
                    continue;
                }
                _ => {
                    let character = character_at(text, at);
                    if !is_blank(character) {
                        let next = at + character.len_utf8();
                        match typed(character) {
                            Some(typed) => self.mark(typed.as_bytes(), at..next),
                            None => self.bytes.extend_from_slice(&bytes[at..next]),
                        }
                        line_start = false;
                        at = next;
                        continue;
                    }
                }
            }
            let start = at;
            at = blanks_end(text, start, end);
            let line_end = at == end || is_line_end(&bytes[at..end]);
            match (line_start || line_end, &bytes[start..at]) {
                (true, _) => self.mark(b"", start..at),
                (false, b" ") => self.bytes.push(b' '),
                (false, _) => self.mark(b" ", start..at),
            }
        }
    }

    fn mark(&mut self, folded: &[u8], part: Range<usize>) {
        self.marks.push(Mark {
            folded: self.bytes.len(),
            length: folded.len(),
            start: part.start,
            end: part.end,
        });
        self.bytes.extend_from_slice(folded);
    }

    /// Where folded text that begins here begins in the original, behind what was dropped; none
    /// within a part that became several bytes.
    pub(super) fn start(&self, place: usize) -> Option<usize> {
        let count = self.marks.partition_point(|mark| mark.folded <= place);
        let Some(mark) = self.marks[..count].last() else {
            return Some(place);
        };
        if mark.folded == place && mark.length > 0 {
            return Some(mark.start);
        }
        self.behind(mark, place)
    }

    /// Where folded text that ends here ends in the original, before what was dropped; none within a
    /// part that became several bytes.
    pub(super) fn end(&self, place: usize) -> Option<usize> {
        let count = self.marks.partition_point(|mark| mark.folded < place);
        match self.marks[..count].last() {
            Some(mark) => self.behind(mark, place),
            None => Some(place),
        }
    }

    #[expect(clippy::unused_self, reason = "reads as a question to the folded text")]
    fn behind(&self, mark: &Mark, place: usize) -> Option<usize> {
        let after = mark.folded + mark.length;
        (place >= after).then(|| mark.end + (place - after))
    }

    /// The original's parts that became one whole each, in order: what was marked, and the
    /// characters between. For texts that were folded as a whole.
    pub(super) fn units(&self, text: &str) -> Vec<Unit> {
        let mut units = Vec::new();
        let mut at = 0;
        let plain = |units: &mut Vec<Unit>, until: usize, at: &mut usize| {
            for character in text[*at..until].chars() {
                let length = character.len_utf8();
                units.push(Unit {
                    folded: length,
                    part: *at..*at + length,
                });
                *at += length;
            }
        };
        for mark in &self.marks {
            plain(&mut units, mark.start, &mut at);
            units.push(Unit {
                folded: mark.length,
                part: mark.start..mark.end,
            });
            at = mark.end;
        }
        plain(&mut units, text.len(), &mut at);
        units
    }
}

/// A part of a text, and how many bytes it became.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) folded: usize,
    pub(super) part: Range<usize>,
}

/// Length of what stays as it is at the start of a text: all but what may be folded. A single blank
/// between two visible characters stays.
fn unchanged(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let stays = match byte {
            b' ' => {
                at > 0
                    && bytes[at - 1] != b'\n'
                    && bytes.get(at + 1).is_some_and(u8::is_ascii_graphic)
            }
            b'\t' | b'\r' | 0x80.. => false,
            _ => true,
        };
        if !stays {
            break;
        }
        at += 1;
    }
    at
}

fn character_at(text: &str, at: usize) -> char {
    text[at..].chars().next().unwrap_or_default()
}

fn blanks_end(text: &str, start: usize, end: usize) -> usize {
    let bytes = &text.as_bytes()[start..end];
    let plain = bytes.iter().position(|byte| !matches!(byte, b' ' | b'\t'));
    match plain {
        Some(length) if bytes[length].is_ascii() => return start + length,
        None => return end,
        Some(_) => {}
    }
    let blanks = text[start..end].char_indices();
    let mut blanks = blanks.skip_while(|(_, character)| is_blank(*character));
    blanks.next().map_or(end, |(length, _)| start + length)
}

fn is_line_end(rest: &[u8]) -> bool {
    rest.starts_with(b"\n") || rest.starts_with(b"\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, folded: &str) {
        let found = Folded::whole(text);
        assert_eq!(String::from_utf8(found.bytes).unwrap(), folded);
    }

    #[test]
    fn blanks_become_one_and_none_at_the_ends_of_a_line() {
        check("  a \t b  \n\tc\r\n \r\nd ", "a b\nc\n\nd");
        check("a\rb", "a\rb");
        check("", "");
    }

    #[test]
    fn typographic_characters_become_what_is_typed() {
        check("“a”\u{a0}— b…", "\"a\" -- b...");
        check("a\u{a0} b", "a b");
    }

    #[test]
    fn places_lead_back() {
        let text = "\t— a  b\r\nc";
        let folded = Folded::whole(text);
        assert_eq!(folded.bytes, b"-- a b\nc");
        let starts: Vec<Option<usize>> = (0..8).map(|place| folded.start(place)).collect();
        let ends: Vec<Option<usize>> = (1..9).map(|place| folded.end(place)).collect();
        // The dash is three bytes from 1 on, and half of it is nowhere.
        let expected = [
            Some(1),
            None,
            Some(4),
            Some(5),
            Some(6),
            Some(8),
            Some(10),
            Some(11),
        ];
        assert_eq!(starts, expected);
        let expected = [
            None,
            Some(4),
            Some(5),
            Some(6),
            Some(8),
            Some(9),
            Some(11),
            Some(12),
        ];
        assert_eq!(ends, expected);
    }

    #[test]
    fn a_part_leads_back_too() {
        let text = "a\nb\n  c\nd";
        let folded = Folded::part(text, 2..9);
        assert_eq!(folded.bytes, b"b\nc\nd\n");
        assert_eq!((folded.start(0), folded.start(2)), (Some(2), Some(6)));
        assert_eq!(folded.end(6), Some(9));
        assert_eq!(Folded::part(text, 2..4).bytes, b"b\n");
    }

    #[test]
    fn units_hold_the_whole_text() {
        let text = " é—  x\r\n";
        let folded = Folded::whole(text);
        let parts: Vec<(usize, &str)> = folded
            .units(text)
            .iter()
            .map(|unit| (unit.folded, &text[unit.part.clone()]))
            .collect();
        let expected = [
            (0, " "),
            (2, "é"),
            (2, "—"),
            (1, "  "),
            (1, "x"),
            (0, "\r"),
            (1, "\n"),
        ];
        assert_eq!(parts, expected);
    }
}
