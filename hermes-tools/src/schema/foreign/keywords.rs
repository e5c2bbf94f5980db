//! The keywords of each type, as a dialect takes them.

use serde_json::{Value, json};

use super::convert::{Converter, Node, Stands, Stop, short};
use super::position::known_required;
use crate::schema::dialect::{Dialect, Example};

/// One schema while it is written, with what no keyword says.
#[derive(Default)]
pub(super) struct Draft {
    keywords: Node,
    notes: Vec<String>,
}

/// Keywords that judge a value and that no dialect is given.
const UNTOLD: [&str; 14] = [
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "if",
    "not",
    "contains",
    "minContains",
    "maxContains",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contentSchema",
    "contentEncoding",
];

/// Formats of texts that `OpenAI` takes in strict mode ("Structured outputs", supported schemas).
const STRICT_FORMATS: [&str; 9] = [
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

impl Draft {
    pub(super) fn put(&mut self, keyword: &str, value: impl Into<Value>) {
        self.keywords.insert(keyword.to_owned(), value.into());
    }

    pub(super) fn note(&mut self, sentence: impl Into<String>) {
        self.notes.push(sentence.into());
    }

    /// Takes over the keywords of a schema that is written already.
    pub(super) fn extend(&mut self, schema: Value) {
        if let Value::Object(schema) = schema {
            self.keywords.extend(schema);
        }
    }

    pub(super) fn into_value(self) -> Value {
        Value::Object(self.keywords)
    }
}

/// The longest schema inside a sentence, in bytes of JSON.
const MAX_TOLD: usize = 1_000;

impl Converter<'_> {
    /// Adds the description, the default and the example.
    pub(super) fn say(
        &mut self,
        mut draft: Draft,
        node: &Node,
        stands: Stands,
        path: &str,
    ) -> Value {
        for keyword in UNTOLD {
            if node.contains_key(keyword) {
                self.lose(path, format!("`{keyword}` has no keyword"));
            }
        }
        if let Some(default) = node.get("default").filter(|default| !default.is_null()) {
            if self.rules.defaults {
                draft.put("default", default.clone());
            } else {
                let when = if stands.null { " when null" } else { "" };
                draft.note(format!("Default{when}: {default}."));
                self.lose(path, "the default has no keyword");
            }
        }
        let example = match (node.get("examples"), node.get("example")) {
            (Some(Value::Array(examples)), _) => examples.first(),
            (_, example) => example,
        };
        if let Some(example) = example {
            match self.rules.example {
                Example::List => draft.put("examples", json!([example])),
                Example::One => draft.put("example", example.clone()),
                Example::Told => {
                    draft.note(format!("Example: {example}."));
                    self.lose(path, "the example has no keyword");
                }
            }
        }
        let written = draft.keywords.get("description");
        let own = node.get("description").or(written);
        let own = own.and_then(Value::as_str).unwrap_or_default();
        let notes = draft.notes.join(" ");
        let description = match (own, notes.as_str()) {
            ("", notes) => notes.to_owned(),
            (own, "") => own.to_owned(),
            (own, notes) => format!("{own}\n{notes}"),
        };
        if !description.is_empty() {
            draft.put("description", description);
        }
        draft.into_value()
    }

    /// The only values allowed.
    pub(super) fn values(
        &mut self,
        draft: &mut Draft,
        name: &str,
        node: &Node,
        stands: Stands,
        path: &str,
    ) {
        let all = match (node.get("const"), node.get("enum")) {
            (Some(value), _) => vec![value.clone()],
            (None, Some(Value::Array(values))) => values.clone(),
            _ => return,
        };
        let fits = |value: &&Value| match name {
            "string" => value.is_string(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            _ => value.is_object(),
        };
        let mut values: Vec<Value> = all.iter().filter(fits).cloned().collect();
        if values.is_empty() {
            if all.iter().any(|value| !value.is_null()) {
                self.lose(path, "no value of `enum` is of the type");
            }
            return;
        }
        // Gemini's values are texts, and so is what all dialects share.
        let plain = self.dialect != Dialect::AnthropicStrict || !matches!(name, "array" | "object");
        if !plain || self.rules.is_subset() && name != "string" {
            draft.note(format!("One of: {}.", listed(&values)));
            self.lose(path, "values that are no text have no keyword");
            return;
        }
        // Gemini refuses a request for an empty text among the values.
        if self.dialect == Dialect::Gemini && values.iter().any(|value| *value == "") {
            values.retain(|value| *value != "");
            draft.note("May be empty.");
            self.lose(path, "an empty text among the values has no form");
            if values.is_empty() {
                return;
            }
        }
        if stands.null && self.rules.null == crate::schema::dialect::Null::Types {
            values.push(Value::Null);
        }
        draft.put("enum", values);
    }

    pub(super) fn text(&mut self, draft: &mut Draft, node: &Node, path: &str) {
        for (keyword, least) in [("minLength", "At least"), ("maxLength", "At most")] {
            let Some(length) = node.get(keyword).and_then(Value::as_u64) else {
                continue;
            };
            if self.rules.text_lengths {
                draft.put(keyword, length);
            } else {
                draft.note(format!("{least} {length} characters."));
                self.lose(path, "the number of characters has no keyword");
            }
        }
        if let Some(Value::String(pattern)) = node.get("pattern") {
            // Look-around and back references are beyond the automata of every provider, and a schema with
            // a pattern that is none is refused as a whole.
            let plain = is_sound(pattern)
                && !["(?=", "(?!", "(?<"]
                    .iter()
                    .any(|group| pattern.contains(group))
                && !pattern
                    .as_bytes()
                    .windows(2)
                    .any(|pair| pair[0] == b'\\' && matches!(pair[1], b'1'..=b'9'));
            if plain && self.rules.patterns {
                draft.put("pattern", pattern.as_str());
            } else {
                draft.note(format!("Matches the pattern {pattern}"));
                self.lose(path, "the pattern cannot be told");
            }
        }
        if let Some(Value::String(format)) = node.get("format") {
            let taken = match self.dialect {
                // API reference of `Schema`.
                Dialect::Gemini => format == "date-time" || format == "enum",
                Dialect::Common => false,
                Dialect::AnthropicStrict if format == "uri" => true,
                _ if self.rules.strict => STRICT_FORMATS.contains(&format.as_str()),
                _ => true,
            };
            if taken {
                draft.put("format", format.as_str());
            } else {
                draft.note(format!("Format: {format}."));
                self.lose(path, "the format has no keyword");
            }
        }
    }

    pub(super) fn number(&mut self, draft: &mut Draft, whole: bool, node: &Node, path: &str) {
        for (inclusive, exclusive, least, words, step) in [
            ("minimum", "exclusiveMinimum", "At least", "More than", 1),
            ("maximum", "exclusiveMaximum", "At most", "Less than", -1),
        ] {
            let bound = node.get(inclusive).filter(|bound| bound.is_number());
            // In draft 4 it was a flag that changed what `minimum` means.
            let open = match node.get(exclusive) {
                Some(Value::Bool(true)) => bound,
                Some(open) if open.is_number() => Some(open),
                _ => None,
            };
            if let Some(bound) = bound.filter(|_| node.get(exclusive) != Some(&json!(true))) {
                if self.rules.number_bounds {
                    draft.put(inclusive, bound.clone());
                } else {
                    draft.note(format!("{least} {bound}."));
                    self.lose(path, "the range has no keyword");
                }
            }
            let Some(open) = open else {
                continue;
            };
            let next = open
                .as_i64()
                .filter(|_| whole)
                .and_then(|open| open.checked_add(step));
            if self.rules.number_bounds && !self.rules.is_subset() {
                draft.put(exclusive, open.clone());
            } else if let Some(next) = next.filter(|_| self.rules.number_bounds) {
                draft.put(inclusive, next);
            } else {
                draft.note(format!("{words} {open}."));
                self.lose(path, format!("`{exclusive}` has no keyword"));
            }
        }
        if let Some(unit) = node.get("multipleOf").filter(|unit| unit.is_number()) {
            if unit.as_f64().is_none_or(|unit| unit <= 0.0) {
                self.lose(path, format!("nothing is a multiple of {unit}"));
            } else if self.rules.is_subset() || !self.rules.number_bounds {
                draft.note(format!("A multiple of {unit}."));
                self.lose(path, "`multipleOf` has no keyword");
            } else {
                draft.put("multipleOf", unit.clone());
            }
        }
    }

    pub(super) fn array(&mut self, draft: &mut Draft, node: &Node, path: &str) -> Result<(), Stop> {
        let first = match (node.get("prefixItems"), node.get("items")) {
            (Some(Value::Array(first)), _) | (None, Some(Value::Array(first))) => first.as_slice(),
            _ => &[],
        };
        let item_path = format!("{path}[]");
        let mut forms: Vec<Value> = Vec::new();
        for schema in first {
            if let Some(form) = self.schema(schema, Stands::default(), &item_path)? {
                forms.push(form);
            }
        }
        let rest = if forms.is_empty() {
            node.get("items")
        } else {
            None
        };
        if !forms.is_empty() {
            let told: Vec<String> = forms.iter().map(|form| self.told(form, path)).collect();
            draft.note(format!(
                "The first items, in this order: {}.",
                told.join(", ")
            ));
            self.lose(path, "the order of the types of items has no keyword");
            forms.dedup();
        } else if let Some(rest) = rest.filter(|rest| !rest.is_array())
            && let Some(form) = self.schema(rest, Stands::default(), &item_path)?
        {
            forms.push(form);
        } else if self.rules.strict {
            return Err(Self::not_strict(
                path,
                "a list of items of any type has no form",
            ));
        }
        let items = match forms.len() {
            1 => forms.remove(0),
            _ if forms.len() > 1 && self.rules.any_of => json!({ "anyOf": forms }),
            _ => self.any_item(path),
        };
        draft.put("items", items);
        for keyword in ["minItems", "maxItems"] {
            if let Some(count) = node.get(keyword).and_then(Value::as_u64) {
                if self.rules.item_counts || (keyword == "minItems" && count < 2) {
                    draft.put(keyword, count);
                } else {
                    let words = if keyword == "minItems" {
                        "At least"
                    } else {
                        "At most"
                    };
                    draft.note(format!("{words} {count} items."));
                    self.lose(path, "the number of items has no keyword");
                }
            }
        }
        if node.get("uniqueItems") == Some(&json!(true)) {
            if self.rules.unique {
                draft.put("uniqueItems", true);
            } else {
                draft.note("No item twice.");
                self.lose(path, "that no item may stand twice has no keyword");
            }
        }
        Ok(())
    }

    /// Items of any type. The closed lists of keywords have none without a type.
    pub(super) fn any_item(&mut self, path: &str) -> Value {
        if !self.rules.is_subset() {
            return json!({});
        }
        let path = format!("{path}[]");
        self.lose(
            &path,
            "a value of any type has no form; it is shown as text",
        );
        json!({"type": "string"})
    }

    pub(super) fn object(
        &mut self,
        draft: &mut Draft,
        node: &Node,
        path: &str,
    ) -> Result<(), Stop> {
        let mut required: Vec<Value> = known_required(node).unwrap_or_default();
        let mut properties = Node::new();
        for (name, schema) in node
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            // In draft 3 a property said itself that it is required.
            let says_so = schema.get("required") == Some(&json!(true));
            if says_so && !required.iter().any(|known| known == name) {
                required.push(json!(name));
            }
            let optional = !required.iter().any(|known| known == name);
            let stands = Stands {
                optional,
                null: optional && self.rules.complete,
            };
            let below = if path.is_empty() {
                name.clone()
            } else {
                format!("{path}.{name}")
            };
            if let Some(converted) = self.schema(schema, stands, &below)? {
                properties.insert(name.clone(), converted);
            } else {
                required.retain(|known| known != name);
                self.lose(&below, "no value is allowed, so the key is left out");
            }
        }
        if self.rules.complete {
            required = properties.keys().map(|name| json!(name)).collect();
        }
        self.others(draft, node, properties.is_empty(), path)?;
        draft.put("properties", properties);
        if !required.is_empty() || self.rules.complete {
            draft.put("required", required);
        }
        for (keyword, words) in [("minProperties", "At least"), ("maxProperties", "At most")] {
            let Some(count) = node.get(keyword).and_then(Value::as_u64) else {
                continue;
            };
            if self.rules.key_counts {
                draft.put(keyword, count);
            } else {
                draft.note(format!("{words} {count} keys."));
                self.lose(path, "the number of keys has no keyword");
            }
        }
        Ok(())
    }

    /// A schema inside a sentence. A long one is told by its type: JSON in the text of JSON doubles its
    /// escapes at every level, so that a small schema of many levels would grow without bound.
    pub(super) fn told(&mut self, schema: &Value, path: &str) -> String {
        let whole = schema.to_string();
        if whole.len() <= MAX_TOLD {
            return whole;
        }
        self.lose(
            path,
            "a form that is too long for a sentence is told by its type",
        );
        match schema.get("type") {
            Some(of_type) => json!({"type": of_type}).to_string(),
            None => "of one of several forms".to_owned(),
        }
    }

    /// What keys that are not listed may be.
    fn others(
        &mut self,
        draft: &mut Draft,
        node: &Node,
        no_keys: bool,
        path: &str,
    ) -> Result<(), Stop> {
        let others = node.get("additionalProperties");
        // An outermost object without keys is a tool without arguments.
        let free = no_keys && others.is_none() && !path.is_empty();
        match others {
            Some(Value::Bool(false)) => {
                if self.rules.closed {
                    draft.put("additionalProperties", false);
                }
            }
            Some(Value::Bool(true)) | None if self.rules.strict => {
                if free || others.is_some() || node.contains_key("patternProperties") {
                    return Err(Self::not_strict(
                        path,
                        "an object with free keys has no form",
                    ));
                }
                draft.put("additionalProperties", false);
                self.lose(path, "that other keys are taken is not told");
            }
            Some(Value::Bool(true)) if self.rules.maps => draft.put("additionalProperties", true),
            Some(Value::Bool(true)) | None => {}
            Some(_) if self.rules.strict => {
                return Err(Self::not_strict(path, "a map with free keys has no form"));
            }
            Some(schema) => {
                let Some(inner) = self.schema(schema, Stands::default(), &format!("{path}{{}}"))?
                else {
                    return Ok(());
                };
                if self.rules.maps {
                    draft.put("additionalProperties", inner);
                } else {
                    let inner = self.told(&inner, path);
                    draft.note(format!("Other keys are free; each value is {inner}."));
                    self.lose(path, "the type of the values of a map has no keyword");
                }
            }
        }
        Ok(())
    }
}

/// Whether the brackets of a pattern are closed and nothing is repeated or escaped that is not there.
/// What is left to get wrong (names of classes, ranges upside down) differs from engine to engine.
fn is_sound(pattern: &str) -> bool {
    let mut groups = 0_usize;
    let mut class = false;
    let mut previous = '|';
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        let nothing = matches!(previous, '(' | '|');
        match character {
            '\\' if characters.next().is_none() => return false,
            ']' if class => class = false,
            _ if class => continue,
            '[' => class = true,
            '(' => groups += 1,
            ')' if groups == 0 => return false,
            ')' => groups -= 1,
            '*' | '+' if nothing => return false,
            // `(?` begins a group with flags.
            '?' if previous == '|' => return false,
            _ => {}
        }
        previous = if character == '\\' { 'x' } else { character };
    }
    groups == 0 && !class
}

fn listed(values: &[Value]) -> String {
    values
        .iter()
        .map(|value| short(value).trim_matches('`').to_owned())
        .collect::<Vec<_>>()
        .join(", ")
}
