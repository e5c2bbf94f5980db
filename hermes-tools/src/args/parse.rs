//! Strict JSON text to a tree, with a place for every error.

use std::fmt;

use super::entries::Entries;
use super::escape::{Escape, escape};
use super::number::json_length;
use super::scan::plain_end;
use super::{Issue, MAX_DEPTH, Node};

/// Where and why text is not JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// What was expected, as a lowercase fragment.
    pub message: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} at line {}, column {}",
            self.message, self.line, self.column
        )
    }
}

impl std::error::Error for SyntaxError {}

/// What strict reading had to settle, though the text is JSON.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Notes {
    /// Keys that stand in one object more than once; the last wins.
    pub(super) repeated: Vec<String>,
    /// Halves of surrogate pairs, each of which became U+FFFD.
    pub(super) halves: usize,
}

/// Why text is not JSON.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) error: SyntaxError,
    /// Whether all of the text is the beginning of JSON.
    pub(super) at_end: bool,
}

impl Notes {
    /// What had to be settled, as issues, for a reader that settles nothing.
    pub(super) fn issues(self) -> Vec<Issue> {
        let repeated = self.repeated.iter();
        let mut issues: Vec<Issue> = repeated
            .map(|key| Issue::new("sent more than once").at_key(key))
            .collect();
        if self.halves > 0 {
            issues.push(
                Issue::new("a text holds half of a surrogate pair")
                    .with_hint("send the character itself"),
            );
        }
        issues
    }
}

/// Reads one JSON value.
pub(super) fn parse(text: &str) -> Result<(Node, Notes), SyntaxError> {
    parse_or_break(text).map_err(|broken| broken.error)
}

/// [`parse`], which also tells whether the text was cut off.
pub(super) fn parse_or_break(text: &str) -> Result<(Node, Notes), Broken> {
    let mut parser = Parser {
        text,
        at: 0,
        notes: Notes::default(),
    };
    let read = parser.value(0).and_then(|node| {
        parser.skip_space();
        if parser.at < text.len() {
            return Err(parser.error("expected the end of the text"));
        }
        Ok(node)
    });
    match read {
        Ok(node) => Ok((node, parser.notes)),
        Err(error) => Err(Broken {
            error,
            at_end: parser.at >= text.len(),
        }),
    }
}

impl SyntaxError {
    /// An error at a place of a text, counted in bytes.
    pub(super) fn at(text: &str, at: usize, message: impl Into<String>) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    notes: Notes,
}

