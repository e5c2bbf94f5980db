//! The keys of `#[arg(...)]`.

use proc_macro2::{Ident, TokenStream};
use syn::{Expr, Lit, LitStr, RangeLimits};

use crate::args::TOOL_KEYS;
use crate::diagnostics::{
    ARG_MISPLACED, EXAMPLE_LITERAL, LENGTH_FORM, LENGTH_REVERSED, NUMBER_EXPECTED, UNKNOWN_ARG_KEY,
};
use crate::errors::Errors;
use crate::json;
use crate::keys::{Entries, Grammar, Key};
use crate::number::Number;
use crate::value::{literal, peel, string, strings, word};

/// The keys that `#[arg(...)]` knows.
pub(crate) const ARG_KEYS: &[Key] = &[
    Key::new("default", "default = 1"),
    Key::new("name", "name = \"path\""),
    Key::new("alias", "alias = \"file\""),
    Key::new("min", "min = 1"),
    Key::new("max", "max = 100"),
    Key::new("len", "len = 1..=64"),
    Key::new("values", "values = [\"a\", \"b\"]"),
    Key::new("example", "example = \"src\""),
    Key::new("nullable", "nullable"),
    Key::new("role", "role = \"path\""),
    Key::new("lock", "lock"),
];

const GRAMMAR: Grammar = Grammar {
    keys: ARG_KEYS,
    unknown: &UNKNOWN_ARG_KEY,
    elsewhere: TOOL_KEYS,
    misplaced: &ARG_MISPLACED,
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
    pub(crate) min: Option<Number>,
    pub(crate) max: Option<Number>,
    pub(crate) length: Option<Length>,
    pub(crate) values: Vec<LitStr>,
    pub(crate) example: Option<Expr>,
    pub(crate) nullable: bool,
    /// Variant of the runtime's `Role`.
    pub(crate) role: Option<&'static str>,
    pub(crate) lock: bool,
}

/// Fewest and most characters or items.
pub(crate) struct Length {
    pub(crate) min: u32,
    /// `u32::MAX` is no limit.
    pub(crate) max: u32,
}

impl ArgKeys {
    /// Reads the tokens between the parentheses of each attribute.
    pub(crate) fn read(lists: Vec<TokenStream>, errors: &mut Errors) -> Self {
        let mut entries = Entries::default();
        for tokens in lists {
            entries.read(tokens, &GRAMMAR, errors);
        }
        let aliases = entries
            .value("alias")
            .map(|(key, value)| strings(&key, &value, errors));
        let values = entries
            .value("values")
            .map(|(key, value)| strings(&key, &value, errors));
        Self {
            name: entries
                .value("name")
                .and_then(|(_, value)| string(&value, errors)),
            aliases: aliases.unwrap_or_default(),
            default: entries.value("default"),
            min: entries
                .value("min")
                .and_then(|(key, value)| number(&key, &value, errors)),
            max: entries
                .value("max")
                .and_then(|(key, value)| number(&key, &value, errors)),
            length: entries
                .value("len")
                .and_then(|(_, value)| length(&value, errors)),
            values: values.unwrap_or_default(),
            example: entries
                .value("example")
                .and_then(|(_, value)| example(value, errors)),
            nullable: entries.flag("nullable").is_some(),
            role: entries
                .value("role")
                .and_then(|(_, value)| word(&value, ROLES, errors)),
            lock: entries.flag("lock").is_some(),
        }
    }
}

fn number(key: &Ident, value: &Expr, errors: &mut Errors) -> Option<Number> {
    let number = Number::read(value);
    if number.is_none() {
        errors.report(value, NUMBER_EXPECTED.with(&[&format!("{key} = 1")]));
    }
    number
}

fn example(value: Expr, errors: &mut Errors) -> Option<Expr> {
    if json::value(&value).is_none() {
        errors.report(&value, EXAMPLE_LITERAL.with(&[&"example = \"src\""]));
        return None;
    }
    Some(value)
}

fn length(value: &Expr, errors: &mut Errors) -> Option<Length> {
    let Some(length) = written_length(value) else {
        errors.report(value, LENGTH_FORM.with(&[]));
        return None;
    };
    if length.min > length.max {
        errors.report(value, LENGTH_REVERSED.with(&[&length.min, &length.max]));
        return None;
    }
    Some(length)
}

fn written_length(value: &Expr) -> Option<Length> {
    let Expr::Range(range) = peel(value) else {
        let exact = count(value)?;
        return Some(Length {
            min: exact,
            max: exact,
        });
    };
    let min = range.start.as_deref().map(count);
    let max = range.end.as_deref().map(count);
    match (min, &range.limits, max) {
        (Some(min), RangeLimits::HalfOpen(_), None) => Some(Length {
            min: min?,
            max: u32::MAX,
        }),
        (None, RangeLimits::Closed(_), Some(max)) => Some(Length { min: 0, max: max? }),
        (Some(min), RangeLimits::Closed(_), Some(max)) => Some(Length {
            min: min?,
            max: max?,
        }),
        _ => None,
    }
}

fn count(expr: &Expr) -> Option<u32> {
    match literal(expr)? {
        Lit::Int(number) => number.base10_parse().ok(),
        _ => None,
    }
}
