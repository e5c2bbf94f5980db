//! JSON text: made from values, and laid out for people.

use std::fmt;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A value as JSON text on one line.
pub(crate) fn text(value: &impl Serialize) -> String {
    // The values of this program have text keys and cannot fail on their own.
    serde_json::to_string(value).expect("a value of this program is JSON")
}

/// JSON text with one value on a line, two spaces for each level.
///
/// It moves between lines and nothing else: digits, escapes and the order of keys stay as they are, which
/// a detour through a tree of values would not keep.
pub(crate) fn pretty(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let mut depth = 0_usize;
    let mut rest = json;
    while let Some(next) = rest.chars().next() {
        let length = if next == '"' {
            string_length(rest)
        } else {
            next.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        match next {
            ' ' | '\n' | '\r' | '\t' => {}
            '{' | '[' => {
                out.push(next);
                let inside = rest.trim_start();
                if inside.starts_with(['}', ']']) {
                    out.push_str(&inside[..1]);
                    rest = &inside[1..];
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(next);
            }
            ',' => {
                out.push(next);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => out.push_str(token),
        }
    }
    out
}

/// JSON text for people: laid out over lines, and the texts of several lines that an object holds
/// written below it as they are, each under its key.
pub(crate) fn readable(json: &str) -> String {
    let Ok(Fields(fields)) = serde_json::from_str(json) else {
        return pretty(json);
    };
    let (texts, rest): (Vec<_>, Vec<_>) = fields
        .into_iter()
        .partition(|(_, value)| value.starts_with('"') && value.contains("\\n"));
    if texts.is_empty() {
        return pretty(json);
    }
    let mut parts = Vec::new();
    if !rest.is_empty() {
        let fields: Vec<String> = rest
            .iter()
            .map(|(key, value)| format!("{}:{value}", text(key)))
            .collect();
        parts.push(pretty(&format!("{{{}}}", fields.join(","))));
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

/// Bytes of the JSON string at the start of a text, both quotes included.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return index + 1,
            _ => {}
        }
    }
    text.len()
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_stands_on_a_line_of_its_own() {
        assert_eq!(
            pretty(r#"{"a":[1,2],"b":{"c":"x"}}"#),
            "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {\n    \"c\": \"x\"\n  }\n}"
        );
    }

    #[test]
    fn nothing_but_the_lines_is_changed() {
        assert_eq!(
            pretty(r#" {"z": 1.50, "a" :123456789012345678901234567890 , "é":"{\"[,: \\"} "#),
            "{\n  \"z\": 1.50,\n  \"a\": 123456789012345678901234567890,\n  \
             \"é\": \"{\\\"[,: \\\\\"\n}"
        );
    }

    #[test]
    fn texts_of_several_lines_stand_below_the_object_as_they_are() {
        assert_eq!(
            readable(r#"{"content":"1|a\n2|\"b\"\n","total_lines":2,"note":"one line"}"#),
            "{\n  \"total_lines\": 2,\n  \"note\": \"one line\"\n}\n\ncontent:\n1|a\n2|\"b\""
        );
        assert_eq!(readable(r#"{"diff":"-a\n+b"}"#), "diff:\n-a\n+b");
        assert_eq!(readable(r#"["a\nb"]"#), "[\n  \"a\\nb\"\n]");
    }

    #[test]
    fn empty_and_bare_values_stay_on_one_line() {
        assert_eq!(pretty("[]"), "[]");
        assert_eq!(pretty("{ \n }"), "{}");
        assert_eq!(pretty("[{},[]]"), "[\n  {},\n  []\n]");
        assert_eq!(pretty("\"a\""), "\"a\"");
        assert_eq!(pretty("null"), "null");
    }
}
