//! Text that a tool made for showing, come back as the text of a file.

use super::shown::UNCHANGED;

/// Why a text was made for showing and is no file, if so.
///
/// Lines numbered as `read_file` shows them, or its answer that a page is unchanged, with little else.
pub(super) fn made_for_showing(text: &str) -> Option<&'static str> {
    if text.len() < 1_000 && text.contains(UNCHANGED) {
        return Some("what `read_file` answers about a page that is unchanged");
    }
    is_numbered(text).then_some("lines with the numbers that `read_file` shows before them")
}

/// Whether at least two lines, and three of five of all that are not blank, begin with a number and
/// `|`, each number one above the last.
fn is_numbered(text: &str) -> bool {
    let (mut all, mut numbered) = (0_usize, 0_usize);
    let mut last = None;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        all += 1;
        if let Some(number) = number_of(line) {
            if last.is_some_and(|last: u64| last.checked_add(1) != Some(number)) {
                return false;
            }
            last = Some(number);
            numbered += 1;
        }
    }
    numbered >= 2 && 5 * numbered >= 3 * all
}

fn number_of(line: &str) -> Option<u64> {
    let (number, _) = line.trim_start_matches([' ', '\t']).split_once('|')?;
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| number.parse().ok()).flatten()
}

/// The first line that stands for a part of the file that was left out, and is not in the old text.
pub(super) fn placeholder<'t>(text: &'t str, old: &str) -> Option<(usize, &'t str)> {
    text.lines()
        .enumerate()
        .find(|(_, line)| is_placeholder(line) && !old.contains(line.trim()))
        .map(|(index, line)| (index + 1, line.trim()))
}

/// Words with which models leave out what they do not want to write again.
const LEFT_OUT: &[&str] = &[
    "rest of",
    "remaining",
    "existing",
    "unchanged",
    "same as",
    "stays the same",
    "remains the same",
    "omitted",
    "previous code",
    "other code",
    "as before",
    "keep the",
];

/// Whether a line is a comment that stands for more: dots, and words that say so.
fn is_placeholder(line: &str) -> bool {
    let line = line.trim().to_lowercase();
    if !(line.contains("...") || line.contains('\u{2026}')) || line.len() > 200 {
        return false;
    }
    let comment = [
        "//", "#", "/*", "<!--", "--", ";", "%", "...", "\u{2026}", "*", "{/*", "[",
    ];
    comment.iter().any(|start| line.starts_with(start))
        && LEFT_OUT.iter().any(|words| line.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_lines_are_made_for_showing() {
        for text in [
            "1|import os\n2|\n3|print(os)\n",
            "     9|a\n    10|b\n    11|c\n",
            "intro\n7|a\n8|b\n9|c\n",
            "1|a\r\n2|b\r\n",
        ] {
            assert!(made_for_showing(text).is_some(), "{text}");
        }
        for text in [
            "1|only\n",
            "x|1\ny|2\n",
            "intro text\nmore text\nyet more\nand more\n1|a\n2|b\n",
            "1|a\n3|b\n4|c\n",
            "\u{661}|a\n\u{662}|b\n",
            "|1\n|2\n",
            "",
        ] {
            assert!(made_for_showing(text).is_none(), "{text}");
        }
    }

    #[test]
    fn the_answer_about_an_unchanged_page_is_no_file() {
        let text = format!("{UNCHANGED}: lines 1 to 3");
        assert!(made_for_showing(&text).is_some());
        let long = format!("# Notes\n{}{text}", "The tool says this.\n".repeat(100));
        assert!(made_for_showing(&long).is_none());
    }

    #[test]
    fn a_line_that_stands_for_what_was_left_out_is_found() {
        let text = "function one() {}\n// ... rest of the code stays the same ...\n";
        assert_eq!(
            placeholder(text, "function two() {}"),
            Some((2, "// ... rest of the code stays the same ..."))
        );
        assert_eq!(placeholder(text, text), None, "it stood there before");
        assert_eq!(
            placeholder("# ... existing code ...\n", "").map(|(line, _)| line),
            Some(1)
        );
        assert_eq!(placeholder("Wait for the rest of the day...\n", ""), None);
        assert_eq!(placeholder("// see the docs...\n", ""), None);
    }
}
