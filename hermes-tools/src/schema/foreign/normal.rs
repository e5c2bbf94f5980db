//! The normal form of foreign tool schemas: what strict back ends take, with nothing lost.

use serde_json::{Map, Value, json};

use super::nullable::strip_nullable_unions;
use super::position::{known_required, map_children};

/// Keywords that strict back ends refuse at the outermost level of parameters.
///
/// `OpenAI`: "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the
/// top level"; Anthropic refuses the first three.
const TOP_REFUSED: [&str; 5] = ["allOf", "anyOf", "oneOf", "enum", "not"];

/// Words that stand where a schema should, and name a type.
const TYPES: [&str; 7] = [
    "object", "string", "number", "integer", "boolean", "array", "null",
];

/// Tools in the form of `OpenAI`'s chat API, with the parameters of each in normal form.
///
/// What is not such a tool is passed on as it is.
pub fn sanitize(tools: &[Value]) -> Vec<Value> {
    tools.iter().map(tool).collect()
}

fn tool(tool: &Value) -> Value {
    let mut tool = tool.clone();
    if let Some(Value::Object(function)) = tool.get_mut("function") {
        let parameters = sanitize_parameters(function.get("parameters").unwrap_or(&Value::Null));
        function.insert("parameters".to_owned(), parameters);
    }
    tool
}

/// Parameters in normal form.
///
/// They are an object with `properties`; what stands in schema position is a schema; `type` is one
/// word, with `nullable` or in an `anyOf` where there were several; unions with null alone collapse;
/// `default` beside `$ref` goes; `required` names existing properties only; at the outermost level
/// there are no combinators. Defaults, constants, examples and unknown keywords are data and stay.
///
/// It is a form between forms: `nullable` is no keyword of JSON Schema, and the dialects write it in
/// their own ways. A schema in normal form is left alone.
pub fn sanitize_parameters(parameters: &Value) -> Value {
    let Value::Object(parameters) = parameters else {
        return empty_object();
    };
    let mut top = node_object(parameters);
    // A list of types at the top has become a union by now, which goes too.
    for keyword in TOP_REFUSED {
        top.remove(keyword);
    }
    top.insert("type".to_owned(), json!("object"));
    finish_object(&mut top);
    without_ref_defaults(&strip_nullable_unions(&Value::Object(top), true))
}

fn empty_object() -> Value {
    json!({"type": "object", "properties": {}})
}

fn node(schema: &Value) -> Value {
    match schema {
        Value::String(word) if word != "object" && TYPES.contains(&word.as_str()) => {
            json!({ "type": word })
        }
        Value::String(_) => empty_object(),
        Value::Array(list) => list.iter().map(node).collect(),
        Value::Object(object) => Value::Object(node_object(object)),
        other => other.clone(),
    }
}

fn node_object(object: &Map<String, Value>) -> Map<String, Value> {
    let mut object = map_children(object, node);
    split_types(&mut object);
    finish_object(&mut object);
    object
}

/// Turns a list of types into one type, or into a union of them.
fn split_types(node: &mut Map<String, Value>) {
    let Some(Value::Array(words)) = node.get("type") else {
        return;
    };
    let words = words.clone();
    let null = words.iter().any(|word| word == "null");
    let types: Vec<&str> = words
        .iter()
        .filter_map(Value::as_str)
        .filter(|word| *word != "null")
        .collect();
    node.remove("type");
    match types[..] {
        [] => {
            let word = if null { "null" } else { "object" };
            node.insert("type".to_owned(), json!(word));
            return;
        }
        [only] => {
            node.insert("type".to_owned(), json!(only));
        }
        _ if node.contains_key("anyOf") => {}
        _ => {
            let branches: Vec<Value> = types
                .iter()
                .map(|word| match *word {
                    "object" => empty_object(),
                    word => json!({ "type": word }),
                })
                .collect();
            node.insert("anyOf".to_owned(), Value::Array(branches));
        }
    }
    if null {
        node.entry("nullable").or_insert(json!(true));
    }
}

/// Gives an object its properties, and takes names out of `required` that it does not have.
fn finish_object(node: &mut Map<String, Value>) {
    if node.get("type") != Some(&json!("object")) {
        return;
    }
    if !matches!(node.get("properties"), Some(Value::Object(_))) {
        node.insert("properties".to_owned(), json!({}));
    }
    match known_required(node) {
        Some(names) if names.is_empty() => {
            node.remove("required");
        }
        Some(names) => {
            node.insert("required".to_owned(), Value::Array(names));
        }
        None => {}
    }
}

/// Takes `default` away beside `$ref`, where draft 7 and what follows it strictly allow nothing.
fn without_ref_defaults(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            let mut object = map_children(object, without_ref_defaults);
            if object.contains_key("$ref") {
                object.remove("default");
            }
            Value::Object(object)
        }
        Value::Array(list) => list.iter().map(without_ref_defaults).collect(),
        other => other.clone(),
    }
}
