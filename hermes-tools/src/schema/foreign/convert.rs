//! From a foreign schema to the JSON of a dialect.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::keywords::Draft;
use super::words::{Types, type_of};
use super::{MAX_NODES, pointer};
use crate::schema::dialect::{Dialect, Null, Rules};

/// How often a schema that contains itself is written out in one branch where there are no
/// references.
const LEVELS: usize = 3;

/// How many references may be written out inside each other, and how deep schemas may then stand: the
/// walk over them uses the stack.
const MAX_OPEN: usize = 8;
const MAX_LEVEL: usize = 64;

/// The largest schema that is written where a reference stood although the dialect has references.
const SMALL: usize = 20;

/// Keywords that say something about a value without judging it.
const ANNOTATIONS: [&str; 5] = ["title", "description", "default", "examples", "example"];

/// A node of a schema.
pub(super) type Node = Map<String, Value>;

/// Converts one schema. Its references are resolved in the schema as it was sent.
pub(super) struct Converter<'s> {
    root: &'s Value,
    pub(super) rules: Rules,
    pub(super) dialect: Dialect,
    /// Paths, and what the dialect cannot say there.
    pub(super) losses: Vec<(String, String)>,
    /// What references are kept for: their names, and their schemas once these are converted.
    definitions: BTreeMap<String, (String, Value)>,
    /// The references that are being written out, the outermost first.
    open: Vec<String>,
    nodes: usize,
    level: usize,
}

/// Why a schema was not converted.
pub(super) enum Stop {
    /// Nothing can be made of it.
    Hopeless(String),
    /// Strict mode has no form for it.
    NotStrict {
        /// Where.
        path: String,
        /// What.
        reason: String,
    },
}

/// How a value stands in what is around it.
#[derive(Clone, Copy, Default)]
pub(super) struct Stands {
    /// It may be absent, so that null need not be told.
    pub(super) optional: bool,
    /// It may be null.
    pub(super) null: bool,
}

impl Stop {
    pub(super) fn reason(self) -> String {
        match self {
            Self::Hopeless(reason) | Self::NotStrict { reason, .. } => reason,
        }
    }
}

impl<'s> Converter<'s> {
    pub(super) fn new(root: &'s Value, rules: Rules, dialect: Dialect) -> Self {
        Self {
            root,
            rules,
            dialect,
            losses: Vec::new(),
            definitions: BTreeMap::new(),
            open: Vec::new(),
            nodes: 0,
            level: 0,
        }
    }

    /// The parameters of a tool: an object without combinators at the outermost level.
    pub(super) fn root(&mut self) -> Result<Value, Stop> {
        let mut node = self.root.as_object().cloned().unwrap_or_default();
        if let Some(reference) = node.remove("$ref") {
            let target = self.target(&reference)?;
            for (keyword, value) in target.as_object().into_iter().flatten() {
                node.entry(keyword).or_insert_with(|| value.clone());
            }
        }
        self.merge_all_of(&mut node, "")?;
        self.merge_root_forms(&mut node)?;
        for keyword in ["enum", "const", "not"] {
            if node.remove(keyword).is_some() {
                self.lose(
                    "",
                    format!("`{keyword}` cannot stand at the outermost level"),
                );
            }
        }
        let mut draft = Draft::default();
        draft.put("type", "object");
        self.object(&mut draft, &node, "")?;
        if let Some(Value::String(description)) = node.get("description") {
            draft.put("description", description.as_str());
        }
        let definitions: Node = self.definitions.values().cloned().collect();
        if !definitions.is_empty() {
            draft.put("$defs", definitions);
        }
        Ok(draft.into_value())
    }

    pub(super) fn lose(&mut self, path: &str, what: impl Into<String>) {
        let loss = (path.to_owned(), what.into());
        if !self.losses.contains(&loss) {
            self.losses.push(loss);
        }
    }

    pub(super) fn not_strict(path: &str, reason: &str) -> Stop {
        Stop::NotStrict {
            path: path.to_owned(),
            reason: reason.to_owned(),
        }
    }

