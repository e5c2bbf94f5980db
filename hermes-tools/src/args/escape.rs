//! Escapes in JSON strings.

/// What stands at a backslash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    /// A character, and the length of its escape in bytes.
    Character(char, usize),
    /// Half of a surrogate pair, six bytes long.
    Half,
    /// Nothing that JSON knows.
    Impossible,
}

/// The escape that `text` begins with.
pub(super) fn escape(text: &str) -> Escape {
    let bytes = text.as_bytes();
    let character = match bytes.get(1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(bytes),
        _ => return Escape::Impossible,
    };
    Escape::Character(character, 2)
}

fn unicode(bytes: &[u8]) -> Escape {
    let Some(first) = code_unit(bytes.get(2..6)) else {
        return Escape::Impossible;
    };
    if let Some(character) = char::from_u32(u32::from(first)) {
        return Escape::Character(character, 6);
    }
    let second = match bytes.get(6..8) {
        Some(b"\\u") => code_unit(bytes.get(8..12)),
        _ => None,
    };
    let pair = second.and_then(|second| char::decode_utf16([first, second]).next());
    match pair {
        Some(Ok(character)) => Escape::Character(character, 12),
        _ => Escape::Half,
    }
}

fn code_unit(digits: Option<&[u8]>) -> Option<u16> {
    digits?.iter().try_fold(0, |value, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(value * 16 + u16::try_from(digit).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_characters_and_halves_are_told_apart_from_nonsense() {
        assert_eq!(escape("\\n"), Escape::Character('\n', 2));
        assert_eq!(escape("\\u00e9x"), Escape::Character('é', 6));
        assert_eq!(escape("\\uD83D\\uDE00"), Escape::Character('😀', 12));
        assert_eq!(escape("\\ud83d\\u0041"), Escape::Half);
        assert_eq!(escape("\\ud83d"), Escape::Half);
        assert_eq!(escape("\\udc00"), Escape::Half);
        for text in ["\\u12", "\\u+123", "\\x41", "\\", "\\ué00"] {
            assert_eq!(escape(text), Escape::Impossible, "{text}");
        }
    }
}
