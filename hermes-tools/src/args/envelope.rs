//! Wrappers that models put around arguments.

use super::Node;
use super::rules::{JsonSchema, ROOT};

/// Keys whose value is the arguments.
const PAYLOADS: [&str; 13] = [
    "arguments",
    "parameters",
    "args",
    "input",
    "params",
    "kwargs",
    "tool_input",
    "tool_args",
    "action_input",
    "function",
    "function_call",
    "tool_call",
    "tool_calls",
];

/// Keys that stand beside them and say whose arguments these are.
const LABELS: [&str; 12] = [
    "name",
    "tool",
    "tool_name",
    "function",
    "function_name",
    "recipient_name",
    "action",
    "id",
    "call_id",
    "tool_call_id",
    "type",
    "index",
];

/// Whether a wrapper may have this key.
pub(super) fn is_key(key: &str) -> bool {
    is_one_of(&PAYLOADS, key) || is_one_of(&LABELS, key)
}

fn is_one_of(keys: &[&str], key: &str) -> bool {
    keys.iter().any(|known| known.eq_ignore_ascii_case(key))
}

/// What is inside a wrapper, and the name of the wrapper.
///
/// Whether it is opened is decided by what fits: a tool may have a parameter called `input`.
pub(super) fn inside<'n>(node: &'n Node, schema: &JsonSchema) -> Option<(&'n Node, String)> {
    let entries = match node {
        Node::Array(items) if items.len() == 1 => {
            return Some((&items[0], "a list of one".to_owned()));
        }
        Node::Object(entries) if entries.len() <= LABELS.len() => entries,
        _ => return None,
    };
    let mut payload = None;
    for (key, value) in entries {
        let holds = matches!(value, Node::Object(_) | Node::Array(_) | Node::String(_));
        let label = is_one_of(&LABELS, key) && !matches!(value, Node::Object(_) | Node::Array(_));
        if is_one_of(&PAYLOADS, key) && holds && !(label && payload.is_some()) {
            if payload.replace((key, value)).is_some() {
                return None;
            }
        } else if !label {
            return None;
        }
    }
    let (key, value) = payload?;
    // A label that is also a parameter may be an argument, unless the arguments have their own.
    let root = schema.rule(ROOT);
    let lost = entries.iter().any(|(label, _)| {
        label != key && root.field(label, 0).is_some() && value.get(label).is_none()
    });
    (!lost).then(|| (value, format!("`{key}`")))
}
