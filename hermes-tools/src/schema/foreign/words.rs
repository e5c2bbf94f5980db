//! Names of types, as they stand in foreign schemas.

use serde_json::{Map, Value};

/// The type of JSON Schema that a word means: its own name in any case, or the name that a
/// programming language gives it.
pub(super) fn type_of(word: &str) -> Option<&'static str> {
    Some(match word.trim().to_ascii_lowercase().as_str() {
        "string" | "str" | "text" | "char" | "varchar" => "string",
        "integer" | "int" | "int32" | "int64" | "long" | "uint" | "short" => "integer",
        "number" | "float" | "double" | "decimal" | "float32" | "float64" | "num" => "number",
        "boolean" | "bool" => "boolean",
        "object" | "dict" | "dictionary" | "map" | "hash" | "struct" => "object",
        "array" | "list" | "tuple" | "set" | "slice" | "vec" | "vector" => "array",
        "null" | "none" | "nil" | "void" => "null",
        _ => return None,
    })
}

/// The types that a node says its values have, null apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Types {
    /// The types, each once; none when the node does not say.
    pub(super) names: Vec<&'static str>,
    /// Whether null is among them, or `nullable` says so.
    pub(super) null: bool,
    /// Words that name no type.
    pub(super) unknown: Vec<String>,
}

impl Types {
    /// What a node says; where it says nothing, what its other keywords speak of.
    pub(super) fn of(node: &Map<String, Value>) -> Self {
        let mut types = Self {
            null: node.get("nullable") == Some(&Value::Bool(true)),
            ..Self::default()
        };
        let words = match node.get("type") {
            Some(Value::Array(words)) => words.as_slice(),
            Some(word) => std::slice::from_ref(word),
            None => &[],
        };
        for word in words {
            match word.as_str().map(|word| (word, type_of(word))) {
                Some((_, Some("null"))) => types.null = true,
                Some((_, Some(name))) if types.names.contains(&name) => {}
                Some((_, Some(name))) => types.names.push(name),
                Some((word, None)) => types.unknown.push(word.to_owned()),
                None => types.unknown.push(word.to_string()),
            }
        }
        if types.names.is_empty() && !(types.null && types.unknown.is_empty()) {
            types.names.extend(spoken_of(node));
        }
        types
    }
}

fn spoken_of(node: &Map<String, Value>) -> Vec<&'static str> {
    let has = |keywords: &[&str]| keywords.iter().any(|keyword| node.contains_key(*keyword));
    if has(&[
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
    ]) {
        return vec!["object"];
    }
    if has(&[
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "uniqueItems",
    ]) {
        return vec!["array"];
    }
    let mut names = Vec::new();
    for value in values(node) {
        let name = match value {
            Value::Null => continue,
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() && has(&["pattern", "minLength", "maxLength", "format"]) {
        names.push("string");
    }
    names
}

/// The only values allowed, or where there are none, the values shown.
fn values(node: &Map<String, Value>) -> Vec<&Value> {
    match (node.get("enum"), node.get("const")) {
        (Some(Value::Array(values)), _) => values.iter().collect(),
        (_, Some(value)) => vec![value],
        _ => node.get("default").into_iter().collect(),
    }
}
