//! Where a quotation that is not in a text may have been meant, and what differs there.

use std::collections::BTreeMap;

use memchr::memmem;

/// A line that looks like the quotation and is not what was quoted.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Nearest {
    /// The line, counted from 1.
    pub(super) line: usize,
    /// Its text, cut at [`SHOWN`] characters.
    pub(super) text: String,
    /// What differs from what was quoted, in words; none for what is equal so far.
    pub(super) differs: Option<String>,
}

/// How many places are told.
const PLACES: usize = 3;

/// Characters of a line that are told.
const SHOWN: usize = 200;

/// Characters of a difference that are told.
const DIFFERENCE: usize = 60;

/// Words of a line that are compared, and characters that are looked at for them.
const WORDS: usize = 64;

/// Words by which lines are looked for.
const SOUGHT: usize = 3;

/// Lines that are compared for each word. The first ones of a large text do for a common word.
const CANDIDATES: usize = 200;

/// The places whose line looks most like the first line of a quotation that is not blank, the
/// best first. Where nothing does, those that look like its longest line.
///
/// Where that line stands as it is quoted, the place is the first line after it that differs. A text
/// is searched for a few words of the line and not read line by line, so this takes about the time
/// of a search for each.
pub(super) fn nearest(text: &str, old: &str) -> Vec<Nearest> {
    let quoted: Vec<&str> = old.lines().map(str::trim).collect();
    let Some(first) = quoted.iter().position(|line| !line.is_empty()) else {
        return Vec::new();
    };
    let found = like(text, &quoted[first..]);
    let longest = (0..quoted.len()).max_by_key(|line| quoted[*line].len());
    match longest {
        Some(longest) if found.is_empty() && longest != first => like(text, &quoted[longest..]),
        _ => found,
    }
}

/// The places that look like the first of some quoted lines.
fn like(text: &str, quoted: &[&str]) -> Vec<Nearest> {
    let words: Vec<&str> = words(quoted[0]).collect();
    let mut sought = words.clone();
    sought.sort_by_key(|word| std::cmp::Reverse(word.len()));
    sought.dedup();
    sought.truncate(SOUGHT);
    // The lines that hold one of them, by where they begin.
    let mut lines: BTreeMap<usize, u32> = BTreeMap::new();
    for part in std::iter::once(quoted[0]).chain(sought) {
        let places = memmem::find_iter(text.as_bytes(), part.as_bytes());
        for place in places.take(CANDIDATES) {
            let start = memchr::memrchr(b'\n', &text.as_bytes()[..place]);
            let start = start.map_or(0, |newline| newline + 1);
            lines
                .entry(start)
                .or_insert_with(|| likeness(line_at(text, start), quoted[0], &words));
        }
    }
    let mut ranked: Vec<(u32, usize)> = lines
        .into_iter()
        .filter(|(_, score)| *score >= ENOUGH)
        .map(|(start, score)| (score, start))
        .collect();
    // Stable, so that of equal ones the first comes first.
    ranked.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    if ranked.first().is_some_and(|(best, _)| *best == EQUAL) {
        ranked.retain(|(score, _)| *score == EQUAL);
    }
    ranked.truncate(PLACES);
    ranked
        .into_iter()
        .map(|(_, start)| difference(text, start, quoted))
        .collect()
}

/// The line that begins here, without white space around it.
fn line_at(text: &str, start: usize) -> &str {
    let rest = &text[start..];
    let end = memchr::memchr(b'\n', rest.as_bytes());
    rest[..end.unwrap_or(rest.len())].trim()
}

/// Likeness of equal lines.
const EQUAL: u32 = 1_000;

/// Likeness from which a line is worth telling: half of all words are shared.
const ENOUGH: u32 = 500;

/// How much two lines share, up to [`EQUAL`]: twice the words of the one that stand in the other, by
/// the words of both.
fn likeness(line: &str, quoted: &str, quoted_words: &[&str]) -> u32 {
    if line == quoted {
        return EQUAL;
    }
    let (mut all, mut shared) = (0, 0);
    for word in words(line) {
        all += 1;
        shared += u32::from(quoted_words.contains(&word));
    }
    let quoted_all = u32::try_from(quoted_words.len()).unwrap_or(u32::MAX);
    // A word that stands twice in a line counts twice there, so the share has an upper end.
    (2 * shared.min(quoted_all) * EQUAL)
        .checked_div(all + quoted_all)
        .unwrap_or(0)
        .min(EQUAL - 1)
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|character: char| !character.is_alphanumeric() && character != '_')
        .filter(|word| !word.is_empty())
        .take(WORDS)
}

/// The first line from a place on that is not what was quoted there.
fn difference(text: &str, start: usize, quoted: &[&str]) -> Nearest {
    let before = memchr::memchr_iter(b'\n', &text.as_bytes()[..start]).count();
    let mut last = (before + 1, "", None);
    for (index, (stands, quoted)) in text[start..].lines().zip(quoted).enumerate() {
        let differs = (stands.trim() != *quoted).then(|| in_words(stands.trim(), quoted));
        let is_found = differs.is_some();
        last = (before + index + 1, stands, differs);
        if is_found {
            break;
        }
    }
    let (line, text, differs) = last;
    Nearest {
        line,
        text: text.chars().take(SHOWN).collect(),
        differs,
    }
}

