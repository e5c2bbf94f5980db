//! Bounds of an argument's value, or of the items of a list.

use proc_macro2::{Ident, TokenStream};
use syn::{Expr, Lit, LitStr, RangeLimits};

use crate::diagnostics::{FORMAT, ITEMS_KEY, LENGTH_FORM, LENGTH_REVERSED, NUMBER_EXPECTED};
use crate::errors::Errors;
use crate::keys::{Entries, Grammar, Key};
use crate::number::Number;
use crate::suggest::{choices, nearest};
use crate::value::{literal, peel, string, strings, text};

/// The keys that `items(...)` knows.
const ITEM_KEYS: &[Key] = &[
    Key::new("min", "min = 1"),
    Key::new("max", "max = 100"),
    Key::new("len", "len = 1..=64"),
    Key::new("pattern", "pattern = \"^[a-z]+$\""),
    Key::new("format", "format = \"date\""),
    Key::new("values", "values = [\"a\", \"b\"]"),
];

const GRAMMAR: Grammar = Grammar {
    keys: ITEM_KEYS,
    unknown: &ITEMS_KEY,
    elsewhere: &[],
    misplaced: &ITEMS_KEY,
    special: &[],
};

/// The formats of JSON Schema for text.
const FORMATS: [&str; 12] = [
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "regex",
    "time",
    "uri",
    "uri-reference",
    "uuid",
];

/// What values are allowed.
#[derive(Default)]
pub(crate) struct Bounds {
    pub(crate) min: Option<Number>,
    pub(crate) max: Option<Number>,
    pub(crate) length: Option<Length>,
    pub(crate) values: Vec<LitStr>,
    pub(crate) pattern: Option<LitStr>,
    pub(crate) format: Option<LitStr>,
}

/// Fewest and most characters or items.
pub(crate) struct Length {
    pub(crate) min: u32,
    /// `u32::MAX` is no limit.
    pub(crate) max: u32,
}

impl Bounds {
    /// Takes the keys of bounds out of the entries of an attribute.
    pub(crate) fn take(entries: &mut Entries, errors: &mut Errors) -> Self {
        let values = entries
            .value("values")
            .map(|(key, value)| strings(&key, &value, errors));
        Self {
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
            pattern: entries
                .value("pattern")
                .and_then(|(key, value)| text(&key, &value, errors)),
            format: entries
                .value("format")
                .and_then(|(_, value)| format(&value, errors)),
        }
    }

    /// Reads what stands between the parentheses of `items(...)`.
    pub(crate) fn of_items(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut entries = Entries::default();
        entries.read(tokens, &GRAMMAR, errors);
        Self::take(&mut entries, errors)
    }
}

fn format(value: &Expr, errors: &mut Errors) -> Option<LitStr> {
    let format = string(value, errors)?;
    let word = format.value();
    if FORMATS.contains(&word.as_str()) {
        return Some(format);
    }
    let advice = match nearest(&word, FORMATS) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the known ones are {}", choices(FORMATS)),
    };
    errors.report(&format, FORMAT.with(&[&word, &advice]));
    None
}

fn number(key: &Ident, value: &Expr, errors: &mut Errors) -> Option<Number> {
    let number = Number::read(value);
    if number.is_none() {
        errors.report(value, NUMBER_EXPECTED.with(&[&format!("{key} = 1")]));
    }
    number
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
