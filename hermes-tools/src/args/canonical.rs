//! The one spelling of arguments, for comparing calls and for sending them back to a model.

use super::node::{by_key, write_string};
use super::parse::parse;
use super::{Node, SyntaxError};

/// The canonical form of JSON text: no white space, keys sorted by code point at every level, of
/// equal keys the last, escapes in their shortest form, other characters as UTF-8. Numbers keep
/// every digit. The result is its own canonical form.
///
/// # Errors
///
/// The text is not JSON.
///
/// ```
/// use hermes_tools::args::canonical;
///
/// assert_eq!(canonical(r#"{ "b": 1.0, "a": "\u00e9" }"#)?, r#"{"a":"é","b":1.0}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn canonical(text: &str) -> Result<String, SyntaxError> {
    Ok(parse(text)?.0.canonical())
}

impl Node {
    /// The value in its canonical form; see [`canonical`].
    pub fn canonical(&self) -> String {
        let mut json = String::new();
        write(self, &mut json);
        json
    }
}

fn write(node: &Node, json: &mut String) {
    match node {
        Node::Null => json.push_str("null"),
        Node::Bool(value) => json.push_str(if *value { "true" } else { "false" }),
        Node::Number(text) => write_number(text, json),
        Node::String(text) => write_string(text, json),
        Node::Array(items) => {
            json.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    json.push(',');
                }
                write(item, json);
            }
            json.push(']');
        }
        Node::Object(entries) => {
            json.push('{');
            for (index, (key, value)) in by_key(entries).into_iter().enumerate() {
                if index > 0 {
                    json.push(',');
                }
                write_string(key, json);
                json.push(':');
                write(value, json);
            }
            json.push('}');
        }
    }
}

/// The exponent has one spelling: a small letter, and a sign only where it is negative.
fn write_number(text: &str, json: &mut String) {
    match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            json.push_str(mantissa);
            json.push('e');
            json.push_str(exponent.strip_prefix('+').unwrap_or(exponent));
        }
        None => json.push_str(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_by_code_point_and_numbers_keep_their_digits() {
        let text = r#"{"\ud83d\ude00":1E+5,"\uffff":-0,"a":{"c":[3,1.50],"b":9007199254740993}}"#;
        let canonical = canonical(text).unwrap();
        assert_eq!(
            canonical,
            "{\"a\":{\"b\":9007199254740993,\"c\":[3,1.50]},\"\u{ffff}\":-0,\"😀\":1e5}"
        );
        assert_eq!(super::canonical(&canonical).unwrap(), canonical);
    }
}
