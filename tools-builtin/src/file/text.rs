//! What a file's bytes are: text, text in a foreign encoding, or no text at all.
//!
//! One rule for reading and for searching: the first [`HEAD`] bytes decide. A NUL behind them is a
//! character like any other.

use std::fmt::Display;
use std::io::{self, Read};

use hermes_tools::{ErrorKind, ToolError};

/// The byte order mark of UTF-8, as text.
pub(super) const BOM: &str = "\u{feff}";

/// How many bytes at the start of a file decide what it is.
pub(super) const HEAD: usize = 8 * 1024;

/// Longest line that a search holds in memory, in bytes. A file with a longer one is not searched.
pub(super) const LONGEST_LINE: usize = 16 << 20;

/// The name of the encoding that is shown, though it is none of ours.
pub(super) const UTF_16: &str = "UTF-16";

/// The text of bytes with a byte order mark of UTF-16; none where they are no text in it.
pub(super) fn of_utf_16(bytes: &[u8]) -> Option<String> {
    let (mark, units) = bytes.split_at_checked(2)?;
    let read = match mark {
        b"\xff\xfe" => u16::from_le_bytes,
        b"\xfe\xff" => u16::from_be_bytes,
        _ => return None,
    };
    let (units, rest) = units.as_chunks::<2>();
    let units = units.iter().map(|unit| read(*unit));
    let text: String = char::decode_utf16(units).collect::<Result<_, _>>().ok()?;
    rest.is_empty().then_some(text)
}

/// What the first bytes of a file say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text, as far as the first bytes tell.
    Text {
        /// Whether it begins with the byte order mark of UTF-8.
        bom: bool,
    },
    /// Text with the byte order mark of another encoding.
    Foreign(&'static str),
    /// No text; the name of the format, or `data`.
    Binary(&'static str),
}

/// Formats that are told by their first bytes. Those that could begin a text are left to the NUL.
const MAGIC: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"GIF87a", "GIF image"),
    (b"GIF89a", "GIF image"),
    (b"%PDF-", "PDF document"),
    (b"PK\x03\x04", "ZIP archive"),
    (b"PK\x05\x06", "ZIP archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"\xfd7zXZ\0", "xz data"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip archive"),
    (b"\x7fELF", "ELF program or library"),
    (b"\xcf\xfa\xed\xfe", "Mach-O program or library"),
    (b"\xca\xfe\xba\xbe", "Java class or Mach-O program"),
    (b"\0asm", "WebAssembly module"),
    (b"SQLite format 3\0", "SQLite database"),
];

/// Judges a file by its first bytes, at most [`HEAD`] of them.
pub(super) fn sniff(head: &[u8]) -> Kind {
    let head = &head[..head.len().min(HEAD)];
    // The mark of UTF-32 begins with that of UTF-16, so it is looked for first.
    if head.starts_with(b"\xff\xfe\0\0") || head.starts_with(b"\0\0\xfe\xff") {
        return Kind::Foreign("UTF-32");
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return Kind::Foreign(UTF_16);
    }
    if let Some((_, name)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Kind::Binary(name);
    }
    if memchr::memchr(0, head).is_some() {
        return Kind::Binary("data");
    }
    Kind::Text {
        bom: head.starts_with(BOM.as_bytes()),
    }
}

/// Reads the first bytes of a file, as many as decide what it is.
pub(super) fn read_head(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD);
    reader.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// The refusal of a file that is no text.
pub(super) fn binary(path: &str, format: &str, size: u64) -> ToolError {
    ToolError::new(
        ErrorKind::Binary,
        format!("`{path}` is binary: {format}, {}", counted(size, "byte")),
    )
    .with_help("use a tool for this format, or read another file")
}

/// The refusal of text in another encoding than UTF-8.
pub(super) fn foreign(path: &str, encoding: &str) -> ToolError {
    ToolError::new(
        ErrorKind::Encoding,
        format!("`{path}` is {encoding}, not UTF-8"),
    )
    .with_help("convert it to UTF-8 first")
}

/// An error of the operating system while a file is read.
pub(super) fn unreadable(path: &str, error: io::Error) -> ToolError {
    ToolError::new(ErrorKind::Io, format!("`{path}` cannot be read: {error}"))
        .with_help("try again, or read another file")
        .because(error)
}

/// A number with its noun: `1 line`, `2 lines`.
pub(super) fn counted(number: impl Display, noun: &str) -> String {
    let number = number.to_string();
    let end = if number == "1" { "" } else { "s" };
    format!("{number} {noun}{end}")
}

/// How many characters a text has once it stands in JSON, without the quotes around it.
pub(super) fn json_length(text: &str) -> usize {
    text.chars()
        .map(|character| match character {
            '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
            '\0'..'\u{20}' => 6,
            _ => 1,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_text_from_other_things() {
        assert_eq!(sniff(b""), Kind::Text { bom: false });
        assert_eq!(
            sniff("ä\u{1b}[0m\r\n".as_bytes()),
            Kind::Text { bom: false }
        );
        assert_eq!(sniff(b"\xef\xbb\xbfx"), Kind::Text { bom: true });
        assert_eq!(sniff(b"caf\xe9"), Kind::Text { bom: false });
        assert_eq!(sniff(b"\xff\xfeh\0i\0"), Kind::Foreign("UTF-16"));
        assert_eq!(sniff(b"\xff\xfe\0\0h\0\0\0"), Kind::Foreign("UTF-32"));
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\n"), Kind::Binary("PNG image"));
        assert_eq!(sniff(b"a\0b"), Kind::Binary("data"));
    }

    #[test]
    fn utf_16_is_read_in_both_orders() {
        assert_eq!(of_utf_16(b"\xff\xfeh\0i\0").as_deref(), Some("hi"));
        assert_eq!(of_utf_16(b"\xfe\xff\0h\0i").as_deref(), Some("hi"));
        assert_eq!(
            of_utf_16(b"\xff\xfe\x3d\xd8\x00\xde").as_deref(),
            Some("\u{1f600}")
        );
        for broken in [&b"\xff\xfeh"[..], b"\xff\xfe\x3d\xd8", b"hi", b""] {
            assert_eq!(of_utf_16(broken), None);
        }
    }

    #[test]
    fn only_the_head_is_judged() {
        let mut bytes = vec![b'x'; HEAD];
        bytes.push(0);
        assert_eq!(sniff(&bytes), Kind::Text { bom: false });
    }

    #[test]
    fn json_length_is_that_of_the_serializer() {
        let text = "plain \"quoted\" \\ \n\r\t\u{8}\u{c}\0\u{1f}\u{7f} é 🎈";
        let json = serde_json::to_string(text).unwrap();
        assert_eq!(json_length(text) + 2, json.chars().count());
    }
}
