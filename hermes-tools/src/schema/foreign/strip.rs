//! Keywords that are taken away after a back end has refused a schema because of them.

use serde_json::{Map, Value};

use super::position::map_children;

/// Takes `pattern` and `format` away from every schema that has a type or a union, and counts them.
///
/// The grammar compiler of llama.cpp takes a small part of regular expressions and few formats. Tools
/// may be in the form of `OpenAI`'s chat API or of its responses API; others stay as they are.
pub fn strip_pattern_and_format(tools: &[Value]) -> (Vec<Value>, usize) {
    strip(tools, |node| {
        let typed = ["type", "anyOf", "oneOf", "allOf"]
            .iter()
            .any(|keyword| node.contains_key(*keyword));
        let keywords = ["pattern", "format"].into_iter();
        keywords
            .filter(|keyword| typed && node.remove(*keyword).is_some())
            .count()
    })
}

/// Takes every `enum` away that holds a text with a slash, and counts them.
///
/// The grammar compiler of xAI refuses such values.
pub fn strip_slash_enum(tools: &[Value]) -> (Vec<Value>, usize) {
    strip(tools, |node| {
        let slash = |value: &Value| value.as_str().is_some_and(|text| text.contains('/'));
        let found = match node.get("enum") {
            Some(Value::Array(values)) => values.iter().any(slash),
            _ => false,
        };
        usize::from(found && node.remove("enum").is_some())
    })
}

fn strip(
    tools: &[Value],
    mut from_node: impl FnMut(&mut Map<String, Value>) -> usize,
) -> (Vec<Value>, usize) {
    let mut count = 0;
    let mut stripped = tools.to_vec();
    for tool in &mut stripped {
        let chat = tool
            .get("function")
            .is_some_and(|function| matches!(function.get("parameters"), Some(Value::Object(_))));
        let holder = if chat {
            tool.get_mut("function")
        } else {
            Some(tool)
        };
        if let Some(parameters @ Value::Object(_)) =
            holder.and_then(|holder| holder.get_mut("parameters"))
        {
            *parameters = walk(parameters, &mut from_node, &mut count);
        }
    }
    (stripped, count)
}

fn walk(
    schema: &Value,
    from_node: &mut dyn FnMut(&mut Map<String, Value>) -> usize,
    count: &mut usize,
) -> Value {
    match schema {
        Value::Object(object) => {
            let mut object = map_children(object, |child| walk(child, from_node, count));
            *count += from_node(&mut object);
            Value::Object(object)
        }
        Value::Array(list) => list
            .iter()
            .map(|child| walk(child, from_node, count))
            .collect(),
        other => other.clone(),
    }
}
