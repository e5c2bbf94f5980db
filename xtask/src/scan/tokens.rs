//! Reading macro arguments token by token.
//!
//! The scan must cope with arguments that it does not know and with those that do not compile, so it
//! looks for what it needs and skips the rest instead of parsing a grammar.

use std::collections::{BTreeSet, HashSet};

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::{Attribute, Lit, Meta};

/// One attribute, or one that `cfg_attr` would apply.
#[derive(Debug)]
pub(crate) struct Applied {
    /// The conditions of `cfg_attr` around it, outermost first.
    pub(crate) cfg: Vec<String>,
    /// Last segment of its path.
    pub(crate) name: String,
    /// What stands in its parentheses, or after its `=`.
    pub(crate) arguments: TokenStream,
}

/// Cuts at the commas that are not inside brackets. A trailing comma adds nothing.
pub(crate) fn split_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = Vec::new();
    let mut part = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Punct(punct) if punct.as_char() == ',' => {
                parts.push(part.drain(..).collect());
            }
            tree => part.push(tree),
        }
    }
    if !part.is_empty() {
        parts.push(part.into_iter().collect());
    }
    parts
}

/// The value of `key = value` or `key: value`, and nothing for other tokens.
pub(crate) fn value_of(part: &TokenStream, key: &str) -> Option<TokenStream> {
    let mut trees = part.clone().into_iter();
    match (trees.next()?, trees.next()?) {
        (TokenTree::Ident(name), TokenTree::Punct(mark))
            if name == key && matches!(mark.as_char(), '=' | ':') =>
        {
            Some(trees.collect())
        }
        _ => None,
    }
}

/// Whether the tokens begin with the word `word`.
pub(crate) fn starts_with(part: &TokenStream, word: &str) -> bool {
    matches!(part.clone().into_iter().next(), Some(TokenTree::Ident(name)) if name == word)
}

/// The text of a single string literal.
pub(crate) fn string(tokens: &TokenStream) -> Option<(String, Span)> {
    let mut trees = tokens.clone().into_iter();
    let (Some(tree), None) = (trees.next(), trees.next()) else {
        return None;
    };
    match tree {
        TokenTree::Literal(literal) => match Lit::new(literal) {
            Lit::Str(text) => Some((text.value(), text.span())),
            _ => None,
        },
        // Literals that come out of another macro are wrapped in an invisible group.
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => string(&group.stream()),
        _ => None,
    }
}

/// The attribute itself, and those that it applies if it is a `cfg_attr`.
pub(crate) fn applied(attribute: &Attribute) -> Vec<Applied> {
    if attribute.path().is_ident("doc") {
        return Vec::new();
    }
    let name = attribute
        .path()
        .segments
        .last()
        .map(|segment| segment.ident.to_string());
    let name = name.unwrap_or_default();
    match &attribute.meta {
        Meta::Path(_) => vec![Applied {
            cfg: Vec::new(),
            name,
            arguments: TokenStream::new(),
        }],
        Meta::List(list) if list.path.is_ident("cfg_attr") => applied_if(list.tokens.clone(), &[]),
        Meta::List(list) => vec![Applied {
            cfg: Vec::new(),
            name,
            arguments: list.tokens.clone(),
        }],
        Meta::NameValue(pair) => {
            let arguments = match &pair.value {
                syn::Expr::Lit(literal) => match &literal.lit {
                    Lit::Str(text) => TokenStream::from(TokenTree::from(text.token())),
                    _ => TokenStream::new(),
                },
                _ => TokenStream::new(),
            };
            vec![Applied {
                cfg: Vec::new(),
                name,
                arguments,
            }]
        }
    }
}

/// The conditions of the `#[cfg(...)]` among these attributes.
pub(crate) fn conditions(attributes: &[Attribute]) -> Vec<String> {
    attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::List(list) if list.path.is_ident("cfg") => Some(source_text(&list.tokens)),
            _ => None,
        })
        .collect()
}

