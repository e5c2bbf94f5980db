//! Rules of tools made at run time, from JSON Schema.
//!
//! Nested schemas wait in a queue instead of on the stack, and each is compiled once, so that a
//! foreign schema may be deep, long and circular.

use std::borrow::Cow;
use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Bound, Field, JsonSchema, ROOT, Rest, Rule, RuleId, Type};
use crate::args::{Node, number};
use crate::schema::Number;

/// A schema with more parts than this is cut off: the parts beyond ask for nothing.
const MAX_RULES: usize = 20_000;

/// How many `$ref` and `allOf` are followed from one place to the next.
const MAX_STEPS: usize = 32;

pub(super) fn compile(schema: &Node) -> JsonSchema {
    let mut compiler = Compiler {
        root: schema,
        rules: Vec::new(),
        known: FxHashMap::default(),
        queue: VecDeque::new(),
    };
    compiler.rule(schema);
    while let Some((id, layers)) = compiler.queue.pop_front() {
        let rule = compiler.build(&layers);
        compiler.rules[id] = rule;
    }
    let mut rules = compiler.rules;
    // Arguments are an object, whether their schema says so or not.
    if rules[ROOT].types.is_empty() && rules[ROOT].union.is_empty() {
        rules[ROOT].types.push(Type::Object);
    }
    for id in 0..rules.len() {
        rules[id].tag = tag(&rules, id);
    }
    JsonSchema::of_rules(rules)
}

struct Compiler<'s> {
    root: &'s Node,
    rules: Vec<Rule>,
    /// The rules of schemas by their address in the tree.
    known: FxHashMap<usize, RuleId>,
    /// Schemas whose rules are to be built. Those of several layers are alternatives that stand
    /// beside keywords of their own: all but the last layer count without their alternatives.
    queue: VecDeque<(RuleId, Vec<&'s Node>)>,
}

impl<'s> Compiler<'s> {
    fn rule(&mut self, schema: &'s Node) -> RuleId {
        let address = std::ptr::from_ref(schema).addr();
        if let Some(id) = self.known.get(&address) {
            return *id;
        }
        let id = self.wait(vec![schema]);
        self.known.insert(address, id);
        id
    }

    fn wait(&mut self, layers: Vec<&'s Node>) -> RuleId {
        let id = self.rules.len();
        if id > MAX_RULES {
            return id - 1;
        }
        self.rules.push(Rule::default());
        if id < MAX_RULES {
            self.queue.push_back((id, layers));
        }
        id
    }

