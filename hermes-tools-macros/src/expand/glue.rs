//! The glue between a call and the function: decode, take what the session supplies, call, convert.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{ReturnType, Type};

use super::table::{default_value, is_bridged, param_trait, read_as};
use crate::param::{Kind, Param};
use crate::span::{Names, located};
use crate::tool::Tool;
use crate::types::without_lifetimes;

/// The glue function.
pub(super) fn glue(tool: &Tool, names: &Names) -> TokenStream {
    let Names {
        private,
        entry,
        call,
        cx,
        arguments,
        output,
        ..
    } = names;
    let whole = tool.params.iter().position(Param::is_whole);
    let mut places = TokenStream::new();
    let mut slots = Vec::new();
    let mut values = TokenStream::new();
    for (index, param) in tool.params.iter().enumerate() {
        if param.argument().is_some() && whole.is_none() {
            let local = Names::local(index);
            let ty = read_as(param, private);
            let at = Span::mixed_site();
            places.extend(quote_spanned! {at=>
                let mut #local: #private::Option<#ty> = #private::None;
            });
            let slot = param_trait(&ty, private, "slot");
            slots.push(quote_spanned!(at=> #slot(&mut #local)));
            values.extend(filled(index, param, names));
        }
    }
    let at = Span::mixed_site();
    let prepared = match whole {
        None => quote_spanned! {at=>
            #private::prepare(#cx, &#entry, #arguments, &mut [#(#slots),*]).await?;
        },
        Some(index) => {
            let local = Names::local(index);
            let ty = &tool.params[index].ty;
            quote_spanned! {at=>
                let #local: #ty = #private::prepare_whole(#cx, &#entry, #arguments).await?;
            }
        }
    };
    let run = run(tool, names);
    let into_output = into_output(tool, names);
    let at = Span::mixed_site();
    quote_spanned! {at=>
        fn #call<'cx>(
            #cx: &'cx #private::ToolContext,
            #arguments: #private::RawArguments<'cx>,
        ) -> #private::CallFuture<'cx> {
            #private::Box::pin(async move {
                #places
                #prepared
                #values
                #run
                #into_output(#output)
            })
        }
    }
}

/// Moves a decoded value out of its place. A place without a value means that the argument was
/// absent and has a default; decoding refuses every other absence.
fn filled(index: usize, param: &Param, names: &Names) -> TokenStream {
    let Names { private, value, .. } = names;
    let local = Names::local(index);
    let ty = &param.ty;
    let default = param
        .argument()
        .and_then(|keys| default_value(index, param, keys, names));
    let at = Span::mixed_site();
    let taken = if is_bridged(param) {
        quote_spanned!(at=> #value.0)
    } else {
        quote_spanned!(at=> #value)
    };
    let otherwise = default.unwrap_or_else(|| {
        let name = param.wire_name();
        quote_spanned!(at=> return #private::Err(#private::unfilled(#name)))
    });
    quote_spanned! {at=>
        let #local: #ty = match #local {
            #private::Some(#value) => #taken,
            #private::None => #otherwise,
        };
    }
}

/// Calls the function where it belongs, and binds what it returns.
fn run(tool: &Tool, names: &Names) -> TokenStream {
    let Names {
        private,
        cx,
        output,
        ..
    } = names;
    let function = &tool.function.signature.ident;
    let is_async = tool.function.signature.asyncness.is_some();
    let is_blocking = !is_async && tool.args.inline.is_none();

    let mut taken = TokenStream::new();
    let mut values = Vec::new();
    for (index, param) in tool.params.iter().enumerate() {
        let local = Names::local(index);
        let at = Span::mixed_site();
        values.push(match &param.kind {
            Kind::Argument(_) => quote_spanned!(at=> #local),
            Kind::Context => {
                let value = from_context(&param.ty, names);
                if is_blocking {
                    // The closure goes to another thread, where the context cannot follow.
                    taken.extend(quote_spanned!(at=> let #local = #value;));
                    quote_spanned!(at=> #local)
                } else {
                    value
                }
            }
        });
    }

    // At the function's name: an error about the future, such as its not being `Send`, names it.
    let at = located(function.span());
    let called = quote_spanned!(at=> #function(#(#values),*));
    let result = if is_async {
        quote_spanned!(at=> #private::send(#called).await)
    } else if is_blocking {
        quote_spanned!(at=> #private::blocking(#cx, move || #called).await?)
    } else {
        called
    };
    let at = Span::mixed_site();
    quote_spanned! {at=>
        #taken
        let #output = #result;
    }
}

fn from_context(ty: &Type, names: &Names) -> TokenStream {
    let Names { private, cx, .. } = names;
    let at = located(ty.span());
    let ty = without_lifetimes(ty.to_token_stream());
    quote_spanned!(at=> <#ty as #private::FromToolContext<'_>>::from_context(#cx)?)
}

fn into_output(tool: &Tool, names: &Names) -> TokenStream {
    let private = &names.private;
    let function = &tool.function.signature.ident;
    let (ty, span) = match &tool.function.signature.output {
        ReturnType::Default => (quote_spanned!(function.span()=> ()), function.span()),
        ReturnType::Type(_, ty) => (without_lifetimes(ty.to_token_stream()), ty.span()),
    };
    let at = located(span);
    quote_spanned!(at=> <#ty as #private::ToolOutput>::into_output)
}
