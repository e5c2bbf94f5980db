//! Text from outside, made safe to put before a model or a person.
//!
//! Error text, web pages and other people's messages are data, yet they reach a model in the same
//! stream as its instructions. What could pass for a part of the conversation is taken off
//! ([`error_text`]) or defused and framed ([`mark_untrusted`]); what would steer a terminal is taken
//! off by [`strip_ansi`] and [`display_text`]. Every function takes time linear in its input, and what
//! one of them has cleaned has nothing more for it to take off.

mod error_text;
mod fence;
mod framing;
mod invisible;
mod terminal;
mod untrusted;

pub use self::error_text::{ERROR_LIMIT, ERROR_PREFIX, error_body, error_text, model_error};
pub use self::terminal::{display_text, strip_ansi};
pub use self::untrusted::mark_untrusted;
