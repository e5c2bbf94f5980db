//! One schema while it is written.

use std::fmt::{Display, Write as _};

use crate::args::render_string;

/// The keywords of one schema, in the order in which they were put, and what goes into its
/// description because no keyword says it.
#[derive(Default)]
pub(super) struct Keywords {
    json: String,
    notes: Vec<String>,
}

impl Keywords {
    /// Adds a keyword with its value as JSON text.
    pub(super) fn put(&mut self, keyword: &str, value: impl Display) {
        if !self.json.is_empty() {
            self.json.push(',');
        }
        // Writing to a `String` cannot fail.
        let _ = write!(self.json, "{}:{value}", render_string(keyword));
    }

    /// Adds a sentence to the description.
    pub(super) fn note(&mut self, sentence: impl Into<String>) {
        self.notes.push(sentence.into());
    }

    /// Adds the description, the notes behind it.
    pub(super) fn describe(&mut self, description: &str) {
        let notes = self.notes.join(" ");
        let text = match (description, notes.as_str()) {
            ("", "") => return,
            ("", notes) => notes.to_owned(),
            (description, "") => description.to_owned(),
            (description, notes) => format!("{description}\n{notes}"),
        };
        self.put("description", render_string(&text));
    }

    /// The schema.
    pub(super) fn into_json(self) -> String {
        format!("{{{}}}", self.json)
    }
}

/// Values as a JSON list.
pub(super) fn list(values: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut json = String::from("[");
    for value in values {
        if json.len() > 1 {
            json.push(',');
        }
        json.push_str(value.as_ref());
    }
    json.push(']');
    json
}

/// Texts as a JSON list.
pub(super) fn texts<'t>(values: impl IntoIterator<Item = &'t str>) -> String {
    list(values.into_iter().map(render_string))
}
