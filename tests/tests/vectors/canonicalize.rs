//! The one spelling of arguments.

use hermes_tests::{Outcome, VectorFile};
use hermes_tools::args::canonical;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    raw: String,
}

#[test]
fn canonicalize_vectors() {
    VectorFile::new("canonicalize").any_kind().run(|line| {
        let input: Input = line.input()?;
        let Ok(text) = canonical(&input.raw) else {
            return Outcome::value(&json!({"invalid": true}));
        };
        if canonical(&text).as_ref() != Ok(&text) {
            return Err(format!("not its own canonical form: {text}"));
        }
        Outcome::value(&text)
    });
}
