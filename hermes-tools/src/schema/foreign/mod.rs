//! Schemas from elsewhere: MCP servers and tools that are made at run time.

mod gemini;
mod moonshot;
mod normal;
mod nullable;
mod position;
mod strip;

pub use self::gemini::gemini_subset;
pub use self::moonshot::moonshot_subset;
pub use self::normal::{sanitize, sanitize_parameters};
pub use self::nullable::strip_nullable_unions;
pub use self::strip::{strip_pattern_and_format, strip_slash_enum};
