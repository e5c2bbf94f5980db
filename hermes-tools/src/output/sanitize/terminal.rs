//! Escape sequences of terminals (ECMA-48) and control characters.

use std::borrow::Cow;

const ESCAPE: u8 = 0x1b;
const BELL: char = '\u{7}';
const STRING_END: &str = "\u{1b}\\";
const STRING_END_C1: char = '\u{9c}';

/// Removes the escape sequences of terminals.
///
/// Off go control sequences with all their parameters, operating system commands up to BEL or ST,
/// the other string sequences up to ST, short escapes, and the eight-bit forms, which in text are the
/// characters U+0080 to U+009F. A sequence without its end loses what introduces it, so nothing
/// that is left can steer a terminal. Other control characters stay.
///
/// ```
/// use hermes_tools::output::sanitize::strip_ansi;
///
/// assert_eq!(strip_ansi("\u{1b}[1;31mred\u{1b}[0m"), "red");
/// ```
pub fn strip_ansi(text: &str) -> Cow<'_, str> {
    let Some(first) = introducer(text.as_bytes(), 0) else {
        return Cow::Borrowed(text);
    };
    let mut clean = String::with_capacity(text.len());
    let mut ends = Ends::default();
    let mut kept = 0;
    let mut next = Some(first);
    while let Some(start) = next {
        clean.push_str(&text[kept..start]);
        kept = start + length(text, start, &mut ends);
        next = introducer(text.as_bytes(), kept);
    }
    clean.push_str(&text[kept..]);
    Cow::Owned(clean)
}

/// Text that can be shown in a terminal: no escape sequences, carriage returns as line breaks (so
/// that nothing is written over), and no control characters beside tab and line break.
pub fn display_text(text: &str) -> Cow<'_, str> {
    let dangerous = |character: char| character.is_control() && !matches!(character, '\t' | '\n');
    if !text.contains(dangerous) {
        return Cow::Borrowed(text);
    }
    let plain = strip_ansi(text).replace("\r\n", "\n").replace('\r', "\n");
    Cow::Owned(plain.replace(dangerous, ""))
}

/// Where the next sequence may start.
fn introducer(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += bytes[at..]
            .iter()
            .position(|byte| *byte == ESCAPE || *byte == 0xc2)?;
        // In UTF-8 the eight-bit controls are 0xC2 and themselves.
        let is_c1 = bytes.get(at + 1).is_some_and(|byte| *byte < 0xa0);
        if bytes[at] == ESCAPE || is_c1 {
            return Some(at);
        }
        at += 1;
    }
}

/// The bytes of the sequence at `start`, or of its introducer when it has no end.
fn length(text: &str, start: usize, ends: &mut Ends) -> usize {
    let bytes = text.as_bytes();
    let second = bytes.get(start + 1).copied();
    if bytes[start] != ESCAPE {
        let inside = start + 2;
        let end = match second {
            Some(0x9b) => control_sequence(bytes, inside),
            Some(0x9d) => ends.command_c1(text, inside),
            _ => None,
        };
        return end.unwrap_or(inside) - start;
    }
    let inside = start + 2;
    let end = match second {
        Some(b'[') => control_sequence(bytes, inside).or(Some(inside)),
        Some(b']') => ends.command(text, inside).or(Some(inside)),
        Some(b'P' | b'X' | b'^' | b'_') => ends.string(text, inside).or(Some(inside)),
        Some(0x20..=0x2f) => short(bytes, start + 1),
        Some(0x30..=0x7e) => Some(inside),
        _ => None,
    };
    end.unwrap_or(start + 1) - start
}

/// Where a control sequence ends: parameters, intermediates, one final byte.
fn control_sequence(bytes: &[u8], from: usize) -> Option<usize> {
    let parameters = run(bytes, from, 0x30..=0x3f);
    let last = run(bytes, parameters, 0x20..=0x2f);
    matches!(bytes.get(last), Some(0x40..=0x7e)).then_some(last + 1)
}

/// Where a short escape with intermediates ends.
fn short(bytes: &[u8], from: usize) -> Option<usize> {
    let last = run(bytes, from, 0x20..=0x2f);
    matches!(bytes.get(last), Some(0x30..=0x7e)).then_some(last + 1)
}

fn run(bytes: &[u8], from: usize, range: std::ops::RangeInclusive<u8>) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| range.contains(byte)).count()
}

/// The next ends of string sequences. Each is looked for once per stretch of text, so that many
/// openings without an end cost no more than one.
#[derive(Default)]
struct Ends {
    bell: Next,
    string: Next,
    string_c1: Next,
}

impl Ends {
    fn command(&mut self, text: &str, from: usize) -> Option<usize> {
        let bell = self.bell.after(from, |from| find(text, from, BELL));
        let string = self.string(text, from);
        earlier(bell, string)
    }

    fn command_c1(&mut self, text: &str, from: usize) -> Option<usize> {
        let bell = self.bell.after(from, |from| find(text, from, BELL));
        let string = self
            .string_c1
            .after(from, |from| find(text, from, STRING_END_C1));
        earlier(bell, string)
    }

    fn string(&mut self, text: &str, from: usize) -> Option<usize> {
        self.string.after(from, |from| {
            text[from..]
                .find(STRING_END)
                .map(|at| (from + at, STRING_END.len()))
        })
    }
}

fn find(text: &str, from: usize, end: char) -> Option<(usize, usize)> {
    text[from..].find(end).map(|at| (from + at, end.len_utf8()))
}

fn earlier(one: Option<usize>, other: Option<usize>) -> Option<usize> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// A place that was looked for.
#[derive(Default)]
enum Next {
    #[default]
    Unknown,
    At(usize, usize),
    Nowhere,
}

impl Next {
    /// The end of the next place at or after `from`, which never goes back.
    fn after(
        &mut self,
        from: usize,
        find: impl FnOnce(usize) -> Option<(usize, usize)>,
    ) -> Option<usize> {
        let known = matches!(self, Self::Nowhere) || matches!(self, Self::At(at, _) if *at >= from);
        if !known {
            *self = find(from).map_or(Self::Nowhere, |(at, length)| Self::At(at, length));
        }
        match self {
            Self::At(at, length) => Some(*at + *length),
            Self::Unknown | Self::Nowhere => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_sequences_is_not_copied() {
        assert!(matches!(strip_ansi("caf\u{e9}\t\u{7}"), Cow::Borrowed(_)));
        assert!(matches!(display_text("caf\u{e9}\t\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn sequences_go_whole_or_lose_their_introducer() {
        for (text, clean) in [
            ("\u{1b}]8;;https://a\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}]0;t", "0;t"),
            ("\u{1b}P\nline\u{1b}\\z", "z"),
            ("\u{9d}0;t\u{9c}x\u{9b}1;2Hy", "xy"),
            ("a\u{1b}\u{1b}\u{1b}[1mb\u{1b}", "ab"),
            ("\u{1b}/\u{1b}Ax", "/x"),
        ] {
            assert_eq!(strip_ansi(text), clean, "{text:?}");
        }
    }

    #[test]
    fn many_openings_without_an_end_take_linear_time() {
        let text = "\u{1b}]\u{1b}P\u{9d}x".repeat(300_000);
        assert_eq!(strip_ansi(&text).len(), 300_000);
    }

    #[test]
    fn shown_text_keeps_lines_and_tabs_only() {
        assert_eq!(
            display_text("secret\rpublic\u{1b}[2K\u{7}\tx\r\n"),
            "secret\npublic\tx\n"
        );
    }
}
