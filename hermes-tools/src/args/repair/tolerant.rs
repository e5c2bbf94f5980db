//! Reads one list or object from damaged text.
//!
//! Time is linear in the length of the text: every byte is passed once, and looking ahead has a
//! budget.

use std::cell::OnceCell;

use super::Stop;
use super::damage::{Damage, Damages};
use rustc_hash::FxHashSet;

use crate::args::entries::Entries;
use crate::args::envelope;
use crate::args::number::json_length;
use crate::args::{MAX_DEPTH, Node};

/// Keys that may occur, as they are spelt and folded; `None` where nothing is known of them.
#[derive(Debug)]
pub(in crate::args) struct KnownKeys {
    /// Those of the arguments themselves.
    pub(in crate::args) outermost: Option<FxHashSet<String>>,
    /// Those at any depth.
    pub(in crate::args) all: Option<FxHashSet<String>>,
}

/// How a text may be read.
#[derive(Debug, Clone, Copy)]
pub(in crate::args) struct Options<'k> {
    /// Whether missing closing brackets may be added.
    pub(in crate::args) close: bool,
    /// Whether words around the value may be dropped.
    pub(in crate::args) prose: bool,
    pub(in crate::args) keys: Option<&'k KnownKeys>,
}

/// Reads damaged text from front to back.
#[derive(Debug)]
pub(super) struct Tolerant<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) frames: Vec<Frame>,
    pub(super) damages: Damages,
    pub(super) options: Options<'a>,
    /// Whether two closers in the wrong order are taken for swapped ones.
    swap: bool,
    /// Whether closers did not match, so that there are two ways of reading.
    pub(super) mismatched: bool,
    /// Whether closers were added at the end of the text.
    pub(super) ended: bool,
    /// Bytes that looking ahead may still pass.
    pub(super) budget: usize,
    /// The last quote.
    pub(super) last_quote: OnceCell<Option<usize>>,
    /// The end of the last block comment.
    pub(super) last_block: OnceCell<Option<usize>>,
    /// The last byte that only a call has: a quote, an opening bracket, a colon.
    pub(super) last_structure: OnceCell<Option<usize>>,
}

/// A list or object that is open.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) closer: u8,
    /// Whether all its keys so far are those of wrappers.
    wraps: bool,
    after: After,
    content: Content,
}

#[derive(Debug)]
enum Content {
    List(Vec<Node>),
    Object(Entries, Option<String>),
}

/// What was read last inside a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    Opening,
    Comma,
    Value,
}

impl Frame {
    fn new(opener: u8) -> Self {
        let (closer, content) = match opener {
            b'{' => (b'}', Content::Object(Entries::default(), None)),
            b'[' => (b']', Content::List(Vec::new())),
            _ => (b')', Content::List(Vec::new())),
        };
        Self {
            closer,
            wraps: true,
            after: After::Opening,
            content,
        }
    }

    pub(super) fn is_object(&self) -> bool {
        self.closer == b'}'
    }

    /// Whether it is an object with keys, all of them those of wrappers.
    pub(super) fn is_wrapper(&self) -> bool {
        self.wraps && self.is_object() && (self.is_pending() || !self.is_empty())
    }

    fn is_pending(&self) -> bool {
        matches!(self.content, Content::Object(_, Some(_)))
    }

    fn is_empty(&self) -> bool {
        match &self.content {
            Content::List(items) => items.is_empty(),
            Content::Object(entries, _) => entries.is_empty(),
        }
    }

    fn into_node(self) -> Node {
        match self.content {
            Content::Object(entries, _) => entries.into_node(),
            // Brackets around one value are no tuple; Python's comma makes one.
            Content::List(mut items)
                if self.closer == b')' && items.len() == 1 && self.after == After::Value =>
            {
                items.pop().unwrap_or(Node::Null)
            }
            Content::List(items) => Node::Array(items),
        }
    }
}