    /// A schema; `None` for one that no value fits.
    pub(super) fn schema(
        &mut self,
        schema: &Value,
        stands: Stands,
        path: &str,
    ) -> Result<Option<Value>, Stop> {
        self.count(1)?;
        match schema {
            Value::Bool(false) => Ok(None),
            Value::Object(node) => self.node(node.clone(), stands, path),
            Value::String(word) if type_of(word).is_some() => {
                let node = Node::from_iter([("type".to_owned(), json!(word))]);
                self.node(node, stands, path)
            }
            Value::Bool(true) => self.any(&Node::new(), stands, path).map(Some),
            other => {
                self.lose(path, format!("{} is no schema", short(other)));
                self.any(&Node::new(), stands, path).map(Some)
            }
        }
    }

    fn node(&mut self, node: Node, stands: Stands, path: &str) -> Result<Option<Value>, Stop> {
        if self.level > MAX_LEVEL {
            let reason = format!("its schemas stand in each other deeper than {MAX_LEVEL} levels");
            return Err(Stop::Hopeless(reason));
        }
        self.level += 1;
        let converted = self.resolved(node, stands, path);
        self.level -= 1;
        converted
    }

    fn resolved(
        &mut self,
        mut node: Node,
        stands: Stands,
        path: &str,
    ) -> Result<Option<Value>, Stop> {
        if let Some(reference) = node.remove("$ref") {
            return self.reference(&reference, node, stands, path);
        }
        self.merge_all_of(&mut node, path)?;
        if node.contains_key("$ref") {
            return self.node(node, stands, path);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = node.remove(keyword) {
                return self.union(node, branches, stands, path);
            }
        }
        let types = Types::of(&node);
        let stands = Stands {
            null: stands.null || types.null,
            ..stands
        };
        match types.names[..] {
            [] if !types.unknown.is_empty() => {
                let word = types.unknown.join("`, `");
                self.lose(
                    path,
                    format!("`{word}` is no type; the value is shown as text"),
                );
                self.typed("string", &node, stands, path).map(Some)
            }
            [] if types.null => Ok(Some(self.only_null(&node, path))),
            [] => self.any(&node, stands, path).map(Some),
            [name] => self.typed(name, &node, stands, path).map(Some),
            _ => {
                node.remove("nullable");
                let branches = types
                    .names
                    .iter()
                    .map(|name| json!({"type": name}))
                    .collect();
                node.remove("type");
                self.union(node, branches, stands, path)
            }
        }
    }

    /// A value of any type.
    fn any(&mut self, node: &Node, stands: Stands, path: &str) -> Result<Value, Stop> {
        if self.rules.strict {
            return Err(Self::not_strict(path, "a value of any type has no form"));
        }
        let mut draft = Draft::default();
        if self.rules.null == Null::Types {
            let all = ["string", "number", "boolean", "object", "array", "null"];
            draft.put("type", json!(all));
            draft.put("items", json!({}));
        } else {
            self.lose(path, "a value of any type has no form; it is shown as text");
            draft.put("type", "string");
        }
        let optional = stands.optional;
        let stands = Stands {
            optional,
            null: false,
        };
        Ok(self.say(draft, node, stands, path))
    }

    fn only_null(&mut self, node: &Node, path: &str) -> Value {
        let mut draft = Draft::default();
        if self.rules.null == Null::Types {
            draft.put("type", "null");
        } else {
            draft.put("type", "string");
            draft.note("Always null.");
            self.lose(path, "a value that is always null has no form");
        }
        self.say(draft, node, Stands::default(), path)
    }

    /// A value of one type.
    fn typed(
        &mut self,
        name: &'static str,
        node: &Node,
        stands: Stands,
        path: &str,
    ) -> Result<Value, Stop> {
        let mut draft = Draft::default();
        let null_value = [node.get("const"), node.get("enum")]
            .into_iter()
            .flatten()
            .any(|value| {
                value.is_null()
                    || value
                        .as_array()
                        .is_some_and(|all| all.contains(&Value::Null))
            });
        let stands = Stands {
            null: stands.null || null_value,
            ..stands
        };
        if stands.null && self.rules.null == Null::Types {
            draft.put("type", json!([name, "null"]));
        } else {
            draft.put("type", name);
        }
        self.values(&mut draft, name, node, stands, path);
        match name {
            "string" => self.text(&mut draft, node, path),
            "integer" | "number" => self.number(&mut draft, name == "integer", node, path),
            "array" => self.array(&mut draft, node, path)?,
            "object" => self.object(&mut draft, node, path)?,
            _ => {}
        }
        if stands.null {
            match self.rules.null {
                Null::Keyword => draft.put("nullable", true),
                Null::Untold if !stands.optional => {
                    draft.note("May be null.");
                    self.lose(path, "that null is allowed has no keyword");
                }
                Null::Types | Null::Untold => {}
            }
        }
        Ok(self.say(draft, node, stands, path))
    }

