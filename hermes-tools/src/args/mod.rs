//! Arguments of a call: from the text a model sent to the values the function takes.
//!
//! There are two ways through. The fast one ([`Reader`]) reads strict JSON straight into the places
//! of the parameters of a typed tool and knows one answer to every surprise: [`Unfit`]. The slow one
//! starts again from the text, builds a tree ([`Node`]), fits it to the rules of the schema
//! ([`JsonSchema`]), and reports all that does not fit at once. So a valid value is never touched,
//! and explaining costs a valid call nothing. Tools that have only a JSON Schema have a fast way
//! too, straight to the tree; the slow one is the same for all.
//!
//! What follows is so with the feature `repair`, which hosts and the tests of packs have. Without it
//! whatever would be a [`Repair`] is refused, and the arguments are explained in the same words.
//!
//! On the second way text that is JSON is never repaired. Text that is not is read by a tolerant
//! reader that refuses whatever could be read in two ways, or was cut off anywhere but behind a
//! complete value. Every change is a [`Repair`].

mod arguments;
mod canonical;
mod decode;
mod entries;
mod envelope;
mod escape;
mod fit;
mod issue;
mod lines;
mod node;
pub(crate) mod number;
mod object;
mod parse;
pub(crate) mod pattern;
mod reader;
mod repair;
mod rules;
mod scan;
mod stream;
mod text;
pub(crate) mod trees;

pub use self::arguments::Arguments;
pub(crate) use self::arguments::{Values, view};
pub use self::canonical::canonical;
pub(crate) use self::decode::tree;
pub use self::decode::{ArgumentError, Decoded, decode, example, repair_text, take_fields};
pub use self::issue::{Issue, Repair};
pub use self::lines::LineDecoder;
pub(crate) use self::node::write_string;
pub use self::node::{Node, render_string};
pub use self::object::ForeignArguments;
pub use self::parse::SyntaxError;
pub use self::reader::{Reader, Unfit};
pub use self::rules::JsonSchema;
pub use self::stream::{ArgumentStream, Early};
pub use self::text::{Utf16Joiner, escape_control_characters, strip_non_ascii};
pub(crate) use self::trees::Whole;

/// Whether arguments are changed where that makes them fit, by the feature `repair`.
///
/// Without it nothing is changed but what the tool itself declares (other names of a parameter or a
/// value, null for what may be absent), and what would have had to be changed is an issue. A constant
/// and not a way of its own, so that there is one way of fitting, of which the other half is not linked.
const REPAIRS: bool = cfg!(any(feature = "repair", test));

/// The deepest nesting of arrays and objects that is read.
pub const MAX_DEPTH: usize = 128;

/// The arguments of one call as they arrived.
#[derive(Debug, Clone, Copy)]
pub struct RawArguments<'a> {
    text: &'a str,
    cut: bool,
}

impl<'a> RawArguments<'a> {
    /// Arguments as text, meant to be a JSON object.
    pub const fn new(text: &'a str) -> Self {
        Self { text, cut: false }
    }

    /// Adds why the model stopped, in the words of its provider. Where that was a limit of length
    /// (`length`, `max_tokens`, `MAX_TOKENS`, `max_output_tokens`, `incomplete`), arguments that
    /// are not complete are refused as truncated, whatever is missing.
    #[must_use]
    pub fn finish_reason(mut self, reason: &str) -> Self {
        const LIMITS: [&str; 6] = [
            "length",
            "max_tokens",
            "max_output_tokens",
            "max_length",
            "model_length",
            "incomplete",
        ];
        let reason = reason.trim();
        self.cut = LIMITS
            .iter()
            .any(|limit| limit.eq_ignore_ascii_case(reason));
        self
    }

    /// Says whether the model was stopped by its limit of length.
    #[must_use]
    #[cfg(feature = "host")]
    pub(crate) const fn cut(mut self, cut: bool) -> Self {
        self.cut = cut;
        self
    }

    /// The text.
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// Whether the model was stopped by its limit of length.
    pub const fn is_cut(&self) -> bool {
        self.cut
    }
}
