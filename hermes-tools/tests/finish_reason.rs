//! Why the model stopped reaches the arguments on every way in, and what was repaired is told also when
//! the call fails afterwards.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use hermes_tools::{
    Effect, ErrorKind, RuntimeTool, Selection, Session, ToolCall, ToolError, ToolRegistry, tool,
    tools,
};
use serde_json::{Value, json};

/// Fail with what was sent.
#[tool(toolset = "test", effect = "read", inline)]
fn fail(
    /// How many.
    count: u8,
) -> Result<String, ToolError> {
    Err(ToolError::failed(format!("{count} is too many")).with_help("send fewer"))
}

fn session() -> Session {
    let registry = ToolRegistry::of(tools![fail]).unwrap();
    let schema = json!({"properties": {"count": {"type": "integer"}}, "required": ["count"]});
    let made = RuntimeTool::new("made", "test", "Count.", schema)
        .effect(Effect::Read)
        .answering(|arguments| arguments.to_json());
    registry.register(made);
    Session::builder(registry, Selection::of(["fail", "made"]))
        .build()
        .unwrap()
}

#[test]
fn arguments_of_a_stopped_model_are_refused_unless_they_are_complete() {
    let session = session();
    for tool in ["fail", "made"] {
        for reason in ["length", "max_tokens", "MAX_TOKENS", "incomplete"] {
            let call = ToolCall::new(tool, r#"{"count": 3"#).finish_reason(reason);
            let error = session.call_blocking_with(call).outcome.unwrap_err();
            assert_eq!(error.code(), "truncated", "{tool}, {reason}");
        }
    }
    let call = |text: &str, reason: &str| {
        let call = ToolCall::new("made", text).finish_reason(reason);
        session
            .call_blocking_with(call)
            .outcome
            .map(|it| it.text().into_owned())
    };
    assert_eq!(call(r#"{"count": 3"#, "stop").unwrap(), r#"{"count":3}"#);
    assert_eq!(call(r#"{"count": 3}"#, "length").unwrap(), r#"{"count":3}"#);
}

#[test]
fn repairs_are_told_when_the_call_fails_afterwards() {
    let result = session().call_blocking("fail", r#"{"count": "3"}"#);
    let error = result.outcome.as_ref().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Failed);
    assert_eq!(
        result.repairs[0].to_string(),
        "`count`: text to integer (\"3\" to 3)"
    );
    let told: Value = serde_json::from_str(&result.model_text()).unwrap();
    assert_eq!(
        told,
        json!({
            "error": "3 is too many",
            "code": error.code(),
            "help": "send fewer",
            "arguments_changed": "`count`: text to integer (\"3\" to 3)",
        })
    );
}
