//! What is wrong with the parameters of a request. The SDK takes a request of a known method whose
//! parameters do not fit for one of an unknown method.

#![expect(
    deprecated,
    reason = "a later version of the protocol drops logging and subscribing to single resources; clients of the \
              versions that we speak have both"
)]

use rmcp::model::{
    CompleteRequestParams, ErrorData, GetPromptRequestParams, InitializeRequestParams,
    PaginatedRequestParams, ReadResourceRequestParams, SetLevelRequestParams,
    SubscribeRequestParams, UnsubscribeRequestParams,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The method that opens a connection.
pub(crate) const INITIALIZE: &str = "initialize";

/// What is said of a cursor that is no text.
pub(crate) const CURSOR: &str = "`cursor` is no text; send the `nextCursor` of the page before, or no cursor for the first page";

/// The error for a request of a known method whose parameters do not fit; `None` for an unknown method.
pub(crate) fn fault(method: &str, params: Option<&Value>) -> Option<ErrorData> {
    let (check, needs): (fn(&Value) -> Option<String>, _) = match method {
        INITIALIZE => (
            wrong::<InitializeRequestParams>,
            "`protocolVersion` such as `2025-11-25`, `capabilities` (an object) and `clientInfo` with `name` and `version`",
        ),
        "logging/setLevel" => (
            wrong::<SetLevelRequestParams>,
            "`level`: one of `debug`, `info`, `notice`, `warning`, `error`, `critical`, `alert`, `emergency`",
        ),
        "resources/read" => (wrong::<ReadResourceRequestParams>, "`uri`, a text"),
        "resources/subscribe" => (wrong::<SubscribeRequestParams>, "`uri`, a text"),
        "resources/unsubscribe" => (wrong::<UnsubscribeRequestParams>, "`uri`, a text"),
        "prompts/get" => (
            wrong::<GetPromptRequestParams>,
            "`name`, a text, and where the prompt has arguments `arguments`, an object",
        ),
        "completion/complete" => (
            wrong::<CompleteRequestParams>,
            "`ref` with `type` (`ref/prompt` with `name`, or `ref/resource` with `uri`) and `argument` with `name` and `value`",
        ),
        "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list" => (
            wrong::<PaginatedRequestParams>,
            "an object, with `cursor` for a later page",
        ),
        "ping" => (
            wrong::<serde_json::Map<String, Value>>,
            "an object, or none",
        ),
        _ => return None,
    };
    let wrong = match params {
        None => Some("there are none".to_owned()),
        Some(params) => check(params),
    };
    let wrong = wrong.unwrap_or_else(|| "a part of them is of another type".to_owned());
    let why = format!("the params of `{method}` do not fit: {wrong}; send {needs}");
    Some(ErrorData::invalid_params(why, None))
}

/// Why a value is none of this type.
fn wrong<T: DeserializeOwned>(params: &Value) -> Option<String> {
    if !params.is_object() {
        return Some("they are no object".to_owned());
    }
    let read = serde_json::from_value::<T>(params.clone());
    read.err().map(|error| error.to_string())
}
