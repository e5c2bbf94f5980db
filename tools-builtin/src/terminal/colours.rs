//! Output without colours: they are most of some output, and would fill what is kept of it.

use std::borrow::Cow;

/// Longest sequence that is waited for, in bytes.
const LONGEST: usize = 256;

/// Takes the sequences that only change how text looks (SGR of ECMA-48) out of output that comes in pieces.
#[derive(Debug, Default)]
pub(crate) struct Colours {
    /// The beginning of what may be one.
    pending: Vec<u8>,
}

impl Colours {
    /// A piece without them. One that is not at its end yet comes with the next piece, if it is none.
    pub(crate) fn remove<'b>(&mut self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        if self.pending.is_empty() && memchr::memchr(b'\x1b', bytes).is_none() {
            return Cow::Borrowed(bytes);
        }
        let mut all = std::mem::take(&mut self.pending);
        all.extend_from_slice(bytes);
        let mut clean = Vec::with_capacity(all.len());
        let mut rest = &all[..];
        while let Some(start) = memchr::memchr(b'\x1b', rest) {
            clean.extend_from_slice(&rest[..start]);
            rest = &rest[start..];
            rest = match length(rest) {
                Found::Whole(length) => &rest[length..],
                Found::Beginning => {
                    self.pending.extend_from_slice(rest);
                    &[]
                }
                Found::Other => {
                    clean.push(b'\x1b');
                    &rest[1..]
                }
            };
        }
        clean.extend_from_slice(rest);
        Cow::Owned(clean)
    }
}

enum Found {
    Whole(usize),
    Beginning,
    Other,
}

/// What stands at an escape character.
fn length(bytes: &[u8]) -> Found {
    match bytes.get(1) {
        Some(b'[') => {}
        Some(_) => return Found::Other,
        None => return Found::Beginning,
    }
    let is_parameter = |byte: &&u8| matches!(**byte, b'0'..=b';');
    let parameters = bytes[2..].iter().take(LONGEST).take_while(is_parameter);
    let end = 2 + parameters.count();
    match bytes.get(end) {
        Some(b'm') => Found::Whole(end + 1),
        None if end < LONGEST => Found::Beginning,
        _ => Found::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_go_in_whatever_pieces_they_come() {
        for (output, clean) in [
            ("plain\n", "plain\n"),
            ("\u{1b}[1;38;2;9;9;9m17\u{1b}[0m\n\u{1b}[mé", "17\né"),
            (
                "\u{1b}[4:3mline\u{1b}[2K\u{1b}[1G",
                "line\u{1b}[2K\u{1b}[1G",
            ),
            (
                "\u{1b}\u{1b}[1mx\u{1b}]0;title\u{7}",
                "\u{1b}x\u{1b}]0;title\u{7}",
            ),
            ("a\u{1b}[?25lb\u{1b}[>4mc", "a\u{1b}[?25lb\u{1b}[>4mc"),
            ("end\u{1b}[31", "end"),
        ] {
            for size in 1..=output.len() {
                let mut colours = Colours::default();
                let pieces = output.as_bytes().chunks(size);
                let found: Vec<u8> = pieces
                    .flat_map(|it| colours.remove(it).into_owned())
                    .collect();
                assert_eq!(
                    String::from_utf8(found).unwrap(),
                    clean,
                    "{output:?} by {size}"
                );
            }
        }
    }

    #[test]
    fn a_sequence_without_an_end_is_not_waited_for() {
        let mut colours = Colours::default();
        let output = format!("\u{1b}[{}", "1;".repeat(1_000));
        assert_eq!(&*colours.remove(output.as_bytes()), output.as_bytes());
    }
}
