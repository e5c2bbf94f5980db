//! References inside a foreign schema.

use serde_json::Value;

/// What a reference points at, in the schema as it was sent.
///
/// `None` for a reference to another document, and for one that leads nowhere.
pub(super) fn target<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    let pointer = percent_decoded(reference.strip_prefix('#')?)?;
    if pointer.is_empty() || pointer.starts_with('/') {
        return root.pointer(&pointer);
    }
    anchor(root, &pointer, 0)
}

/// The schema of this `$anchor`.
fn anchor<'s>(schema: &'s Value, name: &str, depth: usize) -> Option<&'s Value> {
    if depth > super::MAX_DEPTH {
        return None;
    }
    let inner: Vec<&Value> = match schema {
        Value::Object(object) if object.get("$anchor").is_some_and(|anchor| anchor == name) => {
            return Some(schema);
        }
        Value::Object(object) => object.values().collect(),
        Value::Array(list) => list.iter().collect(),
        _ => return None,
    };
    inner
        .into_iter()
        .find_map(|value| anchor(value, name, depth + 1))
}

fn percent_decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        if *first == b'%' {
            let code = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(code, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_lead_to_pointers_and_anchors() {
        let root = json!({"$defs": {"a b": {"$anchor": "x", "type": "string"}}});
        let found = json!({"$anchor": "x", "type": "string"});
        assert_eq!(target(&root, "#/$defs/a%20b"), Some(&found));
        assert_eq!(target(&root, "#x"), Some(&found));
        assert_eq!(target(&root, "#"), Some(&root));
        assert_eq!(target(&root, "#/$defs/y"), None);
        assert_eq!(target(&root, "https://example.org/s.json"), None);
    }
}
