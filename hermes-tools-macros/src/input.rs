//! The item under `#[tool]`: a function whose body is not parsed.
//!
//! The body stays raw tokens, so that a half-typed one costs nothing here, and the compiler reports
//! what is wrong in it at the user's own places.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Signature, Visibility};

use crate::diagnostics::{NO_BODY, NOT_A_FUNCTION};
use crate::errors::Errors;
use crate::strip;

/// A function with an unparsed body.
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    pub(crate) body: TokenStream,
}

/// Reads the item. What is no function is reported, and given back as it can be emitted.
pub(crate) fn read(item: TokenStream, errors: &mut Errors) -> Result<Function, TokenStream> {
    if let Some((span, what)) = other_item(item.clone()) {
        errors.report_at(span, NOT_A_FUNCTION.with(&[&what]));
        return Err(strip::item(item));
    }
    match function.parse2(item.clone()) {
        Ok(function) => {
            if !function.has_body() {
                errors.report(&function.signature.ident, NO_BODY.with(&[]));
            }
            Ok(function)
        }
        Err(error) => {
            errors.syntax(error);
            Err(strip::function(item))
        }
    }
}

impl Function {
    fn has_body(&self) -> bool {
        is_block(self.body.clone())
    }
}

/// Whether the tokens are a block, also one that `macro_rules!` hands on in an invisible group.
fn is_block(tokens: TokenStream) -> bool {
    match tokens.into_iter().next() {
        Some(TokenTree::Group(group)) => match group.delimiter() {
            Delimiter::Brace => true,
            Delimiter::None => is_block(group.stream()),
            _ => false,
        },
        _ => false,
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for attribute in &self.attributes {
            attribute.to_tokens(tokens);
        }
        self.visibility.to_tokens(tokens);
        self.signature.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}

fn function(input: ParseStream<'_>) -> syn::Result<Function> {
    Ok(Function {
        attributes: input.call(Attribute::parse_outer)?,
        visibility: input.parse()?,
        signature: input.parse()?,
        body: input.parse()?,
    })
}

/// What the item is and where it says so, when it is no function.
fn other_item(item: TokenStream) -> Option<(Span, &'static str)> {
    let mut qualifier: Option<(Span, &'static str)> = None;
    for token in item {
        let TokenTree::Ident(word) = token else {
            continue;
        };
        let what = match word.to_string().as_str() {
            "fn" => return None,
            "pub" | "async" | "unsafe" | "safe" | "default" => continue,
            "const" => {
                qualifier = Some((word.span(), "a constant"));
                continue;
            }
            "extern" => {
                qualifier = Some((word.span(), "an `extern` block"));
                continue;
            }
            "struct" => "a struct",
            "enum" => "an enum",
            "union" => "a union",
            "trait" => "a trait",
            "impl" => "an `impl` block",
            "mod" => "a module",
            "static" => "a static",
            "type" => "a type alias",
            "use" => "an import",
            _ => return Some(qualifier.unwrap_or((word.span(), "this"))),
        };
        return Some((word.span(), what));
    }
    qualifier
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    fn what(item: TokenStream) -> Option<&'static str> {
        other_item(item).map(|(_, what)| what)
    }

    #[test]
    fn functions_are_told_from_other_items() {
        for function in [
            quote!(
                #[doc = "struct"]
                pub(crate) async fn f() {}
            ),
            quote!(
                const unsafe extern "C" fn f() {}
            ),
            quote!(fn f(struct)),
        ] {
            assert_eq!(what(function), None);
        }
        assert_eq!(
            what(quote!(
                #[derive(Debug)]
                pub struct F;
            )),
            Some("a struct")
        );
        assert_eq!(
            what(quote!(
                unsafe impl F for G {}
            )),
            Some("an `impl` block")
        );
        assert_eq!(
            what(quote!(
                const F: fn() = f;
            )),
            Some("a constant")
        );
        assert_eq!(
            what(quote!(
                extern "C" {
                    fn f();
                }
            )),
            Some("an `extern` block")
        );
        assert_eq!(
            what(quote!(
                extern crate core;
            )),
            Some("an `extern` block")
        );
        assert_eq!(what(quote!(make_tool!(f);)), Some("this"));
    }

    #[test]
    fn a_half_typed_body_is_kept_as_it_is() {
        let item = quote!(pub fn f() -> String { let x = ; x. });
        let mut errors = Errors::new();
        let function = read(item.clone(), &mut errors).ok().unwrap();
        assert!(errors.finish().is_ok());
        assert_eq!(function.to_token_stream().to_string(), item.to_string());
    }

    #[test]
    fn a_broken_signature_is_reported_and_given_back() {
        let mut errors = Errors::new();
        let stripped = read(quote!(fn f(#[ctx] x: ) {}), &mut errors)
            .err()
            .unwrap();
        assert_eq!(stripped.to_string(), quote!(fn f(x: ) {}).to_string());
        assert_eq!(errors.finish().unwrap_err().len(), 1);
    }
}
