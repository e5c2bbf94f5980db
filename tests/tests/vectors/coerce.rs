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
fn coerce_vectors() {
    VectorFile::new("coerce").any_kind().run(|line| {
        let input: Input = line.input()?;
        let schema = json::schema(input.schema.get())?;
        let mut arguments = json::node(input.args.get())?;
        schema.coerce(&mut arguments);
        json::judge(line, &arguments)
    });
}
