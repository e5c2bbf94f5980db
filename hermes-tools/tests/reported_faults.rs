//! Faults that users of other tool frameworks have reported about arguments: each a kind of fault
//! that must be impossible here.

use hermes_tools::args::{ArgumentError, JsonSchema, RawArguments};

const LIST: &str = r#"{"type":"object","properties":{"path":{"type":"string"},"recursive":{"type":"boolean"},"limit":{"type":"integer"}},"required":["path"]}"#;
const COMMAND: &str = r#"{"type":"object","properties":{"command":{"type":"string"},"timeout":{"type":"integer"}},"required":["command"]}"#;
const WRITE: &str = r#"{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}"#;
const SEARCH: &str = r#"{"type":"object","properties":{"pattern":{"type":"string"},"path":{"type":"string"}},"required":["pattern"]}"#;
const NOTE: &str =
    r#"{"type":"object","properties":{"path":{"type":"string"},"note":{"type":"string"}}}"#;
const NUMBERS: &str = r#"{"type":"object","properties":{"id":{"type":"integer"},"hash":{"type":"string"},"ratio":{"type":"number"}}}"#;
const TEXT: &str = r#"{"type":"object","properties":{"s":{"type":"string"}},"required":["s"]}"#;
const FLAG: &str = r#"{"type":"object","properties":{"b":{"type":"boolean"}},"required":["b"]}"#;
const WHOLE: &str = r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}"#;
const EDITS: &str = r#"{"type":"object","properties":{"edits":{"type":"array","items":{"type":"object","properties":{"line":{"type":"integer"},"all":{"type":"boolean"},"meta":{"type":"object","properties":{"w":{"type":"number"}}},"text":{"type":"string"}},"required":["line"]}}},"required":["edits"]}"#;
const MODE: &str = r#"{"type":"object","properties":{"path":{"type":"string"},"mode":{"type":"string","enum":["soft","hard"]},"limit":{"type":"integer"}},"required":["path","mode"]}"#;

fn decode(schema: &str, raw: &str, finish: &str) -> Result<String, ArgumentError> {
    let schema = JsonSchema::parse(schema).expect("the schemas are JSON");
    let arguments = RawArguments::new(raw).finish_reason(finish);
    schema
        .decode(arguments)
        .map(|decoded| decoded.arguments.to_json())
}

#[track_caller]
fn runs(schema: &str, raw: &str, arguments: &str) {
    assert_eq!(
        decode(schema, raw, "stop").as_deref(),
        Ok(arguments),
        "{raw}"
    );
}

/// The call is refused, and every one of these words stands in the message.
#[track_caller]
fn refused(schema: &str, raw: &str, words: &[&str]) {
    let message = decode(schema, raw, "stop").expect_err(raw).to_string();
    for word in words {
        assert!(message.contains(word), "{raw}: {message}");
    }
}

#[test]
fn copies_of_one_call_run_once_and_different_calls_in_one_text_not_at_all() {
    let ants = r#"{"path":"ants.txt"}"#;
    runs(LIST, &ants.repeat(2), ants);
    runs(LIST, &ants.repeat(3), ants);
    refused(
        LIST,
        r#"{"path":"ants.txt"}{"path":"bees.txt"}"#,
        &["two different"],
    );
}

