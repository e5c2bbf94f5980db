//! Results of calls as the protocol carries them.

use std::fmt::Write as _;

use hermes_tools::output::{Fit, Link};
use hermes_tools::{CallResult, Content, Media, Output};
use rmcp::model::{CallToolResult, ContentBlock, Resource, ResourceContents};
use serde_json::Value;

use super::resources::stored_at;

/// The answer to a call. `promised`: the tool says what its results look like, so that a client looks for
/// structured content.
pub(super) fn answer(result: &CallResult, promised: bool) -> CallToolResult {
    let Ok(output) = &result.outcome else {
        return CallToolResult::error(vec![ContentBlock::text(result.model_text())]);
    };
    let mut blocks: Vec<ContentBlock> = output.parts().map(block).collect();
    blocks.extend(asides(result));
    if let Fit::Stored(path) = &result.fit {
        blocks.extend(stored_at(path).map(ContentBlock::ResourceLink));
    }
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

/// A part of a result, or of a message, as a block.
pub(super) fn block(part: &Content) -> ContentBlock {
    match part {
        Content::Image(media) => ContentBlock::image(media.base64(), media.media_type()),
        Content::Audio(media) => ContentBlock::audio(media.base64(), media.media_type()),
        Content::File(media) => ContentBlock::resource(file(media)),
        Content::Link(link) => ContentBlock::ResourceLink(linked(link)),
        part => ContentBlock::text(part.as_text()),
    }
}

/// A file with its bytes; as text where it is text. A name that is an address is its address.
fn file(media: &Media) -> ResourceContents {
    let name = media.name().unwrap_or("unnamed");
    if is_address(name) {
        return bytes(name.to_owned(), media);
    }
    bytes(format!("file:///{}", escaped(name)), media)
}

/// A part as the contents of a resource.
pub(super) fn contents(uri: &str, part: &Content) -> ResourceContents {
    match (part, part.media()) {
        (_, Some(media)) => bytes(uri.to_owned(), media),
        (Content::Json(json), _) => {
            ResourceContents::text(json, uri).with_mime_type("application/json")
        }
        (part, None) => ResourceContents::text(part.as_text(), uri).with_mime_type("text/plain"),
    }
}

/// Whether a name is an absolute address (RFC 3986, 4.3) with an authority or a path behind slashes.
fn is_address(name: &str) -> bool {
    name.split_once("://").is_some_and(|(scheme, rest)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && (scheme.bytes()).all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
            && !rest.is_empty()
    })
}

fn bytes(uri: String, media: &Media) -> ResourceContents {
    let media_type = media.media_type();
    let contents = match std::str::from_utf8(media.data()) {
        Ok(text) if is_text(media_type) => ResourceContents::text(text, uri),
        _ => ResourceContents::blob(media.base64(), uri),
    };
    contents.with_mime_type(media_type)
}

/// Whether bytes of a media type are for people to read.
fn is_text(media_type: &str) -> bool {
    media_type.starts_with("text/") || media_type == "application/json"
}

fn linked(link: &Link) -> Resource {
    let uri = link.uri();
    let last = uri.trim_end_matches('/').rsplit('/').next();
    Resource::new(uri, last.filter(|name| !name.is_empty()).unwrap_or(uri))
}

/// A name as one part of the path of a URI (RFC 3986, 3.3).
pub(super) fn escaped(name: &str) -> String {
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
            json(&Content::file("test://a", "application/json", *b"{}")),
            serde_json::json!({"type": "resource", "resource":
                {"uri": "test://a", "mimeType": "application/json", "text": "{}"}})
        );
        assert_eq!(
            json(&Content::link("https://example.org/d/report.pdf")),
            serde_json::json!({"type": "resource_link",
                "uri": "https://example.org/d/report.pdf", "name": "report.pdf"})
        );
    }
}
