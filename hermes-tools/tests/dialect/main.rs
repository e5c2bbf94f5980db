//! Tools in the form of each provider.

#![cfg(feature = "link")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};

use hermes_tools::param::{Param, Shape};
use hermes_tools::schema::dialect::{self, Dialect, definition, parameters};
use hermes_tools::schema::{Kind, Schema, Variant};
use hermes_tools::{ToolEntry, ToolRegistry, tool};
use serde_json::{Value, json};

/// Keep a note
#[tool(toolset = "dialect", effect = "write", inline)]
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

/// Ping
#[tool(toolset = "dialect", effect = "read", title = "Ping now", inline)]
fn ping_now() -> &'static str {
    "pong"
}

/// Crop
#[tool(toolset = "dialect", effect = "destructive", inline)]
fn crop(
    /// Corner
    corner: (u32, u32),
    /// Tint
    tint: [u8; 3],
) -> String {
    format!("{corner:?}{tint:?}")
}

/// Tags
#[tool(toolset = "dialect", effect = "read", inline)]
fn tagset(
    /// Tags
    tags: BTreeMap<String, Vec<String>>,
) -> String {
    tags.len().to_string()
}

/// Plain
#[tool(toolset = "dialect", effect = "read", inline)]
fn plain(
    /// Anything
    a: String,
) -> String {
    a
}

/// Meta
#[tool(toolset = "dialect", effect = "read", inline)]
fn meta(
    /// Title
    title: String,
) -> String {
    title
}

/// Search
#[tool(toolset = "dialect", effect = "read", open_world, inline)]
fn search(
    /// Words
    #[arg(len = 1..=20, example = "rust")]
    query: String,
    /// Kinds
    kinds: BTreeSet<String>,
    /// How many
    #[arg(default = 10, min = 1, max = 50)]
    limit: u32,
) -> String {
    format!("{query}{kinds:?}{limit}")
}

fn entry(name: &str) -> &'static ToolEntry {
    let registry = ToolRegistry::linked().unwrap();
    registry.get(name).unwrap().entry().unwrap()
}

/// The parameters of a linked tool in a dialect.
fn told(name: &str, dialect: Dialect) -> Value {
    serde_json::from_str(&parameters(entry(name).params(), dialect).0).unwrap()
}

fn whole(name: &str, dialect: Dialect) -> Value {
    serde_json::from_str(&definition(entry(name), dialect).0).unwrap()
}

fn has_key(value: &Value, key: &str) -> bool {
    match value {
        Value::Object(object) => {
            object.contains_key(key) || object.values().any(|value| has_key(value, key))
        }
        Value::Array(list) => list.iter().any(|value| has_key(value, key)),
        _ => false,
    }
}

/// A field that must be there.
macro_rules! required {
    ($name:expr, $description:expr, $schema:expr $(,)?) => {
        field!($name, $description, $schema, true)
    };
}

/// A field that may be absent.
macro_rules! optional {
    ($name:expr, $description:expr, $schema:expr $(,)?) => {
        field!($name, $description, $schema, false)
    };
}

macro_rules! field {
    ($name:expr, $description:expr, $schema:expr, $required:expr) => {
        Param::new(
            concat!($name, $description),
            $name.len(),
            const {
                &Shape {
                    schema: $schema,
                    required: $required,
                }
            },
        )
    };
}

// After the macros, which it uses.
mod forms;

const INTEGER: Schema = Schema::new(Kind::Integer);
const NUMBER: Schema = Schema::new(Kind::Number);
const TEXT: Schema = Schema::new(Kind::String);
const SOME: Schema = TEXT.length(1, u32::MAX);

