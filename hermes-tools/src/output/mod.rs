//! What a tool gives back: parts for the model, or an error that it can act on.

mod bound;
mod content;
mod error;
mod kind;
mod media;
pub mod redact;
pub mod sanitize;
mod tool_output;

use std::future::Future;
use std::pin::Pin;

pub use self::bound::{bound, bound_as, bound_error, cut, hide_secrets};
pub use self::content::{Content, Link, Output};
pub use self::error::{IntoToolError, ToolError};
pub use self::kind::ErrorKind;
pub use self::media::Media;
pub use self::tool_output::{Json, ToolOutput};

/// A call under way.
pub type CallFuture<'a> = Pin<Box<dyn Future<Output = Result<Output, ToolError>> + Send + 'a>>;
