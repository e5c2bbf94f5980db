//! Arguments that arrive in pieces.

use super::parse::parse;
use super::rules::{JsonSchema, ROOT};
use super::{ArgumentError, Decoded, Node, RawArguments, SyntaxError, Utf16Joiner, fit};

/// Reads arguments while the model still writes them.
///
/// The end result is exactly that of the whole text: the pieces are joined, and decoded when the
/// last has come. Before that, parameters are given out as soon as their value is complete, for
/// showing and for preparing work; what runs are the arguments that [`finish`](Self::finish) gives.
/// They differ from what was given out before only where the model sends one key twice, or where
/// what looked like arguments turns out to be a wrapper or no JSON at all.
///
/// ```
/// use hermes_tools::args::{ArgumentStream, JsonSchema};
///
/// let schema = JsonSchema::parse(r#"{"properties": {
///     "path": {"type": "string"}, "line": {"type": "integer"}
/// }}"#)?;
/// let mut stream = ArgumentStream::new(&schema);
/// assert!(stream.push(br#"{"path": "s"#).is_empty());
/// assert_eq!(stream.push(br#"rc", "line""#)[0].name, "path");
/// stream.push(b": 3}");
/// assert_eq!(stream.finish(None)?.arguments.to_json(), r#"{"path":"src","line":3}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArgumentStream<'s> {
    schema: &'s JsonSchema,
    text: String,
    /// The beginning of a character whose other bytes have not come.
    bytes: Vec<u8>,
    units: Utf16Joiner,
    /// Up to here the text has been looked at.
    seen: usize,
    state: State,
    /// Brackets that are open.
    depth: usize,
    key: Option<String>,
    /// Where the key or value begins that is being read.
    start: usize,
}

/// A parameter whose value is complete, before the call is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Early {
    /// The name of the parameter in the schema.
    pub name: String,
    /// The value; it fits the schema.
    pub value: Node,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the outermost bracket.
    Before,
    /// Before a key.
    Key,
    /// Inside a key.
    InKey,
    /// Behind a key.
    Colon,
    /// Inside a value, outside of strings.
    Value,
    /// Inside a string of a value.
    InString,
    /// Nothing more is given out early.
    Done,
}

impl<'s> ArgumentStream<'s> {
    /// A stream of arguments for this schema.
    pub fn new(schema: &'s JsonSchema) -> Self {
        Self {
            schema,
            text: String::new(),
            bytes: Vec::new(),
            units: Utf16Joiner::default(),
            seen: 0,
            state: State::Before,
            depth: 0,
            key: None,
            start: 0,
        }
    }

    /// Adds a piece of UTF-8; a character may be split between pieces. What is no UTF-8 becomes
    /// U+FFFD. Gives back the parameters that are complete now.
    pub fn push(&mut self, piece: &[u8]) -> Vec<Early> {
        self.bytes.extend_from_slice(piece);
        let bytes = std::mem::take(&mut self.bytes);
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.text.push_str(chunk.valid());
            let last = chunks.peek().is_none();
            if last && is_beginning(chunk.invalid()) {
                self.bytes = chunk.invalid().to_vec();
            } else if !chunk.invalid().is_empty() {
                self.text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        self.advance()
    }

    /// Adds a piece of UTF-16; a surrogate pair may be split between pieces.
    pub fn push_utf16(&mut self, piece: &[u16]) -> Vec<Early> {
        self.units.push(piece);
        self.text.push_str(&self.units.take());
        self.advance()
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Decodes the whole. `finish_reason` is why the model stopped, in its provider's words.
    ///
    /// # Errors
    ///
    /// See [`JsonSchema::decode`].
    pub fn finish(self, finish_reason: Option<&str>) -> Result<Decoded, ArgumentError> {
        let Self {
            schema,
            mut text,
            bytes,
            units,
            ..
        } = self;
        if !bytes.is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
        text.push_str(&units.finish());
        let arguments = RawArguments::new(&text);
        schema.decode(match finish_reason {
            Some(reason) => arguments.finish_reason(reason),
            None => arguments,
        })
    }

    /// Looks at the text that has come, each byte once.
    fn advance(&mut self) -> Vec<Early> {
        let mut early = Vec::new();
        while self.state != State::Done && self.seen < self.text.len() {
            let at = self.seen;
            let byte = self.text.as_bytes()[at];
            self.seen += 1;
            match (self.state, byte) {
                // The byte behind a backslash is part of the escape; it may not have come yet.
                (State::InKey | State::InString, b'\\') => {
                    if self.seen == self.text.len() {
                        self.seen = at;
                        break;
                    }
                    self.seen += 1;
                }
                (State::InKey, b'"') => {
                    self.key = string(&self.text[self.start..=at]);
                    self.state = if self.key.is_some() {
                        State::Colon
                    } else {
                        State::Done
                    };
                }
                (State::InString, b'"') => self.state = State::Value,
                (State::Value, b'"') => self.state = State::InString,
                (State::Value, b'{' | b'[') => self.depth += 1,
                (State::Value, b'}' | b']') if self.depth > 1 => self.depth -= 1,
                (State::Value, b',' | b'}') if self.depth == 1 => {
                    match self.complete(at) {
                        Ok(parameter) => early.extend(parameter),
                        Err(_) => self.state = State::Done,
                    }
                    if self.state != State::Done {
                        self.state = if byte == b',' {
                            State::Key
                        } else {
                            State::Done
                        };
                    }
                }
                (State::Value, b']') => self.state = State::Done,
                (State::InKey | State::InString | State::Value, _)
                | (_, b' ' | b'\t' | b'\n' | b'\r') => {}
                (State::Before, b'{') => {
                    self.depth = 1;
                    self.state = State::Key;
                }
                (State::Key, b'"') => {
                    self.start = at;
                    self.state = State::InKey;
                }
                (State::Colon, b':') => {
                    self.start = self.seen;
                    self.state = State::Value;
                }
                _ => self.state = State::Done,
            }
        }
        early
    }

    /// The parameter whose value ends before `end`; none when the key is no parameter's or the
    /// value does not fit it.
    ///
    /// # Errors
    ///
    /// The value is not JSON, so that what follows is not certain.
    fn complete(&mut self, end: usize) -> Result<Option<Early>, SyntaxError> {
        let (value, _) = parse(&self.text[self.start..end])?;
        let Some(key) = self.key.take() else {
            return Ok(None);
        };
        let root = self.schema.rule(ROOT);
        let Some(place) = root.field(&key, 0) else {
            return Ok(None);
        };
        let name = root.fields[place].name.to_string();
        // Fitted as part of the whole, so that both come out the same.
        let mut whole = Node::Object(vec![(key, value)]);
        let fitted = fit::fit_part(&mut whole, self.schema);
        let value = match whole {
            Node::Object(mut entries) if fitted => entries.pop(),
            _ => None,
        };
        Ok(value.map(|(_, value)| Early { name, value }))
    }
}

/// Whether bytes may become a character when more come.
fn is_beginning(bytes: &[u8]) -> bool {
    !bytes.is_empty() && std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

fn string(json: &str) -> Option<String> {
    match parse(json) {
        Ok((Node::String(text), _)) => Some(text),
        _ => None,
    }
}
