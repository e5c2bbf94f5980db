//! Questions about types that can be answered by their syntax.
//!
//! An alias hides the answer, so nothing that a correct tool needs depends on one: they lead to
//! clearer messages, and an alias gets the compiler's own.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericArgument, PathArguments, PathSegment, Type, TypeReference};

/// The type without invisible groups and parentheses.
pub(crate) fn peel(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => peel(&group.elem),
        Type::Paren(paren) => peel(&paren.elem),
        ty => ty,
    }
}

/// Whether the type is written as an `Option`.
pub(crate) fn is_option(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|segment| segment.ident == "Option")
}

/// Whether the type is one of the language's numbers, `bool` or `char`.
pub(crate) fn is_primitive(ty: &Type) -> bool {
    const PRIMITIVES: [&str; 16] = [
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16",
        "u32", "u64", "u128", "usize",
    ];
    last_segment(ty).is_some_and(|segment| PRIMITIVES.iter().any(|name| segment.ident == name))
}

/// Whether the type is known by its name to be text, one of the language's own, or a list or option of
/// those, so that nobody has to ask whether it takes any value.
pub(crate) fn may_not_be_any(ty: &Type) -> bool {
    const TEXT: [&str; 3] = ["String", "PathBuf", "Duration"];
    let named = last_segment(ty).is_some_and(|segment| {
        if segment.ident == "Option" || segment.ident == "Vec" {
            return type_arguments(segment).next().is_some_and(may_not_be_any);
        }
        TEXT.iter().any(|name| segment.ident == name)
    });
    named || is_primitive(ty)
}

/// Whether the type is `()`.
pub(crate) fn is_unit(ty: &Type) -> bool {
    matches!(peel(ty), Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// The reference that the type is.
pub(crate) fn reference(ty: &Type) -> Option<&TypeReference> {
    match peel(ty) {
        Type::Reference(reference) => Some(reference),
        _ => None,
    }
}

/// Whether the type is written as `String`.
pub(crate) fn is_text(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|segment| segment.ident == "String")
}

/// Whether the type is written as `String`, text, or a `Result` of those.
pub(crate) fn is_text_result(ty: &Type) -> bool {
    match peel(ty) {
        Type::Reference(reference) => is_text_result(&reference.elem),
        ty => last_segment(ty).is_some_and(|segment| {
            if segment.ident == "Result" {
                type_arguments(segment).next().is_some_and(is_text_result)
            } else {
                segment.ident == "String" || segment.ident == "str"
            }
        }),
    }
}

/// Whether the type names this one.
pub(crate) fn mentions(ty: &Type, name: &Ident) -> bool {
    has_word(ty, &name.to_string())
}

/// Whether the type is this name alone.
pub(crate) fn is_named(ty: &Type, name: &Ident) -> bool {
    matches!(peel(ty), Type::Path(path) if path.qself.is_none() && path.path.is_ident(name))
}

/// Whether `Self` stands in the tokens, at any depth.
pub(crate) fn has_self(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == "Self",
        TokenTree::Group(group) => has_self(group.stream()),
        _ => false,
    })
}

/// The tokens with this name in place of `Self`.
pub(crate) fn named_self(tokens: TokenStream, name: &TokenStream) -> TokenStream {
    let named = |token| match token {
        TokenTree::Ident(word) if word == "Self" => {
            let at = |mut token: TokenTree| {
                token.set_span(word.span());
                token
            };
            name.clone().into_iter().map(at).collect()
        }
        TokenTree::Group(group) => {
            let mut inside = Group::new(group.delimiter(), named_self(group.stream(), name));
            inside.set_span(group.span());
            TokenTree::from(inside).into()
        }
        token => TokenStream::from(token),
    };
    tokens.into_iter().flat_map(named).collect()
}

/// The error type of a `Result`, when it is written and is nothing but text.
pub(crate) fn text_error(ty: &Type) -> Option<&Type> {
    let segment = last_segment(ty).filter(|segment| segment.ident == "Result")?;
    let error = type_arguments(segment).nth(1)?;
    let named = match peel(error) {
        Type::Reference(reference) => last_segment(&reference.elem)?,
        ty => last_segment(ty)?,
    };
    (named.ident == "String" || named.ident == "str").then_some(error)
}

/// Whether a value of the type is a future, so that a plain function of it should be `async`.
pub(crate) fn is_future(ty: &Type) -> bool {
    match peel(ty) {
        Type::ImplTrait(_) | Type::TraitObject(_) => has_word(ty, "Future"),
        ty => last_segment(ty).is_some_and(|segment| match segment.ident.to_string().as_str() {
            "BoxFuture" | "LocalBoxFuture" => true,
            "Pin" | "Box" => type_arguments(segment).any(is_future),
            _ => false,
        }),
    }
}

/// The `impl` in the type, at any depth.
pub(crate) fn impl_word(ty: &Type) -> Option<Ident> {
    words(ty.to_token_stream())
        .into_iter()
        .find(|word| word == "impl")
}

/// Whether the type names a lifetime other than `'static`, outside of references too.
pub(crate) fn has_lifetime(ty: &Type) -> bool {
    let rewritten = without_lifetimes(ty.to_token_stream());
    rewritten.to_string().contains("'_")
}

/// What to write in place of a borrowed argument.
pub(crate) fn owned(reference: &TypeReference) -> String {
    match peel(&reference.elem) {
        Type::Slice(slice) => format!("Vec<{}>", written(&slice.elem)),
        elem => match last_segment(elem)
            .map(|segment| segment.ident.to_string())
            .as_deref()
        {
            Some("str") => "String".to_owned(),
            Some("Path") => "PathBuf".to_owned(),
            _ => written(elem),
        },
    }
}

