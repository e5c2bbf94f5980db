//! Damaged text of arguments.

use hermes_tests::{Outcome, VectorFile};
use hermes_tools::args::{RawArguments, repair_text};
use serde::Deserialize;
use serde_json::json;

use super::json::judge;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    raw: String,
}

#[test]
fn repair_arguments_vectors() {
    VectorFile::new("repair_arguments").any_kind().run(|line| {
        let input: Input = line.input()?;
        match repair_text(RawArguments::new(&input.raw)) {
            Ok((node, _)) => judge(line, &node),
            Err(_) => Outcome::value(&json!({"unrepairable": true})),
        }
    });
}
