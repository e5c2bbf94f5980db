//! Names in a store: of the files of results, and of the folders that are the store's own.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// Characters of a call id that a file name keeps.
const STEM: usize = 120;

/// What the name of a session's folder begins with, before sixteen digits.
pub(super) const SESSION: &str = "session-";

/// What the name of a folder begins with that the sessions of a place share, before sixteen digits.
pub(super) const PLACE: &str = "place-";

/// What the name of a turn's folder begins with, before its number.
pub(super) const TURN: &str = "turn-";

/// The empty folder by which a session's folder is known to be one that a store made.
pub(super) const MARK: &str = ".result-store";

/// Whether a name has the form of a session's folder.
pub(super) fn is_session(name: &str) -> bool {
    has_digits(name, SESSION)
}

/// Whether a name has the form of a folder that the sessions of a place share.
pub(super) fn is_place(name: &str) -> bool {
    has_digits(name, PLACE)
}

fn has_digits(name: &str, prefix: &str) -> bool {
    let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    name.strip_prefix(prefix)
        .is_some_and(|digits| digits.len() == 16 && digits.bytes().all(digit))
}

/// The name of the folder that the sessions of a place share.
pub(super) fn of_place(place: &str) -> String {
    let mut name = PLACE.to_owned();
    for byte in &Sha256::digest(place.as_bytes())[..8] {
        // Writing to a `String` cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    name
}

/// Whether a name has the form of a turn's folder.
pub(super) fn is_turn(name: &str) -> bool {
    name.strip_prefix(TURN).is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The name of a file for a call id, whatever is in it: one safe name, and other names for other ids.
///
/// Runs of characters other than ASCII letters, digits, `_`, `.` and `-` become one `_`. A name that
/// is not the whole id ends in a digest of it.
///
/// ```
/// use hermes_tools::output::store::file_name;
///
/// assert_eq!(file_name("call_abc-1.2"), "call_abc-1.2.txt");
/// assert_eq!(file_name("../../etc/pass wd"), "etc_pass_wd_45df5a2ef851.txt");
/// ```
pub fn file_name(call_id: &str) -> String {
    let mut stem = String::new();
    for character in call_id.chars() {
        if character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '-') {
            stem.push(character);
        } else if !stem.ends_with('\u{0}') {
            stem.push('\u{0}');
        }
    }
    let stem = stem.replace('\u{0}', "_");
    let mut stem = stem.trim_matches(['.', '_', '-']);
    if stem.is_empty() {
        stem = "tool_result";
    }
    if stem == call_id && stem.len() <= STEM {
        return format!("{stem}.txt");
    }
    let mut name = stem[..stem.len().min(STEM)].to_owned();
    name.push('_');
    for byte in &Sha256::digest(call_id.as_bytes())[..6] {
        // Writing to a `String` cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    name.push_str(".txt");
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_differ_where_ids_do() {
        for (id, name) in [
            ("", "tool_result_e3b0c44298fc.txt"),
            ("..", "tool_result_5ec1f7e700f3.txt"),
            ("._a_.", "a_4bd136123263.txt"),
            ("a_b", "a_b.txt"),
        ] {
            assert_eq!(file_name(id), name, "{id:?}");
        }
        assert_ne!(file_name("a b"), file_name("a_b"));
        assert_ne!(file_name("a  b"), file_name("a b"));
    }
}
