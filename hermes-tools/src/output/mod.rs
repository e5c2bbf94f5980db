//! What a tool gives back: parts for the model, or an error that it can act on.

mod bound;
mod budget;
mod content;
mod error;
mod keeper;
mod kind;
mod layout;
mod media;
pub mod redact;
pub mod sanitize;
#[cfg(feature = "host")]
mod spill;
#[cfg(feature = "host")]
pub mod store;
mod tool_output;
pub mod truncate;

use std::future::Future;
use std::pin::Pin;

pub use self::bound::{bound, bound_as, bound_error, cut, hide_secrets};
pub use self::budget::{Budget, OutputLimits};
pub use self::content::{Content, Link, Output};
pub use self::error::{IntoToolError, ToolError};
pub use self::keeper::{KeptResult, ResultKeeper};
pub use self::kind::ErrorKind;
pub use self::layout::lay_out;
pub use self::media::Media;
#[cfg(feature = "host")]
pub use self::spill::Fit;
#[cfg(feature = "host")]
pub(crate) use self::spill::{Author, Spill, TurnResult};
pub use self::tool_output::{Json, ToolOutput};

/// A call under way.
pub type CallFuture<'a> = Pin<Box<dyn Future<Output = Result<Output, ToolError>> + Send + 'a>>;
