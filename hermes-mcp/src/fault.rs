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
        let value: Value = serde_json::from_str(json).unwrap_or_default();
        let id = value.get("id").cloned();
        let id = id.and_then(|id| serde_json::from_value(id).ok());
        let why = format!("this is no JSON-RPC 2.0 message: {}", wrong(&value));
        Self {
            id,
            error: ErrorData::invalid_request(why, None),
        }
    }

    /// What is wrong with a text that was not read as JSON; `None` when nothing in it is meant as a message.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
        // Passing a value over has no limit of depth.
        values.next()?.ok()?;
        let (message, behind) = text.split_at(values.byte_offset());
        let members = Members::of(message);
        let id = members.as_ref().and_then(Members::id);
        if behind.trim().is_empty() {
            let why = format!(
                "the message is nested deeper than {MAX_DEPTH} levels; send what is deep as text or as a file"
            );
            let error = ErrorData::invalid_request(why, None);
            return Some(Self { id, error });
        }
        // Any other text may begin with something that is JSON.
        members.filter(Members::is_message)?;
        let why = "there is text behind the message; send each message by itself";
        let error = ErrorData::new(ErrorCode::PARSE_ERROR, why, None);
        Some(Self { id, error })
    }
}

/// The first thing that is wrong with JSON that is no message, and what to send.
fn wrong(value: &Value) -> &'static str {
    let message = match value {
        Value::Object(message) => message,
        Value::Array(_) => return "lists of messages are not taken; send each message by itself",
        _ => return "it is no object; send each message as one JSON object",
    };
    match message.get("jsonrpc") {
        Some(Value::String(version)) if version == "2.0" => {}
        Some(_) => return "`jsonrpc` is another version; send `\"jsonrpc\":\"2.0\"`",
        None => return "`jsonrpc` is missing; send `\"jsonrpc\":\"2.0\"`",
    }
    if let Some(id) = message.get("id")
        && serde_json::from_value::<RequestId>(id.clone()).is_err()
    {
        return "`id` is neither a text nor a whole number; send one of both, or no `id` with a notification";
    }
    match message.get("method") {
        Some(Value::String(_)) => {}
        Some(_) => return "`method` is no text; send the name of the method",
        None if message.contains_key("result") || message.contains_key("error") => {
            return "the answer does not fit; send `id`, and `result` (an object) or `error` with `code` and `message`";
        }
        None => return "`method` is missing; send the name of the method",
    }
    match message.get("params") {
        None | Some(Value::Object(_)) => {
            "its parts do not fit; send a request, a notification or an answer"
        }
        Some(_) => "`params` is no object; send an object, or none",
    }
}