impl<'a> Tolerant<'a> {
    pub(super) fn new(text: &'a str, at: usize, options: Options<'a>, swap: bool) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at,
            frames: Vec::new(),
            damages: Damages::default(),
            options,
            swap,
            mismatched: false,
            ended: false,
            budget: 16 * text.len() + 4096,
            last_quote: OnceCell::new(),
            last_block: OnceCell::new(),
            last_structure: OnceCell::new(),
        }
    }

    /// Reads the list or object that stands here.
    pub(super) fn read(&mut self) -> Result<Node, Stop> {
        self.open()?;
        loop {
            self.skip_gap()?;
            let Some(byte) = self.next(self.at) else {
                return self.end_of_text();
            };
            match byte {
                b'}' | b']' | b')' => {
                    if let Some(node) = self.close(byte)? {
                        return Ok(node);
                    }
                }
                b',' => self.comma()?,
                _ if self.wants_key() => self.key(byte)?,
                _ => self.value(byte)?,
            }
        }
    }

    pub(super) fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn stop(&self, message: &'static str) -> Stop {
        Stop {
            at: self.at,
            message,
            cut: false,
        }
    }

    pub(super) fn cut(&self, message: &'static str) -> Stop {
        Stop {
            at: self.at,
            message,
            cut: true,
        }
    }

    fn top(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut()
    }

    fn wants_key(&self) -> bool {
        self.frames
            .last()
            .is_some_and(|frame| frame.is_object() && !frame.is_pending())
    }

    fn open(&mut self) -> Result<(), Stop> {
        if self.frames.len() == MAX_DEPTH {
            return Err(self.stop("more than 128 levels of nesting"));
        }
        let opener = self.byte().unwrap_or(b'{');
        if opener == b'(' {
            self.damages.add(Damage::Tuple, self.at);
        }
        self.frames.push(Frame::new(opener));
        self.at += 1;
        Ok(())
    }

    fn comma(&mut self) -> Result<(), Stop> {
        let at = self.at;
        let pending = self.stop("expected a value before `,`");
        let Some(frame) = self.frames.last_mut() else {
            return Err(pending);
        };
        if frame.is_pending() {
            return Err(pending);
        }
        if frame.after != After::Value {
            self.damages.add(Damage::SurplusComma, at);
        }
        frame.after = After::Comma;
        self.at += 1;
        Ok(())
    }

    /// Closes frames; gives the value back when the outermost is closed.
    fn close(&mut self, closer: u8) -> Result<Option<Node>, Stop> {
        if self.frames.last().is_some_and(Frame::is_pending) {
            return Err(self.stop("expected a value after `:`"));
        }
        if self.matches(1, closer) {
            if self.frames.len() == 1 && closer == b'}' && self.goes_on() {
                self.damages.add(Damage::SurplusCloser, self.at);
                self.at += 1;
                return Ok(None);
            }
            self.at += 1;
            return Ok(self.pop());
        }
        self.mismatched = true;
        let next = self.gap(self.at + 1);
        let inner = self.frames.last().map(|frame| frame.closer);
        if self.swap && self.matches(2, closer) && self.bytes.get(next).copied() == inner {
            self.damages.add(Damage::SwappedClosers, self.at);
            self.at = next + 1;
            self.pop();
            return Ok(self.pop());
        }
        let Some(outer) = self.frames.iter().rposition(|frame| frame.closer == closer) else {
            self.damages.add(Damage::SurplusCloser, self.at);
            self.at += 1;
            return Ok(None);
        };
        while self.frames.len() > outer + 1 {
            if self.frames.last().is_some_and(Frame::is_empty) {
                return Err(self.stop("a bracket is closed by another, with nothing in between"));
            }
            self.damages.add(Damage::MissingCloser, self.at);
            self.pop();
        }
        self.at += 1;
        Ok(self.pop())
    }

    /// Whether the frame that stands so far from the top has this closer.
    fn matches(&self, from_top: usize, closer: u8) -> bool {
        let place = self.frames.len().checked_sub(from_top);
        place.is_some_and(|place| self.frames[place].closer == closer)
    }

    /// Whether the outermost object goes on behind a closer that is one too many.
    fn goes_on(&mut self) -> bool {
        let next = self.gap(self.at + 1);
        if self.bytes.get(next) != Some(&b',') {
            return false;
        }
        let next = self.gap(next + 1);
        self.next(next).is_some() && self.is_key(next, 1)
    }

    /// Closes the innermost frame; gives its value back when it was the last.
    fn pop(&mut self) -> Option<Node> {
        let frame = self.frames.pop()?;
        if frame.after == After::Comma && frame.closer != b')' {
            self.damages.add(Damage::SurplusComma, self.at);
        }
        let node = frame.into_node();
        if self.frames.is_empty() {
            return Some(node);
        }
        self.put(node);
        None
    }

    fn put(&mut self, node: Node) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        frame.after = After::Value;
        match &mut frame.content {
            Content::List(items) => items.push(node),
            Content::Object(entries, key) => {
                if let Some(key) = key.take()
                    && let Some(repeated) = entries.insert(key, node)
                {
                    self.damages.repeated(repeated);
                }
            }
        }
    }

    fn end_of_text(&mut self) -> Result<Node, Stop> {
        let whole = self.frames.last().is_some_and(|frame| {
            !frame.is_pending() && frame.after != After::Opening && !frame.is_empty()
        });
        if !whole {
            return Err(self.cut("the text ends before the arguments do"));
        }
        self.ended = true;
        self.damages.add(Damage::MissingCloser, self.at);
        loop {
            if let Some(node) = self.pop() {
                return Ok(node);
            }
        }
    }

    fn key(&mut self, byte: u8) -> Result<(), Stop> {
        let at = self.at;
        let key = match byte {
            b'"' | b'\'' => self.string(true)?,
            _ => self.bare_key()?,
        };
        self.skip_gap()?;
        match self.byte() {
            Some(b':') => self.at += 1,
            None => return Err(self.cut("the text ends after a key")),
            Some(_) => return Err(self.stop("expected `:` after a key")),
        }
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        if frame.after == After::Value {
            self.damages.add(Damage::MissingComma, at);
        }
        frame.wraps &= envelope::is_key(&key);
        if let Content::Object(_, pending) = &mut frame.content {
            *pending = Some(key);
        }
        Ok(())
    }

    fn bare_key(&mut self) -> Result<String, Stop> {
        let end = bare_key_end(self.bytes, self.at);
        if end == self.at {
            return Err(self.stop("expected a key in double quotes"));
        }
        if end == self.bytes.len() {
            return Err(self.cut("the text ends inside a key"));
        }
        self.damages.add(Damage::BareKey, self.at);
        let key = self.text[self.at..end].to_owned();
        self.at = end;
        Ok(key)
    }

    fn value(&mut self, byte: u8) -> Result<(), Stop> {
        let at = self.at;
        if let Some(frame) = self.top()
            && !frame.is_object()
            && frame.after == After::Value
        {
            frame.after = After::Comma;
            self.damages.add(Damage::MissingComma, at);
        }
        match byte {
            b'{' | b'[' | b'(' => return self.open(),
            b'"' | b'\'' => {
                let text = self.string(false)?;
                self.put(Node::String(text));
            }
            b'-' | b'0'..=b'9' => {
                let node = self.number()?;
                self.put(node);
            }
            _ => {
                let node = self.word()?;
                self.put(node);
            }
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Node, Stop> {
        let rest = &self.bytes[self.at..];
        let Some(length) = json_length(rest) else {
            let digits = rest
                .iter()
                .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
            return Err(if digits {
                self.cut("the text ends inside a number")
            } else {
                self.stop("malformed number")
            });
        };
        let number = self.text[self.at..self.at + length].to_owned();
        self.at += length;
        Ok(Node::Number(number))
    }

    fn word(&mut self) -> Result<Node, Stop> {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().take_while(|byte| is_word(**byte)).count();
        let word = &self.text[self.at..self.at + length];
        let (node, plain) = match word {
            "true" => (Node::Bool(true), true),
            "false" => (Node::Bool(false), true),
            "null" => (Node::Null, true),
            "True" | "TRUE" => (Node::Bool(true), false),
            "False" | "FALSE" => (Node::Bool(false), false),
            "None" | "NULL" | "Null" => (Node::Null, false),
            _ if length > 0 && length == rest.len() => {
                return Err(self.cut("the text ends inside a word"));
            }
            "NaN" | "Infinity" | "inf" | "nan" => {
                return Err(self.stop("NaN and infinities are no numbers of JSON"));
            }
            _ => return Err(self.stop("expected a value")),
        };
        if !plain {
            self.damages.add(Damage::Word, self.at);
        }
        self.at += length;
        Ok(node)
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The end of the key without quotes that begins at `at`; `at` itself when there is none.
pub(super) fn bare_key_end(bytes: &[u8], at: usize) -> usize {
    let starts =
        |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$') || byte >= 0x80;
    let goes_on = |byte: u8| is_word(byte) || matches!(byte, b'$' | b'-' | b'.');
    if !bytes.get(at).copied().is_some_and(starts) {
        return at;
    }
    at + bytes[at..]
        .iter()
        .take_while(|byte| goes_on(**byte))
        .count()
}
