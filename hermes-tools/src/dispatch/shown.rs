//! Texts of a call as they may be shown, traced or kept.

use crate::args::Node;
use crate::output::redact::{MASK, is_secret_name, redact, take_out};

/// A text without the values of secret arguments, and without what looks like a secret.
pub(crate) fn shown(text: &str, secrets: &[Box<str>]) -> String {
    redact(&take_out(text, secrets, 1)).into_owned()
}

/// Arguments as JSON text without the values of secret ones, and of those whose names say that they are.
pub(crate) fn shown_arguments(arguments: Node, secrets: &[Box<str>]) -> String {
    without_secrets(arguments, secrets).to_json()
}

/// The same as a tree.
pub(crate) fn without_secrets(mut arguments: Node, secrets: &[Box<str>]) -> Node {
    hide(&mut arguments, secrets);
    arguments
}

fn hide(node: &mut Node, secrets: &[Box<str>]) {
    match node {
        Node::Null | Node::Bool(_) => {}
        Node::String(text) => *text = shown(text, secrets),
        Node::Number(text) => {
            if secrets.iter().any(|secret| **secret == **text) {
                *node = Node::String(MASK.to_owned());
            }
        }
        Node::Array(items) => items.iter_mut().for_each(|item| hide(item, secrets)),
        Node::Object(entries) => {
            for (key, value) in entries {
                let scalar = matches!(value, Node::String(_) | Node::Number(_));
                if scalar && is_secret_name(key) {
                    *value = Node::String(MASK.to_owned());
                }
                *key = shown(key, secrets);
                hide(value, secrets);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_secret_is_taken_out_too() {
        let arguments =
            r#"{"command":"GITHUB_TOKEN=ghp_0123456789abcdefABCD make","api_key":"abc","n":1}"#;
        let arguments = Node::from_json(arguments).unwrap();
        assert_eq!(
            shown_arguments(arguments, &[]),
            r#"{"command":"GITHUB_TOKEN=ghp_01...ABCD make","api_key":"***","n":1}"#
        );
    }

    #[test]
    fn secrets_are_taken_out_in_both_spellings_and_the_longest_first() {
        let secrets = ["ab\"c".into(), "ab".into(), "".into()];
        let text = r#"{"key":"ab\"c","plain":"ab","said":"ab"c"}"#;
        assert_eq!(
            shown(text, &secrets),
            r#"{"key":"***","plain":"***","said":"***"}"#
        );
        let arguments = Node::from_json(r#"{"pin":1234,"ab":[true,"a1234"]}"#).unwrap();
        assert_eq!(
            shown_arguments(arguments, &["1234".into(), "ab".into()]),
            r#"{"pin":"***","***":[true,"a***"]}"#
        );
    }
}
