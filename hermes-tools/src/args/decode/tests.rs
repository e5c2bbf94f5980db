//! Typed values on both ways.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::param::{Shape, ToolParam};
use crate::schema::Number;

/// Decodes into one value of each type and shows what came of it.
fn decode_one<T: ToolParam + fmt::Debug>(
    build: impl Fn(Shape) -> Param,
    text: &str,
) -> (Result<Option<T>, String>, Vec<String>) {
    let params = [build(T::PARAM)];
    let mut slot = None;
    match decode(&params, RawArguments::new(text), &mut [T::slot(&mut slot)]) {
        Ok(repairs) => (Ok(slot), repairs.iter().map(Repair::to_string).collect()),
        Err(error) => (Err(error.to_string()), Vec::new()),
    }
}

fn same(shape: Shape) -> Param {
    Param::new("valueA value.", 5, Box::leak(Box::new(shape)))
}

fn fits<T: ToolParam + fmt::Debug + PartialEq>(text: &str, value: T) {
    assert_eq!(
        decode_one::<T>(same, text),
        (Ok(Some(value)), Vec::new()),
        "{text}"
    );
}

fn repaired<T: ToolParam + fmt::Debug + PartialEq>(text: &str, value: T, repair: &str) {
    assert_eq!(
        decode_one(same, text),
        (Ok(Some(value)), vec![repair.to_owned()]),
        "{text}"
    );
}

fn refused<T: ToolParam + fmt::Debug>(text: &str, message: &str) {
    assert_eq!(
        decode_one::<T>(same, text).0.unwrap_err(),
        message,
        "{text}"
    );
}

