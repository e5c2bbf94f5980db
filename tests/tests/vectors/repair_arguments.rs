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
fn repair_arguments() {
    VectorFile::new("repair_arguments")
        .kinds([
            "valid",
            "empty",
            "empty-lookalike",
            "trailing-comma",
            "trailing-comma-hopeless",
            "trailing-comma-in-string",
            "missing-closers",
            "missing-closers-mixed",
            "brackets-in-string",
            "truncated",
            "truncated-after-comma",
            "extra-closers",
            "extra-closers-hopeless",
            "control-chars",
            "fenced",
            "fenced-hopeless",
            "surrounding-text",
            "no-json",
            "several-values",
            "python-literal",
            "python-literal-hopeless",
            "unescaped-quotes",
            "unescaped-quotes-hard",
            "unescaped-quotes-cut",
            "bad-escape",
            "bad-escape-hopeless",
            "surrogate-escape",
            "nonfinite",
            "near-json",
            "byte-order-mark",
            "depth",
        ])
        .run(|line| {
            let input: Input = line.input()?;
            match repair_text(RawArguments::new(&input.raw)) {
                Ok((node, _)) => judge(line, &node),
                Err(_) => Outcome::value(&json!({"unrepairable": true})),
            }
        });
}
