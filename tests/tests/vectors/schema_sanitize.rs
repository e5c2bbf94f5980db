//! Foreign tool schemas made fit for strict back ends.

use hermes_tests::{Line, Outcome, VectorFile};
use hermes_tools::schema::foreign;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
enum Input {
    Sanitize {
        tools: Vec<Value>,
    },
    StripNullableUnions {
        schema: Value,
        keep_nullable_hint: bool,
    },
    StripPatternAndFormat {
        tools: Vec<Value>,
    },
    StripSlashEnum {
        tools: Vec<Value>,
    },
    Gemini {
        schema: Value,
    },
    Moonshot {
        schema: Value,
    },
}

#[test]
fn schema_sanitize_vectors() {
    VectorFile::new("schema_sanitize").any_kind().run(answer);
}

fn answer(line: &Line) -> Result<Outcome, String> {
    let stripped =
        |(tools, stripped): (Vec<Value>, usize)| json!({"tools": tools, "stripped": stripped});
    let answer = match line.input()? {
        Input::Sanitize { tools } => Value::Array(foreign::sanitize(&tools)),
        Input::StripNullableUnions {
            schema,
            keep_nullable_hint,
        } => foreign::strip_nullable_unions(&schema, keep_nullable_hint),
        Input::StripPatternAndFormat { tools } => {
            stripped(foreign::strip_pattern_and_format(&tools))
        }
        Input::StripSlashEnum { tools } => stripped(foreign::strip_slash_enum(&tools)),
        Input::Gemini { schema } => foreign::gemini_subset(&schema),
        Input::Moonshot { schema } => foreign::moonshot_subset(&schema),
    };
    Ok(Outcome::Answer(answer))
}
