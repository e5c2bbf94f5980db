//! Where a quotation can be at all: around the words of it that no formatting changes.
//!
//! Most of a large text is never folded. A word of the quotation that stands nowhere says so in the
//! time of one search, and one that stands in few places tells where to look.

use std::ops::Range;

use memchr::memmem;

use super::lookalike::is_plain;

/// How many words are tried.
const WORDS: usize = 4;

/// Places of a word up to which it is rare.
const RARE: usize = 256;

/// The parts of a text, as whole lines, in which a quotation can be; none when it is nowhere.
pub(super) fn parts(text: &str, old: &str) -> Vec<Range<usize>> {
    let words = words(old);
    let Some(longest) = words.first() else {
        return std::iter::once(0..text.len()).collect();
    };
    let places = |word: &str, most: usize| -> Vec<usize> {
        let found = memmem::find_iter(text.as_bytes(), word.as_bytes());
        found.take(most).collect()
    };
    // A common word is given up after its first places, so all of them cost little more than one.
    let rare = words.iter().find_map(|word| {
        let places = places(word, RARE);
        (places.len() < RARE).then_some(places)
    });
    let lines = lines(old);
    match rare {
        Some(places) => around(text, &places, lines),
        None => around(text, &places(longest, usize::MAX), lines),
    }
}

/// Lines that a quotation spans at most, however its line ends are written.
pub(super) fn lines(old: &str) -> usize {
    memchr::memchr_iter(b'\n', old.as_bytes()).count() + 1
}

/// The longest runs of plain characters.
fn words(old: &str) -> Vec<&str> {
    let mut words: Vec<&str> = old
        .split(|character| !is_plain(character))
        .filter(|word| !word.is_empty())
        .collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words.dedup();
    words.truncate(WORDS);
    words
}

/// The lines around places, from so many before to so many behind each. Every line is passed once,
/// however many places are in it.
fn around(text: &str, places: &[usize], lines: usize) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut before = 0;
    for &place in places {
        let floor = parts.last().map_or(0, |last| last.end);
        let start = lines_back(bytes, floor, place, lines);
        match parts.last_mut() {
            Some(last) if place < last.end => {
                let passed = memchr::memchr_iter(b'\n', &bytes[before..place]).count();
                last.end = lines_on(bytes, last.end, passed);
            }
            Some(last) if start == floor => last.end = lines_on(bytes, place, lines),
            _ => parts.push(start..lines_on(bytes, place, lines)),
        }
        before = place;
    }
    parts
}

/// The start of the line that is so many lines back, its own the first, and not before the floor.
pub(super) fn lines_back(bytes: &[u8], floor: usize, place: usize, lines: usize) -> usize {
    let mut at = place.max(floor);
    for _ in 0..lines {
        match memchr::memrchr(b'\n', &bytes[floor..at]) {
            Some(newline) => at = floor + newline,
            None => return floor,
        }
    }
    at + 1
}

/// The end of the line that is so many lines on, its own the first.
pub(super) fn lines_on(bytes: &[u8], place: usize, lines: usize) -> usize {
    let Some(last) = lines.checked_sub(1) else {
        return place;
    };
    let newline = memchr::memchr_iter(b'\n', &bytes[place..]).nth(last);
    newline.map_or(bytes.len(), |newline| place + newline + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, old: &str, expected: &[&str]) {
        let found = parts(text, old);
        let found: Vec<&str> = found.into_iter().map(|part| &text[part]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn only_lines_around_a_rare_word_are_looked_at() {
        let text = "a x\nb\nc x\nd\ne x\nneedle x\nf\ng";
        check(text, "x needle", &["needle x\n"]);
        check(text, "needle\nx", &["e x\nneedle x\nf\n"]);
        check(text, "thread x", &[]);
        // The longest word that is rare is enough.
        check(text, "needle\ty", &["needle x\n"]);
    }

    #[test]
    fn parts_that_touch_are_one() {
        let text = "x\nx\nb\nx x\nc\nd\ne\nx";
        check(text, "x\n", &["x\nx\nb\nx x\nc\n", "e\nx"]);
        check(&text.replace("e\n", ""), "x\n", &["x\nx\nb\nx x\nc\nd\nx"]);
        check("x x x", "x", &["x x x"]);
    }

    #[test]
    fn a_quotation_without_words_can_be_anywhere() {
        check("a\nb", "-- '", &["a\nb"]);
    }
}
