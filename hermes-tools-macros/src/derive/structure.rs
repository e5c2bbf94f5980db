//! Structs with named fields.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;

use super::input::Type;
use super::{described, schema};
use crate::expand::table::{default_functions, default_value, param_trait, row};
use crate::param::Param;
use crate::span::{Names, located};

/// The implementations of a struct.
pub(super) fn implement(ty: &Type, fields: &[Param], names: &Names) -> TokenStream {
    let Names {
        private,
        reader,
        fill,
        entries,
        ..
    } = names;
    let name = &ty.name;
    let (impls, types, clause) = names.generics.split_for_impl();
    let numbered: Vec<(usize, &Param)> = fields.iter().enumerate().collect();
    let defaults = default_functions(&numbered, names);
    let table = table(&numbered, names);
    let built = built(&numbered, names);
    let written = written(fields, names);
    let at = Span::mixed_site();
    let described = described(&ty.docs.text(), ty.docs.are_empty());
    let object = quote_spanned! {at=>
        #private::Schema::new(#private::Kind::Object {
            fields: <Self as #private::Fields>::TABLE,
        }) #described
    };
    let schema = schema(ty, &object, names);
    quote_spanned! {at=>
        #defaults
        impl #impls #private::FieldTable for #name #types #clause {
            const FIELDS: &'static [#private::Param] = <Self as #private::Fields>::TABLE;
        }
        impl #impls #private::Fields for #name #types #clause {
            const TABLE: &'static [#private::Param] = #table;
            fn build(
                #fill: &mut dyn #private::FnMut(&mut [&mut dyn #private::Slot]) -> #private::bool,
            ) -> #private::Option<Self> {
                #built
            }
            fn entries(&self, #entries: &mut #private::Vec<#private::String>) {
                #written
            }
        }
        impl #impls #private::ToolParam for #name #types #clause {
            const SCHEMA: #private::Schema = #schema;
            fn read(#reader: &mut #private::Reader<'_>, _: &#private::Schema)
                -> #private::Result<Self, #private::Unfit>
            {
                #private::fields::read(#reader)
            }
            fn from_node(#reader: &#private::Node, _: &#private::Schema)
                -> #private::Result<Self, #private::Issue>
            {
                #private::fields::from_node(#reader)
            }
            fn render(&self) -> #private::String {
                #private::fields::render(self)
            }
        }
    }
}