/// The type as text, without the spaces that token streams are printed with.
pub(crate) fn written(ty: &Type) -> String {
    let text = ty.to_token_stream().to_string();
    ["<", ">", "::", "&"]
        .iter()
        .fold(text, |text, mark| {
            text.replace(&format!(" {mark}"), mark)
                .replace(&format!("{mark} "), mark)
        })
        .replace(" ,", ",")
}

/// The tokens with `'_` in place of every lifetime but `'static`.
///
/// The glue has none of the function's lifetimes; inside a body `'_` lets the compiler find them.
/// A type with `for<'a>` keeps what it has.
pub(crate) fn without_lifetimes(tokens: TokenStream) -> TokenStream {
    if words(tokens.clone()).iter().any(|word| word == "for") {
        return tokens;
    }
    let mut after_quote = false;
    tokens
        .into_iter()
        .map(|token| {
            let in_lifetime = std::mem::replace(
                &mut after_quote,
                matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\''),
            );
            match token {
                TokenTree::Ident(name) if in_lifetime && name != "static" => {
                    Ident::new("_", name.span()).into()
                }
                TokenTree::Group(group) => {
                    let inside = without_lifetimes(group.stream());
                    let mut rewritten = Group::new(group.delimiter(), inside);
                    rewritten.set_span(group.span());
                    rewritten.into()
                }
                token => token,
            }
        })
        .collect()
}

/// The name of the type without its path.
pub(crate) fn last_name(ty: &Type) -> Option<String> {
    last_segment(ty).map(|segment| segment.ident.to_string())
}

fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match peel(ty) {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        _ => None,
    }
}

fn type_arguments(segment: &PathSegment) -> impl Iterator<Item = &Type> {
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    };
    arguments
        .into_iter()
        .flatten()
        .filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        })
}

fn has_word(ty: &Type, wanted: &str) -> bool {
    words(ty.to_token_stream())
        .iter()
        .any(|word| word == wanted)
}

/// All identifiers and keywords, at any depth.
fn words(tokens: TokenStream) -> Vec<Ident> {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Ident(word) => vec![word],
            // Braces hold the values of const generics, which are no part of the type's form.
            TokenTree::Group(group) if group.delimiter() != Delimiter::Brace => {
                words(group.stream())
            }
            _ => Vec::new(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use syn::parse_str;

    use super::*;

    fn ty(text: &str) -> Type {
        parse_str(text).unwrap()
    }

    #[test]
    fn options_are_seen_under_any_path() {
        assert!(is_option(&ty("Option<u32>")));
        assert!(is_option(&ty("::core::option::Option<u32>")));
        assert!(is_option(&ty("(Option<u32>)")));
        assert!(!is_option(&ty("Vec<Option<u32>>")));
    }

    #[test]
    fn text_errors_are_seen_in_results_only() {
        for text in [
            "Result<u8, String>",
            "Result<u8, &'static str>",
            "std::result::Result<u8, std::string::String>",
        ] {
            assert!(text_error(&ty(text)).is_some(), "{text}");
        }
        for text in [
            "Result<String, Fault>",
            "Result<String>",
            "Either<u8, String>",
        ] {
            assert!(text_error(&ty(text)).is_none(), "{text}");
        }
    }

    #[test]
    fn futures_are_seen_boxed_and_not() {
        for text in [
            "impl Future<Output = String>",
            "impl std::future::Future<Output = String> + Send",
            "Pin<Box<dyn Future<Output = String>>>",
            "BoxFuture<'static, String>",
        ] {
            assert!(is_future(&ty(text)), "{text}");
        }
        for text in ["impl Iterator<Item = u8>", "Box<dyn Tool>", "FutureReport"] {
            assert!(!is_future(&ty(text)), "{text}");
        }
    }

    #[test]
    fn owned_forms_are_what_one_would_write() {
        for (borrowed, expected) in [
            ("&str", "String"),
            ("&'a std::path::Path", "PathBuf"),
            ("&[u8]", "Vec<u8>"),
            ("&mut Vec<Option<u32>>", "Vec<Option<u32>>"),
            (
                "&std::collections::BTreeMap<String, u32>",
                "std::collections::BTreeMap<String, u32>",
            ),
        ] {
            assert_eq!(
                owned(reference(&ty(borrowed)).unwrap()),
                expected,
                "{borrowed}"
            );
        }
    }

    #[test]
    fn lifetimes_become_anonymous_at_any_depth() {
        let rewritten = |text: &str| without_lifetimes(ty(text).to_token_stream()).to_string();
        let expected = |text: &str| ty(text).to_token_stream().to_string();
        assert_eq!(rewritten("&'a Workspace"), expected("&'_ Workspace"));
        assert_eq!(
            rewritten("(View<'a>, &'static str)"),
            expected("(View<'_>, &'static str)")
        );
        assert_eq!(
            rewritten("Box<dyn for<'a> Fn(&'a u8)>"),
            expected("Box<dyn for<'a> Fn(&'a u8)>")
        );
        assert!(has_lifetime(&ty("Cow<'_, str>")));
        assert!(!has_lifetime(&ty("Cow<'static, str>")));
    }

    #[test]
    fn impl_is_found_inside() {
        assert!(impl_word(&ty("Vec<impl Display>")).is_some());
        assert!(impl_word(&ty("Vec<Display>")).is_none());
    }
}
