//! Enums: texts with fixed values, and unions with a tag.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;

use super::input::{Content, Form, Type};
use super::structure::{places, slots, table, values, written_entry};
use super::{described, joined, schema};
use crate::docs::Docs;
use crate::expand::table::default_functions;
use crate::param::Param;
use crate::span::{Names, located};
use crate::types;

/// The implementation of an enum without data.
pub(super) fn units(ty: &Type, forms: &[Form], names: &Names) -> TokenStream {
    let Names {
        private,
        reader,
        value,
        ..
    } = names;
    let at = Span::mixed_site();
    let name = &ty.name;
    let idents: Vec<_> = forms.iter().map(|form| &form.ident).collect();
    let words: Vec<_> = forms.iter().map(|form| &form.name).collect();
    let aliases: Vec<TokenStream> = forms
        .iter()
        .flat_map(|form| {
            let word = &form.name;
            let pair = move |alias| quote_spanned!(at=> (#alias, #word));
            form.aliases.iter().map(pair)
        })
        .collect();
    let aliases =
        (!aliases.is_empty()).then(|| quote_spanned!(at=> .value_aliases(&[#(#aliases),*])));
    let docs = folded(
        &ty.docs,
        forms,
        |form| form.docs.are_empty(),
        |form| vec![form.docs.text()],
    );
    let described = described(&joined(&docs), docs.is_empty());
    quote_spanned! {at=>
        impl #private::ToolParam for #name {
            const SCHEMA: #private::Schema =
                #private::Schema::one_of(&[#(#words),*]) #aliases #described;
            fn read(#reader: &mut #private::Reader<'_>, #value: &#private::Schema)
                -> #private::Result<Self, #private::Unfit>
            {
                match &*#reader.text(#value)? {
                    #(#words => #private::Ok(Self::#idents),)*
                    _ => #private::Err(#private::Unfit),
                }
            }
            fn from_node(#reader: &#private::Node, _: &#private::Schema)
                -> #private::Result<Self, #private::Issue>
            {
                match #private::text_of(#reader) {
                    #(#private::Some(#words) => #private::Ok(Self::#idents),)*
                    _ => #private::Err(#private::Issue::expected("one of the values", #reader)),
                }
            }
            fn render(&self) -> #private::String {
                #private::render_string(match self {
                    #(Self::#idents => #words,)*
                })
            }
        }
    }
}

/// The implementations of an enum whose variants are told apart by a tag.
pub(super) fn tagged(ty: &Type, tag: &str, forms: &[Form], names: &Names) -> TokenStream {
    let Names {
        private,
        reader,
        entries,
        value,
        forms: all_forms,
        ..
    } = names;
    let at = Span::mixed_site();
    let name = &ty.name;
    let numbered = number(forms);
    let all: Vec<(usize, &Param)> = numbered.iter().flatten().copied().collect();
    let defaults = default_functions(&all, names);
    let tables: Vec<Ident> = (0..forms.len()).map(Names::form).collect();
    let contents = forms
        .iter()
        .zip(&numbered)
        .map(|(form, fields)| match &form.content {
            Content::Value(ty) => {
                let here = located(ty.span());
                quote_spanned!(here=> <#ty as #private::Fields>::TABLE)
            }
            Content::Nothing | Content::Fields(_) => table(fields, names),
        });
    let variants = forms.iter().zip(&tables).map(|(form, table)| {
        let (word, aliases, docs) = (&form.name, &form.aliases, form.docs.text());
        quote_spanned! {at=>
            #private::Variant {
                name: #word,
                description: #docs,
                aliases: &[#(#aliases),*],
                fields: #table,
            }
        }
    });
    let taken = forms
        .iter()
        .zip(&numbered)
        .zip(&tables)
        .map(|((form, fields), table)| taken(form, fields, table, names));
    let rendered = forms.iter().map(|form| rendered(form, tag, names));
    let described = described(&ty.docs.text(), ty.docs.are_empty());
    let union = quote_spanned! {at=>
        #private::Schema::new(#private::Kind::Union {
            tag: #tag,
            variants: #all_forms,
        }) #described
    };
    let schema = schema(ty, &union, names);
    let merged = merged(ty, tag, forms, &tables, names);
    quote_spanned! {at=>
        #defaults
        #(const #tables: &[#private::Param] = #contents;)*
        const #all_forms: &[#private::Variant] = &[#(#variants),*];
        #merged
        impl #private::ToolParam for #name {
            const SCHEMA: #private::Schema = #schema;
            fn read(#reader: &mut #private::Reader<'_>, _: &#private::Schema)
                -> #private::Result<Self, #private::Unfit>
            {
                #private::fields::read_tree(#reader)
            }
            fn from_node(#reader: &#private::Node, _: &#private::Schema)
                -> #private::Result<Self, #private::Issue>
            {
                let (#value, #entries) = #private::fields::variant_of(#reader, #tag)?;
                match #value {
                    #(#taken)*
                    _ => #private::Err(#private::Issue::expected("one of the forms", #reader)),
                }
            }
            fn render(&self) -> #private::String {
                match self {
                    #(#rendered)*
                }
            }
        }
    }
}

/// The fields of all forms side by side, for a parameter that is all of the arguments: providers take
/// no union at the root, so the tag is a text and the rest may be absent.
fn merged(ty: &Type, tag: &str, forms: &[Form], tables: &[Ident], names: &Names) -> TokenStream {
    let private = &names.private;
    let name = &ty.name;
    let at = Span::mixed_site();
    let words: Vec<_> = forms.iter().map(|form| &form.name).collect();
    let docs = folded(&ty.docs, forms, says_nothing, |form| {
        let needs = needs(form);
        let gap = if form.docs.are_empty() || needs.is_empty() {
            ""
        } else {
            " "
        };
        let rest = format!("{gap}{needs}");
        vec![form.docs.text(), quote_spanned!(at=> #rest)]
    });
    let length = Literal::usize_unsuffixed(tag.len());
    quote_spanned! {at=>
        impl #private::FieldTable for #name {
            const FIELDS: &'static [#private::Param] = {
                const __TABLES: &[&[#private::Param]] = &[
                    &[#private::Param::new(::core::concat!(#tag #(, #docs)*), #length, const { &#private::Shape {
                        schema: #private::Schema::one_of(&[#(#words),*]),
                        required: true,
                    }})],
                    #(#tables),*
                ];
                &#private::fields::merge::<{ #private::fields::distinct(__TABLES) }>(__TABLES)
            };
        }
    }
}

