//! What arguments must look like, in one form for every kind of tool.
//!
//! A typed tool says it in constants ([`Schema`]), a tool made at run time or on an MCP server in
//! JSON Schema. Both are compiled to the same rules, so that there is one way of fitting.

mod compile;
mod example;
mod params;
mod words;

use std::borrow::Cow;
use std::sync::OnceLock;

pub(super) use self::words::one_of;
use rustc_hash::FxHashSet;

use super::repair::KnownKeys;
use super::{Node, SyntaxError};
use crate::names;
use crate::param::Param;
use crate::schema::{Number, Schema};

/// A JSON Schema of a tool's arguments, compiled for decoding.
///
/// Understood are `type` (also a list), `nullable`, `enum`, `const`, `properties`, `required`,
/// `additionalProperties`, `items`, `prefixItems`, the bounds of numbers, lengths and sizes,
/// `uniqueItems`, `anyOf`, `oneOf`, `allOf` and local `$ref`. `pattern`, `format`, `multipleOf`,
/// `not`, `if` and `patternProperties` are left to the tool. What is no schema (a word, a list, an
/// unknown type) asks for nothing.
///
/// ```
/// use hermes_tools::args::{JsonSchema, RawArguments};
///
/// let schema = JsonSchema::parse(r#"{"properties": {"limit": {"type": "integer"}}}"#)?;
/// let decoded = schema.decode(RawArguments::new("```json\n{'limit': '5',}\n```"))?;
/// assert_eq!(decoded.arguments.to_json(), r#"{"limit":5}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct JsonSchema {
    rules: Vec<Rule>,
    /// The keys that damaged text is read by, made when there is some first.
    keys: OnceLock<KnownKeys>,
}

/// The number of a rule in its schema. Rules refer to each other by number, so that they may form
/// circles.
pub(super) type RuleId = usize;

/// The rule of the arguments as a whole.
pub(super) const ROOT: RuleId = 0;

/// A type of JSON values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

/// What one value must look like.
#[derive(Debug, Clone, Default)]
pub(super) struct Rule {
    /// The types in their order; empty for any.
    pub(super) types: Vec<Type>,
    /// Whether null is a value beside those of the types.
    pub(super) nullable: bool,
    /// Nothing fits.
    pub(super) never: bool,
    /// The only values, when there are some.
    pub(super) values: Vec<Node>,
    /// Further spellings of the values, each with the value that it means.
    pub(super) aliases: Vec<(&'static str, &'static str)>,
    /// A regular expression that a text must match somewhere.
    pub(super) pattern: Option<&'static str>,
    pub(super) min: Option<Bound>,
    pub(super) max: Option<Bound>,
    /// Characters of a text.
    pub(super) length: Size,
    /// Items of a list.
    pub(super) items: Size,
    /// Keys of an object.
    pub(super) keys: Size,
    pub(super) unique: bool,
    /// The rules of the first items of a list, one each.
    pub(super) first: Vec<RuleId>,
    /// The rule of the items after those.
    pub(super) each: Option<RuleId>,
    pub(super) fields: Vec<Field>,
    /// The places of the fields in the order of their names, where there are many.
    pub(super) places: Vec<usize>,
    /// Keys beside those of the fields.
    pub(super) rest: Rest,
    /// The alternatives; the rest of the rule is empty then, but for `nullable` and `tag`.
    pub(super) union: Vec<RuleId>,
    /// The key whose text tells the alternatives apart.
    pub(super) tag: Option<Cow<'static, str>>,
    /// A value to show, as JSON text.
    pub(super) example: Option<String>,
}

/// One key of an object.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) name: Cow<'static, str>,
    pub(super) rule: RuleId,
    pub(super) required: bool,
    pub(super) aliases: &'static [&'static str],
    pub(super) example: Option<&'static str>,
}

/// What becomes of keys that are no fields.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Rest {
    /// They pass; the schema says nothing of them.
    #[default]
    Open,
    /// They pass; the schema says that there are some.
    Declared,
    /// A slip of the pen is refused, everything else dropped.
    Closed,
    /// Their values fit this rule.
    Each(RuleId),
}

