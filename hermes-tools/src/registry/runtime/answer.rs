//! Results of handlers that give back any JSON value.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::RuntimeTool;
use crate::output::{Content, ErrorKind, Output, ToolError};

impl RuntimeTool {
    /// The result that a JSON value of a foreign handler is: text as it is, and of an object with
    /// `"_multimodal": true` and a list `content` the parts of that list, in the form of the messages of
    /// Chat Completions. A part that is neither text nor a picture in a `data:` address stays as JSON.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::ResultContract`] for any other value, as hermes-agent does it: a handler that gives
    /// back a number, a bare object or nothing at all has most likely forgotten to write its answer.
    pub fn output_of(value: Value) -> Result<Output, ToolError> {
        let kind = match value {
            Value::String(text) => return Ok(Content::Text(text.into()).into()),
            Value::Object(fields) => match parts(fields) {
                Some(parts) => return Ok(Output::new(parts)),
                None => "an object",
            },
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::Array(_) => "a list",
        };
        let message = format!("the tool gave back {kind} where text must be");
        Err(ToolError::new(ErrorKind::ResultContract, message)
            .with_help("this is a fault of the tool; use another way"))
    }
}

/// The parts of a result of several parts; `None` for any other object.
fn parts(mut fields: Map<String, Value>) -> Option<Vec<Content>> {
    if fields.get("_multimodal") != Some(&Value::Bool(true)) {
        return None;
    }
    match fields.remove("content") {
        Some(Value::Array(items)) => Some(items.iter().map(part).collect()),
        _ => None,
    }
}

fn part(item: &Value) -> Content {
    match known_part(item) {
        Some(content) => content,
        None => Content::Json(item.to_string()),
    }
}

fn known_part(item: &Value) -> Option<Content> {
    match item.get("type")?.as_str()? {
        "text" => Some(Content::text(item.get("text")?.as_str()?.to_owned())),
        "image_url" => {
            let address = item.get("image_url")?.get("url")?.as_str()?;
            let (media_type, data) = address.strip_prefix("data:")?.split_once(";base64,")?;
            Some(Content::image(
                media_type.to_owned(),
                STANDARD.decode(data).ok()?,
            ))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(value: Value) -> (ErrorKind, String) {
        let error = RuntimeTool::output_of(value).unwrap_err();
        (error.kind(), error.message().to_owned())
    }

    #[test]
    fn text_is_given_back_as_it_is() {
        for text in ["", "plain", "{\"ok\": true}"] {
            let output = RuntimeTool::output_of(json!(text)).unwrap();
            assert_eq!(output, Output::from(Content::text(text)));
        }
    }

    #[test]
    fn several_parts_keep_their_order_and_lose_nothing() {
        let linked =
            json!({"type": "image_url", "image_url": {"url": "https://example.com/a.png"}});
        let output = RuntimeTool::output_of(json!({
            "_multimodal": true,
            "text_summary": "a plot",
            "content": [
                {"type": "text", "text": "the plot"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,BwcH"}},
                linked,
                "odd",
            ],
        }));
        let expected = Output::new(vec![
            Content::text("the plot"),
            Content::image("image/png", [7, 7, 7]),
            Content::Json(linked.to_string()),
            Content::Json("\"odd\"".to_owned()),
        ]);
        assert_eq!(output.unwrap(), expected);
    }

    #[test]
    fn what_is_no_text_breaks_the_contract() {
        for (value, kind) in [
            (json!(null), "null"),
            (json!(5), "a number"),
            (json!(true), "a boolean"),
            (json!(["a"]), "a list"),
            (json!({"ok": true}), "an object"),
            (json!({"_multimodal": true, "content": "text"}), "an object"),
            (json!({"_multimodal": 1, "content": []}), "an object"),
            (json!({"content": []}), "an object"),
        ] {
            let message = format!("the tool gave back {kind} where text must be");
            assert_eq!(refused(value), (ErrorKind::ResultContract, message));
        }
    }
}
