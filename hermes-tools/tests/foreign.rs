//! Schemas from elsewhere, in the form of each dialect.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
use hermes_tools::Dialect;
use hermes_tools::schema::foreign::{self, ForeignDefinitions, ForeignTool, sanitize_parameters};
use serde_json::{Value, json};

/// Tools of these names and schemas.
fn told(tools: &[(&str, Value)], dialect: Dialect) -> ForeignDefinitions {
    let tools = tools.iter().map(|(name, parameters)| ForeignTool {
        name,
        description: "A tool.",
        parameters,
    });
    foreign::definitions(tools, dialect)
}

/// The parameters of the first tool.
fn parameters(told: &ForeignDefinitions, dialect: Dialect) -> Value {
    let definition: Value = serde_json::from_str(&told.definitions[0].1).unwrap();
    let place = match dialect {
        Dialect::OpenAiChat | Dialect::OpenAiChatStrict => "/function/parameters",
        Dialect::Anthropic | Dialect::AnthropicStrict => "/input_schema",
        Dialect::Mcp => "/inputSchema",
        _ => "/parameters",
    };
    definition.pointer(place).unwrap().clone()
}

fn one(schema: Value, dialect: Dialect) -> Value {
    parameters(&told(&[("t", schema)], dialect), dialect)
}

/// Whether any object at any depth has this key.
fn has_key(value: &Value, key: &str) -> bool {
    match value {
        Value::Object(object) => {
            object.contains_key(key) || object.values().any(|value| has_key(value, key))
        }
        Value::Array(list) => list.iter().any(|value| has_key(value, key)),
        _ => false,
    }
}

#[test]
fn a_sloppy_tool_is_repaired_and_its_neighbour_stays() {
    let tools = [
        (
            "bad",
            json!({"type": "object", "properties": {
                "rev": {"description": "revision", "default": null},
                "ports": {"type": "object", "additionalProperties":
                    {"anyOf": [{"type": "integer"}, {"type": "array"}]}},
            }}),
        ),
        (
            "fine",
            json!({"type": "object", "properties": {"a": {"type": "string"}}}),
        ),
    ];
    let told = told(&tools, Dialect::OpenAiChat);
    let names: Vec<&str> = told
        .definitions
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["bad", "fine"]);
    let bad = parameters(&told, Dialect::OpenAiChat);
    assert!(bad.pointer("/properties/rev/type").is_some());
    assert!(
        bad.pointer("/properties/ports/additionalProperties/anyOf/1/items")
            .is_some()
    );
}

#[test]
fn a_hopeless_tool_is_set_aside_alone_with_its_reason() {
    let fine = json!({"type": "object", "properties": {}});
    for (schema, reason) in [
        (
            json!({"type": "string"}),
            "the arguments are of type \"string\", not an object",
        ),
        (json!([1]), "the schema of the arguments is no object: [1]"),
        (
            json!({"properties": {"a": {"$ref": "#/$defs/gone"}}}),
            "the reference `\"#/$defs/gone\"` leads nowhere in the schema",
        ),
        (
            json!({"properties": {"a": {"$ref": "https://example.org/a.json"}}}),
            "the reference `\"https://example.org/a.json\"` leads nowhere in the schema",
        ),
    ] {
        for dialect in Dialect::ALL {
            let told = told(&[("bad", schema.clone()), ("fine", fine.clone())], dialect);
            assert_eq!(told.definitions.len(), 1, "{dialect}");
            assert_eq!(told.definitions[0].0, "fine");
            assert_eq!(told.quarantined[0].tool, "bad");
            assert_eq!(told.quarantined[0].reason, reason);
        }
    }
}

