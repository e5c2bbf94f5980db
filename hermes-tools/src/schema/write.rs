//! Schemas as JSON text, byte for byte the same every time.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::recursive::RecursiveTypes;
use super::{Kind, Schema, Variant};
use crate::args::render_string;
use crate::entry::ToolEntry;
use crate::param::Param;

/// The parameters of a tool as a JSON Schema object: `type`, `properties` in the order of the
/// function, `required`, `additionalProperties`, and `$defs` for types that contain themselves.
pub fn parameters(params: &[Param]) -> String {
    let mut writer = Writer::for_fields(params);
    writer.json.push('{');
    writer.object(None, params);
    writer.definitions();
    writer.json.push('}');
    writer.json
}

/// One schema as a JSON Schema object, with `$defs` for types that contain themselves.
pub fn schema(schema: &Schema) -> String {
    let mut writer = Writer {
        recursive: RecursiveTypes::of_schema(schema),
        ..Writer::default()
    };
    writer.json.push('{');
    writer.body(schema);
    writer.definitions();
    writer.json.push('}');
    writer.json
}

/// A tool as a model is told of it: `name`, `description`, `parameters`.
pub fn definition(entry: &ToolEntry) -> String {
    format!(
        "{{\"name\":{},\"description\":{},\"parameters\":{}}}",
        render_string(entry.name()),
        render_string(&description(entry)),
        parameters(entry.params())
    )
}

/// What a model is told that a tool is for.
pub(crate) fn description(entry: &ToolEntry) -> Cow<'static, str> {
    match entry.deprecation() {
        Some(advice) => format!("{}\n\nDeprecated: {advice}", entry.description()).into(),
        None => entry.description().into(),
    }
}

/// What a model is told that an argument is for: the text of the parameter and that of its type.
pub(super) fn field_description(field: &Param, recursive: &RecursiveTypes) -> Cow<'static, str> {
    match (field.description(), recursive.description(field.schema())) {
        (description, "") => Cow::Borrowed(description),
        ("", own) => Cow::Borrowed(own),
        (description, own) => Cow::Owned(format!("{description}\n{own}")),
    }
}

/// The JSON that a tool returns as a JSON Schema object, when its type says so.
///
/// A field that may be absent as an argument may be `null` here, since that is how `serde` writes
/// what is not there.
pub fn output(entry: &ToolEntry) -> Option<String> {
    let schema = entry.result_schema()?;
    let mut writer = Writer {
        output: true,
        recursive: RecursiveTypes::of_schema(schema),
        ..Writer::default()
    };
    writer.json.push('{');
    writer.body(schema);
    writer.definitions();
    writer.json.push('}');
    Some(writer.json)
}

#[derive(Default)]
struct Writer {
    json: String,
    /// Whether what is written is a result, where an absent field is null.
    output: bool,
    recursive: RecursiveTypes,
}

impl Writer {
    fn for_fields(fields: &[Param]) -> Self {
        Self {
            recursive: RecursiveTypes::of(fields),
            ..Self::default()
        }
    }

    fn definitions(&mut self) {
        for (index, (short, schema)) in self.recursive.definitions().into_iter().enumerate() {
            self.json
                .push_str(if index == 0 { ",\"$defs\":{" } else { "," });
            self.put(format_args!("{}:{{", render_string(&short)));
            self.body(schema());
            self.json.push('}');
        }
        if !self.recursive.is_empty() {
            self.json.push('}');
        }
    }

    fn field(&mut self, field: &Param) {
        self.put(format_args!("{}:{{", render_string(field.name())));
        let before = self.json.len();
        let mut schema = *field.schema();
        schema.nullable |= self.output && !field.is_required();
        self.keywords(&schema);
        let description = field_description(field, &self.recursive);
        if !description.is_empty() {
            let comma = if self.json.len() > before { "," } else { "" };
            self.put(format_args!(
                "{comma}\"description\":{}",
                render_string(&description)
            ));
        }
        if let Some(default) = field.default_value() {
            self.put(format_args!(",\"default\":{default}"));
        }
        if let Some(example) = field.example() {
            self.put(format_args!(",\"examples\":[{example}]"));
        }
        self.json.push('}');
    }

    /// The keywords of a schema and its description, without braces.
    fn body(&mut self, schema: &Schema) {
        let before = self.json.len();
        self.keywords(schema);
        let description = self.recursive.description(schema);
        if !description.is_empty() {
            let comma = if self.json.len() > before { "," } else { "" };
            self.put(format_args!(
                "{comma}\"description\":{}",
                render_string(description)
            ));
        }
    }

