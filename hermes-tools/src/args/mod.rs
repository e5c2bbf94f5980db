//! Arguments of a call: from the text a model sent to the values the function takes.
//!
//! There are two ways through. The fast one ([`Reader`]) reads strict JSON straight into the places
//! of the parameters and knows one answer to every surprise: [`Unfit`]. The slow one starts again
//! from the text, builds a tree ([`Node`]), fits it to the schema (`coerce`), and reports all that
//! does not fit at once. So a valid value is never touched, and explaining costs a valid call
//! nothing.

mod arguments;
mod coerce;
mod decode;
mod issue;
mod node;
pub(crate) mod number;
mod object;
mod parse;
pub(crate) mod pattern;
mod reader;
pub(crate) mod trees;

pub use self::arguments::Arguments;
pub(crate) use self::arguments::view;
#[cfg(feature = "testing")]
pub(crate) use self::decode::plainest;
pub use self::decode::{ArgumentError, decode, example, take_fields};
pub use self::issue::{Issue, Repair};
pub use self::node::{Node, render_string};
pub use self::object::ForeignArguments;
pub use self::parse::SyntaxError;
pub use self::reader::{Reader, Unfit};
pub(crate) use self::trees::Whole;

/// A JSON text of our own as a tree.
#[cfg(feature = "host")]
pub(crate) fn parse_json(text: &str) -> Option<Node> {
    parse::parse(text, &mut Vec::new()).ok()
}

/// The deepest nesting of arrays and objects that is read.
pub const MAX_DEPTH: usize = 128;

/// The arguments of one call as they arrived.
#[derive(Debug, Clone, Copy)]
pub struct RawArguments<'a> {
    text: &'a str,
}

impl<'a> RawArguments<'a> {
    /// Arguments as text, meant to be a JSON object.
    pub const fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// The text.
    pub const fn text(&self) -> &'a str {
        self.text
    }
}
