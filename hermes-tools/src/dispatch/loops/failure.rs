//! Signs of failure in what foreign tools answer.

use serde_json::{Map, Value};

use crate::effect::Effect;

/// What kind of work a foreign tool's text tells of. It follows from the facts of the tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ResultOf {
    /// Anything.
    #[default]
    Anything,
    /// A change of files: what it wrote stands, whatever notes say of its content.
    Edit,
    /// A command: its exit code says how it ended.
    Command,
}

/// Whether the text of a foreign tool's result says that the call failed.
///
/// Only fields at the top of a JSON object count, and text that begins with `Error`; a result that
/// merely speaks of errors is none.
///
/// ```
/// use hermes_tools::loops::{ResultOf, is_failure};
///
/// assert!(is_failure(r#"{"error": "no key"}"#, ResultOf::Anything));
/// assert!(!is_failure(r#"{"passed": 12, "failed": 0, "error": null}"#, ResultOf::Anything));
/// assert!(is_failure(r#"{"exit_code": 2, "output": ""}"#, ResultOf::Command));
/// ```
pub fn is_failure(text: &str, of: ResultOf) -> bool {
    match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => fields_tell(&fields, of),
        Ok(_) => false,
        Err(_) => text.starts_with("Error"),
    }
}

fn fields_tell(fields: &Map<String, Value>, of: ResultOf) -> bool {
    let says_error = fields.get("error").is_some_and(is_something);
    let success = fields.get("success").and_then(Value::as_bool);
    match of {
        ResultOf::Edit => {
            let landed = success == Some(true) || fields.contains_key("bytes_written");
            if landed && !says_error {
                return false;
            }
        }
        ResultOf::Command => {
            if let Some(code) = fields.get("exit_code").filter(|code| !code.is_null()) {
                return code.as_f64() != Some(0.0);
            }
        }
        ResultOf::Anything => {}
    }
    let status = fields.get("status").and_then(Value::as_str);
    says_error || success == Some(false) || matches!(status, Some("error" | "failed"))
}

/// Whether the value of a field `error` says anything. The number zero is how many programs say that
/// there is none.
fn is_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(true) => true,
    }
}

/// Whether a call that was cut off may have done something. Only a tool that is known to read has
/// not; of a tool that nobody knows it must be assumed.
pub const fn may_have_acted(effect: Option<Effect>) -> bool {
    !matches!(effect, Some(Effect::Read))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_says_nothing_is_no_error() {
        for (error, failed) in [
            ("null", false),
            ("false", false),
            ("0", false),
            ("0.0", false),
            ("\"\"", false),
            ("[]", false),
            ("{}", false),
            ("true", true),
            ("1", true),
            ("-2", true),
            ("\"no key\"", true),
            ("[0]", true),
            ("{\"code\": 0}", true),
        ] {
            let text = format!("{{\"error\": {error}, \"output\": \"x\"}}");
            assert_eq!(is_failure(&text, ResultOf::Anything), failed, "{text}");
        }
    }
}
