//! Error text as a model gets it.

use hermes_tests::{Outcome, VectorFile};
use hermes_tools::output::sanitize::error_text;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    raw: String,
}

#[test]
fn sanitize_error_vectors() {
    VectorFile::new("sanitize_error").any_kind().run(|line| {
        let input: Input = line.input()?;
        Outcome::value(&error_text(&input.raw))
    });
}
