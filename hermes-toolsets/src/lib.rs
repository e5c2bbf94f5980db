//! Which tools a session sees: toolset presets, resolution, selection.
//!
//! A tool says how it works; a toolset says in which situation a session has it. This crate brings the
//! toolsets of hermes as a pack, resolves names of toolsets to tools, and turns what a session asks
//! for into a [`Selection`](hermes_tools::Selection). A model cannot call what is not selected.
//!
//! ```
//! use hermes_tools::SessionSource;
//! use hermes_toolsets::{CustomToolset, Request, SelectError, Toolsets};
//!
//! // The presets are a pack: a binary that uses this crate has them.
//! hermes_tools::link!(hermes_toolsets);
//!
//! // Packs declare further toolsets.
//! hermes_tools::toolset! {
//!     name: "weather",
//!     description: "Look up the weather.",
//!     tools: ["forecast"],
//!     includes: ["clarify"],
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut toolsets = Toolsets::linked()?;
//! toolsets.define(CustomToolset::new("mine").tools(["forecast"]).includes(["file"]));
//!
//! // Registered tools, each with the toolset that it names: `snapshot.tools()` in a program.
//! let registered = [("forecast", "weather"), ("read_file", "file"), ("write_file", "file")];
//! let table = toolsets.with_tools(registered);
//!
//! let weather = table.resolve("weather");
//! assert_eq!(weather.tools().collect::<Vec<_>>(), ["clarify", "forecast"]);
//! assert_eq!(weather.via("clarify").unwrap(), ["weather", "clarify"]);
//!
//! let selected = table.select(&Request::default().enable(["mine"]).disable(["weather"]))?;
//! let names: Vec<&str> = selected.selection.iter().map(|(name, _)| name).collect();
//! assert_eq!(names, ["patch", "read_file", "search_files", "write_file"]);
//! assert_eq!(selected.selection.why("patch").unwrap().to_string(), "mine > file");
//!
//! // A wrong name is an error, and never means everything.
//! let error = table.select(&Request::default().enable(["wether"])).unwrap_err();
//! assert_eq!(error.to_string(), "unknown toolset `wether`, did you mean `weather`?");
//!
//! // Without names, the source of the session decides.
//! let selected = table.select(&Request::new(SessionSource::Webhook))?;
//! assert!(selected.selection.contains("web_search"));
//! assert!(!selected.selection.contains("write_file"));
//! # Ok(())
//! # }
//! ```

mod child;
mod config;
mod custom;
mod distribution;
mod error;
mod explain;
mod presets;
mod request;
mod resolution;
mod select;
mod table;
mod toolsets;
mod warning;

pub use child::{ChildRequest, ChildRole};
pub use config::{
    Config, ConfigError, FileSettings, McpApproval, McpServer, McpTransport, McpWay, Reaction,
    TerminalConfig,
};
pub use custom::CustomToolset;
pub use distribution::Distribution;
pub use error::{DuplicateToolset, SelectError, UnknownToolset};
pub use explain::Explanation;
pub use presets::{
    CORE_TOOLS, LEGACY_NAMES, RESERVED_TOOLS, SUBAGENT_BLOCKED, default_toolset, sources,
};
pub use request::Request;
pub use resolution::Resolution;
pub use select::Selected;
pub use table::{ToolsetInfo, ToolsetTable};
pub use toolsets::Toolsets;
pub use warning::{Warning, WhyEmpty};

hermes_tools::pack!();
