//! Foreign schemas of any form are told or set aside, the same every time, and can be decoded by.
#![no_main]

use hermes_tools::args::{JsonSchema, RawArguments};
use hermes_tools::schema::dialect::Dialect;
use hermes_tools::schema::foreign::{ForeignTool, definition};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    // A schema, and arguments behind a line break.
    let (schema, arguments) = text.split_once('\n').unwrap_or((&text, "{}"));
    let Ok(parameters) = serde_json::from_str::<Value>(schema) else {
        return;
    };
    let tool = ForeignTool {
        name: "t",
        description: "",
        parameters: &parameters,
    };
    for dialect in Dialect::ALL {
        let told = definition(tool, dialect);
        assert_eq!(
            told,
            definition(tool, dialect),
            "{dialect} differs from time to time"
        );
        if let Ok((json, _)) = told {
            let told: Value = serde_json::from_str(&json).expect("a definition is JSON");
            assert!(told.is_object());
        }
    }
    let schema = JsonSchema::from_value(&parameters);
    if let Ok(decoded) = schema.decode(RawArguments::new(arguments)) {
        assert!(
            schema.accepts(&decoded.arguments),
            "the result does not fit"
        );
    }
});
