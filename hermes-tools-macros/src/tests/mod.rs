//! The whole way, from source text to what is said or emitted.

mod accepted;
mod documentation;
mod expansion;
mod misuse;
mod page;

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Meta};

use crate::errors::Report;
use crate::tool;

/// The tokens of `#[tool(...)]`, and those of the item without it.
fn split(source: &str) -> (TokenStream, TokenStream) {
    let parts = |input: ParseStream<'_>| {
        let mut attributes = input.call(Attribute::parse_outer)?;
        let index = attributes
            .iter()
            .position(|attribute| attribute.path().is_ident("tool"));
        let attribute = attributes.remove(index.expect("the source has a `#[tool]`"));
        let arguments = match attribute.meta {
            Meta::List(list) => list.tokens,
            _ => TokenStream::new(),
        };
        let rest: TokenStream = input.parse()?;
        Ok((arguments, quote::quote!(#(#attributes)* #rest)))
    };
    parts.parse_str(source).expect("the source is an item")
}

/// What the macro says of the source.
fn reports(source: &str) -> Vec<Report> {
    let (attribute, item) = split(source);
    tool::analyse(attribute, item)
        .err()
        .map(|refused| refused.reports)
        .unwrap_or_default()
}

/// The texts of what the macro says.
fn texts(source: &str) -> Vec<String> {
    reports(source).iter().map(Report::text).collect()
}

/// What the source becomes.
fn expand(source: &str) -> String {
    let (attribute, item) = split(source);
    tool::expand(attribute, item).to_string()
}
