//! All vectors, one module per file of them.

mod canonicalize;
mod coerce;
mod json;
mod repair_arguments;
mod surrogates;
mod toolset_resolution;
