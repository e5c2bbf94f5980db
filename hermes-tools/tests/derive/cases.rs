//! Faults of other frameworks' schemas, each with the issue where it was reported.

use std::collections::HashMap;

use hermes_tools::{ToolParam, tool, tools};
use serde_json::{Value, json};

use super::{answer, parameters};

/// Whether a keyword stands anywhere in a schema; names of properties do not count.
fn has_keyword(schema: &Value, keyword: &str) -> bool {
    match schema {
        Value::Array(items) => items.iter().any(|item| has_keyword(item, keyword)),
        Value::Object(map) => map.iter().any(|(key, value)| {
            key == keyword
                || match (key.as_str(), value) {
                    ("properties", Value::Object(properties)) => {
                        properties.values().any(|value| has_keyword(value, keyword))
                    }
                    _ => has_keyword(value, keyword),
                }
        }),
        _ => false,
    }
}

/// Keep a note
#[tool(toolset = "cases", inline)]
fn note_add(
    /// Text to keep
    text: String,
    /// Optional label
    label: Option<String>,
    /// Optional rank
    rank: Option<u32>,
) -> String {
    format!("{text}/{label:?}/{rank:?}")
}

// modelcontextprotocol/rust-sdk#135, 0xPlaygrounds/rig#1621, MikkoParkkola/nab#61
#[test]
fn an_optional_parameter_is_its_bare_type_and_not_required() {
    let tool = tools![note_add][0];
    let schema = parameters(tool);
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["required"], json!(["text"]));
    assert_eq!(schema["properties"]["label"]["type"], "string");
    assert_eq!(schema["properties"]["rank"]["type"], "integer");
    assert_eq!(
        schema["properties"]["label"]["description"],
        "Optional label"
    );
    assert!(!has_keyword(&schema, "nullable"));
    assert_eq!(answer(tool, r#"{"text":"a"}"#), "a/None/None");
    assert_eq!(
        answer(tool, r#"{"text":"a","label":null,"rank":null}"#),
        "a/None/None"
    );
    assert_eq!(
        answer(tool, r#"{"text":"a","label":"b","rank":3}"#),
        "a/Some(\"b\")/Some(3)"
    );
}

#[derive(ToolParam)]
#[param(rename_all = "kebab-case")]
enum Lane {
    SlowLane,
    FastLane,
}

/// Route
#[tool(toolset = "cases", inline)]
fn route(
    /// Which lane to take
    lane: Lane,
) -> &'static str {
    match lane {
        Lane::SlowLane => "slow",
        Lane::FastLane => "fast",
    }
}

// GREsau/schemars#473, modelcontextprotocol/rust-sdk#354
#[test]
fn an_enum_is_inlined_and_keeps_the_parameter_s_comment() {
    let tool = tools![route][0];
    let schema = parameters(tool);
    let lane = &schema["properties"]["lane"];
    assert_eq!(lane["type"], "string");
    assert_eq!(lane["enum"], json!(["slow-lane", "fast-lane"]));
    assert_eq!(lane["description"], "Which lane to take");
    for keyword in ["$ref", "$defs", "definitions"] {
        assert!(!has_keyword(&schema, keyword), "{keyword}");
    }
    assert_eq!(answer(tool, r#"{"lane":"fast-lane"}"#), "fast");
    assert_eq!(
        answer(tool, r#"{"lane":"FastLane"}"#),
        "invalid arguments for `route`: `lane`: expected one of \"slow-lane\", \"fast-lane\", \
         got \"FastLane\"; did you mean \"fast-lane\"?"
    );
}

#[derive(ToolParam)]
#[param(rename_all = "lowercase")]
enum Ink {
    /// dries fast
    Red,
    /// washable
    Blue,
}

/// Paint
#[tool(toolset = "cases", inline)]
fn paint(
    /// Which ink.
    ink: Ink,
) -> &'static str {
    match ink {
        Ink::Red => "red",
        Ink::Blue => "blue",
    }
}

// JetBrains/koog#2067, modelcontextprotocol/rust-sdk#354
#[test]
fn comments_of_variants_are_folded_into_the_description() {
    let tool = tools![paint][0];
    let schema = parameters(tool);
    let ink = &schema["properties"]["ink"];
    assert_eq!(ink["enum"], json!(["red", "blue"]));
    assert_eq!(
        ink["description"],
        "Which ink.\n`red`: dries fast\n`blue`: washable"
    );
    for keyword in ["oneOf", "const", "$ref"] {
        assert!(!has_keyword(&schema, keyword), "{keyword}");
    }
    assert_eq!(answer(tool, r#"{"ink":"blue"}"#), "blue");
}

/// Ping
#[tool(toolset = "cases", inline)]
fn ping_now() -> &'static str {
    "pong"
}

// modelcontextprotocol#422, lightweight-component/aj-mcp#4, xpzouying/xiaohongshu-mcp#677
#[test]
fn a_tool_without_parameters_has_an_object_without_properties() {
    let tool = tools![ping_now][0];
    let schema = parameters(tool);
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["properties"], json!({}));
    for arguments in ["{}", "", "  ", "null"] {
        assert_eq!(answer(tool, arguments), "pong", "{arguments:?}");
    }
}

#[derive(ToolParam)]
#[param(tag = "mode", rename_all = "lowercase")]
enum Move {
    /// On foot.
    Walk {
        /// How many steps.
        steps: u32,
    },
    /// Up.
    Jump {
        /// How high, in metres.
        height: f64,
    },
}

/// Go
#[tool(toolset = "cases", inline)]
fn go(#[arg(flatten)] movement: Move) -> String {
    match movement {
        Move::Walk { steps } => format!("w{steps}"),
        Move::Jump { height } => format!("j{height}"),
    }
}

// aliargun/mcp-server-gemini#8, GREsau/schemars#347, openai/codex#13768
#[test]
fn a_union_as_all_of_the_arguments_leaves_an_object_at_the_root() {
    let tool = tools![go][0];
    let schema = parameters(tool);
    for keyword in ["oneOf", "anyOf", "allOf", "enum", "not"] {
        assert!(schema.get(keyword).is_none(), "{keyword}");
    }
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "properties": {
                "mode": {
                    "type": "string",
                    "enum": ["walk", "jump"],
                    "description": "`walk`: On foot. Needs `steps`.\n`jump`: Up. Needs `height`.",
                },
                "steps": {
                    "type": "integer", "minimum": 0, "description": "How many steps.",
                },
                "height": {"type": "number", "description": "How high, in metres."},
            },
            "required": ["mode"],
            "additionalProperties": false,
        })
    );
    assert_eq!(answer(tool, r#"{"mode":"walk","steps":3}"#), "w3");
    assert_eq!(answer(tool, r#"{"mode":"jump","height":1.5}"#), "j1.5");
    assert_eq!(
        answer(tool, r#"{"mode":"walk","height":1.5}"#),
        "invalid arguments for `go`: `steps`: missing; expected a whole number of at least 0"
    );
}

/// Crop
#[tool(toolset = "cases", inline)]
fn crop(
    /// Where.
    corner: (u32, u32),
    /// Which colour.
    tint: [u8; 3],
) -> String {
    format!("{corner:?}{tint:?}")
}

// anomalyco/opencode#32488, NousResearch/hermes-agent#22298
#[test]
fn tuples_and_fixed_arrays_are_read_whole() {
    let tool = tools![crop][0];
    let schema = parameters(tool);
    assert_eq!(schema["properties"]["corner"]["type"], "array");
    assert_eq!(schema["properties"]["tint"]["items"]["type"], "integer");
    assert_eq!(schema["properties"]["tint"]["minItems"], 3);
    assert_eq!(
        answer(tool, r#"{"corner":[1,2],"tint":[9,9,9]}"#),
        "(1, 2)[9, 9, 9]"
    );
    assert!(answer(tool, r#"{"corner":[1,2,3],"tint":[9,9,9]}"#).contains("`corner`"));
}

/// Tags
#[tool(toolset = "cases", inline)]
fn tagset(
    /// Tags with their values.
    tags: HashMap<String, Vec<String>>,
) -> String {
    tags.len().to_string()
}

// langchain-ai/langchain#32879, openai/openai-python#2740
#[test]
fn a_map_says_what_its_values_are() {
    let tool = tools![tagset][0];
    let tags = &parameters(tool)["properties"]["tags"];
    assert_eq!(
        tags["additionalProperties"],
        json!({"type": "array", "items": {"type": "string"}})
    );
    assert_eq!(answer(tool, r#"{"tags":{"x":["1","2"]}}"#), "1");
}

#[derive(ToolParam)]
struct Inner {
    /// A number.
    a: i32,
}

/// Meta
#[tool(toolset = "cases", inline)]
fn meta(
    /// A property with the name of a keyword.
    title: String,
    /// A structure.
    inner: Inner,
) -> String {
    format!("{title}{}", inner.a)
}

// google-gemini/gemini-cli#14970, microsoft/agent-framework#4607, netclaw-dev/netclaw#516
#[test]
fn meta_keywords_are_not_sent_and_properties_of_their_name_are() {
    let tool = tools![meta][0];
    let schema = parameters(tool);
    for keyword in ["$schema", "$id", "title", "$comment"] {
        assert!(!has_keyword(&schema, keyword), "{keyword}");
    }
    assert_eq!(schema["properties"]["title"]["type"], "string");
    assert_eq!(schema["required"], json!(["title", "inner"]));
    assert_eq!(answer(tool, r#"{"title":"t","inner":{"a":1}}"#), "t1");
}

#[derive(ToolParam)]
struct Point {
    /// To the right.
    x: i32,
    /// Down.
    y: Option<i32>,
}

#[derive(ToolParam)]
struct Shape {
    /// outline
    points: Vec<Point>,
    /// The best of them.
    best: Option<Point>,
}

/// Draw
#[tool(toolset = "cases", inline)]
fn draw(
    /// The first.
    shape: Shape,
    /// Further ones.
    shapes: Option<Vec<Shape>>,
) -> String {
    let best = shape.best.map_or(0, |point| point.x + point.y.unwrap_or(0));
    format!(
        "{}{best}{}",
        shape.points.len(),
        shapes.map_or(0, |shapes| shapes.len())
    )
}

// openai/openai-python#1623, langchain-ai/langchain#28106
#[test]
fn nested_structs_follow_the_same_rules_and_errors_name_the_path() {
    let tool = tools![draw][0];
    let schema = parameters(tool);
    let points = &schema["properties"]["shape"]["properties"]["points"];
    assert_eq!(points["items"]["required"], json!(["x"]));
    assert_eq!(points["items"]["additionalProperties"], false);
    assert_eq!(points["description"], "outline");
    assert_eq!(schema["required"], json!(["shape"]));
    assert_eq!(
        answer(
            tool,
            r#"{"shape":{"points":[{"x":1},{"x":2,"y":null}],"best":{"x":3,"y":1}}}"#
        ),
        "240"
    );
    assert_eq!(
        answer(tool, r#"{"shape":{"points":[{"y":1}]}}"#),
        "invalid arguments for `draw`: `shape.points[0].x`: missing; \
         expected a whole number"
    );
    assert_eq!(
        answer(tool, r#"{"shape":"{\"points\":[]}","shapes":null}"#),
        "000"
    );
}