#[test]
fn schemas_that_are_too_deep_or_too_large_are_set_aside() {
    let deep = (0..200).fold(
        json!({"type": "string"}),
        |inner, _| json!({"type": "array", "items": inner}),
    );
    let told_deep = told(
        &[("deep", json!({"properties": {"a": deep}}))],
        Dialect::Common,
    );
    assert_eq!(
        told_deep.quarantined[0].reason,
        "the schema nests deeper than 100 levels"
    );
    // Each definition uses the next one ten times, so that they unfold to a hundred million schemas.
    let mut definitions = serde_json::Map::new();
    for index in 0..20 {
        let next = json!({"$ref": format!("#/$defs/d{}", index + 1)});
        let ten: Value = (0..10)
            .map(|key| (format!("k{key}"), next.clone()))
            .collect();
        definitions.insert(
            format!("d{index}"),
            json!({"type": "object", "properties": ten}),
        );
    }
    definitions.insert("d20".to_owned(), json!({"type": "string"}));
    let bomb = json!({"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
    let in_common = told(&[("bomb", bomb.clone())], Dialect::Common);
    assert_eq!(
        in_common.quarantined[0].reason,
        "its references unfold to more than 20000 schemas"
    );
    assert_eq!(
        told(&[("bomb", bomb)], Dialect::Anthropic)
            .definitions
            .len(),
        1
    );
}

#[test]
fn schemas_that_lead_into_each_other_do_not_use_up_the_stack() {
    for keyword in ["anyOf", "allOf", "properties"] {
        let deep = |reference: String| {
            (0..40).fold(json!({"$ref": reference}), |inner, _| match keyword {
                "properties" => json!({"type": "object", "properties": {"a": inner}}),
                _ => json!({keyword: [inner]}),
            })
        };
        let mut definitions = serde_json::Map::new();
        for index in 0..12 {
            let next = format!("#/$defs/d{}", (index + 1) % 12);
            definitions.insert(format!("d{index}"), deep(next));
        }
        let schema = json!({"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
        for dialect in Dialect::ALL {
            let told = told(&[("t", schema.clone())], dialect);
            assert_eq!(told.definitions.len() + told.quarantined.len(), 1);
        }
    }
}

/// What has no keyword is told in the text of a description, and text in text doubles its escapes.
#[test]
fn what_is_told_in_words_does_not_grow_with_every_level() {
    type Wrap = fn(Value) -> Value;
    let wraps: [Wrap; 4] = [
        |inner| json!({"type": "object", "additionalProperties": inner}),
        |inner| json!({"type": "array", "prefixItems": [{"type": "integer"}, inner]}),
        |inner| json!({"anyOf": [{"type": "integer"}, {"type": "array", "items": inner}]}),
        |inner| json!({"oneOf": [{"type": "string"}, {"type": "object", "properties": {"a": inner}}]}),
    ];
    for wrap in wraps {
        let deep = (0..40).fold(json!({"type": "boolean"}), |inner, _| wrap(inner));
        let schema = json!({"type": "object", "properties": {"deep": deep}});
        for dialect in Dialect::ALL {
            for (_, definition) in told(&[("t", schema.clone())], dialect).definitions {
                assert!(definition.len() < 60_000, "{dialect}: {}", definition.len());
            }
        }
    }
}

#[test]
fn a_short_form_is_told_whole_and_a_long_one_by_its_type() {
    let of = |inner: Value| {
        let schema = json!({"type": "object", "properties": {
            "map": {"type": "object", "additionalProperties": inner},
        }});
        one(schema, Dialect::Gemini)["properties"]["map"]["description"].clone()
    };
    assert_eq!(
        of(json!({"type": "integer"})),
        "Other keys are free; each value is {\"type\":\"integer\"}."
    );
    let long = "x".repeat(1_000);
    assert_eq!(
        of(json!({"type": "string", "description": long})),
        "Other keys are free; each value is {\"type\":\"string\"}."
    );
}

/// Each of these makes a provider refuse the request, with all other tools in it.
#[test]
fn keywords_that_are_none_are_not_passed_on() {
    let schema = json!({"type": "object", "required": ["n", "p", "q", "e", "l"], "properties": {
        "n": {"type": "number", "multipleOf": 0},
        "p": {"type": "string", "pattern": "["},
        "q": {"type": "string", "pattern": "^(?:a|b)?[)]\\(+$"},
        "e": {"type": "string", "enum": ["", "a"]},
        "l": {"type": "array"},
    }});
    for dialect in [Dialect::OpenAiChat, Dialect::Anthropic, Dialect::Mcp] {
        let properties = one(schema.clone(), dialect)["properties"].clone();
        assert_eq!(properties["n"], json!({"type": "number"}), "{dialect}");
        assert_eq!(
            properties["p"],
            json!({"type": "string", "description": "Matches the pattern ["}),
            "{dialect}"
        );
        assert_eq!(properties["q"]["pattern"], "^(?:a|b)?[)]\\(+$");
        assert_eq!(properties["e"]["enum"], json!(["", "a"]), "{dialect}");
        assert_eq!(properties["l"]["items"], json!({}), "{dialect}");
    }
    let properties = one(schema, Dialect::Gemini)["properties"].clone();
    assert_eq!(
        properties["e"],
        json!({"type": "string", "enum": ["a"], "description": "May be empty."})
    );
    assert_eq!(properties["l"]["items"], json!({"type": "string"}));
    for (pattern, sound) in [
        ("a+b*c?", true),
        ("(a)(b)", true),
        ("[(]", true),
        ("\\[", true),
        ("\\*", true),
        ("(", false),
        ("a)", false),
        ("+a", false),
        ("a|*", false),
        ("a\\", false),
    ] {
        let schema = json!({"type": "object", "properties": {
            "p": {"type": "string", "pattern": pattern},
        }});
        let told = one(schema, Dialect::Mcp);
        assert_eq!(
            told["properties"]["p"].get("pattern").is_some(),
            sound,
            "{pattern}"
        );
    }
}

#[test]
fn words_of_other_languages_become_types() {
    let schema = json!({"type": "object", "additionalProperties": "object", "properties": {
        "meta": "object", "n": {"type": "int"}, "f": {"type": "float"}, "d": {"type": "dict"},
        "b": {"type": "bool"}, "l": {"type": "list"}, "s": {"type": "str"}, "q": {"type": "wibble"},
    }});
    for dialect in [
        Dialect::Common,
        Dialect::OpenAiChat,
        Dialect::Gemini,
        Dialect::Mcp,
    ] {
        let told = told(&[("w", schema.clone())], dialect);
        let w = parameters(&told, dialect);
        for (name, kind) in [
            ("meta", "object"),
            ("n", "integer"),
            ("f", "number"),
            ("d", "object"),
            ("b", "boolean"),
            ("l", "array"),
            ("s", "string"),
            ("q", "string"),
        ] {
            assert_eq!(w["properties"][name]["type"], kind, "{dialect} {name}");
        }
        assert!(w["properties"]["l"]["items"].is_object());
        let others = &w["additionalProperties"];
        assert!(others.is_null() || others.is_object(), "{others}");
        assert!(told.losses.iter().any(|loss| {
            loss.to_string() == "`w`: `q`: `wibble` is no type; the value is shown as text"
        }));
    }
}

#[test]
fn a_pointer_through_a_union_still_leads_to_what_it_meant() {
    let schema = json!({"type": "object", "properties": {
        "box": {"anyOf": [
            {"type": "object", "properties": {"name": {"type": "string", "minLength": 1}}},
            {"type": "null"},
        ]},
        "copy": {"$ref": "#/properties/box/anyOf/0/properties/name"},
    }});
    for dialect in Dialect::ALL {
        if matches!(
            dialect,
            Dialect::OpenAiResponses | Dialect::OpenAiResponsesStrict
        ) {
            continue;
        }
        let p = one(schema.clone(), dialect);
        assert!(!has_key(&p, "$ref"), "{dialect}");
        let kind = &p["properties"]["copy"]["type"];
        assert!(
            *kind == "string" || *kind == json!(["string", "null"]),
            "{dialect}: {p}"
        );
    }
}

#[test]
fn properties_may_be_called_like_keywords() {
    let schema = json!({"type": "object", "properties": {
        "format": {"type": "string"}, "title": {"type": "string"}, "default": {"type": "string"},
        "type": {"type": "string"},
        "properties": {"type": "object", "properties": {"pattern": {"type": "string"}}},
        "$ref": {"type": "string"}, "items": {"type": "array", "items": {"type": "string"}},
    }, "required": ["format", "type"]});
    for dialect in [
        Dialect::Gemini,
        Dialect::Common,
        Dialect::Anthropic,
        Dialect::Mcp,
    ] {
        let kw = one(schema.clone(), dialect);
        // Trees keep the order or sort, as the features of the build say.
        let mut names: Vec<&String> = kw["properties"].as_object().unwrap().keys().collect();
        names.sort();
        assert_eq!(
            names,
            [
                "$ref",
                "default",
                "format",
                "items",
                "properties",
                "title",
                "type"
            ]
        );
        assert_eq!(
            kw["properties"]["properties"]["properties"]["pattern"]["type"],
            "string"
        );
        assert_eq!(kw["required"], json!(["format", "type"]));
    }
}

#[test]
fn old_flags_look_around_and_odd_formats_do_not_reach_gemini() {
    let schema = json!({"type": "object", "properties": {
        "n": {"type": "integer", "minimum": 0, "exclusiveMinimum": true},
        "key": {"type": "string", "pattern": "^(?!none$).+"},
        "when": {"type": "string", "format": "hostname"},
    }});
    let num = one(schema.clone(), Dialect::Gemini);
    assert_eq!(
        num["properties"]["n"],
        json!({"type": "integer", "minimum": 1})
    );
    assert_eq!(
        num["properties"]["key"],
        json!({"type": "string", "description": "Matches the pattern ^(?!none$).+"})
    );
    assert_eq!(
        num["properties"]["when"],
        json!({"type": "string", "description": "Format: hostname."})
    );
    let num = one(schema, Dialect::Anthropic);
    assert_eq!(
        num["properties"]["n"],
        json!({"type": "integer", "exclusiveMinimum": 0})
    );
    assert_eq!(num["properties"]["when"]["format"], "hostname");
}

#[test]
fn unions_keep_their_branches() {
    let schema = json!({"type": "object", "properties": {"target": {"anyOf": [
        {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
        {"type": "array", "items": {"type": "integer"}},
    ]}}});
    let u = one(schema.clone(), Dialect::OpenAiChat);
    assert_eq!(u["properties"]["target"], schema["properties"]["target"]);
    let u = one(schema, Dialect::Common);
    assert_eq!(u["properties"]["target"]["type"], "object");
    let told = u["properties"]["target"]["description"].as_str().unwrap();
    let other = told
        .strip_prefix("Or: ")
        .and_then(|it| it.strip_suffix('.'));
    let other: Value = serde_json::from_str(other.unwrap()).unwrap();
    assert_eq!(
        other,
        json!({"type": "array", "items": {"type": "integer"}})
    );
}

#[test]
fn the_schema_that_was_sent_is_never_changed() {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": ["string", "null"]},
        "m": {"type": "object", "additionalProperties": {"type": "string"}},
    }});
    let sent = schema.to_string();
    let tools = [("c", schema)];
    let fresh = told(&tools, Dialect::Common);
    for dialect in Dialect::ALL {
        told(&tools, dialect);
        assert_eq!(told(&tools, Dialect::Common), fresh);
    }
    assert_eq!(tools[0].1.to_string(), sent);
}

#[test]
fn cleaning_twice_is_cleaning_once() {
    for schema in [
        json!({"type": ["object", "null"], "properties": {"a": "int", "b": {"type": ["string", "integer", "null"]}}}),
        json!({"oneOf": [{"type": "null"}, {"properties": {"a": {"anyOf": [{"type": "object"}, {"type": "null"}]}}}]}),
    ] {
        let once = sanitize_parameters(&schema);
        assert_eq!(sanitize_parameters(&once), once);
    }
}

#[test]
fn strict_tools_close_every_object_and_maps_leave_strict_mode_alone() {
    let tools = [
        (
            "plain",
            json!({"type": "object", "properties": {
                "a": {"type": "string", "minLength": 2, "default": "xy"},
                "b": {"type": "object", "properties": {"c": {"enum": ["p", "q"]}}},
            }, "required": ["b"]}),
        ),
        (
            "map",
            json!({"type": "object", "properties": {
                "m": {"type": "object", "additionalProperties": {"type": "string"}},
            }}),
        ),
    ];
    let told = told(&tools, Dialect::OpenAiChatStrict);
    let [plain, map] = [0, 1].map(|index| {
        serde_json::from_str::<Value>(&told.definitions[index].1).unwrap()["function"].clone()
    });
    assert_eq!(plain["strict"], true);
    assert_eq!(
        plain["parameters"],
        json!({"type": "object", "properties": {
            "a": {"type": ["string", "null"],
                "description": "At least 2 characters. Default when null: \"xy\"."},
            "b": {"type": "object", "properties": {
                "c": {"type": ["string", "null"], "enum": ["p", "q", null]},
            }, "required": ["c"], "additionalProperties": false},
        }, "required": ["a", "b"], "additionalProperties": false})
    );
    assert_eq!(map["strict"], false);
    assert_eq!(
        map["parameters"]["properties"]["m"]["additionalProperties"],
        json!({"type": "string"})
    );
    assert!(told.losses.iter().any(|loss| {
        loss.to_string()
            == "`map`: `m`: a map with free keys has no form, so the tool leaves strict mode"
    }));
}

#[test]
fn what_is_too_large_for_strict_mode_leaves_it() {
    let deep = (0..12).fold(
        json!({"type": "string"}),
        |inner, _| json!({"type": "object", "properties": {"a": inner}}),
    );
    let many: Vec<String> = (0..1_001).map(|index| format!("v{index}")).collect();
    let tools = [
        ("deep", deep),
        (
            "many",
            json!({"properties": {"a": {"type": "string", "enum": many}}}),
        ),
    ];
    let told = told(&tools, Dialect::OpenAiChatStrict);
    let losses: Vec<String> = told.losses.iter().map(ToString::to_string).collect();
    for loss in [
        "`deep`: the schema has more than 10 levels of nested objects, so the tool leaves strict mode",
        "`many`: the schema has more than 1000 values of enums, so the tool leaves strict mode",
    ] {
        assert!(losses.iter().any(|known| known == loss), "{losses:?}");
    }
    assert!(
        told.definitions
            .iter()
            .all(|(_, json)| json.contains("\"strict\":false"))
    );
}

#[test]
fn a_schema_that_contains_itself_is_referred_to_or_written_out_some_levels() {
    let schema = json!({"type": "object", "properties": {"tree": {"$ref": "#/definitions/Node"}},
    "definitions": {"Node": {"type": "object", "properties": {
        "name": {"type": "string"},
        "children": {"type": "array", "items": {"$ref": "#/definitions/Node"}},
    }}}});
    let a = one(schema.clone(), Dialect::Anthropic);
    assert_eq!(a["properties"]["tree"], json!({"$ref": "#/$defs/Node"}));
    assert_eq!(
        a["$defs"]["Node"]["properties"]["children"]["items"],
        json!({"$ref": "#/$defs/Node"})
    );
    let told = told(&[("t", schema)], Dialect::Gemini);
    let g = parameters(&told, Dialect::Gemini);
    assert!(!has_key(&g, "$ref"));
    let mut node = &g["properties"]["tree"];
    for _ in 0..2 {
        node = &node["properties"]["children"]["items"];
    }
    assert_eq!(
        node["properties"]["children"]["items"],
        json!({"type": "object", "description": "Of the same form again, to any depth."})
    );
    assert!(
        told.losses
            .iter()
            .any(|loss| loss.what.contains("contains itself"))
    );
}

#[test]
fn schemas_that_hold_at_once_become_one_object() {
    let schema = json!({
        "allOf": [{"$ref": "#/$defs/Base"}, {"properties": {"b": {"type": "integer"}}, "required": ["b"]}],
        "$defs": {"Base": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}},
    });
    for dialect in [Dialect::Anthropic, Dialect::Gemini] {
        assert_eq!(
            one(schema.clone(), dialect),
            json!({"type": "object", "required": ["a", "b"],
                "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}})
        );
    }
}

#[test]
fn forms_of_the_arguments_as_a_whole_are_merged() {
    let schema = json!({"oneOf": [
        {"type": "object", "properties": {"mode": {"const": "walk"}, "steps": {"type": "integer"}},
            "required": ["mode", "steps"]},
        {"type": "object", "properties": {"mode": {"const": "jump"}, "height": {"type": "number"}},
            "required": ["mode", "height"]},
    ]});
    for dialect in [Dialect::Common, Dialect::OpenAiChat, Dialect::Anthropic] {
        let go = one(schema.clone(), dialect);
        assert_eq!(go["type"], "object");
        assert_eq!(
            go["properties"]["mode"],
            json!({"type": "string", "enum": ["walk", "jump"]})
        );
        assert_eq!(go["properties"]["steps"], json!({"type": "integer"}));
        assert_eq!(go["properties"]["height"], json!({"type": "number"}));
        assert_eq!(go["required"], json!(["mode"]));
        for keyword in ["oneOf", "anyOf", "allOf", "enum", "not"] {
            assert!(go.get(keyword).is_none());
        }
    }
}

#[test]
fn no_dialect_but_gemini_shows_nullable_and_none_shows_titles() {
    let schema = json!({"$schema": "x", "$id": "y", "title": "T", "type": "object", "properties": {
        "a": {"title": "A", "anyOf": [{"type": "string"}, {"type": "null"}], "default": null},
        "b": {"type": "integer", "nullable": true},
        "c": {"oneOf": [{"const": "x"}, {"const": "y"}]},
    }, "required": ["b"]});
    for dialect in Dialect::ALL {
        let told = told(&[("t", schema.clone())], dialect);
        let definition: Value = serde_json::from_str(&told.definitions[0].1).unwrap();
        assert_eq!(
            has_key(&definition, "nullable"),
            dialect == Dialect::Gemini,
            "{dialect}"
        );
        for keyword in ["$schema", "$id", "title", "oneOf", "const"] {
            assert!(
                !has_key(&definition, keyword),
                "{dialect} {keyword}: {definition}"
            );
        }
    }
}