/// The smallest or largest number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bound {
    pub(super) number: Number,
    /// Whether the number itself is out.
    pub(super) exclusive: bool,
}

/// The smallest and the largest size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) min: u32,
    pub(super) max: u32,
}

impl Default for Size {
    fn default() -> Self {
        Self {
            min: 0,
            max: u32::MAX,
        }
    }
}

impl Size {
    pub(super) fn holds(self, count: usize) -> bool {
        count >= self.min as usize && count <= self.max as usize
    }
}

impl Rule {
    /// The place of a field. Models send keys in the order of the schema nearly always, so `next`
    /// is tried first.
    pub(super) fn field(&self, name: &str, next: usize) -> Option<usize> {
        if self
            .fields
            .get(next)
            .is_some_and(|field| field.name == name)
        {
            return Some(next);
        }
        if self.places.is_empty() {
            self.fields.iter().position(|field| field.name == name)
        } else {
            let by_name = |at: &usize| (*self.fields[*at].name).cmp(name);
            let found = self.places.binary_search_by(by_name);
            found.ok().map(|index| self.places[index])
        }
    }

    /// Whether a value of this type may stand here.
    pub(super) fn takes(&self, wanted: Type) -> bool {
        self.types.is_empty() || self.types.contains(&wanted)
    }

    /// Notes where the fields stand, once they are complete.
    fn index(&mut self) {
        if self.fields.len() > 8 {
            let sorted = names::sorted(self.fields.iter().map(|field| &*field.name));
            self.places = sorted.into_iter().map(|(_, at)| at).collect();
        }
    }
}

impl JsonSchema {
    /// Reads a schema from JSON text.
    ///
    /// # Errors
    ///
    /// The text is not JSON. A schema that makes no sense is none: it asks for nothing.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let (node, _) = super::parse::parse(text)?;
        Ok(Self::from_node(&node))
    }

    /// Compiles a schema.
    pub fn from_node(schema: &Node) -> Self {
        compile::compile(schema)
    }

    /// Compiles a schema that is a value of `serde_json`.
    pub fn from_value(schema: &serde_json::Value) -> Self {
        compile::compile(&Node::from(schema))
    }

    /// Compiles the parameters of a typed tool. Keys that are no parameters are refused or dropped.
    pub fn of(params: &[Param]) -> Self {
        params::of(params)
    }

    /// Compiles one schema of constants.
    pub fn of_schema(schema: &Schema) -> Self {
        params::of_schema(schema)
    }

    fn of_rules(rules: Vec<Rule>) -> Self {
        Self {
            rules,
            keys: OnceLock::new(),
        }
    }

    pub(super) fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id]
    }

    /// The keys that the arguments and the objects in them have; none where there are
    /// objects with keys of any name, so that nothing can be said.
    pub(super) fn known_keys(&self) -> &KnownKeys {
        self.keys.get_or_init(|| {
            let root = self.rule(ROOT);
            KnownKeys {
                outermost: if root.union.is_empty() {
                    keys_of(std::iter::once(root))
                } else {
                    None
                },
                all: keys_of(self.rules.iter()),
            }
        })
    }
}

fn keys_of<'r>(rules: impl Iterator<Item = &'r Rule>) -> Option<FxHashSet<String>> {
    let mut known = FxHashSet::default();
    for rule in rules {
        let object = rule.union.is_empty() && rule.takes(Type::Object);
        let free = rule.fields.is_empty() && rule.rest != Rest::Closed;
        if object && (free || matches!(rule.rest, Rest::Declared | Rest::Each(_))) {
            return None;
        }
        for field in &rule.fields {
            known.insert(field.name.clone().into_owned());
            known.insert(names::fold(&field.name));
            known.extend(field.aliases.iter().map(|alias| names::fold(alias)));
        }
    }
    Some(known)
}