    fn build(&mut self, layers: &[&'s Node]) -> Rule {
        let mut rule = Rule::default();
        let mut draft = Draft::default();
        let (last, base) = layers.split_last().expect("a rule is built from a schema");
        for layer in base {
            draft.unions = None;
            self.apply(layer, &mut rule, &mut draft, MAX_STEPS);
        }
        draft.unions = None;
        self.apply(last, &mut rule, &mut draft, MAX_STEPS);
        // A key may be required without being described.
        for name in draft.undescribed() {
            let id = self.rules.len();
            self.rules.push(Rule::default());
            draft.fields.push((name, id));
        }
        draft.finish(&mut rule);
        if let Some(branches) = draft.unions {
            self.unite(&mut rule, layers, &branches);
        }
        rule.index();
        rule
    }

    /// Adds the keywords of a schema to a rule.
    fn apply(&mut self, schema: &'s Node, rule: &mut Rule, draft: &mut Draft<'s>, steps: usize) {
        let keywords = match schema {
            Node::Object(keywords) if steps > 0 => keywords,
            Node::Bool(false) => {
                rule.never = true;
                return;
            }
            _ => return,
        };
        for (keyword, value) in keywords {
            match (keyword.as_str(), value) {
                ("type", types) => add_types(types, rule, draft),
                ("nullable", Node::Bool(true)) => rule.nullable = true,
                ("enum", Node::Array(values)) => add_values(values, rule),
                ("const", value) => add_values(std::slice::from_ref(value), rule),
                ("properties", Node::Object(fields)) => {
                    for (name, schema) in fields {
                        let id = self.rule(schema);
                        draft.fields.push((name, id));
                    }
                }
                ("required", Node::Array(names)) => {
                    draft.required.extend(names.iter().filter_map(Node::as_str));
                }
                ("additionalProperties" | "unevaluatedProperties", rest) => {
                    rule.rest = match rest {
                        Node::Bool(false) => Rest::Closed,
                        Node::Bool(true) => Rest::Declared,
                        Node::Object(_) => Rest::Each(self.rule(rest)),
                        _ => rule.rest,
                    };
                }
                // Which keys a pattern means is not found out here, so no key is unknown.
                ("patternProperties", Node::Object(patterns)) if !patterns.is_empty() => {
                    draft.patterns = true;
                }
                ("items" | "prefixItems", Node::Array(items)) => {
                    rule.first = items.iter().map(|item| self.rule(item)).collect();
                }
                ("items" | "additionalItems", Node::Object(_) | Node::Bool(_)) => {
                    rule.each = Some(self.rule(value));
                }
                ("allOf", Node::Array(parts)) => {
                    for part in parts {
                        self.apply(part, rule, draft, steps - 1);
                    }
                }
                ("$ref", Node::String(target)) => {
                    if let Some(target) = resolve(self.root, target) {
                        self.apply(target, rule, draft, steps - 1);
                    }
                }
                ("anyOf" | "oneOf", Node::Array(branches)) if draft.unions.is_none() => {
                    self.branches(branches, rule, draft, steps);
                }
                ("uniqueItems", Node::Bool(true)) => rule.unique = true,
                (keyword, Node::Number(text)) => add_bound(keyword, text, rule),
                ("exclusiveMinimum", Node::Bool(true)) => draft.exclusive.0 = true,
                ("exclusiveMaximum", Node::Bool(true)) => draft.exclusive.1 = true,
                ("examples", Node::Array(examples)) => draft.example(examples.first()),
                ("example" | "default", value) => draft.example(Some(value)),
                _ => {}
            }
        }
    }

    /// Alternatives without null, which makes the rule nullable instead. A single one is part of
    /// the rule.
    fn branches(
        &mut self,
        branches: &'s [Node],
        rule: &mut Rule,
        draft: &mut Draft<'s>,
        steps: usize,
    ) {
        let schemas = branches
            .iter()
            .filter(|branch| matches!(branch, Node::Object(_) | Node::Bool(_)));
        let (nulls, others): (Vec<&Node>, Vec<&Node>) = schemas.partition(|branch| is_null(branch));
        rule.nullable |= !nulls.is_empty();
        match &others[..] {
            [] if nulls.is_empty() => {}
            [] => rule.types = vec![Type::Null],
            [single] => self.apply(single, rule, draft, steps - 1),
            _ => draft.unions = Some(others),
        }
    }

    /// Makes a rule one of alternatives. What stands beside them becomes part of each.
    fn unite(&mut self, rule: &mut Rule, layers: &[&'s Node], branches: &[&'s Node]) {
        let bare = layers.len() == 1 && is_bare(layers[0]);
        if !bare && layers.len() > 8 {
            return;
        }
        let union = branches
            .iter()
            .map(|branch| {
                if bare {
                    return self.rule(branch);
                }
                let mut layers = layers.to_vec();
                layers.push(branch);
                self.wait(layers)
            })
            .collect();
        *rule = Rule {
            union,
            nullable: rule.nullable,
            example: rule.example.take(),
            ..Rule::default()
        };
    }
}

/// What is known of a rule only when all keywords are read.
#[derive(Default)]
struct Draft<'s> {
    fields: Vec<(&'s str, RuleId)>,
    required: Vec<&'s str>,
    typed: bool,
    patterns: bool,
    exclusive: (bool, bool),
    unions: Option<Vec<&'s Node>>,
    example: Option<String>,
}

impl<'s> Draft<'s> {
    fn undescribed(&self) -> Vec<&'s str> {
        let described: FxHashSet<&str> = self.fields.iter().map(|(name, _)| *name).collect();
        let names = self.required.iter().copied();
        names.filter(|name| !described.contains(name)).collect()
    }

    fn example(&mut self, example: Option<&Node>) {
        let shown = example.filter(|example| **example != Node::Null);
        self.example = self.example.take().or_else(|| shown.map(Node::to_json));
    }

    fn finish(&mut self, rule: &mut Rule) {
        let mut places: FxHashMap<&str, usize> = FxHashMap::default();
        for (name, id) in &self.fields {
            if let Some(place) = places.get(name) {
                rule.fields[*place].rule = *id;
                continue;
            }
            places.insert(name, rule.fields.len());
            rule.fields.push(Field {
                name: Cow::Owned((*name).to_owned()),
                rule: *id,
                required: false,
                aliases: &[],
                example: None,
            });
        }
        for name in &self.required {
            if let Some(place) = places.get(name) {
                rule.fields[*place].required = true;
            }
        }
        if self.patterns {
            rule.rest = Rest::Declared;
        }
        for (bound, exclusive) in [
            (&mut rule.min, self.exclusive.0),
            (&mut rule.max, self.exclusive.1),
        ] {
            if let Some(bound) = bound {
                bound.exclusive |= exclusive;
            }
        }
        rule.example = self.example.take();
    }
}

/// Words that are no types of JSON Schema make the rule one for any value.
fn add_types(types: &Node, rule: &mut Rule, draft: &mut Draft<'_>) {
    let mut words = Vec::new();
    flatten(types, &mut words, 4);
    if words.is_empty() {
        return;
    }
    let mut known: Vec<Type> = Vec::new();
    for word in &words {
        match type_of_word(word) {
            Some(Type::Null) if words.len() > 1 => rule.nullable = true,
            Some(wanted) if !known.contains(&wanted) => known.push(wanted),
            Some(_) => {}
            None => return,
        }
    }
    if draft.typed {
        let common = |wanted: &Type| match wanted {
            Type::Number if known.contains(&Type::Integer) => Some(Type::Integer),
            Type::Integer if known.contains(&Type::Number) => Some(Type::Integer),
            wanted => known.contains(wanted).then_some(*wanted),
        };
        rule.types = rule.types.iter().filter_map(common).collect();
        rule.never |= rule.types.is_empty();
    } else {
        rule.types = known;
        draft.typed = true;
    }
}

