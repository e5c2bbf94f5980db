//! From the schema tree to the JSON of a dialect.

use std::borrow::Cow;

use super::keywords::{Keywords, list, texts};
use super::{Example, Loss, Null, Rules, Union};
use crate::args::render_string;
use crate::param::Param;
use crate::schema::recursive::RecursiveTypes;
use crate::schema::write::field_description;
use crate::schema::{Kind, Schema, Variant};

/// How often a type that contains itself is written out where there are no references, in one branch
/// and in all.
const LEVELS: usize = 3;
const EXPANSIONS: usize = 32;

/// Writes schemas by the rules of a dialect.
pub(super) struct Renderer {
    pub(super) rules: Rules,
    pub(super) losses: Vec<Loss>,
    recursive: RecursiveTypes,
    /// Types that contain themselves and are being written out, the outermost first.
    open: Vec<&'static str>,
    expansions: usize,
}

/// What is said of a value beside its type.
#[derive(Default)]
pub(super) struct About<'a> {
    pub(super) description: Cow<'a, str>,
    pub(super) default: Option<String>,
    pub(super) example: Option<&'a str>,
    /// Whether null stands for an absent value.
    pub(super) null: bool,
}

impl Renderer {
    pub(super) fn new(rules: Rules, fields: &[Param], losses: Vec<Loss>) -> Self {
        Self {
            rules,
            losses,
            recursive: RecursiveTypes::of(fields),
            open: Vec::new(),
            expansions: 0,
        }
    }

    /// The parameters of a tool.
    pub(super) fn root(&mut self, fields: &[Param]) -> String {
        let mut keywords = Keywords::default();
        keywords.put("type", "\"object\"");
        self.fields(&mut keywords, None, fields, "");
        self.definitions(&mut keywords);
        keywords.into_json()
    }

    /// The types that contain themselves, where the dialect has references.
    pub(super) fn definitions(&mut self, keywords: &mut Keywords) {
        if self.recursive.is_empty() || !self.rules.references {
            return;
        }
        let mut types = Keywords::default();
        for (short, schema) in self.recursive.definitions() {
            let schema = schema();
            let about = About {
                description: schema.description.into(),
                ..About::default()
            };
            let json = self.schema(schema, about, &short);
            types.put(&short, json);
        }
        keywords.put("$defs", types.into_json());
    }

    /// Notes something that the dialect cannot say; once for each place.
    pub(super) fn lose(&mut self, path: &str, what: impl Into<String>) {
        let loss = Loss::new("", path, what);
        if !self.losses.contains(&loss) {
            self.losses.push(loss);
        }
    }

    /// One argument or field.
    pub(super) fn field(&mut self, field: &Param, required: bool, path: &str) -> String {
        let about = About {
            description: field_description(field, &self.recursive),
            default: field.default_value(),
            example: field.example(),
            null: self.rules.complete && !required,
        };
        self.schema(field.schema(), about, &join(path, field.name()))
    }

    /// `properties`, `required` and `additionalProperties` of an object, a tag before its fields.
    fn fields(
        &mut self,
        keywords: &mut Keywords,
        tag: Option<(&str, &Variant)>,
        fields: &[Param],
        path: &str,
    ) {
        let mut properties = Keywords::default();
        let mut required = Vec::new();
        if let Some((tag, variant)) = tag {
            let mut only = Keywords::default();
            only.put("type", "\"string\"");
            only.put("enum", texts([variant.name]));
            properties.put(tag, only.into_json());
            required.push(tag);
        }
        for field in fields {
            let json = self.field(field, field.is_required(), path);
            properties.put(field.name(), json);
            if self.rules.complete || field.is_required() {
                required.push(field.name());
            }
        }
        keywords.put("properties", properties.into_json());
        self.close(keywords, &required);
    }

    /// `required` and `additionalProperties` of an object with known keys.
    pub(super) fn close(&self, keywords: &mut Keywords, required: &[&str]) {
        if !required.is_empty() || self.rules.complete {
            keywords.put("required", texts(required.iter().copied()));
        }
        if self.rules.closed {
            keywords.put("additionalProperties", "false");
        }
    }

