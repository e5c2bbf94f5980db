//! Text without the escape sequences of terminals.

use hermes_tests::{Outcome, VectorFile};
use hermes_tools::output::sanitize::{display_text, strip_ansi};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
enum Input {
    StripAnsi { text: String },
    SanitizeDisplayText { text: String },
}

#[test]
fn ansi_strip_vectors() {
    VectorFile::new("ansi_strip")
        .any_kind()
        .run(|line| match line.input()? {
            Input::StripAnsi { text } => Outcome::value(&strip_ansi(&text)),
            Input::SanitizeDisplayText { text } => Outcome::value(&display_text(&text)),
        });
}
