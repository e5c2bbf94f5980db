//! Reads the arguments of `#[tool]` and of the declaring macros.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::Ident;
use syn::ext::IdentExt;

use super::facts::Item;
use super::tokens::{Applied, split_commas, starts_with, string, value_of};
use super::{BlindSpot, Name, Position, Tool, Toolset};

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

    fn literal(self, tokens: &TokenStream) -> Option<Name> {
        string(tokens).map(|(text, span)| self.name(text, span))
    }
}

/// The tool that the attribute makes of the function, if it is ours.
///
/// Other frameworks have an attribute `tool` too. Ours is told by the key `toolset`, which it requires.
pub(super) fn tool(attribute: &Applied, function: &Ident, file: File<'_>) -> Option<Tool> {
    let parts = split_commas(attribute.arguments.clone());
    let literal = |key: &str| {
        parts
            .iter()
            .find_map(|part| value_of(part, key))
            .and_then(|value| file.literal(&value))
    };
    let has = |key: &str| parts.iter().any(|part| starts_with(part, key));
    let toolset = literal("toolset")?;
    let function_name = function.unraw().to_string();
    let name = literal("name").unwrap_or_else(|| file.name(function_name.clone(), function.span()));
    Some(Tool {
        name,
        function: function_name,
        toolset,
        effect: literal("effect").map(|effect| effect.text),
        effect_of: has("effect_of"),
        overrides: has("overrides"),
        attribute: attribute.name.clone(),
    })
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
    items.insert(
        0,
        Item::Toolset(Toolset {
            name,
            tools,
            includes,
            lent,
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
