//! JSON text over many short lines, so that it can be read page by page.

/// From how many characters on a text inside the JSON is broken.
const LONG: usize = 500;

/// The longest piece of a text that is broken.
const PIECE: usize = 1_000;

/// JSON text with one value on a line, two spaces for each level. Digits, escapes and the order of
/// keys stay as they are. A long text is broken behind each `\n` in it, and where a piece is very
/// long; these line ends are no part of it.
pub(crate) fn lay_out(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 4);
    let mut depth = 0_usize;
    let mut rest = json;
    while let Some(next) = rest.chars().next() {
        let length = match next {
            '"' => text_length(rest),
            other => other.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        match next {
            ' ' | '\n' | '\r' | '\t' => {}
            '{' | '[' => {
                out.push(next);
                let inside = rest.trim_start();
                if inside.starts_with(['}', ']']) {
                    out.push_str(&inside[..1]);
                    rest = &inside[1..];
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(next);
            }
            ',' => {
                out.push(next);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            '"' if token.len() > LONG => broken(token, &mut out),
            _ => out.push_str(token),
        }
    }
    out
}

/// How many bytes the text takes that stands at the beginning, quotes included.
fn text_length(json: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in json.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    json.len()
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

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_on_lines_of_their_own() {
        assert_eq!(
            lay_out(r#"{"a":[1.50,{}],"b":"x, {y} \" \n"}"#),
            "{\n  \"a\": [\n    1.50,\n    {}\n  ],\n  \"b\": \"x, {y} \\\" \\n\"\n}"
        );
    }

    #[test]
    fn long_texts_are_broken_and_nothing_is_lost() {
        let long = format!(
            r#"{{"page":"{}\n{}"}}"#,
            "é".repeat(600),
            "\\u0001".repeat(1_200)
        );
        let laid = lay_out(&long);
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
