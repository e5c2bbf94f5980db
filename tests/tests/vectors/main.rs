//! All vectors, one module per file of them.

mod ansi_strip;
mod sanitize_error;
mod schema_sanitize;
mod toolset_resolution;
