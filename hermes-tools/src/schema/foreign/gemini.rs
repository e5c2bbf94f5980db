//! The part of JSON Schema that Gemini takes.

use serde_json::{Map, Value, json};

use super::position::{has_type, known_required};

/// The fields of Gemini's `Schema` object (Gemini API reference, "Caching", `Schema`). Every other one
/// makes it refuse the whole request.
const FIELDS: [&str; 22] = [
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "maxItems",
    "minItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "example",
    "anyOf",
    "propertyOrdering",
    "default",
    "items",
    "minimum",
    "maximum",
];

/// Parameters with the fields that Gemini's `Schema` object has, and no others, at every depth.
///
/// `required` names existing properties only. Values of `enum` are texts in Gemini, so one with other
/// values goes where the type is a number or a boolean. What is no schema is an object without
/// properties at the outermost level, and `{}` inside.
pub fn gemini_subset(parameters: &Value) -> Value {
    let subset = node(parameters);
    if subset.is_empty() {
        return json!({"type": "object", "properties": {}});
    }
    Value::Object(subset)
}

fn node(schema: &Value) -> Map<String, Value> {
    let Value::Object(object) = schema else {
        return Map::new();
    };
    let mut subset = Map::new();
    for (field, value) in object {
        let kept = match (field.as_str(), value) {
            ("properties", Value::Object(properties)) => properties
                .iter()
                .map(|(name, schema)| (name.clone(), Value::Object(node(schema))))
                .collect(),
            ("items", schema) => Value::Object(node(schema)),
            ("anyOf", Value::Array(branches)) => branches
                .iter()
                .filter(|branch| branch.is_object())
                .map(|branch| Value::Object(node(branch)))
                .collect(),
            ("properties" | "anyOf", _) => continue,
            (field, value) if FIELDS.contains(&field) => value.clone(),
            _ => continue,
        };
        subset.insert(field.clone(), kept);
    }
    let not_text = ["integer", "number", "boolean"]
        .iter()
        .any(|name| has_type(&subset, name));
    if let Some(Value::Array(values)) = subset.get("enum")
        && not_text
        && !values.iter().all(Value::is_string)
    {
        subset.remove("enum");
    }
    match known_required(&subset) {
        Some(names) if names.is_empty() => {
            subset.remove("required");
        }
        Some(names) => {
            subset.insert("required".to_owned(), Value::Array(names));
        }
        None => {}
    }
    subset
}
