//! Halves of UTF-16 pairs, and text for systems that take only ASCII.

use hermes_tests::{Line, Outcome, VectorFile};
use hermes_tools::args::{
    RawArguments, Utf16Joiner, escape_control_characters, repair_text, strip_non_ascii,
};
use serde::Deserialize;

use super::json;

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
enum Input {
    Text { utf16: Vec<u16> },
    Chunks { utf16_chunks: Vec<Vec<u16>> },
    Structure { json: String },
    Messages { json: String },
    StripNonAscii { text: String },
    EscapeControlChars { raw: String },
}

#[test]
fn surrogates_vectors() {
    VectorFile::new("surrogates")
        .any_kind()
        .run(|line| match line.input()? {
            Input::Text { utf16 } => Outcome::value(&join(&[utf16])),
            Input::Chunks { utf16_chunks } => Outcome::value(&join(&utf16_chunks)),
            Input::Structure { json } | Input::Messages { json } => structure(line, &json),
            Input::StripNonAscii { text } => Outcome::value(&strip_non_ascii(&text)),
            Input::EscapeControlChars { raw } => Outcome::value(&escape_control_characters(&raw)),
        });
}

fn join(pieces: &[Vec<u16>]) -> String {
    let mut joiner = Utf16Joiner::default();
    for piece in pieces {
        joiner.push(piece);
    }
    joiner.finish()
}

fn structure(line: &Line, text: &str) -> Result<Outcome, String> {
    let (value, repairs) =
        repair_text(RawArguments::new(text)).map_err(|error| error.to_string())?;
    let changed = !repairs.is_empty();
    let answer = format!("{{\"value\":{},\"changed\":{changed}}}", value.to_json());
    json::judge(line, &json::node(&answer)?)
}