    /// One schema.
    pub(super) fn schema(&mut self, schema: &Schema, about: About<'_>, path: &str) -> String {
        let null = schema.nullable || about.null;
        let mut keywords = Keywords::default();
        match schema.kind {
            Kind::Any => {
                if !self.rules.untyped {
                    keywords.note("Any JSON value.");
                    self.lose(path, "a value of any type has no form");
                }
            }
            Kind::Boolean => self.kind(&mut keywords, "boolean", null, path),
            Kind::Integer | Kind::Number => {
                let name = if matches!(schema.kind, Kind::Integer) {
                    "integer"
                } else {
                    "number"
                };
                self.kind(&mut keywords, name, null, path);
                self.bounds(&mut keywords, schema, path);
            }
            Kind::String => {
                self.kind(&mut keywords, "string", null, path);
                if !schema.values.is_empty() {
                    let null = (null && self.rules.null == Null::Types).then(|| "null".to_owned());
                    let values = schema.values.iter().map(|value| render_string(value));
                    keywords.put("enum", list(values.chain(null)));
                }
                self.counts(&mut keywords, schema, Count::Characters, path);
            }
            Kind::Array { items, unique } => {
                self.kind(&mut keywords, "array", null, path);
                let inner = self.inner(items, &format!("{path}[]"));
                keywords.put("items", inner);
                if unique && self.rules.unique {
                    keywords.put("uniqueItems", "true");
                } else if unique {
                    keywords.note("No item twice.");
                    self.lose(path, "that no item may stand twice has no keyword");
                }
                self.counts(&mut keywords, schema, Count::Items, path);
            }
            Kind::Tuple { items } => self.tuple(&mut keywords, items, null, path),
            Kind::Map { values } => self.map(&mut keywords, schema, values, null, path),
            Kind::Object { fields } => {
                self.kind(&mut keywords, "object", null, path);
                self.fields(&mut keywords, None, fields, path);
            }
            Kind::Union { tag, variants } => {
                self.union(&mut keywords, tag, variants, null, path);
            }
            Kind::Recursive { name, schema } if !self.recursive.contains(name) => {
                // It does not contain itself after all, so it stands where it is used.
                let mut inner = *schema();
                inner.nullable |= null;
                return self.schema(&inner, about, path);
            }
            Kind::Recursive { name, schema } => {
                if !self.rules.references {
                    return self.expanded(name, schema(), about, null, path);
                }
                let reference = format!(
                    "{{\"$ref\":{}}}",
                    render_string(&self.recursive.pointer(name))
                );
                let plain = about.description.is_empty()
                    && about.default.is_none()
                    && about.example.is_none();
                if plain && !null {
                    return reference;
                }
                // Several providers refuse keywords beside `$ref`.
                let null = null.then(|| "{\"type\":\"null\"}".to_owned());
                keywords.put("anyOf", list([reference].into_iter().chain(null)));
            }
        }
        self.say(keywords, about, path)
    }

    /// A schema inside another, with what its type says of itself.
    fn inner(&mut self, schema: &Schema, path: &str) -> String {
        let about = About {
            description: self.recursive.description(schema).into(),
            ..About::default()
        };
        self.schema(schema, about, path)
    }

    /// Adds the description, the default and the example.
    fn say(&mut self, mut keywords: Keywords, about: About<'_>, path: &str) -> String {
        if let Some(default) = &about.default
            && !self.rules.defaults
        {
            let when = if about.null { " when null" } else { "" };
            keywords.note(format!("Default{when}: {default}."));
            self.lose(path, "the default has no keyword");
        }
        if let Some(example) = about.example
            && self.rules.example == Example::Told
        {
            keywords.note(format!("Example: {example}."));
            self.lose(path, "the example has no keyword");
        }
        keywords.describe(&about.description);
        if let Some(default) = about.default.filter(|_| self.rules.defaults) {
            keywords.put("default", default);
        }
        match (about.example, self.rules.example) {
            (Some(example), Example::List) => keywords.put("examples", list([example])),
            (Some(example), Example::One) => keywords.put("example", example),
            _ => {}
        }
        keywords.into_json()
    }

    fn kind(&mut self, keywords: &mut Keywords, name: &str, null: bool, path: &str) {
        if null && self.rules.null == Null::Types {
            keywords.put("type", texts([name, "null"]));
        } else {
            keywords.put("type", render_string(name));
            self.null(keywords, null, path);
        }
    }

    /// Says that null is allowed where no list of types can.
    fn null(&mut self, keywords: &mut Keywords, null: bool, path: &str) {
        match self.rules.null {
            Null::Keyword if null => keywords.put("nullable", "true"),
            Null::Untold if null => {
                keywords.note("May be null.");
                self.lose(path, "that null is allowed has no keyword");
            }
            _ => {}
        }
    }

    fn bounds(&mut self, keywords: &mut Keywords, schema: &Schema, path: &str) {
        let (min, max) = (schema.told_min(), schema.told_max());
        if self.rules.number_bounds {
            if let Some(min) = min {
                keywords.put("minimum", min);
            }
            if let Some(max) = max {
                keywords.put("maximum", max);
            }
            return;
        }
        keywords.note(match (min, max) {
            (None, None) => return,
            (Some(min), None) => format!("At least {min}."),
            (None, Some(max)) => format!("At most {max}."),
            (Some(min), Some(max)) => format!("{min} to {max}."),
        });
        self.lose(path, "the range has no keyword");
    }

