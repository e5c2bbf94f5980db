//! Values whose name says that they are secret.

use super::addresses::is_credential;
use super::names::is_secret_name;
use super::{MASK, Marks};

/// The longest name that is looked at.
const MAX_NAME: usize = 80;

/// Names of headers whose value is secret, in small letters.
const HEADERS: [&str; 13] = [
    "x-api-key",
    "api-key",
    "x-auth-token",
    "x-access-token",
    "x-auth-key",
    "x-goog-api-key",
    "x-amz-security-token",
    "cookie",
    "set-cookie",
    "private-token",
    "x-gitlab-token",
    "x-vault-token",
    "x-csrf-token",
];

/// Marks credentials in headers: `Authorization: Bearer ...`, `X-Api-Key: ...`.
pub(super) fn headers(text: &str, marks: &mut Marks) {
    for (colon, _) in text.match_indices(':') {
        let name = name_before(text, colon);
        let lower = name.to_ascii_lowercase();
        let authorization = is_authorization(&lower);
        // A field of JSON is no header; only this one is told by its name there too.
        let header = HEADERS.contains(&lower.as_str())
            && !is_quoted(text, offset_of(text, name), name.len());
        // The user in front of a password in an address is none either.
        let in_address = text[..offset_of(text, name)].ends_with("//");
        if !authorization && (!header || in_address) {
            continue;
        }
        let (start, mut end) = value_after(text, colon + 1, true);
        let value = &text[start..end];
        if authorization {
            let mut words = value.split(' ').filter(|word| !word.is_empty());
            let (Some(first), second) = (words.next(), words.next()) else {
                continue;
            };
            let begin = match second {
                Some(second) => start + value.find(second).unwrap_or(0),
                None => start,
            };
            let word = second.unwrap_or(first);
            end = begin + word.len();
            // A scheme alone, as in `Authorization: Bearer`, has nothing to hide.
            let bare = second.is_none()
                && matches!(
                    first.to_ascii_lowercase().as_str(),
                    "bearer" | "basic" | "token" | "digest"
                );
            if !bare && !is_reference(word) {
                marks.mask(text, begin, end);
            }
        } else if lower.ends_with("cookie") {
            // Several values, of which the ends of a mask could show a whole one.
            marks.add(start, end, MASK.to_owned());
        } else if !is_reference(value) {
            marks.mask(text, start, end);
        }
    }
}

/// Whether a header names a scheme before the credential.
fn is_authorization(name: &str) -> bool {
    ["authorization", "proxy-authorization"]
        .iter()
        .any(|it| name.eq_ignore_ascii_case(it))
}

/// Marks `NAME=value`, `"name": "value"`, and `name: value` where a line begins so.
pub(super) fn assignments(text: &str, marks: &mut Marks) {
    let has_address = text.contains("://");
    let bytes = text.as_bytes();
    for (at, mark) in text.match_indices([':', '=']) {
        if matches!(bytes.get(at + 1), Some(b'=' | b':' | b'/')) && mark == ":"
            || bytes.get(at + 1) == Some(&b'=')
        {
            continue;
        }
        let before = at.checked_sub(1).and_then(|index| bytes.get(index));
        if matches!(before, Some(b'=' | b'!' | b'<' | b'>' | b':' | b'?' | b'+')) {
            continue;
        }
        let name = name_before(text, at);
        if name.is_empty() || !is_secret_name(name) || is_authorization(name) && mark == ":" {
            continue;
        }
        let name_start = offset_of(text, name);
        let quoted = is_quoted(text, name_start, name.len());
        let capitals = name
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
        let in_query = name_start
            .checked_sub(1)
            .and_then(|index| bytes.get(index))
            .is_some_and(|byte| matches!(byte, b'?' | b'&'));
        let first = begins_line(text, name_start);
        let takes = match mark {
            "=" => {
                !quoted && !in_query && (capitals || (first || name.contains('.')) && !has_address)
            }
            _ => quoted || first,
        };
        if !takes {
            continue;
        }
        let (start, end) = value_after(text, at + 1, false);
        let value = &text[start..end];
        let in_quotes = start
            .checked_sub(1)
            .and_then(|index| bytes.get(index))
            .is_some_and(|byte| matches!(byte, b'"' | b'\''));
        if mark == ":" && quoted && !in_quotes {
            // A number, a list or a word of JSON.
            continue;
        }
        if mark == ":" && !in_quotes && !ends_line(text, end) {
            // Prose behind a colon.
            continue;
        }
        if !is_reference(value) {
            marks.mask(text, start, end);
        }
    }
}

/// Marks credentials in a text that is one line of a form: `name=value&name=value`.
pub(super) fn form(text: &str, marks: &mut Marks) {
    let line = text.trim();
    let is_form = line.contains('&')
        && !line.contains(char::is_whitespace)
        && !line.contains("://")
        && line
            .split('&')
            .all(|part| part.find('=').is_some_and(|at| at > 0));
    if !is_form {
        return;
    }
    let mut at = text.len() - text.trim_start().len();
    for part in line.split('&') {
        if let Some(equals) = part.find('=')
            && is_credential(&part[..equals])
        {
            marks.add(at + equals + 1, at + part.len(), MASK.to_owned());
        }
        at += part.len() + 1;
    }
}