fn says_nothing(form: &Form) -> bool {
    form.docs.are_empty() && needs(form).is_empty()
}

/// Which fields a form cannot do without.
fn needs(form: &Form) -> String {
    let Content::Fields(fields) = &form.content else {
        return String::new();
    };
    let needed: Vec<String> = fields
        .iter()
        .filter(|field| {
            let has_default = field.argument().is_some_and(|keys| keys.default.is_some());
            !has_default && !types::is_option(&field.ty)
        })
        .map(|field| format!("`{}`", field.wire_name()))
        .collect();
    if needed.is_empty() {
        return String::new();
    }
    format!("Needs {}.", needed.join(", "))
}

/// The fields of each form, numbered through.
fn number(forms: &[Form]) -> Vec<Vec<(usize, &Param)>> {
    let mut next = 0;
    forms
        .iter()
        .map(|form| match &form.content {
            Content::Fields(fields) => {
                let first = next;
                next += fields.len();
                (first..).zip(fields).collect()
            }
            _ => Vec::new(),
        })
        .collect()
}

/// The arm that makes a form from the entries.
fn taken(form: &Form, fields: &[(usize, &Param)], table: &Ident, names: &Names) -> TokenStream {
    let Names {
        private, entries, ..
    } = names;
    let at = Span::mixed_site();
    let (ident, word) = (&form.ident, &form.name);
    match &form.content {
        Content::Nothing => quote_spanned!(at=> #word => #private::Ok(Self::#ident),),
        Content::Value(ty) => {
            let here = located(ty.span());
            let made = quote_spanned!(here=> <#ty as #private::Fields>::from_entries);
            quote_spanned!(at=> #word => #made(#entries).map(Self::#ident),)
        }
        Content::Fields(_) => {
            let places = places(fields, names);
            let slots = slots(fields, names);
            let unfilled = quote_spanned! {at=>
                return #private::Err(#private::Issue::new("a field was not decoded"))
            };
            let values = values(fields, &unfilled, names);
            quote_spanned! {at=>
                #word => {
                    #places
                    #private::take_fields(#entries, #table, &mut [#(#slots),*])?;
                    #private::Ok(Self::#ident { #values })
                }
            }
        }
    }
}

/// The arm that writes a form.
fn rendered(form: &Form, tag: &str, names: &Names) -> TokenStream {
    let Names {
        private,
        entries,
        value,
        ..
    } = names;
    let at = Span::mixed_site();
    let (ident, word) = (&form.ident, &form.name);
    match &form.content {
        Content::Nothing => quote_spanned! {at=>
            Self::#ident => #private::fields::render_variant(#tag, #word, |_| {}),
        },
        Content::Value(ty) => {
            let here = located(ty.span());
            let written = quote_spanned!(here=> <#ty as #private::Fields>::entries);
            quote_spanned! {at=>
                Self::#ident(#value) => #private::fields::render_variant(#tag, #word, |#entries| {
                    #written(#value, #entries);
                }),
            }
        }
        Content::Fields(fields) => {
            let idents = fields.iter().filter_map(Param::ident);
            let locals = (0..fields.len()).map(Names::local);
            let written = fields.iter().enumerate().map(|(index, field)| {
                let local = Names::local(index);
                written_entry(field, &quote_spanned!(at=> #local), names)
            });
            quote_spanned! {at=>
                Self::#ident { #(#idents: #locals),* } => {
                    #private::fields::render_variant(#tag, #word, |#entries| { #(#written)* })
                }
            }
        }
    }
}

/// The documentation of the type, and a line for each form that has something to say.
fn folded(
    docs: &Docs,
    forms: &[Form],
    is_silent: impl Fn(&Form) -> bool,
    text: impl Fn(&Form) -> Vec<TokenStream>,
) -> Vec<TokenStream> {
    let at = Span::mixed_site();
    let mut pieces = Vec::new();
    if !docs.are_empty() {
        pieces.push(docs.text());
    }
    for form in forms.iter().filter(|form| !is_silent(form)) {
        let newline = if pieces.is_empty() { "" } else { "\n" };
        let label = format!("{newline}`{}`: ", form.name);
        pieces.push(quote_spanned!(at=> #label));
        pieces.extend(text(form));
    }
    pieces
}