#[test]
fn whole_numbers_of_every_width_have_both_their_ends() {
    fits::<u128>(&format!(r#"{{"value":{}}}"#, u128::MAX), u128::MAX);
    fits::<u128>(r#"{"value":0}"#, 0);
    fits::<i128>(&format!(r#"{{"value":{}}}"#, i128::MIN), i128::MIN);
    fits::<u64>(&format!(r#"{{"value":{}}}"#, u64::MAX), u64::MAX);
    let beyond = r#"{"value":340282366920938463463374607431768211456}"#;
    let (outcome, _) = decode_one::<u128>(same, beyond);
    let error = outcome.unwrap_err();
    assert!(
        error.starts_with("`value`: expected a whole number from 0 to 3402"),
        "{error}"
    );
    let (outcome, _) = decode_one::<u128>(same, r#"{"value":-1}"#);
    let error = outcome.unwrap_err();
    assert!(
        error.starts_with("`value`: expected a whole number of at least 0"),
        "{error}"
    );
}

#[test]
fn values_that_fit_are_taken_as_sent() {
    fits(r#"{"value": 42}"#, 42_u8);
    fits(r#"{"value":-9223372036854775808}"#, i64::MIN);
    fits(r#"{"value":18446744073709551615}"#, u64::MAX);
    fits(r#"{"value":-0}"#, 0_i32);
    fits(
        r#"{"value":-999999999999999999}"#,
        -999_999_999_999_999_999_i64,
    );
    fits(
        r#"{"value":1000000000000000000 }"#,
        1_000_000_000_000_000_000_i64,
    );
    fits(r#"{"value":-1.25e-300}"#, -1.25e-300_f64);
    fits(r#"{"value":0.1}"#, 0.1_f32);
    fits(r#"{"value":true}"#, true);
    fits(r#"{"value":"a\n\u00e9\ud83d\ude00"}"#, "a\né😀".to_owned());
    fits(r#"{"value":"é"}"#, 'é');
    fits(r#"{"value":[[1],[]]}"#, vec![vec![1_i8], vec![]]);
    fits(
        r#"{"value":["b","a"]}"#,
        BTreeSet::from(["a".to_owned(), "b".to_owned()]),
    );
    fits(
        r#"{"value":{"k":[null,1]}}"#,
        BTreeMap::from([("k".to_owned(), vec![None, Some(1_u8)])]),
    );
    fits(r#"{"value":[1,2]}"#, [1_u16, 2]);
    fits(r#"{"value":"[1]"}"#, "[1]".to_owned());
    fits(
        r#"{"value":[1,"a",null]}"#,
        (1_u8, "a".to_owned(), None::<bool>),
    );
    fits(r#"{"value":2.5}"#, Duration::from_millis(2_500));
    fits(
        r#"{"value":18446744073709551615}"#,
        Duration::from_secs(u64::MAX),
    );
    fits(
        r#"{"value":{"a":[1,-1.25e-300,"x"],"b":{}}}"#,
        serde_json::json!({"a": [1, -1.25e-300, "x"], "b": {}}),
    );
}

#[test]
fn an_optional_argument_may_be_absent_or_null() {
    for text in ["{}", "", " \n", "null", "None", r#"{"value":null}"#] {
        fits::<Option<u32>>(text, None);
    }
    fits(r#"{"value":3}"#, Some(3_u32));
    repaired::<Option<u32>>(
        r#"{"value":"null"}"#,
        None,
        "`value`: the word null, taken as absent (\"null\")",
    );
    fits(r#"{"value":"null"}"#, Some("null".to_owned()));
}

#[test]
fn what_loses_nothing_is_converted_and_recorded() {
    repaired(
        r#"{"value":"42"}"#,
        42_u8,
        "`value`: text to integer (\"42\" to 42)",
    );
    repaired(
        r#"{"value":" 9007199254740993 "}"#,
        9_007_199_254_740_993_i64,
        "`value`: text to integer (\" 9007199254740993 \" to 9007199254740993)",
    );
    repaired(
        r#"{"value":"2.50"}"#,
        2.5_f64,
        "`value`: text to number (\"2.50\" to 2.5)",
    );
    repaired(
        r#"{"value":"FALSE"}"#,
        false,
        "`value`: text to boolean (\"FALSE\" to false)",
    );
    repaired(
        r#"{"value":7}"#,
        "7".to_owned(),
        "`value`: number to text (7 to \"7\")",
    );
    repaired(
        r#"{"value":"x"}"#,
        vec!["x".to_owned()],
        "`value`: single value to list (\"x\" to a list of 1 item)",
    );
    repaired(
        r#"{"value":"[1, 2]"}"#,
        vec![1_u8, 2],
        "`value`: JSON text to list (\"[1, 2]\" to a list of 2 items)",
    );
    repaired(
        r#"{"value":["1"]}"#,
        vec![1_u8],
        "`value[0]`: text to integer (\"1\" to 1)",
    );
    repaired(
        r#"{"Value":1}"#,
        1_u8,
        "`value`: spelling of the key (`Value` to `value`)",
    );
    repaired(
        r#"{"value":1,"weather":true}"#,
        1_u8,
        "`weather`: no such parameter, dropped (true)",
    );
    repaired(
        r#"{"value":1,"value":2}"#,
        2_u8,
        "`value`: sent twice, the last one counts (an earlier value)",
    );
    fits(r#"{"value":5.0}"#, 5_u8);
}

#[test]
fn what_is_not_certain_is_refused_with_a_lesson() {
    refused::<u8>(
        "{}",
        "`value`: missing; expected a whole number from 0 to 255",
    );
    refused::<u32>(
        r#"{"value":4294967296}"#,
        "`value`: expected a whole number from 0 to 4294967295, got 4294967296",
    );
    for text in [
        r#"{"value":01}"#,
        r#"{"value":-}"#,
        r#"{"value":1x}"#,
        r#"{"value":1_0}"#,
    ] {
        let (value, repairs) = decode_one::<u8>(same, text);
        assert!(value.is_err() || !repairs.is_empty(), "{text}");
    }
    refused::<u32>(
        r#"{"value":-1}"#,
        "`value`: expected a whole number of at least 0, got -1",
    );
    refused::<u8>(
        r#"{"value":256}"#,
        "`value`: expected a whole number from 0 to 255, got 256",
    );
    refused::<u8>(
        r#"{"value":"300"}"#,
        "`value`: expected a whole number from 0 to 255, got 300",
    );
    refused::<u8>(
        r#"{"value":1.5}"#,
        "`value`: expected a whole number from 0 to 255, got 1.5",
    );
    refused::<u8>(
        r#"{"value":true}"#,
        "`value`: expected a whole number from 0 to 255, got true",
    );
    refused::<bool>(
        r#"{"value":"yes"}"#,
        "`value`: expected true or false, got \"yes\"",
    );
    refused::<bool>(r#"{"value":1}"#, "`value`: expected true or false, got 1");
    refused::<f64>(
        r#"{"value":1e400}"#,
        "`value`: expected a number, got 1e400",
    );
    refused::<String>(r#"{"value":1.5}"#, "`value`: expected text, got 1.5");
    refused::<String>(r#"{"value":null}"#, "`value`: expected text, got null");
    refused::<Vec<u8>>(
        r#"{"value":"[1"}"#,
        "`value`: expected a list of whole numbers, got \"[1\"",
    );
    refused::<Vec<u8>>(
        r#"{"value":[1,"x"]}"#,
        "`value[1]`: expected a whole number from 0 to 255, got \"x\"",
    );
    refused::<char>(
        r#"{"value":"ab"}"#,
        "`value`: expected text of exactly 1 character, got \"ab\"",
    );
    refused::<u8>(
        r#"{"valeu":1}"#,
        "`valeu`: no such parameter; did you mean `value`?; \
         `value`: missing; expected a whole number from 0 to 255",
    );
    refused::<u8>(
        "[1]",
        "expected an object with one key for each argument, got a list of 1 item; \
         send `{\"name\": value}`",
    );
    refused::<u8>(
        r#"{"value":"#,
        "the arguments were cut off: the text ends before the arguments do at line 1, column 10",
    );
}

#[test]
fn bounds_of_the_parameter_hold_on_both_ways() {
    let bounded = |shape: Shape| same(shape.min(Number::Int(1)).max(Number::Float(2.5)));
    assert_eq!(decode_one::<i64>(bounded, r#"{"value":2}"#).0, Ok(Some(2)));
    for text in [r#"{"value":3}"#, r#"{"value":"0"}"#] {
        assert!(
            decode_one::<i64>(bounded, text)
                .0
                .unwrap_err()
                .contains("from 1 to 2.5")
        );
    }
    let listed = |shape: Shape| same(shape.values(&["content", "files"]));
    assert_eq!(
        decode_one(listed, r#"{"value":"files"}"#).0,
        Ok(Some("files".to_owned()))
    );
    let (value, repairs) = decode_one(listed, r#"{"value":"Files"}"#);
    assert_eq!(value, Ok(Some("files".to_owned())));
    assert_eq!(
        repairs,
        ["`value`: spelling of the value (\"Files\" to \"files\")"]
    );
    assert_eq!(
        decode_one::<String>(listed, r#"{"value":"file"}"#)
            .0
            .unwrap_err(),
        "`value`: expected one of \"content\", \"files\", got \"file\"; did you mean \"files\"?"
    );
    let long = |shape: Shape| same(shape.length(2, 3));
    assert_eq!(
        decode_one(long, r#"{"value":"éé"}"#).0,
        Ok(Some("éé".to_owned()))
    );
    assert!(decode_one::<String>(long, r#"{"value":"éééé"}"#).0.is_err());
}

#[test]
fn an_absent_or_null_argument_with_a_default_is_left_to_the_function() {
    let with_default =
        |shape: Shape| Param::new("value1A value.", 5, Box::leak(Box::new(shape))).default_json(1);
    for text in ["{}", r#"{"value":null}"#] {
        assert_eq!(decode_one::<u8>(with_default, text), (Ok(None), Vec::new()));
    }
}

#[test]
fn deep_and_hostile_texts_are_refused_in_bounded_time() {
    let deep = format!("{{\"value\":{}", "[".repeat(1_000_000));
    assert!(decode_one::<Vec<u8>>(same, &deep).0.is_err());
    let digits = format!("{{\"value\":{}}}", "9".repeat(1_000_000));
    assert!(decode_one::<u64>(same, &digits).0.is_err());
    let exponent = "{\"value\":\"1e999999999999\"}";
    assert!(decode_one::<u64>(same, exponent).0.is_err());
    let keys: String = (0..200_000).map(|n| format!("\"k{n}\":1,")).collect();
    let many = format!("{{{keys}\"value\":1}}");
    let (value, repairs) = decode_one::<u8>(same, &many);
    assert_eq!(value, Ok(Some(1)));
    assert_eq!(repairs.len(), 21);
    assert_eq!(repairs[20], "`...`: further changes (199980)");
    let faults = format!("{{\"value\":[{}1]}}", "\"x\",".repeat(100_000));
    let error = decode_one::<Vec<u8>>(same, &faults).0.unwrap_err();
    assert!(error.ends_with("; and 99980 more problems"), "{error}");
}

#[test]
fn examples_are_calls_that_fit() {
    let params = [
        Param::new("path", 4, String::SHAPE)
            .more(&const { crate::param::More::NONE.example_json("\"src\"") }),
        Param::new("count", 5, const { &u8::PARAM.min(Number::Int(5)) }),
        Param::new("tags", 4, <Vec<bool>>::SHAPE),
        Param::new("limit", 5, <Option<u8>>::SHAPE),
    ];
    assert_eq!(
        example(&params),
        r#"{"path":"src","count":5,"tags":[true]}"#
    );
}

/// Schemas with a field of every kind, open, closed and with free keys.
const FAST_SCHEMAS: [&str; 5] = [
    r#"{"type":"object","properties":{
        "path":{"type":"string","minLength":1},"line":{"type":"integer","minimum":1},
        "share":{"type":["number","null"]},"all":{"type":"boolean"},"mode":{"enum":["a","b",3]},
        "tags":{"type":"array","items":{"type":"string"},"maxItems":2,"uniqueItems":true},
        "meta":{"type":"object"},"any":{}
    },"required":["path"]}"#,
    r#"{"properties":{"path":{"type":"string"},"line":{"type":"integer"}},"additionalProperties":false}"#,
    r#"{"properties":{"path":{"type":"string"}},"additionalProperties":{"type":"integer"},"minProperties":1}"#,
    r#"{"properties":{"path":{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"integer"}}]},
        "meta":{"oneOf":[
            {"properties":{"kind":{"const":"x"},"line":{"type":"integer"}},"required":["kind"]},
            {"properties":{"kind":{"const":"y"},"file_path":{"type":"string"}},"required":["kind"]}
        ]}}}"#,
    r#"{"anyOf":[{"properties":{"path":{"type":"string"}},"required":["path"]},{"properties":{"line":{"type":"integer"}}}]}"#,
];

fn texts_of_calls() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        Just("\"text\""),
        Just("\"\""),
        Just(r#""\u00e9 \n""#),
        Just(r#""\ud83d""#),
        Just(r#""\x""#),
        Just("\"raw \n\""),
        Just("\"null\""),
        Just("null"),
        Just("true"),
        Just("12"),
        Just("-0"),
        Just("01"),
        Just("1e400"),
        Just("1.0"),
        Just("\"12\""),
        Just("[]"),
        Just(r#"["a","a"]"#),
        Just(r#"["a", "b"]"#),
        Just("[1, 2]"),
        Just(r#"{"kind":"x","line":1}"#),
        Just(r#"{"kind":"Y","filePath":"a"}"#),
        Just(r#"{"a":1,"a":2}"#),
        Just(r#"{"arguments":{"path":"a"}}"#),
        Just("{'a': None}"),
    ];
    let key = prop_oneof![
        4 => Just("path"), 3 => Just("line"), 2 => Just("tags"), 2 => Just("meta"), 1 => Just("all"),
        1 => Just("any"), 1 => Just("mode"), 1 => Just("share"), 1 => Just("Path"), 1 => Just("other"),
        1 => Just(r"p\u0061th"), 1 => Just("arguments"),
    ];
    let entry = (key, value).prop_map(|(key, value)| format!("\"{key}\": {value}"));
    let end = prop_oneof![8 => Just("}"), 1 => Just(""), 1 => Just(",}"), 1 => Just("} x"), 1 => Just("}}")];
    let start = prop_oneof![8 => Just("{"), 1 => Just(" [{"), 1 => Just("```\n{")];
    (start, proptest::collection::vec(entry, 0..5), end)
        .prop_map(|(start, entries, end)| format!("{start}{}{end}", entries.join(",")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn the_direct_way_comes_to_what_the_way_through_a_tree_comes_to(
        text in texts_of_calls(),
        which in 0..FAST_SCHEMAS.len(),
    ) {
        let schema = JsonSchema::parse(FAST_SCHEMAS[which]).unwrap();
        let raw = RawArguments::new(&text);
        prop_assert_eq!(schema.decode(raw), schema.decode_tree(raw, fit::Detour::Misfit));
        if fit::read(&text, &schema) == Err(fit::Detour::Damaged) {
            prop_assert!(parse(&text).is_err());
        }
    }
}
