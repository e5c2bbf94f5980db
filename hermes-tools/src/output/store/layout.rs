//! JSON text over many short lines, so that it can be read page by page.

use super::super::layout::lay_out_with;

/// From how many characters on a text inside the JSON is broken.
const LONG: usize = 500;

/// The longest piece of a text that is broken.
const PIECE: usize = 1_000;

/// JSON text with one value on a line, as [`lay_out`](crate::output::lay_out) writes it. A long text is
/// broken behind each `\n` in it, and where a piece is very long; these line ends are no part of it.
pub(crate) fn lay_out_short(json: &str) -> String {
    lay_out_with(json, |text, out| {
        if text.len() > LONG {
            broken(text, out);
        } else {
            out.push_str(text);
        }
    })
}

fn broken(token: &str, out: &mut String) {
    let mut piece = 0;
    let mut characters = token.chars();
    while let Some(character) = characters.next() {
        out.push(character);
        piece += 1;
        let mut ends = false;
        if character == '\\'
            && let Some(escape) = characters.next()
        {
            out.push(escape);
            piece += 1;
            ends = escape == 'n';
            if escape == 'u' {
                out.extend(characters.by_ref().take(4));
                piece += 4;
            }
        }
        if (ends || piece >= PIECE) && !characters.as_str().is_empty() {
            out.push('\n');
            piece = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_broken_and_nothing_is_lost() {
        let long = format!(
            r#"{{"page":"{}\n{}"}}"#,
            "é".repeat(600),
            "\\u0001".repeat(1_200)
        );
        let laid = lay_out_short(&long);
        assert!(laid.lines().all(|line| line.chars().count() <= PIECE + 20));
        assert!(
            laid.lines()
                .nth(1)
                .is_some_and(|line| line.ends_with("é\\n"))
        );
        assert_eq!(
            laid.replace("\n  ", "").replace('\n', ""),
            long.replace(":\"", ": \"")
        );
    }
}
