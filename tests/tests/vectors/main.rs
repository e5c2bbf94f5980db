//! All vectors, one module per file of them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod ansi_strip;
mod canonicalize;
mod coerce;
mod files;
mod json;
mod loop_guardrails;
mod output_truncation;
mod parallel_decision;
mod registry_ops;
mod repair_arguments;
mod result_budget;
mod sanitize_error;
mod schema_sanitize;
mod surrogates;
mod tool_search;
mod toolset_resolution;
