//! Strict tools of Anthropic: what the grammar does not take is told in words, and a request is bounded.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use hermes_tools::schema::dialect::Dialect;
use hermes_tools::schema::foreign::{ForeignTool, definition, definitions};
use serde_json::{Value, json};

fn tool<'a>(name: &'a str, parameters: &'a Value) -> ForeignTool<'a> {
    ForeignTool {
        name,
        description: "A tool.",
        parameters,
    }
}

fn strict(parameters: &Value) -> (Value, Vec<String>) {
    let (json, losses) = definition(tool("t", parameters), Dialect::AnthropicStrict).unwrap();
    let losses = losses.iter().map(ToString::to_string).collect();
    (serde_json::from_str(&json).unwrap(), losses)
}

#[test]
fn optional_parameters_stay_optional_and_objects_are_closed() {
    let (told, losses) = strict(&json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "at": {"type": "object", "properties": {"line": {"type": "integer", "default": 1}}},
        },
        "required": ["path"],
    }));
    assert_eq!(told["strict"], true);
    assert_eq!(
        told["input_schema"],
        json!({
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "at": {
                    "type": "object",
                    "properties": {"line": {"type": "integer", "default": 1}},
                    "additionalProperties": false,
                },
            },
            "required": ["path"],
            "additionalProperties": false,
        })
    );
    assert_eq!(
        losses,
        [
            "`t`: `at`: that other keys are taken is not told",
            "`t`: that other keys are taken is not told"
        ]
    );
}

#[test]
fn bounds_and_patterns_are_told_in_words() {
    let (told, losses) = strict(&json!({
        "properties": {
            "n": {"type": "integer", "minimum": 1, "exclusiveMaximum": 10, "multipleOf": 2},
            "s": {"type": "string", "maxLength": 8, "pattern": "^a", "format": "uri"},
            "one": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "few": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 3},
        },
        "required": ["n", "s", "one", "few"],
        "additionalProperties": false,
    }));
    let properties = &told["input_schema"]["properties"];
    assert_eq!(
        properties["n"],
        json!({"type": "integer", "description": "At least 1. Less than 10. A multiple of 2."})
    );
    assert_eq!(
        properties["s"],
        json!({"type": "string", "format": "uri", "description": "At most 8 characters. Matches the pattern ^a"})
    );
    assert_eq!(
        properties["one"],
        json!({"type": "array", "items": {"type": "string"}, "minItems": 1})
    );
    assert_eq!(
        properties["few"],
        json!({"type": "array", "items": {"type": "string"}, "description": "At least 2 items. At most 3 items."})
    );
    assert_eq!(losses.len(), 6, "{losses:?}");
}

#[test]
fn what_has_no_form_leaves_strict_mode_alone() {
    let node = json!({
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/Node"}},
        "$defs": {"Node": {"type": "object", "properties": {
            "value": {"type": "string"}, "next": {"$ref": "#/$defs/Node"},
        }}},
    });
    let map = json!({"properties": {"env": {"type": "object", "additionalProperties": {"type": "string"}}}});
    let plain = json!({"properties": {"a": {"type": "string"}}, "required": ["a"]});
    for (schema, reason) in [
        (&node, "a type that contains itself has no form"),
        (&map, "a map with free keys has no form"),
    ] {
        let (told, losses) = strict(schema);
        assert_eq!(told.get("strict"), None, "{told}");
        assert!(losses[0].contains(reason), "{losses:?}");
    }
    let all = definitions(
        [tool("map", &map), tool("plain", &plain)],
        Dialect::AnthropicStrict,
    );
    assert!(!all.definitions[0].1.contains("\"strict\""));
    assert!(all.definitions[1].1.ends_with(",\"strict\":true}"));
}

#[test]
fn a_request_holds_twenty_strict_tools_and_twenty_four_optional_parameters() {
    let plain = json!({"properties": {"a": {"type": "string"}}, "required": ["a"]});
    let names: Vec<String> = (0..22).map(|number| format!("t{number:02}")).collect();
    let tools = names.iter().map(|name| tool(name, &plain));
    let all = definitions(tools, Dialect::AnthropicStrict);
    let flags: Vec<bool> = (all.definitions.iter())
        .map(|(_, json)| json.contains("\"strict\":true"))
        .collect();
    assert_eq!(flags.iter().filter(|flag| **flag).count(), 20);
    assert_eq!(flags[20..], [false, false]);

    let optional = json!({"properties": {
        "a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"},
        "d": {"type": "string"}, "e": {"type": "string"}, "f": {"type": "string"},
        "g": {"type": "string"}, "h": {"type": "string"}, "i": {"type": "string"},
    }});
    let three = [
        tool("one", &optional),
        tool("three", &optional),
        tool("two", &optional),
    ];
    let all = definitions(three, Dialect::AnthropicStrict);
    assert!(all.definitions[1].1.contains("\"strict\":true"));
    assert!(!all.definitions[2].1.contains("\"strict\""));
    let reason = "`two`: the strict tools have more than 24 optional parameters, so the tool leaves strict mode";
    assert!(
        all.losses.iter().any(|loss| loss.to_string() == reason),
        "{:?}",
        all.losses
    );
}
