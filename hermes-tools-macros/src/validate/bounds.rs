//! Bounds of an argument, among each other and against its default and example.

use std::cmp::Ordering;

use syn::{Expr, LitStr};

use crate::arg::ArgKeys;
use crate::bounds::{Bounds, Length};
use crate::diagnostics::{
    ABOVE_MAXIMUM, BELOW_MINIMUM, LENGTH_OUTSIDE, MINIMUM_ABOVE, NOT_A_VALUE,
};
use crate::errors::Errors;
use crate::number::Number;
use crate::suggest::choices;
use crate::value::literal_string;

/// Checks what can be known of literals; other expressions are checked when they run.
pub(crate) fn check(keys: &ArgKeys, errors: &mut Errors) {
    if let Some(items) = &keys.items {
        order(items, errors);
    }
    if !order(&keys.bounds, errors) {
        return;
    }
    if let Some((_, default)) = &keys.default {
        value("default", default, keys, errors);
    }
    if let Some(example) = &keys.example {
        value("example", example, keys, errors);
    }
}

/// Whether some number fits both ends.
fn order(bounds: &Bounds, errors: &mut Errors) -> bool {
    if let (Some(min), Some(max)) = (&bounds.min, &bounds.max)
        && min.order(max) == Ordering::Greater
    {
        for place in [min, max] {
            errors.report(place, MINIMUM_ABOVE.with(&[&min.json(), &max.json()]));
        }
        return false;
    }
    true
}

fn value(key: &str, value: &Expr, keys: &ArgKeys, errors: &mut Errors) {
    let keys = &keys.bounds;
    if let Some(number) = Number::read(value) {
        in_range(key, &number, keys, errors);
    }
    if let Some(literal) = literal_string(value) {
        let text = literal.value();
        if !keys.values.is_empty() && !keys.values.iter().any(|known| known.value() == text) {
            let known: Vec<String> = keys.values.iter().map(LitStr::value).collect();
            let choices = choices(known.iter().map(String::as_str));
            errors.report(literal, NOT_A_VALUE.with(&[&key, &text, &choices]));
        }
        let count = text.chars().count();
        if let Some(length) = &keys.length
            && !length.allows(count)
        {
            errors.report(
                literal,
                LENGTH_OUTSIDE.with(&[&key, &count, &length.range()]),
            );
        }
    }
}

fn in_range(key: &str, number: &Number, keys: &Bounds, errors: &mut Errors) {
    if let Some(min) = &keys.min
        && number.order(min) == Ordering::Less
    {
        errors.report(
            number,
            BELOW_MINIMUM.with(&[&key, &number.json(), &min.json()]),
        );
    }
    if let Some(max) = &keys.max
        && number.order(max) == Ordering::Greater
    {
        errors.report(
            number,
            ABOVE_MAXIMUM.with(&[&key, &number.json(), &max.json()]),
        );
    }
}

impl Length {
    fn allows(&self, count: usize) -> bool {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        (self.min..=self.max).contains(&count)
    }

    /// The range for people.
    fn range(&self) -> String {
        match (self.min, self.max) {
            (min, max) if min == max => min.to_string(),
            (min, u32::MAX) => format!("{min} or more"),
            (min, max) => format!("{min} to {max}"),
        }
    }
}