/// Where the tokens write an attribute that looks like `#[tool(...)]`, or call `toolset!`.
pub(crate) fn declares_tools(tokens: &TokenStream) -> Option<Span> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for (index, tree) in trees.iter().enumerate() {
        match (tree, trees.get(index + 1)) {
            (TokenTree::Punct(pound), Some(TokenTree::Group(group)))
                if pound.as_char() == '#' && names_tool(&group.stream()) =>
            {
                return Some(pound.span());
            }
            (TokenTree::Ident(name), Some(TokenTree::Punct(bang)))
                if name == "toolset" && bang.as_char() == '!' =>
            {
                return Some(name.span());
            }
            (TokenTree::Group(group), _) => {
                if let Some(span) = declares_tools(&group.stream()) {
                    return Some(span);
                }
            }
            _ => {}
        }
    }
    None
}

/// Adds those of the `crates` that paths among the tokens begin with.
pub(crate) fn path_starts(
    tokens: TokenStream,
    crates: &HashSet<&str>,
    names: &mut BTreeSet<String>,
) {
    if crates.is_empty() {
        return;
    }
    let mut trees = tokens.into_iter().peekable();
    let mut inside_path = false;
    while let Some(tree) = trees.next() {
        match &tree {
            TokenTree::Ident(name) if !inside_path && trees.peek().is_some_and(starts_colons) => {
                let wanted = crates.iter().find(|wanted| name == **wanted);
                names.extend(wanted.map(|name| (*name).to_owned()));
            }
            TokenTree::Group(group) => path_starts(group.stream(), crates, names),
            _ => {}
        }
        inside_path = matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == ':');
    }
}

/// Adds the string literals among the tokens that could be names.
pub(crate) fn names_in(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => names_in(group.stream(), names),
            TokenTree::Literal(literal) => {
                // A name has no escapes, so that its text is what stands between the quotes.
                let text = literal.to_string();
                let name = text
                    .strip_prefix('"')
                    .and_then(|rest| rest.strip_suffix('"'));
                names.extend(name.filter(|name| is_name(name)).map(str::to_owned));
            }
            _ => {}
        }
    }
}

/// Whether it could be the name of a tool or a toolset.
pub(crate) fn is_name(text: &str) -> bool {
    let letter =
        |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(byte);
    (2..=64).contains(&text.len())
        && text.as_bytes()[0].is_ascii_lowercase()
        && text.as_bytes().iter().all(letter)
}

/// Whether it is the first half of `::`.
fn starts_colons(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(punct)
        if punct.as_char() == ':' && punct.spacing() == Spacing::Joint)
}

/// The tokens as they were written, on one line.
pub(crate) fn source_text(tokens: &TokenStream) -> String {
    let text = tokens
        .span()
        .source_text()
        .unwrap_or_else(|| tokens.to_string());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn applied_if(tokens: TokenStream, outer: &[String]) -> Vec<Applied> {
    let mut parts = split_commas(tokens).into_iter();
    let mut cfg = outer.to_vec();
    cfg.extend(parts.next().map(|condition| source_text(&condition)));
    let mut found = Vec::new();
    for part in parts {
        let mut name = String::new();
        let mut rest = part.into_iter();
        let mut arguments = TokenStream::new();
        for tree in rest.by_ref() {
            match tree {
                TokenTree::Ident(segment) => name = segment.to_string(),
                TokenTree::Group(group) => {
                    arguments = group.stream();
                    break;
                }
                TokenTree::Punct(punct) if punct.as_char() == '=' => {
                    arguments = rest.collect();
                    break;
                }
                _ => {}
            }
        }
        if name == "cfg_attr" {
            found.extend(applied_if(arguments, &cfg));
        } else {
            found.push(Applied {
                cfg: cfg.clone(),
                name,
                arguments,
            });
        }
    }
    found
}

/// Whether the inside of `#[...]` has `tool(...)` in it.
fn names_tool(attribute: &TokenStream) -> bool {
    let trees: Vec<TokenTree> = attribute.clone().into_iter().collect();
    trees
        .iter()
        .enumerate()
        .any(|(index, tree)| match (tree, trees.get(index + 1)) {
            (TokenTree::Ident(name), Some(TokenTree::Group(group))) => {
                let called = group.delimiter() == Delimiter::Parenthesis;
                called && (name == "tool" || name == "cfg_attr" && names_tool(&group.stream()))
            }
            _ => false,
        })
}
