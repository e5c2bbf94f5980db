//! Rust, by syn.

use std::iter::Peekable;

use proc_macro2::token_stream::IntoIter;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::Problem;
use super::deep::on_deep_stack;

/// Tokens between two separators that the parser may be deep in, over all brackets around a place.
/// Each can be one level of recursion: a prefix operator, an arm of `else if`, a closure.
const DEEPEST: usize = 2_000;

/// Where a text is no Rust: the first place, since the parser stops there. None when it is nested
/// deeper than the parser goes.
pub(super) fn problems(text: &str) -> Option<Vec<Problem>> {
    on_deep_stack(|| {
        let tokens: TokenStream = match text.parse() {
            Ok(tokens) => tokens,
            Err(error) => return Some(vec![unlexed(text, &error)]),
        };
        if depth(tokens) > DEEPEST {
            return None;
        }
        // From the text and not from the tokens, for its shebang.
        Some(match syn::parse_file(text) {
            Ok(_) => Vec::new(),
            Err(errors) => errors.into_iter().map(|error| problem(&error)).collect(),
        })
    })
}

fn problem(error: &syn::Error) -> Problem {
    let start = error.span().start();
    Problem {
        line: start.line,
        column: start.column + 1,
        message: error.to_string(),
    }
}

/// A text that does not divide into tokens: a bracket or a quote that is not closed.
fn unlexed(text: &str, error: &proc_macro2::LexError) -> Problem {
    let start = error.span().start();
    let last = text.lines().count().max(1);
    Problem {
        line: start.line.clamp(1, last),
        column: start.column + 1,
        message: "a bracket does not match, or a quote is not closed".to_owned(),
    }
}

/// The tokens of one pair of brackets.
struct Level {
    tokens: Peekable<IntoIter>,
    /// How deep the parser is outside.
    outside: usize,
    /// Tokens since the last separator.
    run: usize,
}

impl Level {
    fn new(tokens: TokenStream, outside: usize) -> Self {
        Self {
            tokens: tokens.into_iter().peekable(),
            outside,
            run: 0,
        }
    }

    /// Whether a block that was just passed ends a statement or an item: nothing after it goes on.
    fn is_done(&mut self) -> bool {
        match self.tokens.peek() {
            Some(TokenTree::Ident(word)) => word != "else" && word != "as",
            Some(TokenTree::Punct(mark)) => mark.as_char() == '#',
            _ => true,
        }
    }
}

/// How deep the parser may go at most. Brackets are followed without recursion.
fn depth(tokens: TokenStream) -> usize {
    let mut deepest = 0;
    let mut levels = vec![Level::new(tokens, 0)];
    while let Some(level) = levels.last_mut() {
        let Some(token) = level.tokens.next() else {
            levels.pop();
            continue;
        };
        level.run += 1;
        let here = level.outside + level.run;
        deepest = deepest.max(here);
        match token {
            TokenTree::Punct(mark) if matches!(mark.as_char(), ';' | ',') => level.run = 0,
            TokenTree::Group(group) => {
                if group.delimiter() == Delimiter::Brace && level.is_done() {
                    level.run = 0;
                }
                levels.push(Level::new(group.stream(), here));
            }
            _ => {}
        }
    }
    deepest
}
