//! The strict reader takes exactly what `serde_json` takes, and reads the same values.
#![no_main]

use hermes_tools::args::{Node, RawArguments, canonical, repair_text};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let ours = canonical(text);
    match serde_json::from_str::<Value>(text) {
        Ok(theirs) => {
            let ours = ours.expect("serde_json takes it");
            let (node, _) = repair_text(RawArguments::new(&ours)).expect("it is JSON");
            assert!(same(&node, &theirs), "{ours} and {theirs}");
        }
        // They refuse numbers beyond doubles, halves of pairs, and the 128th level of nesting.
        Err(error) => {
            let why = error.to_string();
            let known = [
                "number out of range",
                "surrogate",
                "recursion limit",
                "unexpected end of hex escape",
            ];
            assert!(
                ours.is_err() || known.iter().any(|known| why.contains(known)),
                "{why}: {ours:?}"
            );
        }
    }
});

fn same(node: &Node, value: &Value) -> bool {
    match (node, value) {
        (Node::Null, Value::Null) => true,
        (Node::Bool(a), Value::Bool(b)) => a == b,
        (Node::String(a), Value::String(b)) => a == b,
        (Node::Number(a), Value::Number(b)) => {
            *a == b.to_string() || a.parse::<f64>().ok() == b.as_f64()
        }
        (Node::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Node::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, value)| b.get(key).is_some_and(|other| same(value, other)))
        }
        _ => false,
    }
}
