//! Schemas that the targets decode for; the first byte of an input chooses one.

use std::sync::OnceLock;

use hermes_tools::args::JsonSchema;

const SCHEMAS: [&str; 6] = [
    r#"{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer","minimum":1},"all":{"type":"boolean"}},"required":["path"]}"#,
    r#"{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"b":{"type":"number"},"c":{"type":["string","null"]}},"required":["b"]}},"mode":{"enum":["fast","slow",3]}},"additionalProperties":false}"#,
    r##"{"type":"object","properties":{"t":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"array","items":{"$ref":"#/$defs/T"}}}}"##,
    r#"{"type":"object"}"#,
    r#"{"type":"object","properties":{"v":{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"string"}},{"type":"object","properties":{"k":{"const":"x"},"n":{"type":"integer"}},"required":["k"]},{"type":"null"}]}},"additionalProperties":{"type":"integer"}}"#,
    r#"{"oneOf":[{"type":"object","properties":{"op":{"const":"add"},"value":{"type":"number"}},"required":["op","value"]},{"type":"object","properties":{"op":{"const":"drop"},"at":{"type":"array","items":{"type":"integer"},"minItems":1}},"required":["op","at"]}]}"#,
];

/// The schema that the first byte names, and the rest of the input.
pub fn choose(data: &[u8]) -> Option<(&'static JsonSchema, &[u8])> {
    static COMPILED: OnceLock<Vec<JsonSchema>> = OnceLock::new();
    let schemas = COMPILED.get_or_init(|| {
        let parse = |text: &&str| JsonSchema::parse(text).expect("the schemas are JSON");
        SCHEMAS.iter().map(parse).collect()
    });
    let (first, rest) = data.split_first()?;
    Some((&schemas[usize::from(*first) % schemas.len()], rest))
}
