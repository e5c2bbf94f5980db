//! Where an output with a missing middle is cut, so that no part of a secret is left at the cut.

use memchr::memmem;

/// Longest broken line or word that is given up, in bytes. At most half of an end is.
const BROKEN: usize = 8 << 10;

/// What the last line of a private key begins with.
const KEY_ENDS: &[u8] = b"-----END ";
const KEY_BEGINS: &[u8] = b"-----BEGIN ";

/// Where a head ends, before which nothing goes on in what is missing: behind a line, in a long line
/// behind a word.
pub(super) fn end_of_head(head: &[u8], next: u8) -> usize {
    if head.is_empty() || head.ends_with(b"\n") {
        return head.len();
    }
    let least = head.len() - BROKEN.min(head.len() / 2);
    let near = &head[least..];
    if let Some(line) = memchr::memrchr(b'\n', near) {
        return least + line + 1;
    }
    let whole = if is_inside(next) {
        let first = head.iter().rposition(|byte| !is_inside(*byte));
        &head[..first.unwrap_or(0)]
    } else {
        head
    };
    if is_between(next) {
        return whole.len();
    }
    let word = whole.iter().rposition(|byte| is_between(*byte));
    word.map_or(0, |at| at + 1).max(least)
}

/// Where a tail starts, from which nothing began in what is missing. `before` is the last byte of that.
pub(super) fn start_of_tail(before: u8, tail: &[u8]) -> usize {
    if let Some(end) = memmem::find(tail, KEY_ENDS)
        && memmem::find(&tail[..end], KEY_BEGINS).is_none()
    {
        // The lines above it are those of a key.
        return memchr::memchr(b'\n', &tail[end..]).map_or(tail.len(), |at| end + at + 1);
    }
    if before == b'\n' {
        return 0;
    }
    let most = BROKEN.min(tail.len().div_ceil(2));
    let near = &tail[..most];
    if let Some(line) = memchr::memchr(b'\n', near) {
        return line + 1;
    }
    let inside = tail.iter().take_while(|byte| is_inside(**byte)).count();
    if is_between(before) {
        return inside;
    }
    let word = tail.iter().position(|byte| is_between(*byte));
    word.unwrap_or(tail.len()).min(most).max(inside)
}

/// Whether a byte is in no secret: blanks, and all characters beyond ASCII.
const fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte >= 0x80
}

/// Whether a byte goes on with a character of UTF-8.
const fn is_inside(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_ends_behind_a_line_or_a_word() {
        let blanks = " ".repeat(40);
        for (head, next, end) in [
            ("one\ntwo\n".to_owned(), b'x', 8),
            (format!("{blanks}\nkey: gh"), b'p', 41),
            (format!("{blanks}key gh"), b'p', 44),
            (format!("{blanks}key"), b' ', 43),
            (format!("{blanks}\u{1b}[1mk\u{1b}[0mey"), b'x', 40),
            ("x".repeat(40), b'x', 20),
            (String::new(), b'x', 0),
        ] {
            assert_eq!(end_of_head(head.as_bytes(), next), end, "{head:?}");
        }
        assert_eq!(end_of_head(b"aaaa\xe2\x82", 0xac), 4);
    }

    #[test]
    fn a_tail_starts_behind_a_line_or_a_word() {
        let blanks = " ".repeat(40);
        for (before, tail, start) in [
            (b'\n', "one\ntwo\n".to_owned(), 0),
            (b'g', format!("hp_x y\nz{blanks}"), 7),
            (b'g', format!("hp_x y{blanks}"), 4),
            (b' ', format!("y{blanks}"), 0),
            (b'3', format!("1mk\u{1b}[0mey {blanks}"), 9),
            (b'x', "x".repeat(40), 20),
            (
                b'\n',
                "MIIE\n-----END RSA PRIVATE KEY-----\nz".to_owned(),
                35,
            ),
            (
                b'\n',
                "a\n-----BEGIN X-----\n-----END X-----\n".to_owned(),
                0,
            ),
        ] {
            assert_eq!(start_of_tail(before, tail.as_bytes()), start, "{tail:?}");
        }
        assert_eq!(start_of_tail(0xe2, b"\x82\xacaaa"), 2);
    }
}
