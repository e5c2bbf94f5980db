//! From doc comments to the text that a model reads.
//!
//! Sections that only help a Rust reader go, lines of a paragraph are joined, and what is not
//! literal text (`#[doc = include_str!("...")]`) is passed on as an expression.

mod text;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{Attribute, Expr, Meta};

use self::text::Cleaner;
use crate::span::located;
use crate::value::literal_string;

/// The documentation of a function or parameter.
#[derive(Default)]
pub(crate) struct Docs {
    pieces: Vec<Piece>,
    span: Option<Span>,
}

enum Piece {
    /// Clean text, never blank.
    Text(String),
    /// An expression that is a string literal once it is expanded.
    Expr(Expr),
}

impl Docs {
    /// Reads the doc comments among some attributes.
    pub(crate) fn read<'a>(attributes: impl IntoIterator<Item = &'a Attribute>) -> Self {
        let mut docs = Self::default();
        let mut cleaner = Cleaner::default();
        for attribute in attributes {
            let Some(value) = doc_value(attribute) else {
                continue;
            };
            docs.span
                .get_or_insert_with(|| attribute.pound_token.spans[0]);
            if let Some(text) = literal_string(value) {
                cleaner.comment(&text.value());
            } else {
                docs.push_text(cleaner.take());
                if !cleaner.in_dropped_section() {
                    docs.pieces.push(Piece::Expr(value.clone()));
                }
            }
        }
        docs.push_text(cleaner.take());
        docs
    }

    /// Where the documentation starts, or `None` when nothing was written at all.
    pub(crate) fn place(&self) -> Option<Span> {
        self.span
    }

    /// Whether nothing is left for the model to read.
    pub(crate) fn are_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The text for the model, as a constant expression of type `&'static str`.
    pub(crate) fn text(&self) -> TokenStream {
        let at = self.location();
        let pieces: Vec<TokenStream> = self.pieces.iter().map(|piece| piece.tokens(at)).collect();
        match pieces.as_slice() {
            [] => quote_spanned!(at=> ""),
            [one] => one.clone(),
            [first, rest @ ..] => quote_spanned!(at=> ::core::concat!(#first #(, "\n\n", #rest)*)),
        }
    }

    /// The text for the model behind another text, as one constant expression.
    pub(crate) fn text_after(&self, start: &str) -> TokenStream {
        let at = self.location();
        match self.pieces.as_slice() {
            [] => quote_spanned!(at=> #start),
            [Piece::Text(text)] => {
                let joined = format!("{start}{text}");
                quote_spanned!(at=> #joined)
            }
            _ => {
                let text = self.text();
                quote_spanned!(at=> ::core::concat!(#start, #text))
            }
        }
    }

    /// The documentation as an item of a Markdown list, for rustdoc.
    pub(crate) fn list_item(&self, label: &str) -> TokenStream {
        let at = self.location();
        let mut attributes = TokenStream::new();
        let mut start = format!("- {label}: ");
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => {
                    start.push_str(&text.replace('\n', "\n  "));
                    attributes.extend(doc_text(&std::mem::take(&mut start), at));
                }
                Piece::Expr(expr) => {
                    if !start.is_empty() {
                        attributes.extend(doc_text(&std::mem::take(&mut start), at));
                    }
                    attributes.extend(quote_spanned!(at=> #[doc = #expr]));
                }
            }
        }
        attributes
    }

    fn push_text(&mut self, text: String) {
        if !text.is_empty() {
            self.pieces.push(Piece::Text(text));
        }
    }

    fn location(&self) -> Span {
        located(self.span.unwrap_or_else(Span::call_site))
    }
}

impl Piece {
    fn tokens(&self, at: Span) -> TokenStream {
        match self {
            Self::Text(text) => quote_spanned!(at=> #text),
            Self::Expr(expr) => expr.to_token_stream(),
        }
    }
}

/// A line of rustdoc. One space in front, as `///` comments have it: rustdoc takes the same
/// amount away from every line of an item.
pub(crate) fn doc_text(text: &str, at: Span) -> TokenStream {
    let line: String = if text.is_empty() {
        String::new()
    } else {
        format!(" {text}")
    };
    let line = line.replace('\n', "\n ");
    quote_spanned!(at=> #[doc = #line])
}

/// The value of a doc comment, or of `#[doc = ...]`.
fn doc_value(attribute: &Attribute) -> Option<&Expr> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => Some(&pair.value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;
    use syn::{ItemFn, parse_quote, parse_str};

    use super::*;

    fn docs(attributes: &str) -> Docs {
        let item: ItemFn = parse_str(&format!("{attributes}\nfn f() {{}}")).unwrap();
        Docs::read(&item.attrs)
    }

    fn text(attributes: &str) -> String {
        docs(attributes).text().to_string()
    }

    #[test]
    fn lines_of_a_paragraph_are_joined() {
        assert_eq!(
            text("/// Read a\n/// text file.\n///\n/// Twice."),
            r#""Read a text file.\n\nTwice.""#
        );
    }

    #[test]
    fn rustdoc_sections_are_left_out() {
        assert_eq!(
            text("/// Read.\n///\n/// # Errors\n///\n/// Fails.\n///\n/// # Limits\n/// None."),
            r#""Read.\n\n# Limits\nNone.""#
        );
    }

    #[test]
    fn other_doc_attributes_are_no_documentation() {
        let docs = docs("#[doc(hidden)] #[doc(alias = \"x\")]");
        assert!(docs.place().is_none());
        assert!(docs.are_empty());
    }

    #[test]
    fn blank_docs_are_there_and_empty() {
        let docs = docs("///\n/// ");
        assert!(docs.place().is_some());
        assert!(docs.are_empty());
    }

    #[test]
    fn an_expression_passes_as_it_is() {
        assert_eq!(
            text("#[doc = include_str!(\"read.md\")]"),
            quote!(include_str!("read.md")).to_string()
        );
    }

    #[test]
    fn text_around_an_expression_is_joined_by_concat() {
        assert_eq!(
            text("/// Read.\n#[doc = include_str!(\"read.md\")]\n/// More."),
            quote!(::core::concat!(
                "Read.",
                "\n\n",
                include_str!("read.md"),
                "\n\n",
                "More."
            ))
            .to_string()
        );
    }

    #[test]
    fn text_behind_another_is_one_literal_where_it_can_be() {
        let after = |attributes: &str| docs(attributes).text_after("path").to_string();
        assert_eq!(after("/// Read."), r#""pathRead.""#);
        assert_eq!(after(""), r#""path""#);
        assert_eq!(
            after("#[doc = include_str!(\"read.md\")]"),
            quote!(::core::concat!("path", include_str!("read.md"))).to_string()
        );
    }

    #[test]
    fn an_expression_in_a_dropped_section_is_dropped() {
        assert_eq!(
            text("/// Read.\n/// # Examples\n#[doc = include_str!(\"x.md\")]"),
            "\"Read.\""
        );
    }

    #[test]
    fn list_items_indent_what_follows_their_first_line() {
        let item = docs("/// The path.\n///\n/// Relative.").list_item("`path`");
        let expected: TokenStream =
            parse_quote!(#[doc = " - `path`: The path.\n   \n   Relative."]);
        assert_eq!(item.to_string(), expected.to_string());
    }
}
