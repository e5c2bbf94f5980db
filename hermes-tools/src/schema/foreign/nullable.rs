//! Unions whose only purpose is to allow null.

use serde_json::{Map, Value, json};

use super::position::map_children;

/// What a union says about all its branches, and what replaces it keeps.
const KEPT: [&str; 4] = ["title", "description", "default", "examples"];

/// Replaces every `anyOf` or `oneOf` of one schema and null by that schema.
///
/// With `keep_nullable_hint` the schema gets `nullable: true`, unless it says otherwise. The union's
/// title, description, default and examples are kept where the schema has none of its own; a default
/// does not go beside a `$ref`. Unions with more branches stay. A list is a list of schemas.
pub fn strip_nullable_unions(schema: &Value, keep_nullable_hint: bool) -> Value {
    let change = |value: &Value| strip_nullable_unions(value, keep_nullable_hint);
    match schema {
        Value::Array(list) => list.iter().map(change).collect(),
        Value::Object(object) => {
            let mut object = map_children(object, change);
            while let Some(replacement) = collapsed(&object, keep_nullable_hint) {
                object = replacement;
            }
            Value::Object(object)
        }
        other => other.clone(),
    }
}

/// The only schema of a union beside null, when the node is one.
fn collapsed(node: &Map<String, Value>, keep_nullable_hint: bool) -> Option<Map<String, Value>> {
    let only = ["anyOf", "oneOf"].iter().find_map(|keyword| {
        let branches = node.get(*keyword)?.as_array()?;
        let mut others = branches.iter().filter(|branch| !is_null(branch));
        let only = others.next()?;
        (others.next().is_none() && branches.len() > 1).then_some(only)
    })?;
    let mut replacement = only.as_object().cloned().unwrap_or_default();
    if keep_nullable_hint {
        replacement.entry("nullable").or_insert(json!(true));
    }
    for keyword in KEPT {
        if let Some(value) = node.get(keyword)
            && !(keyword == "default" && replacement.contains_key("$ref"))
        {
            replacement.entry(keyword).or_insert_with(|| value.clone());
        }
    }
    Some(replacement)
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|word| word == "null")
}