    /// One of several schemas, the keywords beside them going into each.
    fn union(
        &mut self,
        mut node: Node,
        branches: Vec<Value>,
        stands: Stands,
        path: &str,
    ) -> Result<Option<Value>, Stop> {
        let nullable = node.remove("nullable") == Some(json!(true));
        let null = nullable || branches.iter().any(is_null);
        let stands = Stands {
            null: stands.null || null,
            ..stands
        };
        let mut branches: Vec<Value> = branches
            .into_iter()
            .filter(|branch| !is_null(branch) && *branch != Value::Bool(false))
            .collect();
        let rule_only = |branch: &Value| {
            let node = branch.as_object();
            node.is_some_and(|node| {
                node.keys().all(|keyword| {
                    ["required", "not", "dependentRequired"].contains(&keyword.as_str())
                })
            })
        };
        if branches.iter().all(rule_only) || branches.is_empty() {
            if !branches.is_empty() {
                self.lose(path, "which keys are needed together has no keyword");
            }
            if null && !node.contains_key("type") && branches.is_empty() {
                node.insert("type".to_owned(), json!("null"));
            }
            return self.node(node, stands, path);
        }
        if branches.len() == 1 {
            match branches.remove(0) {
                Value::Object(only) => overlay(&mut node, only),
                other => {
                    if let Some(word) = other.as_str().and_then(type_of) {
                        node.entry("type").or_insert(json!(word));
                    }
                }
            }
            return self.node(node, stands, path);
        }
        let (annotations, shared): (Node, Node) = node
            .into_iter()
            .partition(|(keyword, _)| ANNOTATIONS.contains(&keyword.as_str()));
        let mut forms: Vec<Value> = Vec::new();
        for branch in branches {
            let branch = match branch {
                Value::Object(mut branch) => {
                    let mut shared = shared.clone();
                    shared.append(&mut branch);
                    Value::Object(shared)
                }
                other => other,
            };
            let inner = Stands {
                null: stands.null && self.rules.null == Null::Keyword,
                ..stands
            };
            if let Some(form) = self.schema(&branch, inner, path)?
                && !forms.contains(&form)
            {
                forms.push(form);
            }
        }
        let mut draft = Draft::default();
        if forms.is_empty() {
            return Ok(None);
        }
        if self.rules.any_of && forms.len() > 1 {
            let null = stands.null && self.rules.null == Null::Types;
            forms.extend(null.then(|| json!({"type": "null"})));
            draft.put("anyOf", forms);
        } else {
            draft.extend(forms.remove(0));
            for other in &forms {
                let other = self.told(other, path);
                draft.note(format!("Or: {other}."));
                self.lose(
                    path,
                    "one of several forms has no keyword; the first of them is shown",
                );
            }
        }
        Ok(Some(self.say(draft, &annotations, stands, path)))
    }

    /// What a reference points at, or a reference to it.
    fn reference(
        &mut self,
        reference: &Value,
        mut beside: Node,
        stands: Stands,
        path: &str,
    ) -> Result<Option<Value>, Stop> {
        let target = self.target(reference)?;
        let text = reference.as_str().unwrap_or_default().to_owned();
        beside.remove("$defs");
        beside.remove("definitions");
        let levels = self.open.iter().filter(|open| **open == text).count();
        if !self.rules.references || is_small(target) {
            if levels >= LEVELS || self.open.len() >= MAX_OPEN {
                let end = self.cut_off(target, &beside, &text, stands, path);
                return Ok(Some(end));
            }
            // Copying a large schema again and again is work too.
            self.count(size(target) / 8)?;
            self.open.push(text);
            let converted = match target {
                Value::Object(target) => {
                    overlay(&mut beside, target.clone());
                    self.node(beside, stands, path)
                }
                other => self.schema(other, stands, path),
            };
            self.open.pop();
            return converted;
        }
        let known = self.definitions.get(&text);
        if !self.rules.recursion && known.is_some_and(|(_, schema)| schema.is_null()) {
            return Err(Self::not_strict(
                path,
                "a type that contains itself has no form",
            ));
        }
        let known = known.map(|(name, _)| name.clone());
        let name = known.clone().unwrap_or_else(|| self.new_name(&text));
        if known.is_none() {
            let unfinished = (name.clone(), Value::Null);
            self.definitions.insert(text.clone(), unfinished);
            let Some(converted) = self.schema(target, Stands::default(), &name)? else {
                self.definitions.remove(&text);
                return Ok(None);
            };
            self.definitions.insert(text, (name.clone(), converted));
        }
        let mut draft = Draft::default();
        let pointer = json!({ "$ref": format!("#/$defs/{name}") });
        if !stands.null
            && !ANNOTATIONS
                .iter()
                .any(|keyword| beside.contains_key(*keyword))
        {
            return Ok(Some(pointer));
        }
        // Several providers refuse keywords beside `$ref`.
        let null = stands.null.then(|| json!({"type": "null"}));
        draft.put(
            "anyOf",
            [pointer].into_iter().chain(null).collect::<Vec<_>>(),
        );
        Ok(Some(self.say(draft, &beside, stands, path)))
    }