static POINT: [Param; 2] = [required!("x", "", INTEGER), optional!("y", "", INTEGER)];
static POINTS: Schema = Schema::new(Kind::Object { fields: &POINT });
static SHAPE: [Param; 2] = [
    required!(
        "points",
        "outline",
        Schema::new(Kind::Array {
            items: &POINTS,
            unique: false,
        }),
    ),
    optional!("best", "", Schema::new(Kind::Object { fields: &POINT })),
];
static WALK: [Param; 1] = [required!("steps", "How many.", INTEGER)];
static JUMP: [Param; 2] = [required!("height", "", NUMBER), optional!("note", "", TEXT)];
static MOVES: [Variant; 2] = [
    Variant {
        name: "walk",
        aliases: &[],
        description: "On foot.",
        fields: &WALK,
    },
    Variant {
        name: "jump",
        aliases: &[],
        description: "",
        fields: &JUMP,
    },
];
static MOVE: Schema = Schema::new(Kind::Union {
    tag: "mode",
    variants: &MOVES,
});
static PAIR: [Schema; 2] = [INTEGER, TEXT];
static TREE: Schema = Schema::new(Kind::Object {
    fields: &TREE_FIELDS,
});
static TREE_FIELDS: [Param; 2] = [
    required!("name", "", TEXT),
    required!(
        "children",
        "",
        Schema::new(Kind::Array {
            items: &SUBTREE,
            unique: false,
        }),
    ),
];
static SUBTREE: Schema = Schema::new(Kind::Recursive {
    name: "a::Tree",
    schema: tree,
});
const fn tree() -> &'static Schema {
    &TREE
}

fn shape() -> Vec<Param> {
    vec![
        required!("shape", "", Schema::new(Kind::Object { fields: &SHAPE })),
        optional!(
            "shapes",
            "",
            Schema::new(Kind::Array {
                items: &POINTS,
                unique: false,
            }),
        ),
    ]
}

#[test]
fn optional_parameters_are_bare_or_take_null_by_dialect() {
    let common = told("note_add", Dialect::Common);
    assert_eq!(common["type"], "object");
    assert_eq!(common["required"], json!(["text"]));
    assert_eq!(common["properties"]["label"]["type"], "string");
    assert_eq!(
        common["properties"]["label"]["description"],
        "Optional label"
    );
    assert_eq!(common["properties"]["rank"]["type"], "integer");
    let strict = told("note_add", Dialect::OpenAiChatStrict);
    assert_eq!(strict["required"], json!(["text", "label", "rank"]));
    assert_eq!(
        strict["properties"]["label"]["type"],
        json!(["string", "null"])
    );
    assert_eq!(strict["additionalProperties"], false);
    for dialect in Dialect::ALL {
        assert!(
            !has_key(&told("note_add", dialect), "nullable"),
            "{dialect}"
        );
    }
}

#[test]
fn a_tool_without_parameters_is_an_object_without_keys() {
    assert_eq!(
        parameters(entry("ping_now").params(), Dialect::Common).0,
        r#"{"type":"object","properties":{}}"#
    );
    assert_eq!(
        definition(entry("ping_now"), Dialect::Gemini).0,
        r#"{"name":"ping_now","description":"Ping"}"#
    );
    assert_eq!(
        definition(entry("ping_now"), Dialect::OpenAiResponsesStrict).0,
        r#"{"type":"function","name":"ping_now","description":"Ping","parameters":{"type":"object","properties":{},"required":[],"additionalProperties":false},"strict":true}"#
    );
}

