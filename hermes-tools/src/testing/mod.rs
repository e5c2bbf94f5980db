//! Testing tools and packs: calls by JSON, a context of one's own, schemas held against a file, and
//! arguments at the edges of what a schema allows.
//!
//! A pack turns on the feature `testing` for its tests. None of this needs the feature `host`, but for
//! the folder.
//!
//! ```
//! use hermes_tools::testing::Call;
//! use hermes_tools::{tool, tools};
//!
//! /// Add two whole numbers.
//! #[tool(toolset = "arithmetic", effect = "read", inline)]
//! fn sum(
//!     /// First summand.
//!     a: i32,
//!     /// Second summand.
//!     b: i32,
//! ) -> String {
//!     a.saturating_add(b).to_string()
//! }
//!
//! let tools = tools![sum];
//! assert_eq!(Call::of(tools[0], r#"{"a": 2, "b": 40}"#).text(), "42");
//!
//! // Boundary values of the schema: nothing panics, and every refusal names its argument.
//! let report = hermes_tools::testing::boundaries(tools).run();
//! assert_eq!(report.faults, [] as [String; 0]);
//! ```

mod boundary;
mod call;
mod clock;
#[cfg(feature = "host")]
mod folder;
mod golden;

pub use self::boundary::{Boundaries, Report, boundaries};
pub use self::call::{Call, Called};
pub use self::clock::FakeClock;
#[cfg(feature = "host")]
pub use self::folder::Folder;
pub use self::golden::{Golden, golden};
