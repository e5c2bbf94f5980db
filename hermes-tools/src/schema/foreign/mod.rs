//! Schemas from elsewhere: MCP servers and tools that are made at run time.
//!
//! [`definitions`] tells a provider of such tools in its own [`Dialect`](crate::schema::dialect::Dialect).
//! The other functions each do one thing to a schema, for hosts that speak to a back end of their own.
//! All of them are pure: the schema that was sent is never changed, so the order in which providers are
//! served makes no difference.

mod adapt;
mod combine;
mod convert;
mod gemini;
mod keywords;
mod moonshot;
mod normal;
mod nullable;
#[cfg(feature = "host")]
mod order;
mod pointer;
mod position;
mod strip;
mod words;

#[cfg(feature = "host")]
pub(crate) use self::adapt::annotated;
pub use self::adapt::{ForeignDefinitions, ForeignTool, Quarantined, definition, definitions};
pub use self::gemini::gemini_subset;
pub use self::moonshot::moonshot_subset;
pub use self::normal::{sanitize, sanitize_parameters};
pub use self::nullable::strip_nullable_unions;
pub use self::strip::{strip_pattern_and_format, strip_slash_enum};

/// Levels of nesting that a foreign schema may have, as JSON.
pub const MAX_DEPTH: usize = 100;

/// JSON values that a foreign schema may have, and schemas that its references may unfold to.
pub const MAX_NODES: usize = 20_000;
