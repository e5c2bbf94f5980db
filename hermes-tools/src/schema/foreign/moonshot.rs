//! The part of JSON Schema that Moonshot (Kimi) takes.

use serde_json::{Map, Value, json};

use super::position::map_children;

/// Types whose `enum` may hold neither null nor the empty text.
const SCALARS: [&str; 4] = ["string", "integer", "number", "boolean"];

/// Keywords whose schemas only say which rule holds. A guessed type would change what they say.
const UNTOUCHED: [&str; 8] = [
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependencies",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
];

/// Parameters as Moonshot wants them.
///
/// Its API refuses others with "not a valid moonshot flavored json schema". Every schema has a type,
/// guessed from its other keywords where it has none; beside `anyOf` there is none, and no branch is
/// null; a scalar's `enum` holds neither null nor the empty text; every object has `required`, if only
/// an empty one; `nullable` goes.
pub fn moonshot_subset(parameters: &Value) -> Value {
    let mut top = match parameters {
        Value::Object(object) => repair(object),
        _ => Map::new(),
    };
    top.insert("type".to_owned(), json!("object"));
    top.entry("properties").or_insert_with(|| json!({}));
    require(&mut top);
    Value::Object(top)
}

fn child(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => Value::Object(repair(object)),
        Value::Array(list) => list.iter().map(child).collect(),
        other => other.clone(),
    }
}

fn repair(node: &Map<String, Value>) -> Map<String, Value> {
    let original = node;
    let mut node = map_children(node, child);
    for keyword in UNTOUCHED {
        if let Some(value) = original.get(keyword) {
            node.insert(keyword.to_owned(), value.clone());
        }
    }
    if let Some(Value::Array(branches)) = node.get("anyOf") {
        let count = branches.len();
        let others: Vec<Value> = branches
            .iter()
            .filter(|branch| branch.is_object() && branch.get("type") != Some(&json!("null")))
            .cloned()
            .collect();
        node.remove("type");
        if others.is_empty() || others.len() == count {
            return node;
        }
        let [Value::Object(only)] = &others[..] else {
            node.insert("anyOf".to_owned(), Value::Array(others));
            return node;
        };
        node.remove("anyOf");
        node.extend(only.clone());
    }
    node.remove("nullable");
    if !node.contains_key("$ref") {
        fill_type(&mut node);
    }
    let scalar = node.get("type").and_then(Value::as_str);
    if scalar.is_some_and(|name| SCALARS.contains(&name))
        && let Some(Value::Array(values)) = node.get_mut("enum")
    {
        values.retain(|value| !value.is_null() && value != "");
        if values.is_empty() {
            node.remove("enum");
        }
    }
    if node.get("type") == Some(&json!("object")) {
        require(&mut node);
    }
    node
}

/// Gives a node one type: the first of a list, or the one that its other keywords speak of.
fn fill_type(node: &mut Map<String, Value>) {
    let name = match node.get("type") {
        Some(Value::Array(words)) => words
            .iter()
            .filter_map(Value::as_str)
            .find(|word| !word.is_empty() && *word != "null")
            .unwrap_or("string"),
        Some(Value::Null) | None => guess(node),
        Some(Value::String(word)) if word.is_empty() => guess(node),
        Some(_) => return,
    };
    let name = json!(name);
    node.insert("type".to_owned(), name);
}

fn guess(node: &Map<String, Value>) -> &'static str {
    let has = |keyword: &str| node.contains_key(keyword);
    if has("properties") || has("required") || has("additionalProperties") {
        return "object";
    }
    if has("items") || has("prefixItems") {
        return "array";
    }
    match node.get("enum").and_then(|values| values.get(0)) {
        Some(Value::Bool(_)) => "boolean",
        Some(Value::Number(number)) if number.is_f64() => "number",
        Some(Value::Number(_)) => "integer",
        _ => "string",
    }
}

/// Gives an object `required`, with existing properties only.
fn require(node: &mut Map<String, Value>) {
    let mut required = match node.get("required") {
        Some(Value::Array(names)) => names.clone(),
        _ => Vec::new(),
    };
    if let Some(Value::Object(properties)) = node.get("properties") {
        required.retain(|name| {
            name.as_str()
                .is_some_and(|name| properties.contains_key(name))
        });
    }
    node.insert("required".to_owned(), Value::Array(required));
}