    /// The end of a schema that contains itself.
    fn cut_off(
        &mut self,
        target: &Value,
        beside: &Node,
        reference: &str,
        stands: Stands,
        path: &str,
    ) -> Value {
        let empty = Node::new();
        let types = Types::of(target.as_object().unwrap_or(&empty));
        let mut draft = Draft::default();
        draft.put("type", *types.names.first().unwrap_or(&"object"));
        if types.names.first() == Some(&"array") {
            let items = self.any_item(path);
            draft.put("items", items);
        }
        if self.open.iter().any(|open| open == reference) {
            draft.note("Of the same form again, to any depth.");
            self.lose(
                path,
                format!("`{reference}` contains itself and is shown some levels deep"),
            );
        } else {
            draft.note("What is inside is not shown.");
            self.lose(path, format!("`{reference}` stands too deep to be shown"));
        }
        self.say(draft, beside, stands, path)
    }

    fn count(&mut self, nodes: usize) -> Result<(), Stop> {
        self.nodes += nodes;
        if self.nodes > MAX_NODES {
            let reason = format!("its references unfold to more than {MAX_NODES} schemas");
            return Err(Stop::Hopeless(reason));
        }
        Ok(())
    }

    pub(super) fn target(&self, reference: &Value) -> Result<&'s Value, Stop> {
        let found = reference
            .as_str()
            .and_then(|text| pointer::target(self.root, text));
        found.ok_or_else(|| {
            Stop::Hopeless(format!(
                "the reference {} leads nowhere in the schema",
                short(reference)
            ))
        })
    }

    /// A name under `$defs` for what a reference points at: its last step.
    fn new_name(&self, reference: &str) -> String {
        let last = reference.rsplit(['/', '#']).next().unwrap_or_default();
        let kept =
            |character: &char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
        let mut base: String = last.chars().filter(kept).take(48).collect();
        if base.is_empty() {
            "root".clone_into(&mut base);
        }
        let taken = |name: &str| self.definitions.values().any(|(taken, _)| taken == name);
        let mut name = base.clone();
        let mut number = 2;
        while taken(&name) {
            name = format!("{base}{number}");
            number += 1;
        }
        name
    }
}

/// Adds keywords that are not there yet.
pub(super) fn overlay(node: &mut Node, below: Node) {
    for (keyword, value) in below {
        node.entry(keyword).or_insert(value);
    }
}

/// A value as short JSON, for a message.
pub(super) fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 60 {
        return format!("`{text}`");
    }
    format!("`{}...`", text.chars().take(57).collect::<String>())
}

fn is_null(schema: &Value) -> bool {
    match schema {
        Value::String(word) => type_of(word) == Some("null"),
        Value::Object(node) => {
            let word = node.get("type").and_then(Value::as_str);
            word.and_then(type_of) == Some("null")
                || node.get("const") == Some(&Value::Null)
                || node.get("enum") == Some(&json!([null]))
        }
        _ => false,
    }
}

/// Whether a schema is so small, and free of references, that it is written where it is needed.
fn is_small(schema: &Value) -> bool {
    fn refers(value: &Value) -> bool {
        match value {
            Value::Object(object) => object.contains_key("$ref") || object.values().any(refers),
            Value::Array(list) => list.iter().any(refers),
            _ => false,
        }
    }
    size(schema) <= SMALL && !refers(schema)
}

/// The values in a value, itself included.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::Object(object) => object.values().map(size).sum(),
        Value::Array(list) => list.iter().map(size).sum(),
        _ => 0,
    }
}
