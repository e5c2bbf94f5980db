//! Arguments in pieces come to what the whole comes to.

use hermes_tools::args::{ArgumentStream, JsonSchema, RawArguments};
use proptest::prelude::*;

const SCHEMA: &str = r#"{"type":"object","properties":{
    "path":{"type":"string"},"line":{"type":"integer"},"all":{"type":"boolean"},
    "tags":{"type":"array","items":{"type":"string"}},"meta":{"type":"object"}
},"required":["path"]}"#;

/// Texts of calls, whole and damaged, with characters of every length.
fn texts() -> impl Strategy<Value = String> {
    let string = prop_oneof![
        "[a-z\"\\\\,:{} \n]{0,12}",
        Just("é😀\u{fffd}漢".to_owned()),
        Just(r"\ud83d\ude00 \ud83d".to_owned()),
    ];
    let entry = prop_oneof![
        string.prop_map(|text| format!("\"path\": \"{text}\"")),
        any::<i64>().prop_map(|number| format!("\"line\":{number}")),
        Just("\"line\": \"42\"".to_owned()),
        Just("\"all\":true".to_owned()),
        Just("\"tags\":[\"a\", \"b,}\"]".to_owned()),
        Just("\"tags\":\"one\"".to_owned()),
        Just("\"meta\":{\"x\":[1,{\"y\":null}]}".to_owned()),
        Just("'all': True,".to_owned()),
        Just("other: 1".to_owned()),
    ];
    let ends = prop_oneof![Just("}"), Just(""), Just("}}"), Just("]}"), Just("} done")];
    let start = prop_oneof![
        Just("{"),
        Just(" {\n"),
        Just("```json\n{"),
        Just("[{"),
        Just("")
    ];
    (start, prop::collection::vec(entry, 0..5), ends)
        .prop_map(|(start, entries, end)| format!("{start}{}{end}", entries.join(", ")))
}

/// The places at which a text is split, as shares of its length.
fn cuts() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0_usize..1_000, 0..12)
}

fn pieces<'t, T>(whole: &'t [T], cuts: &[usize]) -> Vec<&'t [T]> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut * whole.len() / 1_000).collect();
    places.sort_unstable();
    let mut rest = whole;
    let mut taken = 0;
    let mut pieces = Vec::new();
    for place in places {
        let (piece, behind) = rest.split_at(place - taken);
        pieces.push(piece);
        rest = behind;
        taken = place;
    }
    pieces.push(rest);
    pieces
}

proptest! {
    #[test]
    fn bytes_in_pieces_decode_to_what_the_whole_decodes_to(text in texts(), cuts in cuts()) {
        let schema = JsonSchema::parse(SCHEMA).unwrap();
        let mut stream = ArgumentStream::new(&schema);
        let mut early = Vec::new();
        for piece in pieces(text.as_bytes(), &cuts) {
            early.extend(stream.push(piece));
        }
        prop_assert_eq!(stream.text(), &text);
        let streamed = stream.finish(None);
        prop_assert_eq!(&streamed, &schema.decode(RawArguments::new(&text)));
        if let Ok(decoded) = streamed
            && !decoded.repairs.iter().any(|repair| repair.what.contains("twice"))
        {
            for parameter in early {
                prop_assert_eq!(decoded.arguments.get(&parameter.name), Some(&parameter.value));
            }
        }
    }

    #[test]
    fn pairs_in_pieces_survive(text in texts(), cuts in cuts()) {
        let schema = JsonSchema::parse(SCHEMA).unwrap();
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut stream = ArgumentStream::new(&schema);
        for piece in pieces(&units, &cuts) {
            stream.push_utf16(piece);
        }
        prop_assert_eq!(stream.finish(None), schema.decode(RawArguments::new(&text)));
    }

    #[test]
    fn what_fits_comes_out_as_it_went_in(
        path in ".*",
        line in any::<i64>(),
        tags in prop::collection::vec(".*", 0..4),
    ) {
        let schema = JsonSchema::parse(SCHEMA).unwrap();
        let call = serde_json::json!({"path": path, "line": line, "tags": tags});
        let decoded = schema.decode(RawArguments::new(&call.to_string())).unwrap();
        prop_assert_eq!(&decoded.repairs, &[]);
        let back: serde_json::Value = serde_json::from_str(&decoded.arguments.to_json()).unwrap();
        prop_assert_eq!(back, call);
    }

    #[test]
    fn no_text_at_all_panics(text in ".*", start in "[{\\[\"'`]{0,3}") {
        let schema = JsonSchema::parse(SCHEMA).unwrap();
        if let Ok(decoded) = schema.decode(RawArguments::new(&format!("{start}{text}"))) {
            prop_assert!(schema.accepts(&decoded.arguments));
        }
    }
}

#[test]
fn parameters_are_given_out_as_soon_as_they_are_complete() {
    let schema = JsonSchema::parse(SCHEMA).unwrap();
    let mut stream = ArgumentStream::new(&schema);
    let mut given = Vec::new();
    for byte in br#"{"path": "a,}\"", "line": "7", "nothing": 1, "tags": ["x"]}"# {
        for parameter in stream.push(&[*byte]) {
            given.push(format!("{}={}", parameter.name, parameter.value.to_json()));
        }
    }
    assert_eq!(given, [r#"path="a,}\"""#, "line=7", r#"tags=["x"]"#]);
    let decoded = stream.finish(Some("stop")).unwrap();
    assert_eq!(
        decoded.arguments.to_json(),
        r#"{"path":"a,}\"","line":7,"nothing":1,"tags":["x"]}"#
    );
}

#[test]
fn a_stream_that_the_limit_stopped_is_truncated() {
    let schema = JsonSchema::parse(SCHEMA).unwrap();
    let mut stream = ArgumentStream::new(&schema);
    stream.push(br#"{"path": "a", "line": 1"#);
    assert_eq!(
        stream.finish(Some("length")).unwrap_err().code(),
        "truncated"
    );
}
