//! All vectors, one module per file of them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod registry_ops;
mod tool_search;
mod toolset_resolution;
