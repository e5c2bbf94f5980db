//! Where a quotation can be at all: around the words of it that no formatting changes.
//!
//! Most of a large text is never folded. A word of the quotation that stands nowhere says so in the
//! time of one search, and one that stands in few places tells where to look. Where every word is
//! common, what stands beside each place is compared as far as it tells at once.

use std::ops::Range;

use memchr::memmem;

use super::lookalike::is_plain;

/// How many words are tried.
const WORDS: usize = 4;

/// Places of a word up to which it is rare.
const RARE: usize = 256;

/// Characters on each side of a common word that are compared.
const COMPARED: usize = 64;

/// The parts of a text, as whole lines, in which a quotation can be; none when it is nowhere. `needle`
/// is the folded quotation.
pub(super) fn parts(text: &str, old: &str, needle: &[u8]) -> Vec<Range<usize>> {
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
        None => around(text, &fitting(text, longest, needle), lines),
    }
}

/// The places of a word beside which a text may be what a folded quotation has there.
fn fitting(text: &str, word: &str, needle: &[u8]) -> Vec<usize> {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    // No formatting changes a word, so it stands in the folded quotation.
    let (before, after) = match memmem::find(needle, word) {
        Some(at) => (&needle[..at], &needle[at + word.len()..]),
        None => (&[][..], &[][..]),
    };
    if word.len() > COMPARED {
        // Each place is compared at its word too, which is too much for long words that repeat themselves.
        return memmem::find_iter(text, word).collect();
    }
    // Places of a word such as `aa` can overlap, and only one of them may be the right one.
    let overlaps = (1..word.len()).any(|part| word.ends_with(&word[..part]));
    let step = if overlaps { 1 } else { word.len() };
    let finder = memmem::Finder::new(word);
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(found) = finder.find(&text[from..]) {
        let place = from + found;
        if goes_on(after.iter(), text[place + word.len()..].iter())
            && goes_on(before.iter().rev(), text[..place].iter().rev())
        {
            places.push(place);
        }
        from = place + step;
    }
    places
}

/// Whether a text may go on as a folded quotation does, in the one direction or the other. What is not
/// certain without folding may.
fn goes_on<'b>(wanted: impl Iterator<Item = &'b u8>, text: impl Iterator<Item = &'b u8>) -> bool {
    let is_white = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
    let mut text = text.copied().peekable();
    for wanted in wanted.take(COMPARED) {
        match (wanted, text.next()) {
            (b'\r', _) => return true,
            (b'\n', mut here) => {
                while here.is_some_and(|byte| is_white(&byte)) {
                    here = text.next();
                }
                match here {
                    Some(b'\n') => while text.next_if(is_white).is_some() {},
                    Some(0x80..) | None => return true,
                    Some(_) => return false,
                }
            }
            (b' ', Some(b' ' | b'\t')) => {
                while text.next_if(|byte| matches!(byte, b' ' | b'\t')).is_some() {}
            }
            (wanted, Some(byte)) if *wanted == byte => {}
            (_, Some(b'\r' | 0x80..)) => return true,
            _ => return false,
        }
    }
    true
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
    use proptest::prelude::*;

    use super::super::fold::Folded;
    use super::*;

    #[track_caller]
    fn check(text: &str, old: &str, expected: &[&str]) {
        let found = parts(text, old, &Folded::whole(old).bytes);
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

    /// A text in which every word of any quotation is common.
    fn common() -> String {
        "\tif a {\n\t\tb(a);\r\n    } \n".repeat(300)
    }

    #[test]
    fn beside_a_common_word_only_what_may_be_quoted_is_looked_at() {
        let once = |line: &str| format!("x\n{0}{line}{0}", common());
        for (text, old, expected) in [
            (common(), "}\n}", 0),
            (common(), "b(b);", 0),
            (common(), "b (a)", 0),
            (once("}\n"), "  }\n  }", 1),
            (once("b(  b);\n"), "b( b);", 1),
            (once("  \n"), "}\n\nif a {", 1),
        ] {
            let found = parts(&text, old, &Folded::whole(old).bytes);
            assert_eq!(found.len(), expected, "{old}");
        }
    }

    #[test]
    fn places_of_a_word_that_overlaps_itself_are_all_looked_at() {
        for (text, old, place) in [
            ("aaabbb\n", "bb\n", 4),
            ("xaaa \n", "aa \n", 2),
            ("ababa.\n", "aba.", 2),
        ] {
            let word = words(old)[0];
            let places = fitting(text, word, &Folded::whole(old).bytes);
            assert_eq!(places, [place], "{text:?}");
        }
    }

    proptest! {
        /// Where a folded quotation is found without anchors, it is found with them.
        #[test]
        fn nothing_that_fits_is_left_out(
            pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24),
            from in 0_usize..24,
            length in 1_usize..8,
        ) {
            let quoted: String = pieces.iter().skip(from).take(length).copied().collect();
            let needle = Folded::whole(&quoted).bytes;
            prop_assume!(!needle.iter().all(u8::is_ascii_whitespace));
            let text = pieces.concat();
            for word in words(&quoted) {
                let places = fitting(&text, word, &needle);
                let parts = around(&text, &places, lines(&quoted));
                let folded = Folded::part(&text, 0..text.len());
                for at in memmem::find_iter(&folded.bytes, &needle) {
                    let Some(start) = folded.start(at) else { continue };
                    prop_assert!(
                        parts.iter().any(|part| part.contains(&start)),
                        "{quoted:?} by {word:?} in {text:?}"
                    );
                }
            }
        }
    }

    const PIECES: [&str; 18] = [
        "a", "b", "ab", " ", "  ", "\t", "\n", "\r\n", "\r", "é", "\u{a0}", "\u{2014}", "-",
        "\u{2026}", ".", "\u{201c}", "\"", "}",
    ];
}