#[test]
fn text_that_was_cut_is_never_run() {
    for (raw, finish) in [
        (r#"{"command":"rm -rf build/cache"#, "length"),
        (r#"{"command":"rm -rf build/cache"#, "tool_calls"),
        (r#"{"command":"ls","timeout":12"#, "length"),
    ] {
        let error = decode(COMMAND, raw, finish).unwrap_err();
        assert_eq!(error.code(), "truncated", "{raw}");
        assert!(error.to_string().contains("cut off"), "{raw}");
    }
    let whole = r#"{"path": "docs", "recursive": true"#;
    runs(LIST, whole, r#"{"path":"docs","recursive":true}"#);
    assert!(decode(LIST, whole, "length").is_err());
    refused(LIST, r#"{"path": "docs", "recursive": tr"#, &["cut off"]);
}

#[test]
fn commas_closers_tags_and_fences_too_many_change_nothing() {
    for raw in [
        r#"{"path":"a","limit":5,}"#,
        r#"{"path":"a","limit":5}}"#,
        r#"{"path":"a","limit":5}]}"#,
        r#"{"path":"a","limit":5}</tool_call>"#,
        "{\"path\":\"a\",\"limit\":5}\n```",
    ] {
        runs(LIST, raw, r#"{"path":"a","limit":5}"#);
    }
    runs(LIST, "```json\n{\"path\":\"a\"}\n```", r#"{"path":"a"}"#);
    runs(LIST, "```\n{\"path\":\"a\"}```", r#"{"path":"a"}"#);
    refused(LIST, "<parameter=path>a</parameter>", &[]);
}

#[test]
fn raw_line_breaks_and_tabs_in_a_text_are_part_of_it() {
    runs(
        WRITE,
        "{\"path\":\"a.py\",\"content\":\"def f():\n\treturn 1\n\"}",
        r#"{"path":"a.py","content":"def f():\n\treturn 1\n"}"#,
    );
}

#[test]
fn backslashes_that_are_no_escapes_stay() {
    runs(
        SEARCH,
        r#"{"pattern":"\d+\.log","path":"C:\Users\me"}"#,
        r#"{"pattern":"\\d+\\.log","path":"C:\\Users\\me"}"#,
    );
    refused(SEARCH, r#"{"pattern":"a\u12"}"#, &[]);
    runs(
        SEARCH,
        r#"{"pattern":"tab\there\\d"}"#,
        r#"{"pattern":"tab\there\\d"}"#,
    );
}

#[test]
fn arguments_that_are_no_object_are_told_so() {
    for raw in [
        "[1,2]",
        "42",
        "true",
        "\"hello\"",
        r#"[{"path":"a"},{"path":"b"}]"#,
    ] {
        refused(NOTE, raw, &["object"]);
    }
    runs(NOTE, r#"[{"path":"a"}]"#, r#"{"path":"a"}"#);
}

#[test]
fn arguments_that_were_encoded_more_than_once_are_opened() {
    runs(
        LIST,
        r#""{\"path\":\"a\",\"limit\":2}""#,
        r#"{"path":"a","limit":2}"#,
    );
    runs(LIST, r#""\"{\\\"path\\\":\\\"a\\\"}\"""#, r#"{"path":"a"}"#);
    runs(LIST, r#""{\"path\":\"a\"""#, r#"{"path":"a"}"#);
}

#[test]
fn half_a_pair_is_replaced_and_a_pair_survives() {
    runs(
        WRITE,
        r#"{"path":"s.txt","content":"x\ud83dy"}"#,
        "{\"path\":\"s.txt\",\"content\":\"x\u{fffd}y\"}",
    );
    runs(
        WRITE,
        r#"{"path":"s.txt","content":"ok \ud83d\ude00"}"#,
        r#"{"path":"s.txt","content":"ok 😀"}"#,
    );
}

#[test]
fn numbers_keep_their_digits_and_are_finite() {
    runs(
        NUMBERS,
        r#"{"id":9007199254740993}"#,
        r#"{"id":9007199254740993}"#,
    );
    runs(
        NUMBERS,
        r#"{"id":"9007199254740993"}"#,
        r#"{"id":9007199254740993}"#,
    );
    runs(NUMBERS, r#"{"hash":"1e234567"}"#, r#"{"hash":"1e234567"}"#);
    refused(NUMBERS, r#"{"ratio":"1e999"}"#, &["ratio"]);
    refused(NUMBERS, r#"{"ratio":NaN}"#, &["NaN"]);
}

#[test]
fn a_text_is_a_text_whatever_it_looks_like() {
    for text in [
        "123",
        "true",
        "null",
        r#"{\"a\":1}"#,
        "[1,2]",
        "1.20",
        "007",
        " x ",
    ] {
        let raw = format!("{{\"s\":\"{text}\"}}");
        runs(TEXT, &raw, &raw);
    }
}

#[test]
fn only_true_and_false_are_booleans() {
    runs(FLAG, r#"{"b":"true"}"#, r#"{"b":true}"#);
    runs(FLAG, r#"{"b":" False "}"#, r#"{"b":false}"#);
    for value in [r#""yes""#, r#""on""#, "1", r#""2""#, r#""""#] {
        refused(
            FLAG,
            &format!("{{\"b\":{value}}}"),
            &["`b`", "true or false"],
        );
    }
}

#[test]
fn only_whole_numbers_are_whole_numbers() {
    for (value, number) in [
        (r#""42""#, "42"),
        (r#""42.0""#, "42"),
        ("3.0", "3.0"),
        (r#""-7""#, "-7"),
        (r#"" 8 ""#, "8"),
        (r#""1e3""#, "1000"),
    ] {
        runs(
            WHOLE,
            &format!("{{\"n\":{value}}}"),
            &format!("{{\"n\":{number}}}"),
        );
    }
    for value in [
        r#""42.5""#,
        "2.5",
        "true",
        r#""1,000""#,
        r#""0x10""#,
        r#""""#,
    ] {
        refused(
            WHOLE,
            &format!("{{\"n\":{value}}}"),
            &["`n`", "whole number"],
        );
    }
}

#[test]
fn values_inside_values_are_converted_too() {
    runs(
        EDITS,
        r#"{"edits":[{"line":"3","all":"true","meta":"{\"w\":\"1.5\"}","text":"9"}]}"#,
        r#"{"edits":[{"line":3,"all":true,"meta":{"w":1.5},"text":"9"}]}"#,
    );
    runs(
        EDITS,
        r#"{"edits":"[{\"line\":\"4\"}]"}"#,
        r#"{"edits":[{"line":4}]}"#,
    );
    refused(EDITS, r#"{"edits":[{"line":"x"}]}"#, &["edits[0].line"]);
}

#[test]
fn all_problems_of_a_call_are_told_at_once() {
    refused(
        MODE,
        r#"{"pathh":"a","mode":"Soft!","limit":"many"}"#,
        &["`path`", "pathh", "`mode`", "soft", "hard", "`limit`"],
    );
}

#[test]
fn two_copies_that_were_both_cut_are_not_made_one_call() {
    let schema = r#"{"properties":{"path":{"type":"string"},"ids":{"type":"array"},"meta":{"type":"object"}}}"#;
    let copy = r#"{"path":"a","ids":[1,2"#;
    refused(schema, &format!("{copy}\n{copy}"), &["closing brackets"]);
    let copy = r#"{"path":"a","meta":{"k":[1"#;
    refused(schema, &format!("{copy}\n{copy}"), &["closing brackets"]);
}

#[test]
fn a_tuple_as_text_is_a_list_and_a_value_in_brackets_is_not() {
    let schema = r#"{"properties":{"tags":{"type":"array","items":{"type":"string"}},"n":{"type":"array","items":{"type":"integer"}}}}"#;
    runs(schema, r#"{"tags":"('a', 'b')"}"#, r#"{"tags":["a","b"]}"#);
    runs(schema, r#"{"n":"(1, 2,)"}"#, r#"{"n":[1,2]}"#);
    runs(
        schema,
        r#"{"tags":"(see below)"}"#,
        r#"{"tags":["(see below)"]}"#,
    );
    runs(
        schema,
        r#"{"tags":"(1) first"}"#,
        r#"{"tags":["(1) first"]}"#,
    );
}
