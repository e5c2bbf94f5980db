//! Schemas as JSON text, byte for byte the same every time.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::recursive::RecursiveTypes;
use super::{Kind, Schema, Variant};
use crate::args::{render_string, write_string};
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
            self.raw(if index == 0 { ",\"$defs\":{" } else { "," });
            self.string(&short);
            self.raw(":{");
            self.body(schema());
            self.raw("}");
        }
        if !self.recursive.is_empty() {
            self.raw("}");
        }
    }

    fn field(&mut self, field: &Param) {
        self.string(field.name());
        self.raw(":{");
        let before = self.json.len();
        let mut schema = *field.schema();
        schema.nullable |= self.output && !field.is_required();
        self.keywords(&schema);
        let description = field_description(field, &self.recursive);
        self.described(&description, before);
        if let Some(default) = field.default_value() {
            self.raw(",\"default\":");
            self.raw(&default);
        }
        if let Some(example) = field.example() {
            self.raw(",\"examples\":[");
            self.raw(example);
            self.raw("]");
        }
        self.raw("}");
    }

    /// The keywords of a schema and its description, without braces.
    fn body(&mut self, schema: &Schema) {
        let before = self.json.len();
        self.keywords(schema);
        let description = self.recursive.description(schema);
        self.described(description, before);
    }

    /// The keyword `description` behind what was written from this place on.
    fn described(&mut self, description: &str, before: usize) {
        if description.is_empty() {
            return;
        }
        if self.json.len() > before {
            self.raw(",");
        }
        self.raw("\"description\":");
        self.string(description);
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
                self.raw(",\"items\":{");
                self.body(items);
                self.raw(if unique {
                    "},\"uniqueItems\":true"
                } else {
                    "}"
                });
                self.lengths(schema, "Items");
            }
            Kind::Tuple { items } => {
                self.kind("array", schema);
                for (index, item) in items.iter().enumerate() {
                    self.raw(if index == 0 {
                        ",\"prefixItems\":[{"
                    } else {
                        ",{"
                    });
                    self.body(item);
                    self.raw("}");
                }
                let count = items.len();
                self.put(format_args!("],\"minItems\":{count},\"maxItems\":{count}"));
            }
            Kind::Map { values } => {
                self.kind("object", schema);
                self.raw(",\"additionalProperties\":{");
                self.body(values);
                self.raw("}");
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
                let pointer = self.recursive.pointer(name);
                if schema.nullable {
                    self.raw("\"anyOf\":[{");
                }
                self.raw("\"$ref\":");
                self.string(&pointer);
                if schema.nullable {
                    self.raw("},{\"type\":\"null\"}]");
                }
            }
        }
    }

    fn object(&mut self, schema: Option<&Schema>, fields: &[Param]) {
        match schema {
            Some(schema) => self.kind("object", schema),
            None => self.raw("\"type\":\"object\""),
        }
        self.raw(",\"properties\":{");
        for (index, field) in fields.iter().enumerate() {
            if index > 0 {
                self.raw(",");
            }
            self.field(field);
        }
        self.raw("}");
        self.required(None, fields);
        self.raw(",\"additionalProperties\":false");
    }

    fn required(&mut self, tag: Option<&str>, fields: &[Param]) {
        let required = fields.iter().filter(|field| field.is_required());
        let names: Vec<&str> = tag
            .into_iter()
            .chain(required.map(|field| field.name() as &str))
            .collect();
        if !names.is_empty() {
            self.raw(",\"required\":[");
            self.strings(&names);
            self.raw("]");
        }
    }

    fn union(&mut self, schema: &Schema, tag: &str, variants: &[Variant]) {
        self.raw("\"oneOf\":[");
        for (index, variant) in variants.iter().enumerate() {
            self.raw(if index == 0 { "{" } else { ",{" });
            self.raw("\"type\":\"object\",");
            if !variant.description.is_empty() {
                self.raw("\"description\":");
                self.string(variant.description);
                self.raw(",");
            }
            self.raw("\"properties\":{");
            self.string(tag);
            self.raw(":{\"type\":\"string\",\"enum\":[");
            self.string(variant.name);
            self.raw("]}");
            for field in variant.fields {
                self.raw(",");
                self.field(field);
            }
            self.raw("}");
            self.required(Some(tag), variant.fields);
            self.raw(",\"additionalProperties\":false}");
        }
        self.raw(if schema.nullable {
            ",{\"type\":\"null\"}]"
        } else {
            "]"
        });
    }

    fn kind(&mut self, name: &str, schema: &Schema) {
        self.raw(if schema.nullable {
            "\"type\":[\""
        } else {
            "\"type\":\""
        });
        self.raw(name);
        self.raw(if schema.nullable {
            "\",\"null\"]"
        } else {
            "\""
        });
    }

    fn values(&mut self, schema: &Schema) {
        if schema.values.is_empty() {
            return;
        }
        self.raw(",\"enum\":[");
        self.strings(schema.values);
        self.raw(if schema.nullable { ",null]" } else { "]" });
    }

    fn text(&mut self, keyword: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.raw(",\"");
            self.raw(keyword);
            self.raw("\":");
            self.string(value);
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

    /// JSON as it stands. Not inlined: it stands in a hundred places, and nothing here is fast or slow by it.
    #[inline(never)]
    fn raw(&mut self, json: &str) {
        self.json.push_str(json);
    }

    /// A text as JSON.
    fn string(&mut self, text: &str) {
        write_string(text, &mut self.json);
    }

    /// Texts as JSON, a comma between them.
    fn strings(&mut self, texts: &[&str]) {
        for (index, text) in texts.iter().enumerate() {
            if index > 0 {
                self.raw(",");
            }
            self.string(text);
        }
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = self.json.write_fmt(text);
    }
}
