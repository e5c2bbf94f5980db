//! Reads the arguments of `#[tool]` and of the declaring macros.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt;

use super::facts::Item;
use super::tokens::{split_commas, string, value_of};
use super::{BlindSpot, Name, Position, Toolset, Unsorted};

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
pub(super) fn macro_call(name: &str, at: Span, call: &syn::Macro, file: File<'_>) -> Vec<Item> {
    let (tokens, brackets) = (&call.tokens, call.delimiter.span().join());
    match name {
        "toolset" => toolset(at, tokens, file),
        "reserved_tools" => {
            let (names, _) = names(tokens, file);
            let unsorted = unsorted("`reserved_tools!`", &names, brackets);
            let names = names.into_iter().map(Item::Reserved);
            names.chain(unsorted).collect()
        }
        "tools" => unsorted("`tools!`", &paths(tokens, file), brackets)
            .into_iter()
            .collect(),
        "pack" if tokens.is_empty() => vec![Item::Pack(file.position(at))],
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
    let mut out_of_order = Vec::new();
    let mut list = |key: &str| {
        let Some(value) = value(key) else {
            return Vec::new();
        };
        let mut trees = value.into_iter();
        let (names, complete) = match (trees.next(), trees.next()) {
            (Some(TokenTree::Group(group)), None) => {
                let (names, complete) = names(&group.stream(), file);
                let list = format!("`{key}` of toolset `{}`", name.text);
                // The first include that has a tool is the one that the tool is said to come from.
                if key != "includes" {
                    out_of_order.extend(unsorted(&list, &names, group.span()));
                }
                (names, complete)
            }
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
    items.extend(out_of_order);
    items
}

/// The first name that stands too late. A list with comments or empty lines in it has an order of its
/// own.
fn unsorted(list: &str, names: &[Name], brackets: Span) -> Option<Item> {
    let pair = names.windows(2).find(|pair| pair[1].text < pair[0].text)?;
    if !plain(&brackets.source_text()?) {
        return None;
    }
    Some(Item::Unsorted(Unsorted {
        list: list.to_owned(),
        name: pair[1].clone(),
        before: pair[0].text.clone(),
    }))
}

/// Whether there is nothing between the tokens but single line breaks.
fn plain(text: &str) -> bool {
    let mut empty_lines = text.lines().skip(1).filter(|line| line.trim().is_empty());
    !text.contains("//") && !text.contains("/*") && empty_lines.next().is_none()
}

/// The paths between commas, as they are written.
fn paths(tokens: &TokenStream, file: File<'_>) -> Vec<Name> {
    let parts = split_commas(tokens.clone()).into_iter();
    parts
        .filter_map(|part| {
            let first = part.clone().into_iter().next()?;
            let text: String = part.into_iter().map(|tree| tree.to_string()).collect();
            Some(file.name(text, first.span()))
        })
        .collect()
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
