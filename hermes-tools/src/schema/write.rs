//! Schemas as JSON text, byte for byte the same every time.

use std::fmt::Write as _;

use super::{Kind, Schema};
use crate::args::render_string;
use crate::entry::ToolEntry;
use crate::param::Param;

/// The parameters of a tool as a JSON Schema object: `type`, `properties` in the order of the
/// function, `required`, `additionalProperties`.
pub fn parameters(params: &[Param]) -> String {
    let mut json = String::from("{\"type\":\"object\",\"properties\":{");
    for (index, param) in params.iter().enumerate() {
        if index > 0 {
            json.push(',');
        }
        write_param(param, &mut json);
    }
    json.push('}');
    let required: Vec<String> = params
        .iter()
        .filter(|param| param.is_required())
        .map(|param| render_string(param.name()))
        .collect();
    if !required.is_empty() {
        // Writing to a `String` cannot fail.
        let _ = write!(json, ",\"required\":[{}]", required.join(","));
    }
    json.push_str(",\"additionalProperties\":false}");
    json
}

/// A tool as a model is told of it: `name`, `description`, `parameters`.
pub fn definition(entry: &ToolEntry) -> String {
    let mut description = entry.description().to_owned();
    if let Some(advice) = entry.deprecation() {
        let _ = write!(description, "\n\nDeprecated: {advice}");
    }
    format!(
        "{{\"name\":{},\"description\":{},\"parameters\":{}}}",
        render_string(entry.name()),
        render_string(&description),
        parameters(entry.params())
    )
}

fn write_param(param: &Param, json: &mut String) {
    json.push_str(&render_string(param.name()));
    json.push_str(":{");
    write_body(param.schema(), json);
    let _ = write!(
        json,
        ",\"description\":{}",
        render_string(param.description())
    );
    if let Some(default) = param.default_value() {
        let _ = write!(json, ",\"default\":{default}");
    }
    if let Some(example) = param.example() {
        let _ = write!(json, ",\"examples\":[{example}]");
    }
    json.push('}');
}

/// The keywords of a schema, without braces.
fn write_body(schema: &Schema, json: &mut String) {
    if schema.nullable {
        let _ = write!(json, "\"type\":[\"{}\",\"null\"]", schema.type_name());
    } else {
        let _ = write!(json, "\"type\":\"{}\"", schema.type_name());
    }
    match schema.kind {
        Kind::Array { items, unique } => {
            json.push_str(",\"items\":{");
            write_body(items, json);
            json.push('}');
            if unique {
                json.push_str(",\"uniqueItems\":true");
            }
            write_lengths(schema, "Items", json);
        }
        Kind::Map { values } => {
            json.push_str(",\"additionalProperties\":{");
            write_body(values, json);
            json.push('}');
            write_lengths(schema, "Properties", json);
        }
        Kind::String => {
            if !schema.values.is_empty() {
                let mut values: Vec<String> = schema
                    .values
                    .iter()
                    .map(|value| render_string(value))
                    .collect();
                if schema.nullable {
                    values.push("null".to_owned());
                }
                let _ = write!(json, ",\"enum\":[{}]", values.join(","));
            }
            write_lengths(schema, "Length", json);
        }
        Kind::Integer | Kind::Number => write_range(schema, json),
        Kind::Boolean => {}
    }
}

fn write_range(schema: &Schema, json: &mut String) {
    // What a 64-bit type holds tells a model nothing, and some providers read such bounds as doubles.
    let shown = |bound: super::Number| {
        !schema.implied_bounds
            || matches!(bound, super::Number::Int(value) if value.unsigned_abs() <= 65_535)
    };
    if let Some(min) = schema.min.filter(|min| shown(*min)) {
        let _ = write!(json, ",\"minimum\":{min}");
    }
    if let Some(max) = schema.max.filter(|max| shown(*max)) {
        let _ = write!(json, ",\"maximum\":{max}");
    }
}

fn write_lengths(schema: &Schema, noun: &str, json: &mut String) {
    if schema.min_length > 0 {
        let _ = write!(json, ",\"min{noun}\":{}", schema.min_length);
    }
    if schema.max_length < u32::MAX {
        let _ = write!(json, ",\"max{noun}\":{}", schema.max_length);
    }
}
