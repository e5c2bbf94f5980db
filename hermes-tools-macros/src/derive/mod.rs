//! `#[derive(ToolParam)]`: users' own structs and enums as parameters.
//!
//! A struct is a table of fields like the parameters of a tool, and is read by the same code. An enum
//! without data is a text with fixed values; an enum with data is a union whose forms are told
//! apart by a tag.

mod case;
mod enumeration;
mod input;
mod structure;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{Generics, Ident, WherePredicate, parse_quote};

#[cfg(test)]
pub(crate) use self::input::{PARAM_KEYS, TYPE_KEYS};
use self::input::{Shape, Type};
use crate::errors::{Errors, Report, compile_errors};
use crate::span::Names;
use crate::types;

/// Expands `#[derive(ToolParam)]`.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let (ty, reports) = analyse(item);
    match ty {
        Some(ty) if reports.is_empty() => implementation(&ty),
        Some(ty) if ty.generics.lifetimes().next().is_none() => {
            // With an implementation that nobody can call, a mistake in the type is not reported
            // again at every use of it.
            let mut tokens = placeholder(&ty);
            tokens.extend(compile_errors(&reports));
            tokens
        }
        _ => compile_errors(&reports),
    }
}

/// Reads a type, and what is wrong with it.
pub(crate) fn analyse(item: TokenStream) -> (Option<Type>, Vec<Report>) {
    let mut errors = Errors::new();
    let ty = input::read(item, &mut errors);
    (ty, errors.finish().err().unwrap_or_default())
}

fn implementation(ty: &Type) -> TokenStream {
    let private = Names::new().private;
    let names = Names::with_generics(bounded(&ty.generics, &private));
    let runtime = &ty.runtime;
    let implementations = match &ty.shape {
        Shape::Struct(fields) => structure::implement(ty, fields, &names),
        Shape::Units(variants) => enumeration::units(ty, variants, &names),
        Shape::Tagged { tag, variants } => enumeration::tagged(ty, tag, variants, &names),
    };
    let at = Span::mixed_site();
    quote_spanned! {at=>
        const _: () = {
            use #runtime::__private as #private;
            #implementations
        };
    }
}

fn placeholder(ty: &Type) -> TokenStream {
    let names = Names::new();
    let Names {
        private, reader, ..
    } = &names;
    let runtime = &ty.runtime;
    let (name, generics) = (&ty.name, bounded(&ty.generics, private));
    let (impls, types, clause) = generics.split_for_impl();
    let at = Span::mixed_site();
    quote_spanned! {at=>
        const _: () = {
            use #runtime::__private as #private;
            impl #impls #private::ToolParam for #name #types #clause {
                const SCHEMA: #private::Schema = #private::Schema::new(#private::Kind::Boolean);
                fn read(_: &mut #private::Reader<'_>, _: &#private::Schema)
                    -> #private::Result<Self, #private::Unfit>
                {
                    #private::Err(#private::Unfit)
                }
                fn from_node(#reader: &#private::Node, _: &#private::Schema)
                    -> #private::Result<Self, #private::Issue>
                {
                    #private::Err(#private::Issue::expected("nothing", #reader))
                }
                fn render(&self) -> #private::String {
                    #private::String::new()
                }
            }
            impl #impls #private::FieldTable for #name #types #clause {
                const FIELDS: &'static [#private::Param] = &[];
            }
        };
    }
}

/// The generics, with every type parameter a tool parameter. That is said where the type itself
/// bounds the parameter, since bounds of one parameter in two places are a lint.
fn bounded(generics: &Generics, private: &Ident) -> Generics {
    let mut generics = generics.clone();
    let mut clause = generics.where_clause.take();
    for param in generics.type_params_mut() {
        let name = &param.ident;
        let predicates = clause.iter_mut().flat_map(|clause| &mut clause.predicates);
        let own = predicates.filter_map(|predicate| match predicate {
            WherePredicate::Type(bounds) if types::is_named(&bounds.bounded_ty, name) => {
                Some(&mut bounds.bounds)
            }
            _ => None,
        });
        let bounds = own.last().unwrap_or(&mut param.bounds);
        bounds.push(parse_quote!(#private::ToolParam));
    }
    generics.where_clause = clause;
    generics
}

/// The schema as a constant expression: behind a function where the type contains itself, since a
/// constant cannot.
fn schema(ty: &Type, schema: &TokenStream, names: &Names) -> TokenStream {
    let private = &names.private;
    if !ty.recursive {
        return schema.clone();
    }
    let name = ty.name.to_string();
    let at = Span::mixed_site();
    quote_spanned! {at=>
        #private::Schema::new(#private::Kind::Recursive {
            name: ::core::concat!(::core::module_path!(), "::", #name),
            schema: || const { &#schema },
        })
    }
}

/// `.describe("...")`, when the type is documented.
fn described(text: &TokenStream, is_empty: bool) -> TokenStream {
    if is_empty {
        return TokenStream::new();
    }
    let at = Span::mixed_site();
    quote_spanned!(at=> .describe(#text))
}

/// Pieces of text as one constant expression.
fn joined(pieces: &[TokenStream]) -> TokenStream {
    let at = Span::mixed_site();
    match pieces {
        [one] => one.to_token_stream(),
        pieces => quote_spanned!(at=> ::core::concat!(#(#pieces),*)),
    }
}
