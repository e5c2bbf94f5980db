//! JSON values that are compared digit by digit.

use hermes_tests::{Line, Outcome};
use hermes_tools::args::{JsonSchema, Node, canonical};

/// The value of JSON text. Numbers keep their digits, which `serde_json` would not do.
pub(crate) fn node(json: &str) -> Result<Node, String> {
    // Read by the canonical form, so that it is read strictly.
    let text = canonical(json).map_err(|error| error.to_string())?;
    let (node, _) = hermes_tools::args::repair_text(hermes_tools::args::RawArguments::new(&text))
        .map_err(|error| error.to_string())?;
    Ok(node)
}

/// An answer that is right when it is one of those that the line accepts: keys in any order, whole
/// numbers by their digits, fractions by the double they are.
pub(crate) fn judge(line: &Line, answer: &Node) -> Result<Outcome, String> {
    let mut passed = false;
    for right in line.right_texts() {
        passed |= same(&node(right)?, answer);
    }
    Ok(Outcome::Judged {
        passed,
        got: answer.to_json(),
    })
}

fn same(a: &Node, b: &Node) -> bool {
    match (a, b) {
        (Node::Number(a), Node::Number(b)) => {
            let is_whole = |text: &str| !text.contains(['.', 'e', 'E']);
            if is_whole(a) || is_whole(b) {
                a.trim_start_matches('-') == "0" && b.trim_start_matches('-') == "0" || a == b
            } else {
                a.parse::<f64>() == b.parse::<f64>()
            }
        }
        (Node::Array(a), Node::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Node::Object(a), Node::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| {
                    let other = b.iter().find(|(other, _)| other == key);
                    other.is_some_and(|(_, other)| same(value, other))
                })
        }
        _ => a == b,
    }
}

/// A schema as it stands in a line.
pub(crate) fn schema(json: &str) -> Result<JsonSchema, String> {
    JsonSchema::parse(json).map_err(|error| error.to_string())
}
