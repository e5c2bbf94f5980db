//! The tool search: three bridge tools in place of the definitions of tools that are seldom needed.
//!
//! A model searches the deferred tools of its session ([`SEARCH`]), reads the definition of one
//! ([`DESCRIBE`]) and calls it ([`CALL`]). A call through the bridge is the call of the real tool: all
//! that judges calls sees the real name.

mod bridge;
mod config;
mod index;
mod offer;
mod words;

pub use self::config::{SearchMode, ToolSearch};
pub use self::index::{Entry, SearchIndex};

pub(crate) use self::bridge::{Bridged, answer};
pub(crate) use self::offer::{Catalogue, Offering};

/// The bridge tool that searches.
pub const SEARCH: &str = "tool_search";

/// The bridge tool that shows one definition.
pub const DESCRIBE: &str = "tool_describe";

/// The bridge tool that calls.
pub const CALL: &str = "tool_call";

/// Whether a name is that of a bridge tool.
pub fn is_bridge(name: &str) -> bool {
    matches!(name, SEARCH | DESCRIBE | CALL)
}
