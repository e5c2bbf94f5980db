//! Types of arguments, put right where nothing is lost.

use hermes_tests::VectorFile;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::json;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    schema: Box<RawValue>,
    args: Box<RawValue>,
}

#[test]
fn coerce() {
    VectorFile::new("coerce")
        .kinds([
            "integer",
            "integer-reject",
            "number",
            "number-reject",
            "number-grammar",
            "number-precision",
            "boolean",
            "boolean-reject",
            "boolean-native",
            "null",
            "null-schema",
            "null-native",
            "union-list",
            "union-lossy",
            "enum",
            "anyof",
            "json-object",
            "json-object-reject",
            "json-fenced",
            "json-nonfinite",
            "json-surrogate",
            "json-depth",
            "array-string",
            "array-native",
            "array-items",
            "array-text-nested",
            "nested-array",
            "nested-object",
            "nested-schema",
            "passthrough",
            "malformed-schema",
            "call",
        ])
        .run(|line| {
            let input: Input = line.input()?;
            let schema = json::schema(input.schema.get())?;
            let mut arguments = json::node(input.args.get())?;
            schema.coerce(&mut arguments);
            json::judge(line, &arguments)
        });
}
