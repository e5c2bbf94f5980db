//! The harness that runs the vectors: files of cases, one JSON object a line, each with an input and
//! the right answer.
//!
//! ```no_run
//! use hermes_tests::{Outcome, VectorFile};
//!
//! VectorFile::new("upper_case").kinds(["ascii"]).run(|line| {
//!     let text: String = line.input()?;
//!     Outcome::value(&text.to_uppercase())
//! });
//! ```
//!
//! A file is read from `tests/vectors`, or from the folder that `HERMES_VECTORS_DIR` names. One line is
//! printed per file, `upper_case: 12/12`, and every line that misses fails the test together with
//! what was expected and what came.

mod exceptions;
#[cfg(doctest)]
mod guide;
mod line;
mod run;
pub mod scratch;

pub use line::{FileCase, Line, Outcome};
pub use run::VectorFile;
