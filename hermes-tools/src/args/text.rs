//! Text from tokenisers and streams, before it is read.

use std::fmt::Write as _;

/// Joins pieces of UTF-16: a pair whose halves arrive in two pieces is a pair, and a lone half
/// becomes U+FFFD.
///
/// ```
/// use hermes_tools::args::Utf16Joiner;
///
/// let mut joiner = Utf16Joiner::default();
/// joiner.push(&[0x48, 0xd83d]);
/// joiner.push(&[0xde00, 0xd83d]);
/// assert_eq!(joiner.finish(), "H😀\u{fffd}");
/// ```
#[derive(Debug, Default)]
pub struct Utf16Joiner {
    text: String,
    half: Option<u16>,
}

impl Utf16Joiner {
    /// Adds a piece.
    pub fn push(&mut self, units: &[u16]) {
        let half = self.half.take();
        let (last, rest) = match units.split_last() {
            Some((last, rest)) if is_first_half(*last) => (Some(*last), rest),
            Some(_) => (None, units),
            None => (half, units),
        };
        let half = half.filter(|_| !units.is_empty());
        for character in char::decode_utf16(half.into_iter().chain(rest.iter().copied())) {
            self.text
                .push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        self.half = last;
    }

    /// The text of all pieces.
    pub fn finish(mut self) -> String {
        if self.half.is_some() {
            self.text.push(char::REPLACEMENT_CHARACTER);
        }
        self.text
    }

    /// Takes out the text that is certain so far.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

fn is_first_half(unit: u16) -> bool {
    (0xd800..0xdc00).contains(&unit)
}

/// The text without characters beyond ASCII: the last resort where a system takes no others.
pub fn strip_non_ascii(text: &str) -> String {
    text.chars().filter(char::is_ascii).collect()
}

/// Writes control characters inside strings of JSON text as `\u00XX`. Everything else stays.
pub fn escape_control_characters(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    let mut in_string = false;
    let mut characters = json.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => in_string = !in_string,
            '\\' if in_string => {
                escaped.push('\\');
                escaped.extend(characters.next());
                continue;
            }
            '\0'..='\x1f' if in_string => {
                // Writing to a `String` cannot fail.
                let _ = write!(escaped, "\\u{:04x}", u32::from(character));
                continue;
            }
            _ => {}
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(pieces: &[&[u16]]) -> String {
        let mut joiner = Utf16Joiner::default();
        for piece in pieces {
            joiner.push(piece);
        }
        joiner.finish()
    }

    #[test]
    fn pairs_survive_their_pieces_and_halves_do_not() {
        assert_eq!(join(&[&[0xd83d], &[], &[0xde00]]), "😀");
        assert_eq!(join(&[&[0xd83d], &[0x78], &[0xde00]]), "\u{fffd}x\u{fffd}");
        assert_eq!(join(&[&[0xd83d], &[0xd83d], &[0xde00]]), "\u{fffd}😀");
        assert_eq!(join(&[&[0xde00], &[0xd83d]]), "\u{fffd}\u{fffd}");
        assert_eq!(join(&[]), "");
    }

    #[test]
    fn control_characters_are_escaped_in_strings_only() {
        assert_eq!(
            escape_control_characters("{\n\"a\\\"\tb\": 1\n}"),
            "{\n\"a\\\"\\u0009b\": 1\n}"
        );
        assert_eq!(escape_control_characters("\"\\"), "\"\\");
        assert_eq!(strip_non_ascii("naïve – “q”"), "nave  q");
    }
}
