//! Which calls are the same call.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use crate::args::canonical;

/// A call as it is compared with others: the name of the tool, and the arguments in their one
/// spelling. The order of keys and the white space make no difference, types and the order of lists
/// do; no arguments at all are an empty object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactCall {
    pub(super) tool: Box<str>,
    pub(super) digest: Digest,
}

/// What stands for a text. Texts may be long and are only compared, so they are not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Digest(u64, u64);

impl ExactCall {
    /// A call of a tool with arguments as JSON text. Text that is not JSON is compared as it is.
    pub fn new(tool: &str, arguments: &str) -> Self {
        let arguments = match arguments.trim() {
            "" | "null" | "None" => "{}".to_owned(),
            text => canonical(text).unwrap_or_else(|_| text.to_owned()),
        };
        Self {
            tool: tool.into(),
            digest: digest(&(tool, arguments)),
        }
    }

    /// The tool's name.
    pub fn tool(&self) -> &str {
        &self.tool
    }
}

/// Answers that are JSON are compared in their one spelling, other text as it is.
pub(super) fn digest_of_answer(answer: &str) -> Digest {
    match canonical(answer) {
        Ok(text) => digest(&(true, text)),
        Err(_) => digest(&(false, answer)),
    }
}

/// Keys that nobody outside the process knows, so that no text can be made to look like another.
static KEYS: LazyLock<[RandomState; 2]> =
    LazyLock::new(|| [RandomState::new(), RandomState::new()]);

fn digest(value: &impl std::hash::Hash) -> Digest {
    Digest(KEYS[0].hash_one(value), KEYS[1].hash_one(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_makes_no_difference_and_types_do() {
        let call = |arguments| ExactCall::new("t", arguments);
        assert_eq!(
            call(r#"{"a":1,"b":[1,2]}"#),
            call(r#"{ "b": [1, 2], "a": 1 }"#)
        );
        assert_eq!(call(""), call("{}"));
        assert_eq!(call(" null "), call("{}"));
        assert_ne!(call(r#"{"a":1}"#), call(r#"{"a":"1"}"#));
        assert_ne!(call(r#"{"b":[1,2]}"#), call(r#"{"b":[2,1]}"#));
        assert_ne!(call("{}"), ExactCall::new("u", "{}"));
    }
}