fn offset_of(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// The name that ends before a mark, without quotes and blanks between them.
fn name_before(text: &str, mark: usize) -> &str {
    let bytes = text.as_bytes();
    let mut end = mark;
    let mut blanks = 0;
    while end > 0 && matches!(bytes[end - 1], b' ' | b'\t') && blanks < 8 {
        end -= 1;
        blanks += 1;
    }
    while end > 0 && matches!(bytes[end - 1], b'"' | b'\'' | b'\\') {
        end -= 1;
    }
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let length = bytes[..end]
        .iter()
        .rev()
        .take(MAX_NAME)
        .take_while(|byte| is_name(byte))
        .count();
    text.get(end - length..end).unwrap_or("")
}

fn is_quoted(text: &str, start: usize, length: usize) -> bool {
    let bytes = text.as_bytes();
    let before = start.checked_sub(1).and_then(|index| bytes.get(index));
    matches!(before, Some(b'"' | b'\''))
        && matches!(bytes.get(start + length), Some(b'"' | b'\'' | b'\\'))
}

/// Whether only blanks, the sign of a list or `export` stand before.
fn begins_line(text: &str, start: usize) -> bool {
    let from = start.saturating_sub(200);
    let Some(before) = text.as_bytes().get(from..start) else {
        return false;
    };
    let line = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(before, |at| &before[at + 1..]);
    let line = String::from_utf8_lossy(line);
    let line = line.trim_start().trim_start_matches("- ").trim();
    matches!(line, "" | "export" | "set" | "declare -x" | "#")
}

fn ends_line(text: &str, end: usize) -> bool {
    let rest = text.as_bytes().get(end..).unwrap_or_default();
    let mut rest = rest
        .iter()
        .skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b',' | b'"' | b'\''))
        .peekable();
    matches!(rest.peek(), None | Some(b'\n' | b'#' | b'}'))
}

/// Where the value behind a mark stands: in its quotes, or to the next blank; `line` takes it to the end of
/// the line or of the quotes around it.
fn value_after(text: &str, from: usize, line: bool) -> (usize, usize) {
    let bytes = text.as_bytes();
    let mut start = from;
    while matches!(bytes.get(start), Some(b' ' | b'\t')) {
        start += 1;
    }
    // Quotes may be escaped, where JSON stands inside of a text.
    let escaped =
        bytes.get(start) == Some(&b'\\') && matches!(bytes.get(start + 1), Some(b'"' | b'\''));
    start += usize::from(escaped);
    let quote = bytes
        .get(start)
        .copied()
        .filter(|byte| matches!(byte, b'"' | b'\''));
    start += usize::from(quote.is_some());
    let rest = bytes.get(start..).unwrap_or_default();
    let length = match quote {
        Some(quote) => {
            let mut before = 0;
            rest.iter().position(|byte| {
                let ends = *byte == b'\n' || *byte == quote && (escaped || before != b'\\');
                before = if before == b'\\' { 0 } else { *byte };
                ends
            })
        }
        None if line => rest
            .iter()
            .position(|byte| matches!(byte, b'\n' | b'\r' | b'"' | b'\'' | b'`')),
        None => rest.iter().position(|byte| {
            byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b',' | b';' | b'&')
        }),
    };
    let mut end = start + length.unwrap_or(rest.len());
    if escaped && bytes.get(end.wrapping_sub(1)) == Some(&b'\\') && end > start {
        end -= 1;
    }
    while line && end > start && matches!(bytes[end - 1], b' ' | b'\t') {
        end -= 1;
    }
    (start, end)
}

/// Whether a value only says where the secret is, or is none: a variable, a call, a word such as `true`.
fn is_reference(value: &str) -> bool {
    const WORDS: [&str; 9] = [
        "true",
        "false",
        "null",
        "none",
        "nil",
        "undefined",
        "yes",
        "no",
        "***",
    ];
    const LOOKS: [&str; 16] = [
        "process.env",
        "os.environ",
        "os.getenv",
        "getenv(",
        "env(",
        "env.",
        "env[",
        "config.",
        "config[",
        "secrets.",
        "vault:",
        "import.meta.env",
        "system.getenv",
        "std::env",
        "deno.env",
        "params.",
    ];
    let lower = value.trim().to_ascii_lowercase();
    lower.is_empty()
        || WORDS.contains(&lower.as_str())
        || LOOKS.iter().any(|look| lower.starts_with(look))
        || lower.starts_with(['$', '<', '%'])
        || lower.starts_with("{{")
        || lower.starts_with("\u{ab}redacted")
        || lower.starts_with('{') && lower.ends_with('}')
        || lower.contains("...") && lower.len() <= 20
        || lower.starts_with("[redacted")
}
