//! What is wrong with a text that is no message.

use hermes_tools::args::MAX_DEPTH;
use rmcp::model::{ErrorCode, ErrorData, RequestId};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

/// Why a text is no message, and the id where it has one.
pub(crate) struct Fault {
    pub(crate) id: Option<RequestId>,
    pub(crate) error: ErrorData,
}

/// The members by which a message is known. What stands in the others is passed over, however deep it is.
#[derive(Deserialize)]
struct Members<'t> {
    #[serde(borrow, default)]
    jsonrpc: Option<&'t RawValue>,
    #[serde(borrow, default)]
    method: Option<&'t RawValue>,
    #[serde(borrow, default)]
    id: Option<&'t RawValue>,
}

impl Members<'_> {
    fn of(object: &str) -> Option<Members<'_>> {
        serde_json::from_str(object).ok()
    }

    fn id(&self) -> Option<RequestId> {
        serde_json::from_str(self.id?.get()).ok()
    }

    fn is_message(&self) -> bool {
        self.jsonrpc.is_some() || (self.method.is_some() && self.id.is_some())
    }
}

impl Fault {
    /// What is wrong with JSON that is no message.
    pub(crate) fn of_json(json: &str) -> Self {
        let Ok(value) = serde_json::from_str::<Value>(json) else {
            return Self::too_deep(json);
        };
        let id = value.get("id").cloned();
        let id = id.and_then(|id| serde_json::from_value(id).ok());
        let error = match wrong(&value) {
            Wrong::Message(why) => {
                let why = format!("this is no JSON-RPC 2.0 message: {why}");
                ErrorData::invalid_request(why, None)
            }
            Wrong::Params(why) => ErrorData::invalid_params(why, None),
        };
        Self { id, error }
    }

    /// What is said of a message that the SDK does not read for its depth.
    pub(crate) fn too_deep(json: &str) -> Self {
        let why = format!(
            "the message is nested {MAX_DEPTH} levels deep or more; send what is deep as text or as a file"
        );
        Self {
            id: Members::of(json).and_then(|members| members.id()),
            error: ErrorData::invalid_request(why, None),
        }
    }

    /// What is wrong with a text that was not read as JSON; `None` when nothing in it is meant as a message.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
        // Passing a value over has no limit of depth.
        values.next()?.ok()?;
        let (message, behind) = text.split_at(values.byte_offset());
        if behind.trim().is_empty() {
            return Some(Self::too_deep(message));
        }
        // Any other text may begin with something that is JSON.
        let members = Members::of(message).filter(Members::is_message)?;
        let id = members.id();
        let why = "there is text behind the message; send each message by itself";
        let error = ErrorData::new(ErrorCode::PARSE_ERROR, why, None);
        Some(Self { id, error })
    }
}

/// The first thing that is wrong with JSON that is no message, and what to send.
enum Wrong {
    Message(&'static str),
    Params(&'static str),
}

fn wrong(value: &Value) -> Wrong {
    let message = match value {
        Value::Object(message) => message,
        Value::Array(_) => {
            return Wrong::Message("lists of messages are not taken; send each message by itself");
        }
        _ => return Wrong::Message("it is no object; send each message as one JSON object"),
    };
    match message.get("jsonrpc") {
        Some(Value::String(version)) if version == "2.0" => {}
        Some(_) => {
            return Wrong::Message("`jsonrpc` is another version; send `\"jsonrpc\":\"2.0\"`");
        }
        None => return Wrong::Message("`jsonrpc` is missing; send `\"jsonrpc\":\"2.0\"`"),
    }
    if let Some(id) = message.get("id")
        && serde_json::from_value::<RequestId>(id.clone()).is_err()
    {
        return Wrong::Message(
            "`id` is neither a text nor a whole number; send one of both, or no `id` with a notification",
        );
    }
    match message.get("method") {
        Some(Value::String(_)) => {}
        Some(_) => return Wrong::Message("`method` is no text; send the name of the method"),
        None if message.contains_key("result") || message.contains_key("error") => {
            return Wrong::Message(
                "the answer does not fit; send `id`, and `result` (an object) or `error` with `code` and `message`",
            );
        }
        None => return Wrong::Message("`method` is missing; send the name of the method"),
    }
    match message.get("params") {
        Some(Value::Object(params))
            if params.get("_meta").is_some_and(|meta| !meta.is_object()) =>
        {
            return Wrong::Params("`_meta` in `params` is no object; send an object, or none");
        }
        None | Some(Value::Object(_)) => {}
        Some(_) => return Wrong::Params("`params` is no object; send an object, or none"),
    }
    Wrong::Message("its parts do not fit; send a request, a notification or an answer")
}

/// Whether the SDK, which reads all of a message as a tree, does not read this one for its depth.
#[cfg(feature = "http")]
pub(crate) fn is_too_deep(json: &str) -> bool {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    json.bytes().any(|byte| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => depth += 1,
            b'}' | b']' if !in_text => depth -= 1,
            _ => {}
        }
        depth >= MAX_DEPTH
    })
}