/// The rows of fields; of flattened ones, the rows of their types.
pub(super) fn table(fields: &[(usize, &Param)], names: &Names) -> TokenStream {
    let private = &names.private;
    let at = Span::mixed_site();
    let mut parts = Vec::new();
    let mut rows = Vec::new();
    for (index, field) in fields {
        let Some(keys) = field.argument() else {
            continue;
        };
        if keys.flatten.is_some() {
            let own = std::mem::take(&mut rows);
            parts.push(quote_spanned!(at=> &[#(#own),*]));
            let (ty, here) = (&field.ty, located(field.ty.span()));
            parts.push(quote_spanned!(here=> <#ty as #private::Fields>::TABLE));
        } else {
            rows.push(row(*index, field, keys, names));
        }
    }
    if parts.is_empty() {
        return quote_spanned!(at=> &[#(#rows),*]);
    }
    quote_spanned! {at=> {
        const __TABLES: &[&[#private::Param]] = &[#(#parts,)* &[#(#rows),*]];
        &#private::fields::join::<{ #private::fields::total(__TABLES) }>(__TABLES)
    }}
}

/// Declares a place for each field.
pub(super) fn places(fields: &[(usize, &Param)], names: &Names) -> TokenStream {
    let private = &names.private;
    let at = Span::mixed_site();
    let mut places = TokenStream::new();
    for (index, field) in fields {
        let local = Names::local(*index);
        let ty = &field.ty;
        places.extend(quote_spanned! {at=>
            let mut #local: #private::Option<#ty> = #private::None;
        });
    }
    places
}

/// `name: value` for each field, taken out of its place; `otherwise` where the place is empty and
/// there is no default.
pub(super) fn values(
    fields: &[(usize, &Param)],
    otherwise: &TokenStream,
    names: &Names,
) -> TokenStream {
    let Names { private, value, .. } = names;
    let at = Span::mixed_site();
    let mut values = TokenStream::new();
    for (index, field) in fields {
        let (Some(ident), Some(keys)) = (field.ident(), field.argument()) else {
            continue;
        };
        let local = Names::local(*index);
        let absent = default_value(*index, field, keys, names).unwrap_or_else(|| otherwise.clone());
        values.extend(quote_spanned! {at=>
            #ident: match #local {
                #private::Some(#value) => #value,
                #private::None => #absent,
            },
        });
    }
    values
}

/// Slots for the places, in the order of the table.
pub(super) fn slots(fields: &[(usize, &Param)], names: &Names) -> Vec<TokenStream> {
    let at = Span::mixed_site();
    let slot = |(index, field): &(usize, &Param)| {
        let local = Names::local(*index);
        let slot = param_trait(&field.ty, &names.private, "slot");
        quote_spanned!(at=> #slot(&mut #local))
    };
    fields.iter().map(slot).collect()
}

fn built(fields: &[(usize, &Param)], names: &Names) -> TokenStream {
    let Names { private, fill, .. } = names;
    let at = Span::mixed_site();
    let places = places(fields, names);
    let filled = if fields.iter().any(|(_, field)| field.is_whole()) {
        filled_with_flattened(fields, names)
    } else {
        let slots = slots(fields, names);
        quote_spanned!(at=> #fill(&mut [#(#slots),*]))
    };
    let values = values(fields, &quote_spanned!(at=> return #private::None), names);
    quote_spanned! {at=>
        #places
        if !#filled {
            return #private::None;
        }
        #private::Some(Self { #values })
    }
}

/// Each flattened type makes its own places and lends them; the innermost of the closures has all.
fn filled_with_flattened(fields: &[(usize, &Param)], names: &Names) -> TokenStream {
    let Names {
        private,
        fill,
        slots: list,
        value,
        ..
    } = names;
    let at = Span::mixed_site();
    let mut pushed = TokenStream::new();
    for (field, slot) in fields.iter().zip(slots(fields, names)) {
        let lent = Names::default(field.0);
        pushed.extend(if field.1.is_whole() {
            quote_spanned! {at=>
                for #value in #lent.iter_mut() {
                    #list.push(&mut **#value);
                }
            }
        } else {
            quote_spanned!(at=> #list.push(#slot);)
        });
    }
    let mut filled = quote_spanned! {at=> {
        let mut #list: #private::Vec<&mut dyn #private::Slot> = #private::Vec::new();
        #pushed
        #fill(&mut #list)
    }};
    for (index, field) in fields.iter().filter(|(_, field)| field.is_whole()) {
        let (local, lent, ty) = (Names::local(*index), Names::default(*index), &field.ty);
        let here = located(ty.span());
        let build = quote_spanned!(here=> <#ty as #private::Fields>::build);
        filled = quote_spanned! {at=> {
            #local = #build(
                &mut |#lent: &mut [&mut dyn #private::Slot]| #filled
            );
            #local.is_some()
        }};
    }
    filled
}

fn written(fields: &[Param], names: &Names) -> TokenStream {
    let Names {
        private, entries, ..
    } = names;
    let at = Span::mixed_site();
    let mut written = TokenStream::new();
    for field in fields {
        let Some(ident) = field.ident() else { continue };
        if field.is_whole() {
            let (ty, here) = (&field.ty, located(field.ty.span()));
            let written_fields = quote_spanned!(here=> <#ty as #private::Fields>::entries);
            written.extend(quote_spanned!(at=> #written_fields(&self.#ident, #entries);));
        } else {
            let value = quote_spanned!(at=> &self.#ident);
            written.extend(written_entry(field, &value, names));
        }
    }
    written
}

/// Adds one field to the entries.
pub(super) fn written_entry(field: &Param, value: &TokenStream, names: &Names) -> TokenStream {
    let Names {
        private, entries, ..
    } = names;
    let at = Span::mixed_site();
    let name = field.wire_name();
    let render = param_trait(&field.ty, private, "render");
    quote_spanned! {at=>
        #entries.push(#private::fields::entry(#name, &#render(#value)));
    }
}
