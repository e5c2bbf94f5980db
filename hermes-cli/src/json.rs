//! JSON text: made from values, and for people.

use std::fmt;

use hermes_tools::output::lay_out;
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A value as JSON text on one line.
pub(crate) fn text(value: &impl Serialize) -> String {
    // The values of this program have text keys and cannot fail on their own.
    serde_json::to_string(value).expect("a value of this program is JSON")
}

/// JSON text for people: laid out over lines, and the texts of several lines that an object holds
/// written below it as they are, each under its key.
pub(crate) fn readable(json: &str) -> String {
    let Ok(Fields(fields)) = serde_json::from_str(json) else {
        return lay_out(json);
    };
    let (texts, rest): (Vec<_>, Vec<_>) = fields
        .into_iter()
        .partition(|(_, value)| value.starts_with('"') && value.contains("\\n"));
    if texts.is_empty() {
        return lay_out(json);
    }
    let mut parts = Vec::new();
    if !rest.is_empty() {
        let fields: Vec<String> = rest
            .iter()
            .map(|(key, value)| format!("{}:{value}", text(key)))
            .collect();
        parts.push(lay_out(&format!("{{{}}}", fields.join(","))));
    }
    for (key, value) in texts {
        let lines: String = serde_json::from_str(value).unwrap_or_else(|_| value.to_owned());
        parts.push(format!("{key}:\n{}", lines.trim_end_matches('\n')));
    }
    parts.join("\n\n")
}

/// The entries of an object in their order, the values as they are written.
struct Fields<'a>(Vec<(String, &'a str)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut fields = Vec::new();
                while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
                    fields.push((key, value.get()));
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_several_lines_stand_below_the_object_as_they_are() {
        assert_eq!(
            readable(r#"{"content":"1|a\n2|\"b\"\n","total_lines":2,"note":"one line"}"#),
            "{\n  \"total_lines\": 2,\n  \"note\": \"one line\"\n}\n\ncontent:\n1|a\n2|\"b\""
        );
        assert_eq!(readable(r#"{"diff":"-a\n+b"}"#), "diff:\n-a\n+b");
        assert_eq!(readable(r#"["a\nb"]"#), "[\n  \"a\\nb\"\n]");
    }
}
