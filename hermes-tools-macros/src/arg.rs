//! The keys of `#[arg(...)]`.

use proc_macro2::{Ident, TokenStream};
use syn::{Expr, LitStr};

use crate::args::TOOL_KEYS;
use crate::bounds::Bounds;
use crate::diagnostics::{ARG_MISPLACED, EXAMPLE_LITERAL, UNKNOWN_ARG_KEY};
use crate::errors::Errors;
use crate::json;
use crate::keys::{Entries, Grammar, Key};
use crate::value::{string, strings, word};

/// The keys that `#[arg(...)]` knows.
pub(crate) const ARG_KEYS: &[Key] = &[
    Key::new("default", "default = 1"),
    Key::new("name", "name = \"path\""),
    Key::new("alias", "alias = \"file\""),
    Key::new("min", "min = 1"),
    Key::new("max", "max = 100"),
    Key::new("len", "len = 1..=64"),
    Key::new("items", "items(min = 1, max = 9)"),
    Key::new("pattern", "pattern = \"^[a-z]+$\""),
    Key::new("format", "format = \"date\""),
    Key::new("values", "values = [\"a\", \"b\"]"),
    Key::new("example", "example = \"src\""),
    Key::new("nullable", "nullable"),
    Key::new("role", "role = \"path\""),
    Key::new("lock", "lock"),
    Key::new("any", "any"),
    Key::new("schemars", "schemars"),
    Key::new("flatten", "flatten"),
];

const GRAMMAR: Grammar = Grammar {
    keys: ARG_KEYS,
    unknown: &UNKNOWN_ARG_KEY,
    elsewhere: TOOL_KEYS,
    misplaced: &ARG_MISPLACED,
    special: &[],
};

const ROLES: &[(&str, &str)] = &[
    ("path", "Path"),
    ("command", "Command"),
    ("code", "Code"),
    ("url", "Url"),
    ("secret", "Secret"),
];

/// What the `#[arg(...)]` attributes of one parameter say.
#[derive(Default)]
pub(crate) struct ArgKeys {
    pub(crate) name: Option<LitStr>,
    pub(crate) aliases: Vec<LitStr>,
    /// The key, to point at, and the expression.
    pub(crate) default: Option<(Ident, Expr)>,
    pub(crate) bounds: Bounds,
    /// Bounds of the items of a list.
    pub(crate) items: Option<Bounds>,
    pub(crate) example: Option<Expr>,
    pub(crate) nullable: bool,
    /// Variant of the runtime's `Role`.
    pub(crate) role: Option<&'static str>,
    pub(crate) lock: bool,
    /// The key, to point at.
    pub(crate) any: Option<Ident>,
    /// The key, to point at. The type is read by serde and described by schemars.
    pub(crate) schemars: Option<Ident>,
    /// Whether the field's type contains the type that it stands in.
    pub(crate) recursive: bool,
    /// The key, to point at. The parameter is all of the arguments.
    pub(crate) flatten: Option<Ident>,
    /// Each key that was given and says something of one argument among others.
    pub(crate) own: Vec<Ident>,
}

impl ArgKeys {
    /// Reads the tokens between the parentheses of each attribute.
    pub(crate) fn read(lists: Vec<TokenStream>, errors: &mut Errors) -> Self {
        Self::read_as(lists, &GRAMMAR, errors)
    }

    /// The same with the keys of another attribute.
    pub(crate) fn read_as(lists: Vec<TokenStream>, grammar: &Grammar, errors: &mut Errors) -> Self {
        let mut entries = Entries::default();
        for tokens in lists {
            entries.read(tokens, grammar, errors);
        }
        let own = entries.given().filter(|key| *key != "flatten").cloned();
        let own = own.collect();
        let aliases = entries
            .value("alias")
            .map(|(key, value)| strings(&key, &value, errors));
        let items = entries
            .list("items")
            .map(|(_, tokens)| Bounds::of_items(tokens, errors));
        Self {
            name: entries
                .value("name")
                .or_else(|| entries.value("rename"))
                .and_then(|(_, value)| string(&value, errors)),
            aliases: aliases.unwrap_or_default(),
            default: entries.value("default"),
            bounds: Bounds::take(&mut entries, errors),
            items,
            example: entries
                .value("example")
                .and_then(|(_, value)| example(value, errors)),
            nullable: entries.flag("nullable").is_some(),
            role: entries
                .value("role")
                .and_then(|(_, value)| word(&value, ROLES, errors)),
            lock: entries.flag("lock").is_some(),
            any: entries.flag("any"),
            schemars: entries.flag("schemars"),
            recursive: entries.flag("recursive").is_some(),
            flatten: entries.flag("flatten"),
            own,
        }
    }
}

fn example(value: Expr, errors: &mut Errors) -> Option<Expr> {
    if json::value(&value).is_none() {
        errors.report(&value, EXAMPLE_LITERAL.with(&[&"example = \"src\""]));
        return None;
    }
    Some(value)
}
