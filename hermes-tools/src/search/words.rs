//! Text to words: of names, descriptions and questions.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Words that say nothing about a tool. They count only in a question that holds nothing else.
const FILLERS: &[&str] = &[
    "a", "about", "also", "am", "an", "and", "any", "are", "as", "at", "be", "but", "by", "can",
    "could", "did", "do", "does", "for", "from", "has", "have", "how", "i", "if", "in", "into",
    "is", "it", "its", "like", "may", "me", "my", "need", "of", "on", "or", "our", "out", "please",
    "should", "so", "some", "that", "the", "their", "them", "then", "there", "these", "they",
    "this", "those", "to", "tool", "use", "using", "want", "was", "we", "were", "what", "when",
    "where", "which", "who", "why", "will", "with", "would", "you", "your",
];

/// Whether a word says nothing about a tool.
pub(super) fn is_filler(word: &str) -> bool {
    FILLERS.binary_search(&word).is_ok()
}

/// Hands out the words of a text in lower case, without accents.
///
/// Words end at everything that is no letter or digit, where a capital follows a small letter, and
/// between letters and digits; a run that is broken inside is handed out as a whole, too. Scripts
/// without spaces are handed out as pairs of neighbouring characters.
pub(super) fn each_word(text: &str, mut found: impl FnMut(&str)) {
    let folded: String;
    let text = if text.is_ascii() {
        text
    } else {
        // Half of every accent is the letter that it stands on.
        folded = text
            .nfkd()
            .filter(|it| !is_combining_mark(*it))
            .nfc()
            .collect();
        &folded
    };
    let mut word = String::new();
    let mut previous: Option<(&str, &str)> = None;
    for (gap, run) in runs(text) {
        if run.chars().any(is_dense) {
            dense(run, &mut word, &mut found);
            previous = None;
            continue;
        }
        split(run, &mut word, &mut found);
        // `e-mail` is `email`, too.
        if let Some((_, first)) = previous.filter(|(_, first)| gap == "-" && first.len() == 1) {
            word.clear();
            lower(first, &mut word);
            lower(run, &mut word);
            found(&word);
        }
        previous = Some((gap, run));
    }
}

/// Runs of letters and digits, each with what stands between it and the one before.
fn runs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(char::is_alphanumeric)?;
        let (gap, from) = rest.split_at(start);
        let end = from
            .find(|it: char| !it.is_alphanumeric())
            .unwrap_or(from.len());
        let (run, after) = from.split_at(end);
        rest = after;
        Some((gap, run))
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Small,
    Capital,
    Digit,
}

fn class(character: char) -> Class {
    if character.is_numeric() {
        Class::Digit
    } else if character.is_uppercase() {
        Class::Capital
    } else {
        Class::Small
    }
}

/// The parts of one run, and the run itself when it has several.
fn split(run: &str, word: &mut String, found: &mut impl FnMut(&str)) {
    let plain = run.bytes().all(|byte| byte.is_ascii_lowercase());
    if plain {
        found(run);
        return;
    }
    let letters: Vec<(usize, Class)> = run.char_indices().map(|(at, it)| (at, class(it))).collect();
    let mut start = 0;
    let mut parts = 0;
    let mut has_digit = false;
    for place in 1..=letters.len() {
        if place < letters.len() && !is_border(&letters, place) {
            continue;
        }
        let end = letters.get(place).map_or(run.len(), |(at, _)| *at);
        let part = &run[letters[start].0..end];
        let digits = letters[start].1 == Class::Digit;
        has_digit |= digits;
        parts += 1;
        let whole = place - start == letters.len();
        // One letter beside a digit, as in `k8s`, is no word.
        if whole || (!digits && part.chars().nth(1).is_some()) {
            word.clear();
            lower(part, word);
            found(word);
        }
        start = place;
    }
    if parts > 1 && (has_digit || run.len() <= 64) {
        word.clear();
        lower(run, word);
        found(word);
    }
}

/// Whether a part begins at this place.
fn is_border(letters: &[(usize, Class)], place: usize) -> bool {
    use Class::{Capital, Digit, Small};
    let at = |index: usize| letters.get(index).map(|(_, class)| *class);
    match (letters[place - 1].1, letters[place].1) {
        (Small, Capital | Digit) | (Digit, Small | Capital) | (Capital, Digit) => true,
        // `HTTPProxy`: the last capital belongs to what follows, unless that is a plural (`URLs`).
        (Capital, Capital) => at(place + 1) == Some(Small) && at(place + 2) == Some(Small),
        _ => false,
    }
}

fn lower(text: &str, word: &mut String) {
    if text.is_ascii() {
        let start = word.len();
        word.push_str(text);
        word[start..].make_ascii_lowercase();
        return;
    }
    word.extend(text.chars().flat_map(char::to_lowercase));
}

/// Whether a script has no spaces between words.
fn is_dense(character: char) -> bool {
    matches!(u32::from(character),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

fn dense(run: &str, word: &mut String, found: &mut impl FnMut(&str)) {
    let characters: Vec<char> = run.chars().collect();
    for same in characters.chunk_by(|a, b| is_dense(*a) == is_dense(*b)) {
        if !is_dense(same[0]) {
            let part: String = same.iter().collect();
            split(&part, word, found);
        } else if let [one] = same {
            word.clear();
            word.push(*one);
            found(word);
        } else {
            for pair in same.windows(2) {
                word.clear();
                word.extend(pair);
                found(word);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        each_word(text, |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn names_fall_apart_at_capitals_digits_and_separators() {
        assert_eq!(
            words("mcp__github__list-issues"),
            ["mcp", "github", "list", "issues"]
        );
        assert_eq!(words("createTicket"), ["create", "ticket", "createticket"]);
        assert_eq!(
            words("HTTPProxyStatus"),
            ["http", "proxy", "status", "httpproxystatus"]
        );
        assert_eq!(words("getURLs"), ["get", "urls", "geturls"]);
        assert_eq!(words("k8s"), ["k8s"]);
        assert_eq!(words("http2"), ["http", "http2"]);
        assert_eq!(words("an e-mail"), ["an", "e", "mail", "email"]);
    }

    #[test]
    fn every_script_has_words() {
        assert_eq!(words("Créer"), ["creer"]);
        assert_eq!(words("天气查询"), ["天气", "气查", "查询"]);
        assert_eq!(words("天"), ["天"]);
        assert_eq!(words("Прогноз погоды"), ["прогноз", "погоды"]);
        assert_eq!(words("city天气"), ["city", "天气"]);
        assert_eq!(words("???"), Vec::<String>::new());
    }

    #[test]
    fn fillers_are_sorted() {
        assert!(FILLERS.is_sorted());
    }
}
