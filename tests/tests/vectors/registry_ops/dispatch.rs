//! What comes of a call of a handler.

use hermes_tests::{Line, Outcome};
use hermes_tools::output::Output;
use hermes_tools::{Content, ErrorKind, RuntimeTool, Selection, Session, ToolError, ToolRegistry};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dispatch {
    call: Option<String>,
    handler: Option<Handler>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Handler {
    #[serde(default, deserialize_with = "given")]
    returns: Option<Value>,
    raises: Option<Raises>,
    #[serde(default)]
    r#async: bool,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raises {
    r#type: String,
    message: String,
}

/// A `null` that is there is a value.
fn given<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(value).map(Some)
}

/// The lines give the wording of hermes-agent. Ours is another; what is compared is the kind of an
/// answer, put into that wording.
pub(super) fn answer(line: &Line) -> Result<Outcome, String> {
    let input: Dispatch = line.input()?;
    let registry = ToolRegistry::of(&[]).map_err(|error| error.to_string())?;
    if let Some(handler) = input.handler {
        registry.register(tool_of(handler));
    }
    let session = Session::builder(registry, Selection::of(["t"]))
        .tools_come_later()
        .build()
        .unwrap();
    let called = input.call.unwrap_or_else(|| "t".to_owned());
    let result = session.call_blocking(&called, "{}");
    let expected: Value = line.expected()?;
    let got = match &result.outcome {
        Ok(output) if expected.get("value").is_some() => json!({"value": message(output)}),
        Ok(output) if expected.get("text").is_some() => json!({"text": output.text()}),
        Ok(output) => match serde_json::from_str::<Value>(&output.text()) {
            Ok(json) => json!({"json": json}),
            Err(_) => json!({"text": output.text()}),
        },
        Err(error) => json!({"json": in_words_of_hermes_agent(&called, error)}),
    };
    Ok(Outcome::Judged {
        passed: matches(&without_summary(expected), &got),
        got: got.to_string(),
    })
}

/// A result of several parts in the form that the handlers of the lines give it.
fn message(output: &Output) -> Value {
    let parts = output.parts().map(|part| match part {
        Content::Text(text) => json!({"type": "text", "text": text}),
        Content::Image(media) => {
            let address = format!("data:{};base64,{}", media.media_type(), media.base64());
            json!({"type": "image_url", "image_url": {"url": address}})
        }
        part => serde_json::from_str(part.as_text()).unwrap(),
    });
    json!({"_multimodal": true, "content": parts.collect::<Value>()})
}

/// What stands beside the parts is for programs; a model sees the parts alone.
fn without_summary(mut expected: Value) -> Value {
    if let Some(fields) = expected.get_mut("value").and_then(Value::as_object_mut) {
        fields.retain(|key, _| matches!(key.as_str(), "_multimodal" | "content"));
    }
    expected
}

fn in_words_of_hermes_agent(called: &str, error: &ToolError) -> Value {
    match error.kind() {
        ErrorKind::UnknownTool => json!({"error": format!("Unknown tool: {called}")}),
        ErrorKind::ResultContract => json!({
            "error": error.message(),
            "error_type": "tool_result_contract",
            "tool": called,
            "result_type": error.message(),
        }),
        _ => {
            let json: Value = serde_json::from_str(&error.to_json()).unwrap();
            let message = json["error"].as_str().unwrap_or_default();
            json!({"error": format!("[TOOL_ERROR] Tool execution failed: {message}")})
        }
    }
}

fn matches(expected: &Value, got: &Value) -> bool {
    match (expected, got) {
        (Value::String(any), Value::String(_)) if any == "*" => true,
        (Value::String(a), Value::String(b)) => {
            a.split_whitespace().collect::<Vec<_>>() == b.split_whitespace().collect::<Vec<_>>()
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, value)| b.get(key).is_some_and(|it| matches(value, it)))
        }
        (a, b) => a == b,
    }
}

fn tool_of(handler: Handler) -> RuntimeTool {
    let tool = RuntimeTool::new("t", "s", "Answers.", json!({"type": "object"}));
    let answer = move || match (&handler.raises, &handler.returns) {
        (Some(raises), _) => Err(ToolError::failed(format!(
            "{}: {}",
            raises.r#type, raises.message
        ))),
        (None, Some(value)) => RuntimeTool::output_of(value.clone()),
        (None, None) => Err(ToolError::failed("the line says nothing of an answer")),
    };
    if handler.r#async {
        tool.handler(move |_, _| {
            let answer = answer();
            Box::pin(async move { answer })
        })
    } else {
        tool.answering(move |_| answer())
    }
}
