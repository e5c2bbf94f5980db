//! Which schemas strict mode can take.

use serde_json::Value;

use super::render::join;
use super::{Dialect, Loss, Rules};
use crate::param::Param;
use crate::schema::{Kind, Schema};

/// Levels of nested objects, properties, values of enums, and characters of names and values that
/// `OpenAI` takes in one strict schema ("Structured outputs", supported schemas).
const MAX_LEVELS: usize = 10;
const MAX_PROPERTIES: usize = 5_000;
const MAX_VALUES: usize = 1_000;
const MAX_CHARACTERS: usize = 120_000;

/// Strict tools, optional properties, and properties of several types that Anthropic takes in one
/// request ("Structured outputs", schema complexity limits).
const MAX_TOOLS: usize = 20;
const MAX_OPTIONAL: usize = 24;
const MAX_UNIONS: usize = 16;

/// The first thing in the types of parameters that strict mode has no form for: where, and what.
pub(super) fn obstacle(params: &[Param], rules: &Rules) -> Option<(String, &'static str)> {
    in_fields(params, "", rules, &mut Vec::new())
}

fn in_fields(
    fields: &[Param],
    path: &str,
    rules: &Rules,
    seen: &mut Vec<&'static str>,
) -> Option<(String, &'static str)> {
    fields
        .iter()
        .find_map(|field| in_schema(field.schema(), &join(path, field.name()), rules, seen))
}

fn in_schema(
    schema: &Schema,
    path: &str,
    rules: &Rules,
    seen: &mut Vec<&'static str>,
) -> Option<(String, &'static str)> {
    match schema.kind {
        Kind::Any => Some((path.to_owned(), "a value of any type has no form")),
        Kind::Map { .. } => Some((path.to_owned(), "a map with free keys has no form")),
        Kind::Array { items, .. } => in_schema(items, &format!("{path}[]"), rules, seen),
        Kind::Tuple { items } => items
            .iter()
            .enumerate()
            .find_map(|(index, item)| in_schema(item, &format!("{path}[{index}]"), rules, seen)),
        Kind::Object { fields } => in_fields(fields, path, rules, seen),
        Kind::Union { variants, .. } => variants
            .iter()
            .find_map(|variant| in_fields(variant.fields, path, rules, seen)),
        Kind::Recursive { name, schema } if !seen.contains(&name) => {
            seen.push(name);
            let found = in_schema(schema(), path, rules, seen);
            seen.pop();
            found
        }
        Kind::Recursive { .. } if !rules.recursion => {
            Some((path.to_owned(), "a type that contains itself has no form"))
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

/// What the strict tools of one request hold so far, where the provider bounds that.
#[derive(Debug, Default)]
pub(crate) struct Request {
    tools: usize,
    optional: usize,
    unions: usize,
}

impl Request {
    /// The definition of a tool as the request can still take it. `define` makes it in a dialect.
    pub(crate) fn settle<T: AsRef<str>, E>(
        &mut self,
        name: &str,
        dialect: Dialect,
        define: impl Fn(Dialect) -> Result<(T, Vec<Loss>), E>,
    ) -> Result<(T, Vec<Loss>), E> {
        let told = define(dialect)?;
        let Some(reason) = self.count_in(told.0.as_ref(), Some(dialect)) else {
            return Ok(told);
        };
        let (json, mut losses) = define(dialect.without_strict())?;
        losses.insert(0, Loss::leaves_strict(name, String::new(), &reason));
        Ok((json, losses))
    }

    /// Counts a definition, or says which limit of a request it would pass.
    pub(crate) fn count_in(
        &mut self,
        definition: &str,
        dialect: Option<Dialect>,
    ) -> Option<String> {
        if dialect != Some(Dialect::AnthropicStrict) {
            return None;
        }
        let tool: Value = serde_json::from_str(definition).ok()?;
        tool.get("strict")?;
        self.add(tool.get("input_schema")?)
    }

    /// Adds a strict tool, or says which limit of a request it would pass.
    fn add(&mut self, parameters: &Value) -> Option<String> {
        let mut next = Self {
            tools: self.tools + 1,
            ..*self
        };
        next.count(parameters);
        let over = |what: &str, most: usize| {
            Some(format!("the strict tools have more than {most} {what}"))
        };
        if next.tools > MAX_TOOLS {
            return Some(format!("there are {MAX_TOOLS} strict tools before it"));
        }
        if next.optional > MAX_OPTIONAL {
            return over("optional parameters", MAX_OPTIONAL);
        }
        if next.unions > MAX_UNIONS {
            return over("parameters of several types", MAX_UNIONS);
        }
        *self = next;
        None
    }

    fn count(&mut self, schema: &Value) {
        let union =
            schema.get("anyOf").is_some() || schema.get("type").is_some_and(Value::is_array);
        self.unions += usize::from(union);
        let required = schema.get("required").and_then(Value::as_array);
        for keyword in ["properties", "$defs"] {
            let named = schema.get(keyword).and_then(Value::as_object);
            for (name, inner) in named.into_iter().flatten() {
                let needed =
                    required.is_some_and(|names| names.iter().any(|needed| needed == name));
                self.optional += usize::from(keyword == "properties" && !needed);
                self.count(inner);
            }
        }
        let branches = schema
            .get("anyOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        for inner in schema.get("items").into_iter().chain(branches) {
            self.count(inner);
        }
    }
}
