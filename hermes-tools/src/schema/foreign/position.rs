//! Where in a JSON Schema other schemas stand.
//!
//! Everything that is rewritten is found by its position, never by a word: a parameter may be called
//! `pattern`, a default may look like a schema, and an unknown keyword holds data.

use serde_json::{Map, Value};

/// What stands behind a keyword.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A schema.
    Schema,
    /// A list of schemas.
    List,
    /// An object whose values are schemas.
    Named,
    /// An object whose values are schemas or lists of names.
    NamedOrNames,
    /// Data.
    Data,
}

/// What stands behind a keyword of JSON Schema, drafts 4 to 2020-12.
pub(super) fn place(keyword: &str) -> Place {
    match keyword {
        "items"
        | "additionalProperties"
        | "additionalItems"
        | "contains"
        | "not"
        | "if"
        | "then"
        | "else"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contentSchema" => Place::Schema,
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => Place::List,
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
            Place::Named
        }
        "dependencies" => Place::NamedOrNames,
        _ => Place::Data,
    }
}

/// The same node with every schema in it changed.
pub(super) fn map_children(
    node: &Map<String, Value>,
    mut change: impl FnMut(&Value) -> Value,
) -> Map<String, Value> {
    let mut child = |value: &Value| match value {
        // Items of a tuple in drafts before 2020-12.
        Value::Array(items) => items.iter().map(&mut change).collect(),
        other => change(other),
    };
    node.iter()
        .map(|(keyword, value)| {
            let changed = match (place(keyword), value) {
                (Place::Schema, value) => child(value),
                (Place::List, Value::Array(_)) => child(value),
                (Place::Named, Value::Object(named)) => named
                    .iter()
                    .map(|(name, value)| (name.clone(), child(value)))
                    .collect(),
                (Place::NamedOrNames, Value::Object(named)) => named
                    .iter()
                    .map(|(name, value)| match value {
                        Value::Array(_) => (name.clone(), value.clone()),
                        _ => (name.clone(), child(value)),
                    })
                    .collect(),
                _ => value.clone(),
            };
            (keyword.clone(), changed)
        })
        .collect()
}

/// Whether a node says that its values are of a type, alone or among others.
pub(super) fn has_type(node: &Map<String, Value>, name: &str) -> bool {
    match node.get("type") {
        Some(Value::String(word)) => word == name,
        Some(Value::Array(words)) => words.iter().any(|word| word == name),
        _ => false,
    }
}

/// The names in `required` that are properties of the node, or `None` when there is no such list.
pub(super) fn known_required(node: &Map<String, Value>) -> Option<Vec<Value>> {
    let Some(Value::Array(required)) = node.get("required") else {
        return None;
    };
    let properties = node.get("properties").and_then(Value::as_object);
    let known = |name: &&Value| {
        let name = name.as_str();
        name.is_some_and(|name| properties.is_some_and(|all| all.contains_key(name)))
    };
    Some(required.iter().filter(known).cloned().collect())
}
