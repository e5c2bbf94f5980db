//! A JSON value as a tree that loses nothing.

use std::fmt::Write as _;
use std::str::FromStr;

use super::number::Decimal;
use super::parse::SyntaxError;
use crate::names;

/// A JSON value. Numbers keep their text: a tree that went through `f64` could not tell
/// `9007199254740993` from its neighbour.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as JSON text.
    Number(String),
    /// A text, unescaped.
    String(String),
    /// A list.
    Array(Vec<Node>),
    /// Keys and values in the order of the text; keys occur once.
    Object(Vec<(String, Node)>),
}

impl Node {
    /// The text of a number.
    pub fn number_text(&self) -> Option<&str> {
        match self {
            Self::Number(text) => Some(text),
            _ => None,
        }
    }

    /// The text of a text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The value under a key of an object.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(entries) => entries
                .iter()
                .find(|(known, _)| known == key)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// Whether two values are one: numbers by their value, objects whatever the order of their keys.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => {
                a == b || Decimal::parse(a).is_some_and(|a| Some(a) == Decimal::parse(b))
            }
            (Self::Array(a), Self::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
            }
            (Self::Object(a), Self::Object(b)) => {
                a.len() == b.len()
                    && by_key(a)
                        .into_iter()
                        .zip(by_key(b))
                        .all(|(a, b)| a.0 == b.0 && a.1.same(&b.1))
            }
            _ => self == other,
        }
    }

    /// The value as JSON text without white space.
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        self.write(&mut json);
        json
    }

    pub(super) fn write(&self, json: &mut String) {
        match self {
            Self::Null => json.push_str("null"),
            Self::Bool(value) => json.push_str(if *value { "true" } else { "false" }),
            Self::Number(text) => json.push_str(text),
            Self::String(text) => write_string(text, json),
            Self::Array(items) => {
                json.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        json.push(',');
                    }
                    item.write(json);
                }
                json.push(']');
            }
            Self::Object(entries) => {
                json.push('{');
                for (index, (key, value)) in entries.iter().enumerate() {
                    if index > 0 {
                        json.push(',');
                    }
                    write_string(key, json);
                    json.push(':');
                    value.write(json);
                }
                json.push('}');
            }
        }
    }

    /// What it is, short enough for an error: the value itself, cut to forty characters, or the
    /// size of a container.
    pub fn describe(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Number(text) => shorten(text),
            Self::String(text) => render_string(&shorten(text)),
            Self::Array(items) => counted("a list of", items.len(), "item"),
            Self::Object(entries) => counted("an object with", entries.len(), "key"),
        }
    }

    /// An allowed value as it is shown: whole where it is short.
    pub(super) fn describe_value(&self) -> String {
        match self {
            Self::Array(_) | Self::Object(_) => shorten(&self.to_json()),
            other => other.describe(),
        }
    }
}

impl From<&serde_json::Value> for Node {
    fn from(value: &serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => Self::Number(number.to_string()),
            Value::String(text) => Self::String(text.clone()),
            Value::Array(items) => Self::Array(items.iter().map(Self::from).collect()),
            Value::Object(entries) => {
                let entry = |(key, value): (&String, &Value)| (key.clone(), Self::from(value));
                Self::Object(entries.iter().map(entry).collect())
            }
        }
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<bool> for Node {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

/// Whole numbers of every width, so that a literal is one without its type being written.
macro_rules! from_integers {
    ($($int:ty)*) => {$(
        impl From<$int> for Node {
            fn from(number: $int) -> Self {
                Self::Number(number.to_string())
            }
        }
    )*};
}

from_integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

/// The shortest text that is the number; `null` for what is not finite, for which JSON has no word.
macro_rules! from_floats {
    ($($float:ty)*) => {$(
        impl From<$float> for Node {
            fn from(number: $float) -> Self {
                if number.is_finite() {
                    Self::Number(format!("{number:?}"))
                } else {
                    Self::Null
                }
            }
        }
    )*};
}

from_floats! { f32 f64 }

impl<T: Into<Self>> From<Option<T>> for Node {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Node {
    fn from(items: Vec<T>) -> Self {
        Self::Array(items.into_iter().map(Into::into).collect())
    }
}

impl From<serde_json::Value> for Node {
    fn from(value: serde_json::Value) -> Self {
        Self::from(&value)
    }
}

impl From<serde_json::Map<String, serde_json::Value>> for Node {
    fn from(entries: serde_json::Map<String, serde_json::Value>) -> Self {
        Self::from(&serde_json::Value::Object(entries))
    }
}

/// Numbers are those that `serde_json` can hold: long ones lose their last digits, unless it is told to
/// keep them.
impl From<&Node> for serde_json::Value {
    fn from(node: &Node) -> Self {
        match node {
            Node::Null => Self::Null,
            Node::Bool(value) => Self::Bool(*value),
            Node::Number(text) => serde_json::from_str(text).unwrap_or_default(),
            Node::String(text) => Self::String(text.clone()),
            Node::Array(items) => Self::Array(items.iter().map(Self::from).collect()),
            Node::Object(entries) => {
                let entry = |(key, value): &(String, Node)| (key.clone(), Self::from(value));
                Self::Object(entries.iter().map(entry).collect())
            }
        }
    }
}

/// Reads strict JSON text, the keys of objects in their order.
///
/// ```
/// use hermes_tools::args::Node;
///
/// let node: Node = r#"{"z": 1.50, "a": []}"#.parse()?;
/// assert_eq!(node.to_json(), r#"{"z":1.50,"a":[]}"#);
/// # Ok::<(), hermes_tools::args::SyntaxError>(())
/// ```
impl FromStr for Node {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        super::parse::parse(text).map(|(node, _)| node)
    }
}

/// The entries of an object in the order of their keys, each of which occurs once.
pub(super) fn by_key(entries: &[(String, Node)]) -> Vec<&(String, Node)> {
    // UTF-8 sorts as its code points do.
    let sorted = names::sorted(entries.iter().map(|(key, _)| key.as_str()));
    sorted.into_iter().map(|(_, at)| &entries[at]).collect()
}

/// A text as JSON, with quotes, non-ASCII characters as they are.
pub fn render_string(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    write_string(text, &mut json);
    json
}

/// Appends a text as JSON.
pub(crate) fn write_string(text: &str, json: &mut String) {
    json.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0x08 => "\\b",
            0x0c => "\\f",
            0..=0x1f => "",
            _ => continue,
        };
        json.push_str(&text[plain..at]);
        if escape.is_empty() {
            // Writing to a `String` cannot fail.
            let _ = write!(json, "\\u{byte:04x}");
        } else {
            json.push_str(escape);
        }
        plain = at + 1;
    }
    json.push_str(&text[plain..]);
    json.push('"');
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn counted(start: &str, count: usize, noun: &str) -> String {
    format!(
        "{start} {count} {noun}{}",
        if count == 1 { "" } else { "s" }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_in_their_shortest_form() {
        assert_eq!(
            render_string("a\"b\\c\n\t\u{1}é"),
            "\"a\\\"b\\\\c\\n\\t\\u0001é\""
        );
    }

    #[test]
    fn descriptions_stay_short() {
        let long = Node::String("x".repeat(100));
        assert_eq!(long.describe(), format!("\"{}…\"", "x".repeat(40)));
        assert_eq!(Node::Array(vec![Node::Null]).describe(), "a list of 1 item");
    }
}