    fn keywords(&mut self, schema: &Schema) {
        match schema.kind {
            Kind::Any => {}
            Kind::Boolean => self.kind("boolean", schema),
            Kind::Integer => {
                self.kind("integer", schema);
                self.range(schema);
            }
            Kind::Number => {
                self.kind("number", schema);
                self.range(schema);
            }
            Kind::String => {
                self.kind("string", schema);
                self.values(schema);
                self.lengths(schema, "Length");
                self.text("pattern", schema.pattern);
                self.text("format", schema.format);
            }
            Kind::Array { items, unique } => {
                self.kind("array", schema);
                self.json.push_str(",\"items\":{");
                self.body(items);
                self.json.push_str(if unique {
                    "},\"uniqueItems\":true"
                } else {
                    "}"
                });
                self.lengths(schema, "Items");
            }
            Kind::Tuple { items } => {
                self.kind("array", schema);
                for (index, item) in items.iter().enumerate() {
                    self.json.push_str(if index == 0 {
                        ",\"prefixItems\":[{"
                    } else {
                        ",{"
                    });
                    self.body(item);
                    self.json.push('}');
                }
                let count = items.len();
                self.put(format_args!("],\"minItems\":{count},\"maxItems\":{count}"));
            }
            Kind::Map { values } => {
                self.kind("object", schema);
                self.json.push_str(",\"additionalProperties\":{");
                self.body(values);
                self.json.push('}');
                self.lengths(schema, "Properties");
            }
            Kind::Object { fields } => self.object(Some(schema), fields),
            Kind::Union { tag, variants } => self.union(schema, tag, variants),
            Kind::Recursive {
                name,
                schema: inner,
            } => {
                if !self.recursive.contains(name) {
                    // It does not contain itself after all, so it stands where it is used.
                    let mut inner = *inner();
                    inner.nullable |= schema.nullable;
                    return self.keywords(&inner);
                }
                let reference = format!(
                    "{{\"$ref\":{}}}",
                    render_string(&self.recursive.pointer(name))
                );
                if schema.nullable {
                    self.put(format_args!(
                        "\"anyOf\":[{reference},{{\"type\":\"null\"}}]"
                    ));
                } else {
                    self.json.push_str(&reference[1..reference.len() - 1]);
                }
            }
        }
    }

    fn object(&mut self, schema: Option<&Schema>, fields: &[Param]) {
        match schema {
            Some(schema) => self.kind("object", schema),
            None => self.json.push_str("\"type\":\"object\""),
        }
        self.json.push_str(",\"properties\":{");
        for (index, field) in fields.iter().enumerate() {
            if index > 0 {
                self.json.push(',');
            }
            self.field(field);
        }
        self.json.push('}');
        self.required(None, fields);
        self.json.push_str(",\"additionalProperties\":false");
    }

    fn required(&mut self, tag: Option<&str>, fields: &[Param]) {
        let required = fields.iter().filter(|field| field.is_required());
        let names: Vec<String> = tag
            .into_iter()
            .chain(required.map(|field| field.name() as &str))
            .map(render_string)
            .collect();
        if !names.is_empty() {
            self.put(format_args!(",\"required\":[{}]", names.join(",")));
        }
    }

    fn union(&mut self, schema: &Schema, tag: &str, variants: &[Variant]) {
        self.json.push_str("\"oneOf\":[");
        for (index, variant) in variants.iter().enumerate() {
            self.json.push_str(if index == 0 { "{" } else { ",{" });
            self.json.push_str("\"type\":\"object\",");
            if !variant.description.is_empty() {
                self.put(format_args!(
                    "\"description\":{},",
                    render_string(variant.description)
                ));
            }
            self.put(format_args!(
                "\"properties\":{{{}:{{\"type\":\"string\",\"enum\":[{}]}}",
                render_string(tag),
                render_string(variant.name)
            ));
            for field in variant.fields {
                self.json.push(',');
                self.field(field);
            }
            self.json.push('}');
            self.required(Some(tag), variant.fields);
            self.json.push_str(",\"additionalProperties\":false}");
        }
        self.json.push_str(if schema.nullable {
            ",{\"type\":\"null\"}]"
        } else {
            "]"
        });
    }

    fn kind(&mut self, name: &str, schema: &Schema) {
        if schema.nullable {
            self.put(format_args!("\"type\":[\"{name}\",\"null\"]"));
        } else {
            self.put(format_args!("\"type\":\"{name}\""));
        }
    }

    fn values(&mut self, schema: &Schema) {
        if schema.values.is_empty() {
            return;
        }
        let mut values: Vec<String> = schema
            .values
            .iter()
            .map(|value| render_string(value))
            .collect();
        if schema.nullable {
            values.push("null".to_owned());
        }
        self.put(format_args!(",\"enum\":[{}]", values.join(",")));
    }

    fn text(&mut self, keyword: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.put(format_args!(",\"{keyword}\":{}", render_string(value)));
        }
    }

    fn range(&mut self, schema: &Schema) {
        if let Some(min) = schema.told_min() {
            self.put(format_args!(",\"minimum\":{min}"));
        }
        if let Some(max) = schema.told_max() {
            self.put(format_args!(",\"maximum\":{max}"));
        }
    }

    fn lengths(&mut self, schema: &Schema, noun: &str) {
        if schema.min_length > 0 {
            self.put(format_args!(",\"min{noun}\":{}", schema.min_length));
        }
        if schema.max_length < u32::MAX {
            self.put(format_args!(",\"max{noun}\":{}", schema.max_length));
        }
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = self.json.write_fmt(text);
    }
}