impl Parser<'_> {
    fn value(&mut self, depth: usize) -> Result<Node, SyntaxError> {
        self.skip_space();
        if depth > MAX_DEPTH {
            return Err(self.error(&format!("more than {MAX_DEPTH} levels of nesting")));
        }
        match self.byte() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Node::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Node::Bool(true)),
            Some(b'f') => self.word("false", Node::Bool(false)),
            Some(b'n') => self.word("null", Node::Null),
            Some(_) => Err(self.error("expected a value")),
            None => Err(self.error("the text ends where a value should stand")),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Node, SyntaxError> {
        self.at += 1;
        let mut entries = Entries::default();
        if self.eat(b'}') {
            return Ok(entries.into_node());
        }
        loop {
            self.skip_space();
            if self.byte() != Some(b'"') {
                return Err(self.error("expected a key in double quotes"));
            }
            let key = self.string()?;
            if !self.eat(b':') {
                return Err(self.error("expected `:` after a key"));
            }
            let value = self.value(depth + 1)?;
            self.notes.repeated.extend(entries.insert(key, value));
            if self.eat(b'}') {
                return Ok(entries.into_node());
            }
            if !self.eat(b',') {
                return Err(self.error("expected `,` or `}`"));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Node, SyntaxError> {
        self.at += 1;
        let mut items = Vec::new();
        if self.eat(b']') {
            return Ok(Node::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.eat(b']') {
                return Ok(Node::Array(items));
            }
            if !self.eat(b',') {
                return Err(self.error("expected `,` or `]`"));
            }
        }
    }

    fn string(&mut self) -> Result<String, SyntaxError> {
        self.at += 1;
        let mut string = String::new();
        loop {
            let end = plain_end(self.text.as_bytes(), self.at, b'"');
            string.push_str(&self.text[self.at..end]);
            self.at = end;
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => match escape(&self.text[self.at..]) {
                    Escape::Character(character, length) => {
                        string.push(character);
                        self.at += length;
                    }
                    Escape::Half => {
                        string.push(char::REPLACEMENT_CHARACTER);
                        self.notes.halves += 1;
                        self.at += 6;
                    }
                    Escape::Impossible => {
                        return Err(self.error("impossible escape in a text"));
                    }
                },
                Some(_) => return Err(self.error("raw control character in a text")),
                None => return Err(self.error("the text ends inside a string")),
            }
        }
    }

    fn number(&mut self) -> Result<Node, SyntaxError> {
        let rest = &self.text[self.at..];
        let length = json_length(rest.as_bytes()).ok_or_else(|| self.error("malformed number"))?;
        self.at += length;
        Ok(Node::Number(rest[..length].to_owned()))
    }

    fn word(&mut self, word: &str, node: Node) -> Result<Node, SyntaxError> {
        let rest = &self.text[self.at..];
        let follows = rest.as_bytes().get(word.len());
        if !rest.starts_with(word) || follows.is_some_and(u8::is_ascii_alphanumeric) {
            return Err(self.error("expected a value"));
        }
        self.at += word.len();
        Ok(node)
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.skip_space();
        let eaten = self.byte() == Some(byte);
        self.at += usize::from(eaten);
        eaten
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn error(&self, message: &str) -> SyntaxError {
        SyntaxError::at(self.text, self.at, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> String {
        match parse(text) {
            Ok((node, _)) => node.to_json(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn values_come_back_as_they_were_sent() {
        let text = r#"{"a":[1,-0,1.50,9007199254740993,true,null],"é":"\u00e9\ud83d\ude00\n"}"#;
        assert_eq!(
            json(text),
            "{\"a\":[1,-0,1.50,9007199254740993,true,null],\"é\":\"é😀\\n\"}"
        );
    }

    #[test]
    fn errors_name_their_place() {
        assert_eq!(json("{\"a\":1"), "expected `,` or `}` at line 1, column 7");
        assert_eq!(
            json("{\n  a: 1}"),
            "expected a key in double quotes at line 2, column 3"
        );
        assert_eq!(
            json("\"é\u{1}\""),
            "raw control character in a text at line 1, column 3"
        );
        assert_eq!(
            json("\"\\ud83\""),
            "impossible escape in a text at line 1, column 2"
        );
        assert_eq!(json("[01]"), "malformed number at line 1, column 2");
        assert_eq!(
            json("{} {}"),
            "expected the end of the text at line 1, column 4"
        );
        assert_eq!(
            json("\"cut"),
            "the text ends inside a string at line 1, column 5"
        );
    }

    #[test]
    fn the_last_of_equal_keys_wins_and_is_reported() {
        let (node, notes) = parse(r#"{"a":1,"b":2,"a":3}"#).unwrap();
        assert_eq!(node.to_json(), r#"{"a":3,"b":2}"#);
        assert_eq!(notes.repeated, ["a"]);
    }

    #[test]
    fn halves_of_surrogate_pairs_are_replaced_and_counted() {
        let (node, notes) = parse(r#"["\ud83dx","\udc00\ud83d","\ud83d\ude00"]"#).unwrap();
        assert_eq!(
            node.to_json(),
            "[\"\u{fffd}x\",\"\u{fffd}\u{fffd}\",\"😀\"]"
        );
        assert_eq!(notes.halves, 3);
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(json(&deep).starts_with("more than 128 levels of nesting"));
    }
}
