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
        Node::Array(items)
            if matches!(
                items[..],
                [Node::Object(_) | Node::Array(_) | Node::String(_)]
            ) =>
        {
            return Some((&items[0], "a list of one".to_owned()));
        }
        Node::Object(entries) if entries.len() <= LABELS.len() => entries,
        _ => return None,
    };
    let mut payload = None;
    for (key, value) in entries {
        let container = matches!(value, Node::Object(_) | Node::Array(_));
        // `function` holds the call in one dialect and its name in another.
        let label = is_one_of(&LABELS, key) && !container;
        // Null is what no arguments are called.
        let holds = container || matches!(value, Node::String(_) | Node::Null);
        if is_one_of(&PAYLOADS, key) && holds && !label {
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

#[cfg(test)]
mod tests {
    use super::super::{JsonSchema, RawArguments};

    const SCHEMA: &str = r#"{"properties": {
        "path": {"type": "string"}, "name": {"type": "string"}, "input": {"type": "object"}
    }}"#;

    fn decoded(raw: &str) -> String {
        let schema = JsonSchema::parse(SCHEMA).unwrap();
        schema
            .decode(RawArguments::new(raw))
            .unwrap()
            .arguments
            .to_json()
    }

    #[test]
    fn wrappers_are_opened_where_only_the_inside_fits() {
        for raw in [
            r#"{"arguments":{"path":"a"}}"#,
            r#"{"function":"f","parameters":{"path":"a"}}"#,
            r#"[{"Arguments":{"path":"a"}}]"#,
            r#"{"arguments":{"arguments":{"path":"a"}}}"#,
        ] {
            assert_eq!(decoded(raw), r#"{"path":"a"}"#, "{raw}");
        }
        for raw in [
            r#"{"tool":"f","arguments":null}"#,
            r#"{"arguments":"None"}"#,
            r#"{"arguments":""}"#,
            "[{}]",
        ] {
            assert_eq!(decoded(raw), "{}", "{raw}");
        }
    }

    #[test]
    fn a_list_of_one_value_that_is_no_call_is_no_wrapper() {
        let schema = JsonSchema::parse(SCHEMA).unwrap();
        for raw in ["[null]", "[None,]", "[1]", "[]"] {
            let error = schema.decode(RawArguments::new(raw)).unwrap_err();
            assert_eq!(error.code(), "invalid_arguments", "{raw}");
        }
    }

    #[test]
    fn what_fits_or_would_lose_an_argument_stays_closed() {
        for raw in [
            r#"{"input":{"path":"a"}}"#,
            r#"{"name":"f","arguments":{"path":"a"}}"#,
            r#"{"arguments":{"other":1}}"#,
            r#"{"arguments":{"path":"a"},"parameters":{"path":"b"}}"#,
        ] {
            assert_eq!(decoded(raw), raw);
        }
        assert_eq!(
            decoded(r#"{"name":"f","arguments":{"name":"n"}}"#),
            r#"{"name":"n"}"#
        );
    }
}
