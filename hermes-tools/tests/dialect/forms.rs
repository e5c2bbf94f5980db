//! Arguments of which there are several forms.

use hermes_tools::param::{Param, Shape};
use hermes_tools::schema::dialect::{Dialect, parameters, union_parameters};
use hermes_tools::schema::{Kind, Schema};
use serde_json::{Value, json};

use crate::{MOVE, MOVES, assert_closed};

#[test]
fn forms_of_all_arguments_are_one_object_in_every_dialect() {
    for dialect in Dialect::ALL {
        let (json, _) = union_parameters("mode", &MOVES, dialect);
        let go: Value = serde_json::from_str(&json).unwrap();
        for keyword in ["oneOf", "anyOf", "allOf", "enum", "not"] {
            assert!(go.get(keyword).is_none(), "{dialect}");
        }
        assert_eq!(go["type"], "object");
        assert_eq!(go["properties"]["mode"]["enum"], json!(["walk", "jump"]));
        assert_eq!(
            go["properties"]["mode"]["description"],
            "\"walk\": On foot. Needs `steps`.\n\"jump\": Needs `height`; may have `note`."
        );
        assert!(go["properties"]["steps"].is_object());
        assert!(go["properties"]["height"].is_object());
        if dialect.is_strict() && dialect != Dialect::AnthropicStrict {
            assert_closed(&go);
        } else {
            assert_eq!(go["required"], json!(["mode"]), "{dialect}");
        }
    }
}

#[test]
fn forms_inside_are_a_union_where_the_dialect_has_one() {
    let fields = [required!(
        "moves",
        "",
        Schema::new(Kind::Array {
            items: &MOVE,
            unique: false,
        }),
    )];
    let items = |dialect| {
        let (json, losses) = parameters(&fields, dialect);
        let whole: Value = serde_json::from_str(&json).unwrap();
        (whole["properties"]["moves"]["items"].clone(), losses.len())
    };
    for (dialect, keyword) in [
        (Dialect::OpenAiChat, "anyOf"),
        (Dialect::Anthropic, "anyOf"),
        (Dialect::Mcp, "oneOf"),
    ] {
        let (moves, losses) = items(dialect);
        assert_eq!(
            moves[keyword][0]["properties"]["mode"]["enum"],
            json!(["walk"])
        );
        assert_eq!(moves[keyword][1]["required"], json!(["mode", "height"]));
        assert_eq!(losses, 0);
    }
    let (moves, losses) = items(Dialect::Gemini);
    assert_eq!(moves["properties"]["mode"]["enum"], json!(["walk", "jump"]));
    assert_eq!(losses, 1);
    let (moves, _) = items(Dialect::OpenAiResponsesStrict);
    assert_closed(&moves);
}
