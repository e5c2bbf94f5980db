//! All vectors, one module per file of them.

mod toolset_resolution;