    fn counts(&mut self, keywords: &mut Keywords, schema: &Schema, count: Count, path: &str) {
        let (told, [min, max]) = match count {
            Count::Characters => (self.rules.text_lengths, ["minLength", "maxLength"]),
            Count::Items => (self.rules.item_counts, ["minItems", "maxItems"]),
            Count::Keys => (self.rules.key_counts, ["minProperties", "maxProperties"]),
        };
        let least = (schema.min_length > 0).then_some(schema.min_length);
        let most = (schema.max_length < u32::MAX).then_some(schema.max_length);
        if told {
            if let Some(least) = least {
                keywords.put(min, least);
            }
            if let Some(most) = most {
                keywords.put(max, most);
            }
            return;
        }
        if let (Count::Items, Some(1), None) = (count, least, most) {
            keywords.put(min, 1);
            return;
        }
        let noun = count.noun();
        keywords.note(match (least, most) {
            (None, None) => return,
            (Some(1), None) => "Not empty.".to_owned(),
            (Some(least), None) => format!("At least {least} {noun}."),
            (None, Some(most)) => format!("At most {most} {noun}."),
            (Some(least), Some(most)) if least == most => format!("Exactly {least} {noun}."),
            (Some(least), Some(most)) => format!("{least} to {most} {noun}."),
        });
        self.lose(path, format!("the number of {noun} has no keyword"));
    }

    /// A list of fixed length. No dialect gets `prefixItems`: several providers refuse arrays whose
    /// `items` is no schema, and take the other tools down with them.
    fn tuple(&mut self, keywords: &mut Keywords, items: &[Schema], null: bool, path: &str) {
        self.kind(keywords, "array", null, path);
        let inner: Vec<String> = items
            .iter()
            .enumerate()
            .map(|(index, item)| self.inner(item, &format!("{path}[{index}]")))
            .collect();
        let mut forms: Vec<&String> = Vec::new();
        for form in &inner {
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        match forms[..] {
            [only] => keywords.put("items", only),
            _ if self.rules.any_of => {
                let mut union = Keywords::default();
                union.put("anyOf", list(&forms));
                keywords.put("items", union.into_json());
            }
            _ => keywords.put("items", "{}"),
        }
        let count = items.len();
        if self.rules.item_counts {
            keywords.put("minItems", count);
            keywords.put("maxItems", count);
        } else if forms.len() < 2 {
            keywords.note(format!("Exactly {count} items."));
            self.lose(path, "the number of items has no keyword");
        }
        if forms.len() > 1 {
            keywords.note(format!(
                "Exactly {count} items, in this order: {}.",
                inner.join(", ")
            ));
            self.lose(path, "the order of the types of items has no keyword");
        }
    }

    fn map(
        &mut self,
        keywords: &mut Keywords,
        schema: &Schema,
        values: &Schema,
        null: bool,
        path: &str,
    ) {
        self.kind(keywords, "object", null, path);
        let inner = self.inner(values, &format!("{path}{{}}"));
        if self.rules.maps {
            keywords.put("additionalProperties", inner);
        } else {
            keywords.note(format!("Keys are free; each value is {inner}."));
            self.lose(path, "the type of the values of a map has no keyword");
        }
        self.counts(keywords, schema, Count::Keys, path);
    }

    fn union(
        &mut self,
        keywords: &mut Keywords,
        tag: &str,
        variants: &[Variant],
        null: bool,
        path: &str,
    ) {
        let keyword = match self.rules.union {
            Union::Merged => {
                self.kind(keywords, "object", null, path);
                self.merged(keywords, tag, variants, path);
                return;
            }
            Union::AnyOf => "anyOf",
            Union::OneOf => "oneOf",
        };
        let mut branches: Vec<String> = Vec::new();
        for variant in variants {
            let mut branch = Keywords::default();
            branch.put("type", "\"object\"");
            self.fields(&mut branch, Some((tag, variant)), variant.fields, path);
            branch.describe(variant.description);
            branches.push(branch.into_json());
        }
        if null && self.rules.null == Null::Types {
            branches.push("{\"type\":\"null\"}".to_owned());
        }
        keywords.put(keyword, list(&branches));
    }

    /// A type that contains itself, written out some levels deep.
    fn expanded(
        &mut self,
        name: &'static str,
        schema: &Schema,
        about: About<'_>,
        null: bool,
        path: &str,
    ) -> String {
        let levels = self.open.iter().filter(|open| **open == name).count();
        if levels < LEVELS && self.expansions < EXPANSIONS {
            self.open.push(name);
            self.expansions += 1;
            let schema = if null { schema.or_null() } else { *schema };
            let json = self.schema(&schema, about, path);
            self.open.pop();
            return json;
        }
        let mut keywords = Keywords::default();
        match schema.kind {
            Kind::Object { .. } | Kind::Union { .. } | Kind::Map { .. } => {
                self.kind(&mut keywords, "object", null, path);
            }
            Kind::Array { .. } | Kind::Tuple { .. } => {
                self.kind(&mut keywords, "array", null, path);
                keywords.put("items", "{}");
            }
            _ => {}
        }
        let short = self.recursive.short(name).to_owned();
        keywords.note(format!(
            "One more `{short}`, of the same form, to any depth."
        ));
        self.lose(
            path,
            format!("`{short}` contains itself and is shown {LEVELS} levels deep"),
        );
        self.say(keywords, about, path)
    }
}

/// What a length counts.
#[derive(Clone, Copy)]
enum Count {
    Characters,
    Items,
    Keys,
}

impl Count {
    const fn noun(self) -> &'static str {
        match self {
            Self::Characters => "characters",
            Self::Items => "items",
            Self::Keys => "keys",
        }
    }
}

/// The path of a key below another path.
pub(super) fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}
