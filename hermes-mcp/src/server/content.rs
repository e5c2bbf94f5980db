//! Results of calls as the protocol carries them.

use std::fmt::Write as _;

use hermes_tools::output::Link;
use hermes_tools::{CallResult, Content, Media, Output};
use rmcp::model::{CallToolResult, ContentBlock, Resource, ResourceContents};
use serde_json::Value;

/// The answer to a call. `promised`: the tool says what its results look like, so that a client looks for
/// structured content.
pub(super) fn answer(result: &CallResult, promised: bool) -> CallToolResult {
    let Ok(output) = &result.outcome else {
        return CallToolResult::error(vec![ContentBlock::text(result.model_text())]);
    };
    let mut blocks: Vec<ContentBlock> = output.parts().map(block).collect();
    blocks.extend(asides(result));
    let structured = promised.then(|| object(output)).flatten();
    if promised && structured.is_none() {
        // What is there was cut, so it is no JSON any more. As a success a client would throw the whole
        // result away.
        blocks.push(ContentBlock::text(
            "[the result is larger than the tool may answer with, so it was cut; ask for a smaller part]",
        ));
        return CallToolResult::error(blocks);
    }
    let mut answer = if output.is_failure() {
        CallToolResult::error(blocks)
    } else {
        CallToolResult::success(blocks)
    };
    answer.structured_content = structured;
    answer
}

/// What the model is told beside the result, a line each.
fn asides(result: &CallResult) -> Option<ContentBlock> {
    let mut lines = Vec::new();
    if !result.repairs.is_empty() {
        let repairs: Vec<String> = result.repairs.iter().map(ToString::to_string).collect();
        lines.push(format!("[arguments changed: {}]", repairs.join("; ")));
    }
    lines.extend(result.notes.iter().map(|note| format!("[{note}]")));
    (!lines.is_empty()).then(|| ContentBlock::text(lines.join("\n")))
}

/// The result as a JSON object, if it is one.
fn object(output: &Output) -> Option<Value> {
    let value: Value = serde_json::from_str(output.json()?).ok()?;
    value.is_object().then_some(value)
}

fn block(part: &Content) -> ContentBlock {
    match part {
        Content::Image(media) => ContentBlock::image(media.base64(), media.media_type()),
        Content::Audio(media) => ContentBlock::audio(media.base64(), media.media_type()),
        Content::File(media) => ContentBlock::resource(file(media)),
        Content::Link(link) => ContentBlock::ResourceLink(linked(link)),
        part => ContentBlock::text(part.as_text()),
    }
}

/// A file with its bytes; as text where it is text.
fn file(media: &Media) -> ResourceContents {
    let uri = format!("file:///{}", escaped(media.name().unwrap_or("unnamed")));
    let media_type = media.media_type();
    let contents = match std::str::from_utf8(media.data()) {
        Ok(text) if media_type.starts_with("text/") => ResourceContents::text(text, uri),
        _ => ResourceContents::blob(media.base64(), uri),
    };
    contents.with_mime_type(media_type)
}

fn linked(link: &Link) -> Resource {
    let uri = link.uri();
    let last = uri.trim_end_matches('/').rsplit('/').next();
    Resource::new(uri, last.filter(|name| !name.is_empty()).unwrap_or(uri))
}

/// A name as one part of the path of a URI (RFC 3986, 3.3).
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(part: &Content) -> Value {
        serde_json::to_value(block(part)).unwrap()
    }

    #[test]
    fn every_part_has_a_block_of_its_own_kind() {
        assert_eq!(
            json(&Content::image("image/png", [1, 2, 3])),
            serde_json::json!({"type": "image", "data": "AQID", "mimeType": "image/png"})
        );
        assert_eq!(
            json(&Content::audio("audio/wav", [1])),
            serde_json::json!({"type": "audio", "data": "AQ==", "mimeType": "audio/wav"})
        );
        assert_eq!(
            json(&Content::file("a b.csv", "text/csv", *b"1,2")),
            serde_json::json!({"type": "resource", "resource":
                {"uri": "file:///a%20b.csv", "mimeType": "text/csv", "text": "1,2"}})
        );
        assert_eq!(
            json(&Content::file("a.bin", "application/zip", [0xff])),
            serde_json::json!({"type": "resource", "resource":
                {"uri": "file:///a.bin", "mimeType": "application/zip", "blob": "/w=="}})
        );
        assert_eq!(
            json(&Content::link("https://example.org/d/report.pdf")),
            serde_json::json!({"type": "resource_link",
                "uri": "https://example.org/d/report.pdf", "name": "report.pdf"})
        );
    }
}
