//! From a JSON Schema, as schemars makes it, to ours.

use serde_json::{Map, Value};

use super::Loss;
use crate::param::{Param, Shape};
use crate::schema::{Kind, Number, Schema, Variant};

/// Turns a schema into ours, and lists what is lost.
pub(super) fn convert(foreign: &Value) -> (Schema, Vec<Loss>) {
    let mut converter = Converter {
        root: foreign,
        open: Vec::new(),
        losses: Vec::new(),
    };
    let schema = converter.schema(foreign, "");
    (schema, converter.losses)
}

struct Converter<'v> {
    root: &'v Value,
    /// The references on the way here.
    open: Vec<&'v str>,
    losses: Vec<Loss>,
}

type Object = Map<String, Value>;

const ANY: Schema = Schema::new(Kind::Any);

impl<'v> Converter<'v> {
    fn schema(&mut self, foreign: &'v Value, path: &str) -> Schema {
        let Some(object) = foreign.as_object() else {
            return ANY;
        };
        let schema = self.unnamed(object, path);
        match text(object, "description") {
            Some(description) if schema.description.is_empty() => {
                schema.describe(leak(description.to_owned()))
            }
            _ => schema,
        }
    }

    fn unnamed(&mut self, object: &'v Object, path: &str) -> Schema {
        if let Some(reference) = text(object, "$ref") {
            return self.reference(reference, path);
        }
        for keyword in ["not", "if", "allOf", "patternProperties", "multipleOf"] {
            if object.contains_key(keyword) {
                self.lose(path, format!("`{keyword}` has no counterpart"));
            }
        }
        for keyword in ["oneOf", "anyOf"] {
            if let Some(Value::Array(forms)) = object.get(keyword) {
                return self.forms(forms, &format!("{path}/{keyword}"));
            }
        }
        if let Some(word) = text(object, "const") {
            return Schema::one_of(leak_all(vec![leak(word.to_owned())]));
        }
        let (kind, nullable) = match object.get("type") {
            Some(Value::String(kind)) => (kind.as_str(), false),
            Some(Value::Array(kinds)) => {
                let mut named = kinds
                    .iter()
                    .filter_map(Value::as_str)
                    .filter(|kind| *kind != "null");
                let null = kinds.iter().any(|kind| kind == "null");
                let (Some(kind), None) = (named.next(), named.next()) else {
                    self.lose(path, "several types at once".to_owned());
                    return ANY;
                };
                (kind, null)
            }
            _ => {
                if !object.is_empty() && !object.keys().all(|key| key == "description") {
                    self.lose(path, "a schema without a type".to_owned());
                }
                return ANY;
            }
        };
        let mut schema = self.of_type(kind, object, path);
        schema.nullable = nullable;
        schema
    }

    fn of_type(&mut self, kind: &str, object: &'v Object, path: &str) -> Schema {
        match kind {
            "boolean" => Schema::new(Kind::Boolean),
            "integer" => bounded(Schema::new(Kind::Integer), object),
            "number" => bounded(Schema::new(Kind::Number), object),
            "string" => self.text(object, path),
            "array" => self.list(object, path),
            "object" => self.object(object, path),
            _ => {
                self.lose(path, format!("the type `{kind}`"));
                ANY
            }
        }
    }

    fn reference(&mut self, reference: &'v str, path: &str) -> Schema {
        let target = reference
            .strip_prefix('#')
            .and_then(|pointer| self.root.pointer(pointer));
        let Some(target) = target else {
            self.lose(path, format!("the reference `{reference}` leads nowhere"));
            return ANY;
        };
        if self.open.contains(&reference) {
            self.lose(path, format!("`{reference}` contains itself"));
            return ANY;
        }
        self.open.push(reference);
        let schema = self.schema(target, path);
        self.open.pop();
        schema
    }

    fn text(&mut self, object: &'v Object, path: &str) -> Schema {
        let mut schema = lengths(Schema::new(Kind::String), object, "Length");
        schema.pattern = text(object, "pattern").map(|pattern| leak(pattern.to_owned()));
        schema.format = text(object, "format").map(|format| leak(format.to_owned()));
        if let Some(Value::Array(values)) = object.get("enum") {
            let words: Vec<&'static str> = values
                .iter()
                .filter_map(Value::as_str)
                .map(|word| leak(word.to_owned()))
                .collect();
            if words.len() < values.len() {
                self.lose(path, "values that are no text".to_owned());
            }
            schema.values = leak_all(words);
        }
        schema
    }

    fn list(&mut self, object: &'v Object, path: &str) -> Schema {
        if let Some(Value::Array(items)) = object.get("prefixItems") {
            let items: Vec<Schema> = items
                .iter()
                .enumerate()
                .map(|(index, item)| self.schema(item, &format!("{path}/prefixItems/{index}")))
                .collect();
            return Schema::new(Kind::Tuple {
                items: leak_all(items),
            });
        }
        let items = match object.get("items") {
            Some(items) => self.schema(items, &format!("{path}/items")),
            None => ANY,
        };
        let unique = object.get("uniqueItems") == Some(&Value::Bool(true));
        let kind = Kind::Array {
            items: Box::leak(Box::new(items)),
            unique,
        };
        lengths(Schema::new(kind), object, "Items")
    }

