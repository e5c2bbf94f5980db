//! Where a quotation that is not in a text may have been meant.

/// A line that looks like the quotation and is not what was quoted.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Nearest {
    /// The line, counted from 1.
    pub(super) line: usize,
    /// Its text, cut at [`SHOWN`] characters.
    pub(super) text: String,
}

/// How many places are told.
const PLACES: usize = 3;

/// Characters of a line that are told.
const SHOWN: usize = 200;

/// Words of a line that are compared.
const WORDS: usize = 64;

/// The places whose line looks most like the first line of a quotation that is not blank, the
/// best first.
///
/// Where that line stands as it is quoted, the place is the first line after it that differs.
pub(super) fn nearest(text: &str, old: &str) -> Vec<Nearest> {
    let quoted: Vec<&str> = old.lines().map(str::trim).collect();
    let Some(anchor) = quoted.iter().position(|line| !line.is_empty()) else {
        return Vec::new();
    };
    let quoted = &quoted[anchor..];
    let words: Vec<&str> = words(quoted[0]).collect();
    let mut ranked: Vec<(u32, usize)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let score = likeness(line.trim(), quoted[0], &words);
        let worst = ranked.last().map_or(0, |(score, _)| *score);
        if score >= ENOUGH && (ranked.len() < PLACES || score > worst) {
            let place = ranked.partition_point(|(other, _)| *other >= score);
            ranked.insert(place, (score, index));
            ranked.truncate(PLACES);
        }
    }
    ranked
        .into_iter()
        .map(|(_, index)| difference(text, index, quoted))
        .collect()
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

/// The first line from `index` on that is not what was quoted there.
fn difference(text: &str, index: usize, quoted: &[&str]) -> Nearest {
    let lines = text.lines().enumerate().skip(index);
    let mut last = (index, "");
    for ((index, line), quoted) in lines.zip(quoted) {
        last = (index, line);
        if line.trim() != *quoted {
            break;
        }
    }
    let (index, line) = last;
    Nearest {
        line: index + 1,
        text: line.chars().take(SHOWN).collect(),
    }
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
    fn what_shares_nothing_is_not_near() {
        check("completely different\n", "nothing alike 12345", &[]);
        check("a\n", "  \n", &[]);
        check("", "x", &[]);
    }
}