fn flatten<'s>(types: &'s Node, words: &mut Vec<&'s str>, depth: usize) {
    match types {
        Node::String(word) => words.push(word),
        Node::Array(list) if depth > 0 => {
            for inner in list {
                flatten(inner, words, depth - 1);
            }
        }
        _ => {}
    }
}

fn type_of_word(word: &str) -> Option<Type> {
    Some(match word {
        "null" => Type::Null,
        "boolean" => Type::Boolean,
        "integer" => Type::Integer,
        "number" => Type::Number,
        "string" => Type::String,
        "array" => Type::Array,
        "object" => Type::Object,
        _ => return None,
    })
}

fn add_values(values: &[Node], rule: &mut Rule) {
    if rule.values.is_empty() {
        rule.values = values.to_vec();
    } else {
        rule.values
            .retain(|value| values.iter().any(|other| other.same(value)));
    }
}

fn add_bound(keyword: &str, text: &str, rule: &mut Rule) {
    let Some(number) = number::value(text) else {
        return;
    };
    let bound = |exclusive| Some(Bound { number, exclusive });
    let count = match number {
        Number::Int(count) if count < 0 => 0,
        Number::Int(count) => u32::try_from(count).unwrap_or(u32::MAX),
        Number::Float(_) => return float_bound(keyword, bound, rule),
    };
    match keyword {
        "minLength" => rule.length.min = count,
        "maxLength" => rule.length.max = count,
        "minItems" => rule.items.min = count,
        "maxItems" => rule.items.max = count,
        "minProperties" => rule.keys.min = count,
        "maxProperties" => rule.keys.max = count,
        _ => float_bound(keyword, bound, rule),
    }
}

fn float_bound(keyword: &str, bound: impl Fn(bool) -> Option<Bound>, rule: &mut Rule) {
    match keyword {
        "minimum" if rule.min.is_none() => rule.min = bound(false),
        "maximum" if rule.max.is_none() => rule.max = bound(false),
        "exclusiveMinimum" => rule.min = bound(true),
        "exclusiveMaximum" => rule.max = bound(true),
        _ => {}
    }
}

/// The part of the schema that a local reference names.
fn resolve<'s>(root: &'s Node, target: &str) -> Option<&'s Node> {
    let pointer = target.strip_prefix('#')?;
    let mut node = root;
    for step in pointer.split('/').skip(1) {
        let step = step
            .replace("%25", "%")
            .replace("~1", "/")
            .replace("~0", "~");
        node = match node {
            Node::Object(entries) => &entries.iter().find(|(key, _)| *key == step)?.1,
            Node::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    (pointer.is_empty() || pointer.starts_with('/')).then_some(node)
}

fn is_null(schema: &Node) -> bool {
    let value = |keyword: &str| match schema {
        Node::Object(keywords) => keywords.iter().find(|(key, _)| key == keyword),
        _ => None,
    };
    value("type").is_some_and(|(_, word)| word.as_str() == Some("null"))
        || value("const").is_some_and(|(_, value)| *value == Node::Null)
        || value("enum").is_some_and(|(_, values)| *values == Node::Array(vec![Node::Null]))
}

/// Whether a schema says nothing beside its alternatives.
fn is_bare(schema: &Node) -> bool {
    let Node::Object(keywords) = schema else {
        return true;
    };
    keywords.iter().all(|(keyword, _)| {
        matches!(
            keyword.as_str(),
            "anyOf"
                | "oneOf"
                | "title"
                | "description"
                | "default"
                | "examples"
                | "example"
                | "nullable"
                | "discriminator"
                | "$schema"
                | "$id"
                | "$defs"
                | "definitions"
                | "$comment"
                | "deprecated"
        )
    })
}

/// The required key that has other texts in every alternative.
fn tag(rules: &[Rule], id: RuleId) -> Option<Cow<'static, str>> {
    let forms: Vec<&Rule> = rules[id].union.iter().map(|form| &rules[*form]).collect();
    let (first, others) = forms.split_first()?;
    let names = |rule: &Rule, name: &str| -> Option<Vec<Node>> {
        let field = &rule.fields[rule.field(name, 0)?];
        let values = &rules[field.rule].values;
        let texts = values.iter().all(|value| matches!(value, Node::String(_)));
        (field.required && texts && !values.is_empty()).then(|| values.clone())
    };
    first.fields.iter().find_map(|field| {
        let mut seen = names(first, &field.name)?;
        for form in others {
            let more = names(form, &field.name)?;
            if more.iter().any(|value| seen.contains(value)) {
                return None;
            }
            seen.extend(more);
        }
        Some(field.name.clone())
    })
}
