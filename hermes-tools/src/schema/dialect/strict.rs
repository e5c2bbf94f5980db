//! Which schemas strict mode can take.

use serde_json::Value;

use super::render::join;
use crate::param::Param;
use crate::schema::{Kind, Schema};

/// Levels of nested objects, properties, values of enums, and characters of names and values that
/// `OpenAI` takes in one strict schema ("Structured outputs", supported schemas).
const MAX_LEVELS: usize = 10;
const MAX_PROPERTIES: usize = 5_000;
const MAX_VALUES: usize = 1_000;
const MAX_CHARACTERS: usize = 120_000;

/// The first thing in the types of parameters that strict mode has no form for: where, and what.
pub(super) fn obstacle(params: &[Param]) -> Option<(String, &'static str)> {
    in_fields(params, "", &mut Vec::new())
}

fn in_fields(
    fields: &[Param],
    path: &str,
    seen: &mut Vec<&'static str>,
) -> Option<(String, &'static str)> {
    fields
        .iter()
        .find_map(|field| in_schema(field.schema(), &join(path, field.name()), seen))
}

fn in_schema(
    schema: &Schema,
    path: &str,
    seen: &mut Vec<&'static str>,
) -> Option<(String, &'static str)> {
    match schema.kind {
        Kind::Any => Some((path.to_owned(), "a value of any type has no form")),
        Kind::Map { .. } => Some((path.to_owned(), "a map with free keys has no form")),
        Kind::Array { items, .. } => in_schema(items, &format!("{path}[]"), seen),
        Kind::Tuple { items } => items
            .iter()
            .enumerate()
            .find_map(|(index, item)| in_schema(item, &format!("{path}[{index}]"), seen)),
        Kind::Object { fields } => in_fields(fields, path, seen),
        Kind::Union { variants, .. } => variants
            .iter()
            .find_map(|variant| in_fields(variant.fields, path, seen)),
        Kind::Recursive { name, schema } if !seen.contains(&name) => {
            seen.push(name);
            in_schema(schema(), path, seen)
        }
        Kind::Recursive { .. } | Kind::Boolean | Kind::Integer | Kind::Number | Kind::String => {
            None
        }
    }
}

/// Which limit of strict mode a finished schema passes.
pub(crate) fn over_limits(schema: &Value) -> Option<String> {
    let mut size = Size::default();
    size.add(schema, 0);
    let over = |what: &str, most: usize| Some(format!("the schema has more than {most} {what}"));
    if size.levels > MAX_LEVELS {
        over("levels of nested objects", MAX_LEVELS)
    } else if size.properties > MAX_PROPERTIES {
        over("properties", MAX_PROPERTIES)
    } else if size.values > MAX_VALUES {
        over("values of enums", MAX_VALUES)
    } else if size.characters > MAX_CHARACTERS {
        over("characters of names and values", MAX_CHARACTERS)
    } else {
        None
    }
}

#[derive(Default)]
struct Size {
    levels: usize,
    properties: usize,
    values: usize,
    characters: usize,
}

impl Size {
    fn add(&mut self, schema: &Value, outside: usize) {
        let named = |keyword: &str| schema.get(keyword).and_then(Value::as_object);
        let mut level = outside;
        if let Some(properties) = named("properties") {
            level += 1;
            self.levels = self.levels.max(level);
            self.properties += properties.len();
        }
        for (name, inner) in ["properties", "$defs"]
            .into_iter()
            .filter_map(named)
            .flatten()
        {
            self.characters += name.chars().count();
            self.add(inner, level);
        }
        for value in schema
            .get("enum")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.values += 1;
            self.characters += value.as_str().map_or(0, |text| text.chars().count());
        }
        if let Some(items) = schema.get("items") {
            self.add(items, level);
        }
        for branch in schema
            .get("anyOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.add(branch, level);
        }
    }
}
