//! How deep a parser may have to go into a file.
//!
//! The parser calls itself for what stands inside brackets, and for each part of a chain: operators, calls
//! of methods, `else if`. What it returns is as deep, and is walked and dropped the same way. Files that
//! programs write can have thousands of such parts, so they get a stack that is large enough.

use super::outline::Lexer;

/// What one pair of brackets may take: some ten calls, without optimisation.
const OF_BRACKETS: usize = 64 << 10;

/// What one more token of a chain may take.
const OF_TOKEN: usize = 48 << 10;

/// What is there anyway.
const LEAST: usize = 1 << 20;

/// Bytes of stack that parsing the text and walking its tree take at most.
pub(super) fn stack_for(text: &str) -> usize {
    let mut lexer = Lexer::new(text);
    // Tokens since the last separator, for each pair of brackets that is open.
    let mut open: Vec<usize> = Vec::new();
    let (mut here, mut outside, mut most) = (0_usize, 0_usize, 0_usize);
    let mut after_brackets = false;
    while let Some(byte) = lexer.peek() {
        if byte.is_ascii_whitespace() {
            lexer.step();
            continue;
        }
        if lexer.skip_comment() {
            continue;
        }
        let ends_item = after_brackets && lexer.begins_item();
        after_brackets = false;
        if ends_item {
            here = 0;
        }
        match byte {
            b'(' | b'[' | b'{' => {
                open.push(here);
                outside += here;
                here = 0;
                lexer.step();
            }
            b')' | b']' | b'}' => {
                here = open.pop().unwrap_or(0);
                outside = outside.saturating_sub(here);
                here += 1;
                after_brackets = byte != b')';
                lexer.step();
            }
            b';' | b',' => {
                here = 0;
                lexer.step();
            }
            _ => {
                here += 1;
                lexer.skip_token(byte);
            }
        }
        most = most.max(open.len() * OF_BRACKETS + (outside + here) * OF_TOKEN);
    }
    LEAST + most
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Brackets and tokens of the deepest place, as long as those are few.
    fn depth(text: &str) -> (usize, usize) {
        let most = (stack_for(text) - LEAST) >> 10;
        let (brackets, token) = (OF_BRACKETS >> 10, OF_TOKEN >> 10);
        let pairs = (0..=3).flat_map(|a| (0..=3).map(move |b| (a, b)));
        let mut pairs = pairs.filter(|(a, b)| a * brackets + b * token == most);
        pairs.next().unwrap_or((most, 0))
    }

    #[test]
    fn brackets_and_chains_add_up_and_separators_end_them() {
        assert_eq!(depth(""), (0, 0));
        assert_eq!(depth("(((\"(((\")))"), (3, 1));
        assert_eq!(depth("f(a, b, [c, d]); g(a)"), (2, 2));
        assert_eq!(depth("a;b;c;/* ( */ // ("), (0, 1));
        assert_eq!(depth("#[a] #[b] #[c] fn"), depth("#[a] fn"));
        assert_eq!(depth("{} fn {} fn {} #[x] fn {}"), depth("{} #[x] fn {}"));
        // The second block belongs to the first.
        assert!(depth("if {} else if {} else {}") > depth("if {} if {}"));
    }
}