#[test]
fn each_provider_gets_its_own_envelope() {
    let parameters = r#"{"type":"object","properties":{"a":{"type":"string","description":"Anything"}},"required":["a"]}"#;
    let closed = parameters.replace("[\"a\"]}", "[\"a\"],\"additionalProperties\":false}");
    for (dialect, expected) in [
        (
            Dialect::Common,
            format!(r#"{{"name":"plain","description":"Plain","parameters":{parameters}}}"#),
        ),
        (
            Dialect::Gemini,
            format!(r#"{{"name":"plain","description":"Plain","parameters":{parameters}}}"#),
        ),
        (
            Dialect::OpenAiChat,
            format!(
                r#"{{"type":"function","function":{{"name":"plain","description":"Plain","parameters":{closed}}}}}"#
            ),
        ),
        (
            Dialect::OpenAiChatStrict,
            format!(
                r#"{{"type":"function","function":{{"name":"plain","description":"Plain","parameters":{closed},"strict":true}}}}"#
            ),
        ),
        (
            Dialect::OpenAiResponses,
            format!(
                r#"{{"type":"function","name":"plain","description":"Plain","parameters":{closed},"strict":false}}"#
            ),
        ),
        (
            Dialect::Anthropic,
            format!(r#"{{"name":"plain","description":"Plain","input_schema":{closed}}}"#),
        ),
        (
            Dialect::AnthropicStrict,
            format!(
                r#"{{"name":"plain","description":"Plain","input_schema":{closed},"strict":true}}"#
            ),
        ),
        (
            Dialect::Mcp,
            format!(
                r#"{{"name":"plain","description":"Plain","inputSchema":{closed},"annotations":{{"readOnlyHint":true,"openWorldHint":false}}}}"#
            ),
        ),
    ] {
        let (json, losses) = definition(entry("plain"), dialect);
        assert_eq!(json, expected, "{dialect}");
        assert_eq!(losses, [], "{dialect}");
    }
    assert_eq!(
        whole("crop", Dialect::Mcp)["annotations"],
        json!({"readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": false})
    );
    assert_eq!(
        whole("ping_now", Dialect::Mcp)["annotations"]["title"],
        "Ping now"
    );
}

#[test]
fn arrays_of_fixed_length_have_a_schema_for_their_items() {
    for dialect in Dialect::ALL {
        let crop = told("crop", dialect);
        assert_eq!(
            crop["properties"]["corner"]["items"]["type"], "integer",
            "{dialect}"
        );
        let corner = &crop["properties"]["corner"];
        if dialect == Dialect::AnthropicStrict {
            let description = corner["description"].as_str().unwrap();
            assert!(description.ends_with("Exactly 2 items."), "{description}");
        } else {
            assert_eq!(corner["maxItems"], 2);
        }
        assert_eq!(crop["properties"]["tint"]["items"]["type"], "integer");
        assert!(!has_key(&crop, "prefixItems"));
    }
    let pair = [required!(
        "pair",
        "",
        Schema::new(Kind::Tuple { items: &PAIR }),
    )];
    let (json, losses) = parameters(&pair, Dialect::Common);
    assert_eq!(
        json,
        r#"{"type":"object","properties":{"pair":{"type":"array","items":{},"minItems":2,"maxItems":2,"description":"Exactly 2 items, in this order: {\"type\":\"integer\"}, {\"type\":\"string\"}."}},"required":["pair"]}"#
    );
    assert_eq!(
        losses[0].to_string(),
        "`pair`: the order of the types of items has no keyword"
    );
}

#[test]
fn a_map_leaves_strict_mode_and_its_neighbour_stays() {
    let (json, losses) = definition(entry("tagset"), Dialect::OpenAiChatStrict);
    let tagset: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(tagset["function"]["strict"], false);
    assert_eq!(
        tagset["function"]["parameters"]["properties"]["tags"]["additionalProperties"],
        json!({"type": "array", "items": {"type": "string"}})
    );
    assert_eq!(
        losses[0].to_string(),
        "`tagset`: `tags`: a map with free keys has no form, so the tool leaves strict mode"
    );
    assert_eq!(
        whole("plain", Dialect::OpenAiChatStrict)["function"]["strict"],
        true
    );
}

#[test]
fn keywords_about_the_schema_are_not_sent_and_names_like_them_stay() {
    for dialect in Dialect::ALL {
        let meta = told("meta", dialect);
        assert_eq!(meta["properties"]["title"]["type"], "string");
        assert_eq!(meta["required"], json!(["title"]));
        for keyword in ["$schema", "$id", "$comment"] {
            assert!(!has_key(&meta, keyword));
        }
    }
}

#[test]
fn the_rules_hold_at_every_depth() {
    let common: Value = serde_json::from_str(&parameters(&shape(), Dialect::Common).0).unwrap();
    let points = &common["properties"]["shape"]["properties"]["points"];
    assert_eq!(points["items"]["required"], json!(["x"]));
    assert_eq!(points["description"], "outline");
    assert_eq!(common["required"], json!(["shape"]));

    let (json, losses) = parameters(&shape(), Dialect::OpenAiChatStrict);
    assert_eq!(losses, []);
    let strict: Value = serde_json::from_str(&json).unwrap();
    assert!(!has_key(&strict, "oneOf"));
    assert_closed(&strict);
    assert_eq!(
        strict["properties"]["shape"]["properties"]["best"]["type"],
        json!(["object", "null"])
    );
}

/// Every object is closed and requires all its keys.
fn assert_closed(schema: &Value) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        assert_eq!(schema["additionalProperties"], false, "{schema}");
        let required: BTreeSet<&str> = schema["required"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(required, properties.keys().map(String::as_str).collect());
        properties.values().for_each(assert_closed);
    }
    for keyword in ["items", "additionalProperties"] {
        schema.get(keyword).into_iter().for_each(assert_closed);
    }
    for keyword in ["anyOf", "oneOf"] {
        schema
            .get(keyword)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .for_each(assert_closed);
    }
    let definitions = schema.get("$defs").and_then(Value::as_object);
    definitions
        .into_iter()
        .flat_map(|all| all.values())
        .for_each(assert_closed);
}

#[test]
fn what_has_no_keyword_is_told_in_the_description_and_reported() {
    let (json, losses) = parameters(entry("search").params(), Dialect::OpenAiChatStrict);
    let strict: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        strict["properties"],
        json!({
            "query": {"type": "string",
                "description": "Words\n1 to 20 characters. Example: \"rust\"."},
            "kinds": {"type": "array", "items": {"type": "string"},
                "description": "Kinds\nNo item twice."},
            "limit": {"type": ["integer", "null"], "minimum": 1, "maximum": 50,
                "description": "How many\nDefault when null: 10."},
        })
    );
    let losses: Vec<String> = losses.iter().map(ToString::to_string).collect();
    assert_eq!(
        losses,
        [
            "`query`: the number of characters has no keyword",
            "`query`: the example has no keyword",
            "`kinds`: that no item may stand twice has no keyword",
            "`limit`: the default has no keyword",
        ]
    );
    assert_eq!(parameters(entry("search").params(), Dialect::Mcp).1, []);

    let (json, _) = parameters(&[required!("a", "", SOME)], Dialect::OpenAiChatStrict);
    assert!(
        json.contains(r#"{"type":"string","description":"Not empty."}"#),
        "{json}"
    );
}

#[test]
fn a_type_that_contains_itself_is_referred_to_or_written_out_some_levels() {
    let fields = [required!("tree", "The tree.", SUBTREE)];
    let (json, losses) = parameters(&fields, Dialect::Anthropic);
    let anthropic: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        anthropic["properties"]["tree"],
        json!({"anyOf": [{"$ref": "#/$defs/Tree"}], "description": "The tree."})
    );
    assert_eq!(
        anthropic["$defs"]["Tree"]["properties"]["children"]["items"],
        json!({"$ref": "#/$defs/Tree"})
    );
    assert_eq!(losses, []);

    let (json, losses) = parameters(&fields, Dialect::Gemini);
    let gemini: Value = serde_json::from_str(&json).unwrap();
    assert!(!has_key(&gemini, "$ref") && !has_key(&gemini, "$defs"));
    let mut node = &gemini["properties"]["tree"];
    for _ in 0..3 {
        node = &node["properties"]["children"]["items"];
    }
    assert_eq!(
        *node,
        json!({"type": "object", "description": "One more `Tree`, of the same form, to any depth."})
    );
    assert_eq!(losses.len(), 1);
    assert!(
        losses[0]
            .what
            .contains("contains itself and is shown 3 levels deep")
    );

    let (json, _) = parameters(&fields, Dialect::OpenAiChatStrict);
    assert_closed(&serde_json::from_str(&json).unwrap());
}

#[test]
fn definitions_are_the_same_bytes_every_time() {
    let registry = ToolRegistry::linked().unwrap();
    let snapshot = registry.snapshot();
    for dialect in Dialect::ALL {
        let once = dialect::definitions(
            snapshot
                .tools()
                .iter()
                .filter_map(hermes_tools::Tool::entry),
            dialect,
        );
        let again = dialect::definitions(
            snapshot
                .tools()
                .iter()
                .filter_map(hermes_tools::Tool::entry),
            dialect,
        );
        assert_eq!(once, again);
        assert!(
            serde_json::from_str::<Value>(&once.json)
                .unwrap()
                .is_array()
        );
    }
}

#[test]
fn dialects_have_names() {
    for dialect in Dialect::ALL {
        assert_eq!(dialect.name().parse(), Ok(dialect));
    }
    assert_eq!(
        "claude".parse::<Dialect>().unwrap_err().to_string(),
        "no such dialect: `claude`; use one of: common, openai, openai-strict, openai-responses, \
         openai-responses-strict, anthropic, anthropic-strict, gemini, mcp"
    );
}