/// What differs between a line and what was quoted for it.
fn in_words(stands: &str, quoted: &str) -> String {
    let bare = |line: &str| -> String { line.chars().filter(|c| !c.is_whitespace()).collect() };
    let unquoted = |line: &str| line.replace(['"', '\''], "`");
    if bare(stands) == bare(quoted) {
        return "there is white space on one side alone".to_owned();
    }
    if unquoted(stands) == unquoted(quoted) {
        return "the quotation marks differ".to_owned();
    }
    if stands.to_lowercase() == quoted.to_lowercase() {
        return "upper and lower case differ".to_owned();
    }
    let (stands, quoted) = without_common_ends(stands, quoted);
    match (stands, quoted) {
        ("", quoted) => format!("`{}` is not there", brief(quoted)),
        (stands, "") => format!("`{}` was not quoted", brief(stands)),
        (stands, quoted) => format!(
            "`{}` stands where `{}` was quoted",
            brief(stands),
            brief(quoted)
        ),
    }
}

fn brief(text: &str) -> String {
    let mut brief: String = text.chars().take(DIFFERENCE).collect();
    if brief.len() < text.len() {
        brief.push_str(" ...");
    }
    brief
}

/// Two lines without the words and marks that both begin and end with.
fn without_common_ends<'l>(line: &'l str, other: &'l str) -> (&'l str, &'l str) {
    let (left, right) = (pieces(line), pieces(other));
    let start = left.iter().zip(&right).take_while(|(a, b)| a == b).count();
    let ends = left[start..].iter().rev().zip(right[start..].iter().rev());
    let end = ends.take_while(|(a, b)| a == b).count();
    let inner = |line: &'l str, pieces: &[&str]| -> &'l str {
        let length = |pieces: &[&str]| pieces.iter().map(|piece| piece.len()).sum::<usize>();
        line[length(&pieces[..start])..line.len() - length(&pieces[pieces.len() - end..])].trim()
    };
    (inner(line, &left), inner(other, &right))
}

/// A line in words and single marks.
fn pieces(line: &str) -> Vec<&str> {
    let is_word = |character: &char| character.is_alphanumeric() || *character == '_';
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let length = if is_word(&first) {
            rest.chars().take_while(is_word).map(char::len_utf8).sum()
        } else {
            first.len_utf8()
        };
        let (piece, behind) = rest.split_at(length);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, old: &str, places: &[(usize, &str)]) {
        let nearest = nearest(text, old);
        let found: Vec<(usize, &str)> = nearest
            .iter()
            .map(|place| (place.line, &*place.text))
            .collect();
        assert_eq!(found, places);
    }

    #[test]
    fn a_line_that_shares_words_is_near() {
        let text = "import os\nversion = \"1.4.2\"\nname = \"x\"\n";
        check(text, "version = \"1.4.1\"", &[(2, "version = \"1.4.2\"")]);
    }

    #[test]
    fn another_indentation_is_nearest() {
        check(
            "def m():\n    return 1\n",
            "return 1",
            &[(2, "    return 1")],
        );
    }

    #[test]
    fn where_the_first_line_fits_the_line_that_differs_is_told() {
        check("a()\nb()\nc()\n", "\na()\nb()\nx()\n", &[(3, "c()")]);
        check("a()\nb()\n", "a()\nb()\nc()\n", &[(2, "b()")]);
    }

    #[test]
    fn the_best_three_places_are_told_in_order() {
        let text = "let a = 1;\nlet b = 2;\nlet a = 2;\nlet c = 3;\nlet a = 3;\n";
        check(
            text,
            "let a = 9;",
            &[(1, "let a = 1;"), (3, "let a = 2;"), (5, "let a = 3;")],
        );
    }

    #[test]
    fn where_the_first_line_is_nowhere_the_longest_is_looked_for() {
        let text = "start()\ncompute the total sum\nend()\n";
        check(
            text,
            "nothing\ncompute the total sum now",
            &[(2, "compute the total sum")],
        );
    }

    #[test]
    fn what_shares_nothing_is_not_near() {
        check("completely different\n", "nothing alike 12345", &[]);
        check("a\n", "  \n", &[]);
        check("", "x", &[]);
    }

    #[test]
    fn what_differs_is_told() {
        for (stands, quoted, differs) in [
            (
                "f(a,b)",
                "f(a, b)",
                "there is white space on one side alone",
            ),
            ("x = 'a'", "x = \"a\"", "the quotation marks differ"),
            ("let A = 1", "let a = 1", "upper and lower case differ"),
            (
                "v = \"1.4.2\"",
                "v = \"1.4.1\"",
                "`2` stands where `1` was quoted",
            ),
            ("if a {", "if a && b {", "`&& b` is not there"),
            ("if !a && b {", "if a && b {", "`!` was not quoted"),
        ] {
            assert_eq!(in_words(stands, quoted), differs, "{stands}");
        }
    }
}