    fn object(&mut self, object: &'v Object, path: &str) -> Schema {
        let Some(Value::Object(properties)) = object.get("properties") else {
            let values = match object.get("additionalProperties") {
                Some(values) => self.schema(values, &format!("{path}/additionalProperties")),
                None => ANY,
            };
            let kind = Kind::Map {
                values: Box::leak(Box::new(values)),
            };
            return lengths(Schema::new(kind), object, "Properties");
        };
        if matches!(
            object.get("additionalProperties"),
            Some(Value::Object(_) | Value::Bool(true))
        ) {
            self.lose(path, "keys beside the named ones".to_owned());
        }
        Schema::new(Kind::Object {
            fields: self.fields(object, properties, None, path),
        })
    }

    fn fields(
        &mut self,
        object: &'v Object,
        properties: &'v Object,
        without: Option<&str>,
        path: &str,
    ) -> &'static [Param] {
        let required: Vec<&str> = match object.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let mut fields = Vec::new();
        for (name, property) in properties {
            if Some(name.as_str()) == without {
                continue;
            }
            let mut schema = self.schema(property, &format!("{path}/properties/{name}"));
            let required = required.contains(&name.as_str());
            if !required {
                // What may be absent is shown as its bare type; null means absent.
                schema.nullable = false;
            }
            let description = std::mem::take(&mut schema.description);
            let shape = Box::leak(Box::new(Shape { schema, required }));
            let default = property.get("default").map(ToString::to_string);
            let json = default.as_deref().unwrap_or_default();
            let texts = leak(format!("{name}{json}{description}"));
            let mut field = Param::new(texts, name.len(), shape);
            if default.is_some() {
                field = field.default_json(json.len());
            }
            fields.push(field);
        }
        leak_all(fields)
    }

    /// Alternatives: a type and null, texts with a comment each, or objects with a tag.
    fn forms(&mut self, forms: &'v [Value], path: &str) -> Schema {
        let is_null = |form: &Value| form.get("type") == Some(&Value::String("null".to_owned()));
        let some: Vec<(usize, &'v Value)> = forms
            .iter()
            .enumerate()
            .filter(|(_, form)| !is_null(form))
            .collect();
        let mut schema = match some.as_slice() {
            [(index, form)] => self.schema(form, &format!("{path}/{index}")),
            some => words(some)
                .or_else(|| self.union(some, path))
                .unwrap_or_else(|| {
                    self.lose(path, "alternatives without a tag".to_owned());
                    ANY
                }),
        };
        schema.nullable |= some.len() < forms.len();
        schema
    }

    fn union(&mut self, forms: &[(usize, &'v Value)], path: &str) -> Option<Schema> {
        let tag_of = |form: &'v Value| {
            let properties = form.get("properties")?.as_object()?;
            properties.iter().find_map(|(name, property)| {
                Some((name.as_str(), property.get("const")?.as_str()?))
            })
        };
        let (tag, _) = tag_of(forms.first()?.1)?;
        let mut variants = Vec::new();
        for (index, form) in forms {
            let (own, name) = tag_of(form)?;
            if own != tag {
                return None;
            }
            let object = form.as_object()?;
            let properties = object.get("properties")?.as_object()?;
            let description = text(object, "description").unwrap_or_default();
            variants.push(Variant {
                name: leak(name.to_owned()),
                description: leak(description.to_owned()),
                aliases: &[],
                fields: self.fields(object, properties, Some(tag), &format!("{path}/{index}")),
            });
        }
        Some(Schema::new(Kind::Union {
            tag: leak(tag.to_owned()),
            variants: leak_all(variants),
        }))
    }

    fn lose(&mut self, path: &str, what: String) {
        self.losses.push(Loss {
            path: path.to_owned(),
            what,
        });
    }
}

/// Texts with a comment each.
fn words(forms: &[(usize, &Value)]) -> Option<Schema> {
    let mut words = Vec::new();
    let mut lines = Vec::new();
    for (_, form) in forms {
        let form = form.as_object()?;
        let own: Vec<&str> = match (text(form, "const"), form.get("enum")) {
            (Some(word), _) => vec![word],
            (None, Some(Value::Array(all))) => all.iter().filter_map(Value::as_str).collect(),
            _ => return None,
        };
        for word in own {
            if let Some(description) = text(form, "description") {
                lines.push(format!("`{word}`: {description}"));
            }
            words.push(leak(word.to_owned()));
        }
    }
    Some(Schema::one_of(leak_all(words)).describe(leak(lines.join("\n"))))
}

fn text<'v>(object: &'v Object, keyword: &str) -> Option<&'v str> {
    object.get(keyword)?.as_str()
}

fn bounded(mut schema: Schema, object: &Object) -> Schema {
    let number = |keyword: &str| {
        let value = object.get(keyword)?;
        value
            .as_i64()
            .map(|value| Number::Int(value.into()))
            .or_else(|| value.as_u64().map(|value| Number::Int(value.into())))
            .or_else(|| value.as_f64().map(Number::Float))
    };
    schema.min = number("minimum");
    schema.max = number("maximum");
    schema
}

fn lengths(mut schema: Schema, object: &Object, noun: &str) -> Schema {
    let count = |keyword: String| u32::try_from(object.get(&keyword)?.as_u64()?).ok();
    schema.min_length = count(format!("min{noun}")).unwrap_or(0);
    schema.max_length = count(format!("max{noun}")).unwrap_or(u32::MAX);
    schema
}

fn leak(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

fn leak_all<T>(items: Vec<T>) -> &'static [T] {
    Box::leak(items.into_boxed_slice())
}
