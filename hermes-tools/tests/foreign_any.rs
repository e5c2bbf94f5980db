//! Properties of foreign schemas in every dialect, whatever was sent.

use hermes_tools::Dialect;
use hermes_tools::schema::foreign::{
    ForeignTool, definition, gemini_subset, sanitize_parameters, strip_nullable_unions,
};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};

/// Schemas as servers send them, with every slip at every place.
fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        select(vec![
            json!("string"),
            json!("object"),
            json!("int"),
            json!("wibble")
        ]),
        select(vec![
            json!(true),
            json!(false),
            json!(null),
            json!(5),
            json!([]),
            json!({})
        ]),
        select(vec![
            json!({"type": "string", "minLength": 1, "format": "uri", "pattern": "^(?!x)"}),
            json!({"type": "integer", "minimum": 0, "exclusiveMinimum": true, "nullable": true}),
            json!({"type": ["number", "null"], "exclusiveMaximum": 2.5, "multipleOf": 0.5}),
            json!({"type": ["string", "object", "array"], "default": null}),
            json!({"enum": ["a", 1, null, {"type": "object"}]}),
            json!({"const": "x", "description": "d", "examples": ["x"]}),
            json!({"type": "null"}),
            json!({"$ref": "#/$defs/A", "description": "d"}),
            json!({"$ref": "#/$defs/B"}),
            json!({"$ref": "#/properties/a"}),
            json!({"$ref": "#"}),
            json!({"$ref": "#/nowhere"}),
        ]),
    ];
    leaf.prop_recursive(4, 40, 4, |inner| {
        let named = btree_map(select(vec!["a", "b", "type", "$ref", "items"]), inner.clone(), 0..4)
            .prop_map(|named| json!(named));
        let list = vec(inner.clone(), 0..4).prop_map(Value::Array);
        let keyword = prop_oneof![
            4 => named.clone().prop_map(|value| ("properties", value)),
            2 => inner.clone().prop_map(|value| ("items", value)),
            2 => inner.clone().prop_map(|value| ("additionalProperties", value)),
            1 => inner.clone().prop_map(|value| ("not", value)),
            1 => list.clone().prop_map(|value| ("anyOf", value)),
            1 => list.clone().prop_map(|value| ("oneOf", value)),
            1 => list.clone().prop_map(|value| ("allOf", value)),
            1 => list.prop_map(|value| ("prefixItems", value)),
            1 => named.prop_map(|value| ("dependentSchemas", value)),
            1 => subsequence(vec!["a", "b", "z"], 0..3).prop_map(|names| ("required", json!(names))),
            1 => select(vec![json!("object"), json!("array"), json!(["object", "null"]), json!("dict")])
                .prop_map(|value| ("type", value)),
        ];
        vec(keyword, 0..5).prop_map(|keywords| {
            keywords.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>().into()
        })
    })
}

/// Parameters with two definitions that the references lead to.
fn arguments() -> impl Strategy<Value = Value> {
    (schema(), schema(), schema()).prop_map(|(a, b, other)| {
        let mut root = match other {
            Value::Object(root) => root,
            other => Map::from_iter([("properties".to_owned(), json!({"a": other}))]),
        };
        root.remove("$ref");
        root.insert("$defs".to_owned(), json!({"A": a, "B": b}));
        Value::Object(root)
    })
}

/// Calls back for every schema in a schema.
fn each(schema: &Value, judge: &mut dyn FnMut(&Map<String, Value>)) {
    let Value::Object(node) = schema else {
        return;
    };
    judge(node);
    for keyword in ["properties", "$defs"] {
        let named = node.get(keyword).and_then(Value::as_object);
        named
            .into_iter()
            .flat_map(|named| named.values())
            .for_each(|inner| each(inner, judge));
    }
    for keyword in ["items", "additionalProperties"] {
        node.get(keyword)
            .into_iter()
            .for_each(|inner| each(inner, judge));
    }
    for keyword in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        let list = node.get(keyword).and_then(Value::as_array);
        list.into_iter()
            .flatten()
            .for_each(|inner| each(inner, judge));
    }
}

const COMMON: [&str; 13] = [
    "type",
    "description",
    "enum",
    "default",
    "properties",
    "required",
    "items",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
];
const GEMINI: [&str; 7] = [
    "nullable",
    "anyOf",
    "format",
    "pattern",
    "example",
    "minProperties",
    "maxProperties",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_dialect_gets_what_it_takes_or_the_tool_is_set_aside(sent in arguments()) {
        let before = sent.clone();
        for dialect in Dialect::ALL {
            let tool = ForeignTool { name: "t", description: "", parameters: &sent };
            let Ok((json, losses)) = definition(tool, dialect) else {
                continue;
            };
            prop_assert_eq!(definition(tool, dialect), Ok((json.clone(), losses)));
            let whole: Value = serde_json::from_str(&json).unwrap();
            let outer = whole.get("function").unwrap_or(&whole);
            let Some(root) = ["parameters", "input_schema", "inputSchema"].iter().find_map(|key| outer.get(*key)) else {
                prop_assert_eq!(dialect, Dialect::Gemini);
                continue;
            };
            prop_assert_eq!(&root["type"], "object");
            prop_assert!(root["properties"].is_object());
            for keyword in ["anyOf", "oneOf", "allOf", "enum", "not"] {
                prop_assert!(root.get(keyword).is_none());
            }
            let strict = outer["strict"] == json!(true);
            let mut wrong = Vec::new();
            each(root, &mut |node| {
                let subset = matches!(dialect, Dialect::Common | Dialect::Gemini);
                let known = |keyword: &String| {
                    COMMON.contains(&keyword.as_str())
                        || dialect == Dialect::Gemini && GEMINI.contains(&keyword.as_str())
                };
                if subset && !node.keys().all(known) {
                    wrong.push(format!("keywords: {:?}", node.keys()));
                }
                if dialect != Dialect::Gemini && node.contains_key("nullable") {
                    wrong.push("nullable".to_owned());
                }
                if let Some(reference) = node.get("$ref") {
                    let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
                    if root.pointer(pointer).is_none_or(Value::is_null) || node.len() > 1 {
                        wrong.push(format!("reference {reference}"));
                    }
                }
                let properties = node.get("properties").and_then(Value::as_object);
                let required = node.get("required").and_then(Value::as_array);
                if let (Some(properties), true) = (properties, strict) {
                    let closed = node.get("additionalProperties") == Some(&json!(false));
                    // Anthropic takes optional parameters also where it is strict.
                    let whole = required.map(Vec::len) == Some(properties.len());
                    if !closed || !whole && dialect != Dialect::AnthropicStrict {
                        wrong.push("open object".to_owned());
                    }
                }
                for name in required.into_iter().flatten() {
                    if properties.is_none_or(|all| !all.contains_key(name.as_str().unwrap())) {
                        wrong.push(format!("required {name}"));
                    }
                }
            });
            prop_assert_eq!(wrong, Vec::<String>::new(), "{}: {}", dialect, root);
        }
        prop_assert_eq!(sent, before);
    }

    #[test]
    fn each_cleaning_done_twice_is_done_once(sent in arguments()) {
        let cleanings: [fn(&Value) -> Value; 3] = [
            sanitize_parameters,
            gemini_subset,
            |schema| strip_nullable_unions(schema, true),
        ];
        for clean in cleanings {
            let once = clean(&sent);
            prop_assert_eq!(clean(&once), once);
        }
    }
}
