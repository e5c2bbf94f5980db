//! Tools that answer with every kind of content.

use hermes_tools::{Content, Effect, RuntimeTool, ToolError, tool};
use serde_json::json;

/// The smallest picture: one red point, as PNG.
pub(crate) const PNG: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0,
    1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0x90, 0x77, 0x53, 0xde, 0, 0, 0, 12, b'I', b'D', b'A', b'T', 8,
    0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0, 0, 3, 1, 1, 0, 0x18, 0xdd, 0x8d, 0xb0, 0, 0, 0, 0, b'I', b'E',
    b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

/// The shortest sound: a WAV file without a sample.
const WAV: &[u8] = &[
    b'R', b'I', b'F', b'F', 36, 0, 0, 0, b'W', b'A', b'V', b'E', b'f', b'm', b't', b' ', 16, 0, 0,
    0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0, b'd', b'a', b't', b'a', 0, 0, 0,
    0,
];

/// Answer with a text.
#[tool(toolset = "everything", effect = "read", inline)]
fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Answer with a picture.
#[tool(toolset = "everything", effect = "read", inline)]
fn test_image_content() -> Content {
    Content::image("image/png", PNG)
}

/// Answer with sound.
#[tool(toolset = "everything", effect = "read", inline)]
fn test_audio_content() -> Content {
    Content::audio("audio/wav", WAV)
}

/// Answer with a file that has an address.
#[tool(toolset = "everything", effect = "read", inline)]
fn test_embedded_resource() -> Content {
    Content::file(
        "test://embedded-resource",
        "text/plain",
        *b"This is an embedded resource content.",
    )
}

/// Answer with several kinds of content at once.
#[tool(toolset = "everything", effect = "read", inline)]
fn test_multiple_content_types() -> Vec<Content> {
    vec![
        Content::text("Multiple content types test:"),
        Content::image("image/png", PNG),
        Content::file(
            "test://mixed-content-resource",
            "application/json",
            *br#"{"test":"data","value":123}"#,
        ),
    ]
}

/// Fail, and say why.
#[tool(toolset = "everything", effect = "read", inline)]
fn test_error_handling() -> Result<String, ToolError> {
    Err(ToolError::failed(
        "this tool intentionally returns an error for testing",
    ))
}

/// A tool that is known only when the program runs, and brings a JSON Schema of its own.
pub(crate) fn described() -> RuntimeTool {
    RuntimeTool::new(
        "json_schema_2020_12_tool",
        "everything",
        "Tool with JSON Schema 2020-12 features",
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {
                "address": {
                    "type": "object",
                    "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
                },
            },
            "properties": {
                "name": {"type": "string"},
                "address": {"$ref": "#/$defs/address"},
            },
            "additionalProperties": false,
        }),
    )
    .effect(Effect::Read)
    .answering(|_| "it fits".to_owned())
}
