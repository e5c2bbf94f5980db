//! Keys that are known by their form.

use super::{MASK, Marks};

/// What keys of known services begin with.
const PREFIXES: [&str; 62] = [
    "sk-",
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "rk_test_",
    "sk_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "gldt-",
    "glrt-",
    "hf_",
    "npm_",
    "pypi-",
    "gsk_",
    "dop_v1_",
    "doo_v1_",
    "dor_v1_",
    "pplx-",
    "xoxb-",
    "xoxp-",
    "xoxa-",
    "xoxr-",
    "xoxs-",
    "xapp-",
    "AKIA",
    "ASIA",
    "AIza",
    "SG.",
    "r8_",
    "fal_",
    "fc-",
    "bb_live_",
    "gAAAA",
    "tvly-",
    "exa_",
    "am_",
    "syt_",
    "hsk-",
    "mem0_",
    "brv_",
    "retaindb_",
    "xai-",
    "ntn_",
    "lin_api_",
    "whsec_",
    "shpat_",
    "shpss_",
    "dapi",
    "PMAK-",
    "ATATT",
    "NRAK-",
    "ya29.",
    "sntrys_",
    "dckr_pat_",
    "hvs.",
    "nvapi-",
    "csk-",
];

/// Marks keys by what they begin with, signed tokens, and those of Telegram's bots.
pub(super) fn known(text: &str, in_file: bool, marks: &mut Marks) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_word(bytes[at]) {
            at += 1;
            continue;
        }
        let end = at
            + bytes[at..]
                .iter()
                .take_while(|byte| is_word(**byte))
                .count();
        let mut key_end = end;
        // Some keys have parts behind dots.
        while bytes.get(key_end) == Some(&b'.')
            && bytes.get(key_end + 1).is_some_and(|byte| is_word(*byte))
        {
            key_end += 1 + bytes[key_end + 1..]
                .iter()
                .take_while(|byte| is_word(**byte))
                .count();
        }
        let (word, whole) = (&text[at..end], &text[at..key_end]);
        if let Some(prefix) = prefix_of(word, whole) {
            let dotted = prefix.ends_with('.');
            let end = if dotted { key_end } else { end };
            if in_file {
                marks.add(at, end, format!("\u{ab}redacted:{prefix}\u{2026}\u{bb}"));
            } else {
                marks.mask(text, at, end);
            }
        } else if is_signed(whole) {
            marks.mask(text, at, key_end);
        } else if let Some(colon) = telegram(text, at, end) {
            marks.add(colon + 1, telegram_end(bytes, colon + 1), MASK.to_owned());
        }
        at = if whole.len() > word.len() && is_signed(whole) {
            key_end
        } else {
            end
        };
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// What a key begins with, when a word is one.
fn prefix_of(word: &str, whole: &str) -> Option<&'static str> {
    // The longest that fits, so that its name says the most.
    let found = PREFIXES.iter().filter(|prefix| {
        let text = if prefix.ends_with('.') { whole } else { word };
        text.starts_with(**prefix)
    });
    let prefix = *found.max_by_key(|prefix| prefix.len())?;
    let text = if prefix.ends_with('.') { whole } else { word };
    let rest = &text[prefix.len()..];
    let fits = match prefix {
        "AKIA" | "ASIA" => {
            rest.len() == 16
                && rest
                    .bytes()
                    .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        }
        "AIza" => rest.len() >= 30,
        "gAAAA" | "ATATT" => rest.len() >= 20,
        "dapi" => rest.len() >= 32 && rest.bytes().all(|b| b.is_ascii_hexdigit()),
        _ => rest.len() >= 10 && is_random(rest),
    };
    fits.then_some(prefix)
}

/// Whether a text is made by chance and not of words: capitals and digits mixed, or a long part with
/// letters and digits.
fn is_random(text: &str) -> bool {
    let has = |part: &str, kind: fn(&char) -> bool| part.chars().any(|c| kind(&c));
    let digit = has(text, char::is_ascii_digit);
    if digit && has(text, char::is_ascii_uppercase) && has(text, char::is_ascii_lowercase) {
        return true;
    }
    text.split(['-', '_', '.']).any(|part| {
        let mixed = has(part, char::is_ascii_digit) && has(part, char::is_ascii_alphabetic);
        part.len() >= 12 && mixed
            || part.len() >= 20
                && has(part, char::is_ascii_uppercase)
                && has(part, char::is_ascii_lowercase)
            || part.len() >= 16 && part.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Whether a text is a token in the form of RFC 7519: parts in base 64, the first a JSON object.
fn is_signed(text: &str) -> bool {
    let first = text.split('.').next().unwrap_or("");
    first.starts_with("eyJ") && first.len() >= 13
}

/// The colon in a token of a bot: digits, a colon, and at least 30 characters.
fn telegram(text: &str, start: usize, end: usize) -> Option<usize> {
    let digits = text[start..end].trim_start_matches("bot");
    let is_id =
        (8..=14).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let bytes = text.as_bytes();
    let long = telegram_end(bytes, end + 1).saturating_sub(end + 1) >= 30;
    (is_id && bytes.get(end) == Some(&b':') && long).then_some(end)
}

fn telegram_end(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    start + rest.iter().take_while(|byte| is_word(**byte)).count()
}

/// Marks blocks of private keys, also those that are cut off.
pub(super) fn private_keys(text: &str, marks: &mut Marks) {
    const BEGIN: &str = "-----BEGIN ";
    let mut at = 0;
    while let Some(found) = text[at..].find(BEGIN) {
        let start = at + found;
        let kind = &text[start + BEGIN.len()..];
        let line = kind.split(['\n', '\r']).next().unwrap_or("");
        // An escaped line end is one too, as in JSON.
        let line = line.split("\\n").next().unwrap_or("");
        at = start + BEGIN.len();
        let Some(name) = line
            .split("-----")
            .next()
            .filter(|name| name.ends_with("PRIVATE KEY") || name.ends_with("PRIVATE KEY BLOCK"))
        else {
            continue;
        };
        let close = format!("-----END {name}-----");
        let end = text[at..]
            .find(&close)
            .map_or(text.len(), |end| at + end + close.len());
        marks.add(start, end, "[REDACTED PRIVATE KEY]".to_owned());
        at = end;
    }
}

/// Marks phone numbers in the form of E.164: a plus sign and 7 to 15 digits.
pub(super) fn phone_numbers(text: &str, marks: &mut Marks) {
    let bytes = text.as_bytes();
    for (start, _) in text.match_indices('+') {
        let digits = bytes[start + 1..]
            .iter()
            .take(17)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let end = start + 1 + digits;
        let free = |byte: Option<&u8>| {
            byte.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
        };
        let before = start.checked_sub(1).and_then(|index| bytes.get(index));
        if !(7..=15).contains(&digits)
            || bytes.get(start + 1) == Some(&b'0')
            || !free(bytes.get(end))
            || !free(before)
        {
            continue;
        }
        let number = &text[start..end];
        let keep = if number.len() <= 8 { 2 } else { 4 };
        let shown = format!("{}****{}", &number[..keep], &number[number.len() - keep..]);
        marks.add(start, end, shown);
    }
}
