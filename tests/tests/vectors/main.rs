//! All vectors, one module per file of them.

mod ansi_strip;
mod canonicalize;
mod coerce;
mod json;
mod repair_arguments;
mod sanitize_error;
mod schema_sanitize;
mod surrogates;
mod toolset_resolution;
