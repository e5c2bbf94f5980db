//! What a server answers, as a result of ours.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hermes_tools::output::cut;
use hermes_tools::{Content, ErrorKind, Output, ToolError};
use serde_json::Value;

/// The longest trace of a block that is not known, in characters.
const MAX_TRACE: usize = 500;

/// Reads the result of a `tools/call`. Every block leaves something in the text, so that no answer looks
/// empty that is not.
///
/// # Errors
///
/// The server says that the call failed, or the answer is none.
pub(super) fn read(server: &str, result: &Value) -> Result<Output, ToolError> {
    let blocks = result.get("content").and_then(Value::as_array);
    let structured = result.get("structuredContent").filter(|it| !it.is_null());
    let failed = result.get("isError").and_then(Value::as_bool) == Some(true);
    let mut parts: Vec<Content> = blocks.into_iter().flatten().map(part).collect();
    if let (true, Some(structured)) = (parts.is_empty(), structured) {
        parts.push(Content::Json(structured.to_string()));
    }
    if failed {
        let text = if parts.is_empty() {
            format!("the server `{server}` says that the call ended in an error, and not in which")
        } else {
            Output::new(parts).text().into_owned()
        };
        return Err(ToolError::failed(text));
    }
    if blocks.is_none() && structured.is_none() {
        let text = format!("the server `{server}` answered without a result");
        return Err(ToolError::new(ErrorKind::ResultContract, text)
            .with_help("this is a fault of the server; use another way"));
    }
    Ok(Output::new(parts))
}

fn part(block: &Value) -> Content {
    let text = |key: &str| block.get(key).and_then(Value::as_str);
    let media = || {
        Some((
            text("mimeType")?.to_owned(),
            STANDARD.decode(text("data")?).ok()?,
        ))
    };
    let known = match text("type") {
        Some("text") => text("text").map(|it| Content::text(it.to_owned())),
        Some("image") => media().map(|(kind, data)| Content::image(kind, data)),
        Some("audio") => media().map(|(kind, data)| Content::audio(kind, data)),
        Some("resource_link") => text("uri").map(Content::link),
        Some("resource") => block.get("resource").and_then(resource),
        _ => None,
    };
    known.unwrap_or_else(|| {
        let json = block.to_string();
        let json = cut(&json, MAX_TRACE).unwrap_or(json);
        Content::text(format!("[a part that cannot be read here: {json}]"))
    })
}

fn resource(resource: &Value) -> Option<Content> {
    let text = |key: &str| resource.get(key).and_then(Value::as_str);
    if let Some(contents) = text("text") {
        return Some(Content::text(contents.to_owned()));
    }
    let data = STANDARD.decode(text("blob")?).ok()?;
    let uri = text("uri")?;
    let name = uri.rsplit('/').next().unwrap_or(uri);
    let kind = text("mimeType").unwrap_or("application/octet-stream");
    Some(Content::file(name, kind.to_owned(), data))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(result: &Value) -> Result<String, String> {
        match read("s", result) {
            Ok(output) => Ok(output.text().into_owned()),
            Err(error) => Err(error.message().to_owned()),
        }
    }

    /// Case 161.
    #[test]
    fn every_block_leaves_a_trace_and_errors_stay_errors() {
        let ok = |text: &str| Ok(text.to_owned());
        let image = json!({"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"});
        assert_eq!(
            told(&json!({"content": [image]})),
            ok("[image: image/png, 8 bytes]")
        );
        let link =
            json!({"type": "resource_link", "uri": "file:///d/report.pdf", "name": "report"});
        assert_eq!(
            told(&json!({"content": [link]})),
            ok("[link: file:///d/report.pdf]")
        );
        let inside = json!({"type": "resource", "resource": {"uri": "mem:x", "text": "hello"}});
        assert_eq!(told(&json!({"content": [inside]})), ok("hello"));
        let blob = json!({"type": "resource", "resource": {"uri": "mem:d/x", "blob": "AQ=="}});
        assert_eq!(
            told(&json!({"content": [blob]})),
            ok("[file: x, application/octet-stream, 1 bytes]")
        );
        let structured = json!({"content": [], "structuredContent": {"total": 3}});
        assert_eq!(told(&structured), ok("{\"total\":3}"));
        assert_eq!(
            told(&json!({"content": [{"type": "hologram", "x": 1}]})),
            ok("[a part that cannot be read here: {\"type\":\"hologram\",\"x\":1}]")
        );
        assert_eq!(told(&json!({"content": []})), ok("(no output)"));
        let failed = |text: &str| Err(text.to_owned());
        assert_eq!(
            told(&json!({"content": [], "isError": true})),
            failed("the server `s` says that the call ended in an error, and not in which")
        );
        let bad = json!({"content": [{"type": "text", "text": "bad"}], "isError": true});
        assert_eq!(told(&bad), failed("bad"));
        assert_eq!(
            told(&json!({})),
            failed("the server `s` answered without a result")
        );
        assert_eq!(
            told(&json!(null)),
            failed("the server `s` answered without a result")
        );
    }
}
