//! Taking our helper attributes off parameters.
//!
//! `#[arg]`, `#[ctx]` and doc comments may stand on a parameter only as long as an attribute macro
//! removes them. They are removed even from what could not be parsed, since each one left behind
//! would be an error of its own.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::Attribute;

/// The attributes of a parameter that are ours, taken out of its list.
pub(crate) fn take_helpers(attributes: &mut Vec<Attribute>) -> Vec<Attribute> {
    attributes
        .extract_if(.., |attribute| is_helper(attribute))
        .collect()
}

/// A function that could not be parsed, without the helpers of its parameters.
pub(crate) fn function(tokens: TokenStream) -> TokenStream {
    parameters(tokens, false)
}

/// Another item, without the helpers in the functions inside it. An item with tools of its own
/// is left alone: their helpers are still needed.
pub(crate) fn item(tokens: TokenStream) -> TokenStream {
    if has_tool(tokens.clone()) {
        tokens
    } else {
        parameters(tokens, true)
    }
}

fn is_helper(attribute: &Attribute) -> bool {
    ["doc", "arg", "ctx"]
        .iter()
        .any(|name| attribute.path().is_ident(name))
}

/// The tokens with clean parameter lists, also `inside` of braces.
fn parameters(tokens: TokenStream, inside: bool) -> TokenStream {
    let mut in_signature = false;
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(word) => {
                in_signature |= word == "fn";
                word.into()
            }
            TokenTree::Group(group) => match group.delimiter() {
                Delimiter::Parenthesis if std::mem::take(&mut in_signature) => {
                    let list = without_helpers(group.stream());
                    regroup(&group, list)
                }
                Delimiter::Brace if inside => {
                    let body = parameters(group.stream(), inside);
                    regroup(&group, body)
                }
                _ => group.into(),
            },
            token => token,
        })
        .collect()
}

fn without_helpers(list: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in list {
        let after_hash =
            matches!(kept.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '#');
        match &token {
            TokenTree::Group(group) if after_hash && is_helper_group(group) => {
                kept.pop();
            }
            _ => kept.push(token),
        }
    }
    kept.into_iter().collect()
}

fn is_helper_group(group: &Group) -> bool {
    let first = group.stream().into_iter().next();
    group.delimiter() == Delimiter::Bracket
        && matches!(first, Some(TokenTree::Ident(name)) if name == "doc" || name == "arg" || name == "ctx")
}

/// Whether there is an attribute `tool`, under any path, at any depth.
fn has_tool(tokens: TokenStream) -> bool {
    let mut after_hash = false;
    tokens.into_iter().any(|token| {
        let is_attribute = std::mem::replace(
            &mut after_hash,
            matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#'),
        );
        let TokenTree::Group(group) = token else {
            return false;
        };
        let is_tool = |token| matches!(token, TokenTree::Ident(name) if name == "tool");
        (is_attribute && group.stream().into_iter().any(is_tool)) || has_tool(group.stream())
    })
}

fn regroup(group: &Group, stream: TokenStream) -> TokenTree {
    let mut rewritten = Group::new(group.delimiter(), stream);
    rewritten.set_span(group.span());
    rewritten.into()
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn helpers_of_a_broken_signature_are_removed() {
        let broken = quote! {
            fn read(#[doc = " The path."] #[arg(min = 1)] #[allow(unused)] path: , #[ctx] x: X) { fn g(#[arg] a: u8) {} }
        };
        let clean = quote! {
            fn read(#[allow(unused)] path: , x: X) { fn g(#[arg] a: u8) {} }
        };
        assert_eq!(function(broken).to_string(), clean.to_string());
    }

    #[test]
    fn helpers_inside_other_items_are_removed() {
        let methods = quote!(impl Files { fn read(&self, #[arg(min = 1)] line: u32) {} });
        let clean = quote!(impl Files { fn read(&self, line: u32) {} });
        assert_eq!(item(methods).to_string(), clean.to_string());
    }

    #[test]
    fn items_with_tools_of_their_own_are_left_alone() {
        let module = quote!(
            mod files {
                #[hermes_tools::tool(toolset = "file")]
                fn read(#[ctx] x: X) {}
            }
        );
        assert_eq!(item(module.clone()).to_string(), module.to_string());
    }

    #[test]
    fn helpers_are_taken_and_lints_stay() {
        let mut attributes: Vec<Attribute> = vec![
            syn::parse_quote!(#[doc = "x"]),
            syn::parse_quote!(#[expect(unused)]),
            syn::parse_quote!(#[ctx]),
        ];
        assert_eq!(take_helpers(&mut attributes).len(), 2);
        assert_eq!(attributes.len(), 1);
    }
}
