//! Reads the arguments of `#[tool]` and of the declaring macros.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt;

use super::facts::Item;
use super::tokens::{split_commas, string, value_of};
use super::{BlindSpot, Name, Position, Toolset};

/// Makes positions in one file.
#[derive(Debug, Clone, Copy)]
pub(super) struct File<'a>(pub(super) &'a str);

impl File<'_> {
    pub(super) fn position(self, span: Span) -> Position {
        let start = span.start();
        Position {
            file: self.0.to_owned(),
            line: start.line,
            column: start.column + 1,
        }
    }

    pub(super) fn name(self, text: String, span: Span) -> Name {
        Name {
            text,
            position: self.position(span),
        }
    }

    pub(super) fn literal(self, tokens: &TokenStream) -> Option<Name> {
        string(tokens).map(|(text, span)| self.name(text, span))
    }
}

/// What a call of one of our macros declares. Nothing for other macros.
pub(super) fn macro_call(
    name: &str,
    call: Span,
    tokens: &TokenStream,
    file: File<'_>,
) -> Vec<Item> {
    match name {
        "toolset" => toolset(call, tokens, file),
        "reserved_tools" => names(tokens, file)
            .0
            .into_iter()
            .map(Item::Reserved)
            .collect(),
        "pack" if tokens.is_empty() => vec![Item::Pack(file.position(call))],
        "link" => first_segments(tokens, file)
            .into_iter()
            .map(Item::Link)
            .collect(),
        _ => Vec::new(),
    }
}

fn toolset(call: Span, tokens: &TokenStream, file: File<'_>) -> Vec<Item> {
    let blind = |reason: String| {
        Item::BlindSpot(BlindSpot {
            position: file.position(call),
            reason,
        })
    };
    let parts = split_commas(tokens.clone());
    let value = |key: &str| parts.iter().find_map(|part| value_of(part, key));
    let Some(name) = value("name").and_then(|name| file.literal(&name)) else {
        return vec![blind("`toolset!` without a literal `name`".to_owned())];
    };
    let mut items = Vec::new();
    let mut list = |key: &str| {
        let Some(value) = value(key) else {
            return Vec::new();
        };
        let mut trees = value.into_iter();
        let (names, complete) = match (trees.next(), trees.next()) {
            (Some(TokenTree::Group(group)), None) => names(&group.stream(), file),
            _ => (Vec::new(), false),
        };
        if !complete {
            let reason = format!(
                "`{key}` of toolset `{}` is not a list of literals",
                name.text
            );
            items.push(blind(reason));
        }
        names
    };
    let (tools, includes, lent) = (list("tools"), list("includes"), list("lent"));
    let complete = items.is_empty();
    // `Effect::Read`, whatever stands before it.
    let max_effect = value("max_effect").and_then(|effect| match effect.into_iter().last() {
        Some(TokenTree::Ident(effect)) => Some(effect.to_string().to_lowercase()),
        _ => None,
    });
    let core = value("core").is_some_and(|value| value.to_string() == "true");
    items.insert(
        0,
        Item::Toolset(Toolset {
            name,
            tools,
            includes,
            lent,
            max_effect,
            core,
            complete,
        }),
    );
    items
}

/// The string literals between commas, and whether there was nothing else.
fn names(tokens: &TokenStream, file: File<'_>) -> (Vec<Name>, bool) {
    let parts = split_commas(tokens.clone());
    let names: Vec<Name> = parts.iter().filter_map(|part| file.literal(part)).collect();
    let complete = names.len() == parts.len();
    (names, complete)
}

fn first_segments(tokens: &TokenStream, file: File<'_>) -> Vec<Name> {
    split_commas(tokens.clone())
        .into_iter()
        .filter_map(|part| {
            part.into_iter().find_map(|tree| match tree {
                TokenTree::Ident(name) => Some(file.name(name.unraw().to_string(), name.span())),
                _ => None,
            })
        })
        .collect()
}
