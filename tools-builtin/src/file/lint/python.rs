//! Python by its grammar alone: what a compiler says of names and of `return` outside a function is
//! not looked at.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_parser::{Mode, ParseError, ParseOptions, parse_unchecked};

use super::Problem;
use super::deep::on_deep_stack;

/// Words and marks between two separators, over all brackets around a place, that a text may have.
///
/// The parser itself takes more stack as it needs it. Dropping its tree does not, and each of these
/// can be a level of the tree.
const DEEPEST: usize = 50_000;

/// Where a text is no Python; none when it may be nested deeper than [`DEEPEST`].
pub(super) fn problems(text: &str) -> Option<Vec<Problem>> {
    if depth(text) > DEEPEST {
        return None;
    }
    on_deep_stack(|| {
        let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module));
        let code_end = text.trim_end().len();
        let problem = |error: &ParseError| {
            let start = error.location.start().to_usize();
            // What is missing at the end was begun somewhere, and that is where to look.
            match unclosed(parsed.tokens()) {
                Some(bracket) if start >= code_end => {
                    let character = text[bracket..].chars().next().unwrap_or_default();
                    Problem::at(text, bracket, format!("`{character}` is never closed"))
                }
                _ => Problem::at(text, start, error.error.to_string()),
            }
        };
        let mut problems: Vec<Problem> = parsed.errors().iter().map(problem).collect();
        problems.sort_by_key(|problem| (problem.line, problem.column));
        Some(problems)
    })
}

/// Where the innermost bracket stands that is open at the end.
fn unclosed(tokens: &Tokens) -> Option<usize> {
    let mut open = Vec::new();
    for token in tokens {
        let (kind, range) = token.as_tuple();
        match kind {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => {
                open.push(range.start().to_usize());
            }
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

/// How deep the tree of a text may be at most. Quotes and comments are read as code, which makes it
/// more and never less.
fn depth(text: &str) -> usize {
    let mut deepest = 0;
    // What is outside the bracket, and what was passed in it since the last separator.
    let mut open = vec![(0_usize, 0_usize)];
    let mut within = false;
    for byte in text.bytes() {
        let is_word = byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
        let goes_on = is_word && within;
        within = is_word;
        let outermost = open.len() == 1;
        let Some((outside, run)) = open.last_mut() else {
            break;
        };
        match byte {
            _ if goes_on => {}
            b',' | b';' => *run = 0,
            b'\n' if outermost => *run = 0,
            b' ' | b'\t' | b'\r' | b'\n' => {}
            b')' | b']' | b'}' if !outermost => {
                open.pop();
            }
            _ => {
                *run += 1;
                let here = *outside + *run;
                deepest = deepest.max(here);
                if matches!(byte, b'(' | b'[' | b'{') {
                    open.push((here, 0));
                }
            }
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_counts_what_stands_between_separators() {
        assert_eq!(depth("a = b + c\n"), 5);
        assert_eq!(depth("a\nb, c\n"), 1);
        assert_eq!(depth("f(a, [b + c])"), 6);
        assert_eq!(depth(")))"), 3);
    }

    #[test]
    fn what_is_judged_fits_the_stack() {
        let times = DEEPEST - 10;
        for (open, close) in [("-", ""), ("not ", ""), ("a.", "")] {
            let deep = format!("x = {}1{}\n", open.repeat(times), close.repeat(times));
            let _ = problems(&deep);
        }
        let lists = format!("x = {}1{}\n", "[".repeat(times), "]".repeat(times));
        assert_eq!(problems(&lists), Some(Vec::new()));
        let sum = format!("x = {}1\n", "1+".repeat(times / 2));
        assert_eq!(problems(&sum), Some(Vec::new()));
        assert_eq!(problems(&"[".repeat(DEEPEST + 1)), None);
    }
}
