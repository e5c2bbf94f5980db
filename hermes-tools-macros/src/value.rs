//! Values of keys: reading the literal that a key wants, or saying how it is written.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Expr, ExprLit, Lit, LitStr, Path};

use crate::diagnostics::{EMPTY_LIST, EMPTY_TEXT, GIVEN_TWICE, STRING_EXPECTED, UNKNOWN_VALUE};
use crate::errors::Errors;
use crate::suggest::nearest;

/// The expression without the invisible groups of `macro_rules!` and without parentheses.
pub(crate) fn peel(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => peel(&group.expr),
        Expr::Paren(paren) => peel(&paren.expr),
        expr => expr,
    }
}

/// The literal that the expression is.
pub(crate) fn literal(expr: &Expr) -> Option<&Lit> {
    match peel(expr) {
        Expr::Lit(ExprLit { lit, .. }) => Some(lit),
        _ => None,
    }
}

/// The string literal that the expression is.
pub(crate) fn literal_string(expr: &Expr) -> Option<&LitStr> {
    match literal(expr) {
        Some(Lit::Str(text)) => Some(text),
        _ => None,
    }
}

/// The path that the expression is.
pub(crate) fn path(expr: &Expr) -> Option<&Path> {
    match peel(expr) {
        Expr::Path(path) if path.qself.is_none() && path.attrs.is_empty() => Some(&path.path),
        _ => None,
    }
}

/// A string; anything else is reported.
pub(crate) fn string(expr: &Expr, errors: &mut Errors) -> Option<LitStr> {
    let text = literal_string(expr).cloned();
    if text.is_none() {
        errors.report(expr, STRING_EXPECTED.with(&[&as_string(expr)]));
    }
    text
}

/// A string with something in it; anything else is reported.
pub(crate) fn text(key: &Ident, expr: &Expr, errors: &mut Errors) -> Option<LitStr> {
    let text = string(expr, errors)?;
    if text.value().trim().is_empty() {
        errors.report(&text, EMPTY_TEXT.with(&[key]));
        return None;
    }
    Some(text)
}

/// The elements of `[a, b]`, or the expression itself.
pub(crate) fn one_or_more<'e>(key: &Ident, expr: &'e Expr, errors: &mut Errors) -> Vec<&'e Expr> {
    match peel(expr) {
        Expr::Array(array) => {
            if array.elems.is_empty() {
                errors.report(array, EMPTY_LIST.with(&[key]));
            }
            array.elems.iter().collect()
        }
        one => vec![one],
    }
}

/// A string or a list of different strings.
pub(crate) fn strings(key: &Ident, expr: &Expr, errors: &mut Errors) -> Vec<LitStr> {
    let mut all: Vec<LitStr> = Vec::new();
    for element in one_or_more(key, expr, errors) {
        let Some(text) = string(element, errors) else {
            continue;
        };
        if all.iter().any(|earlier| earlier.value() == text.value()) {
            errors.report(&text, GIVEN_TWICE.with(&[&text.value()]));
        } else {
            all.push(text);
        }
    }
    all
}

/// One of some words; anything else is reported with the nearest word.
pub(crate) fn word<T: Copy>(expr: &Expr, words: &[(&str, T)], errors: &mut Errors) -> Option<T> {
    let written = match literal_string(expr) {
        Some(text) => text.value(),
        None => bare(expr),
    };
    let known = words
        .iter()
        .find(|(word, _)| *word == written && literal_string(expr).is_some());
    if known.is_none() {
        let quoted: Vec<String> = words
            .iter()
            .map(|(word, _)| format!("`\"{word}\"`"))
            .collect();
        let (last, rest) = quoted.split_last()?;
        let nearest = nearest(&written.to_lowercase(), words.iter().map(|(word, _)| *word))
            .map(|near| format!("; did you mean `\"{near}\"`?"))
            .unwrap_or_default();
        let choices = format!("{} or {last}", rest.join(", "));
        errors.report(expr, UNKNOWN_VALUE.with(&[&choices, &nearest]));
    }
    known.map(|(_, value)| *value)
}

/// The expression as the string that was probably meant.
fn as_string(expr: &Expr) -> String {
    let written = bare(expr);
    if written.is_empty() {
        "\"...\"".to_owned()
    } else {
        format!("{written:?}")
    }
}

/// The text of a name or of a literal that is no string; empty for everything else.
fn bare(expr: &Expr) -> String {
    match peel(expr) {
        Expr::Path(path) => path
            .path
            .get_ident()
            .map(ToString::to_string)
            .unwrap_or_default(),
        Expr::Lit(literal) => match &literal.lit {
            Lit::Char(c) => c.value().to_string(),
            Lit::Int(_) | Lit::Float(_) | Lit::Bool(_) => literal.to_token_stream().to_string(),
            _ => String::new(),
        },
        _ => String::new(),
    }
}
