//! The glue between a call and the function: decode, take what the session supplies, call, convert.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{ReturnType, Type};

use super::table::{default_value, is_bridged, param_trait, read_as};
use crate::param::{Kind, Param};
use crate::span::{Names, located};
use crate::tool::Tool;
use crate::types::{is_text, without_lifetimes};

/// The glue function. It hands closures to a function of the runtime crate, which is checked once,
/// where a future of its own would be checked for every tool.
pub(super) fn glue(tool: &Tool, names: &Names) -> TokenStream {
    let Names {
        private,
        entry,
        call,
        cx,
        arguments,
        ..
    } = names;
    let start = start(tool, names);
    let finish = finish(tool, names);
    let at = Span::mixed_site();
    // At the function's name: an error about the future, such as its not being `Send`, names it.
    let here = located(tool.function.signature.ident.span());
    let library = Ident::new(&private.to_string(), here);
    let called = if tool.params.iter().any(Param::is_whole) {
        quote_spanned!(here=> #library::call_whole(#cx, &#entry, #arguments, #start, #finish))
    } else {
        let (places, slots) = places(tool, names);
        quote_spanned! {here=>
            #library::call(#cx, &#entry, #arguments, #places, #slots, #start, #finish)
        }
    };
    quote_spanned! {at=>
        fn #call<'cx>(
            #cx: &'cx #private::ToolContext,
            #arguments: #private::RawArguments<'cx>,
        ) -> #private::CallFuture<'cx> {
            #called
        }
    }
}

/// A tuple of empty places for the arguments, and what lends them to decoding.
fn places(tool: &Tool, names: &Names) -> (TokenStream, TokenStream) {
    let Names {
        private,
        slots: list,
        ..
    } = names;
    let at = Span::mixed_site();
    let mut places = TokenStream::new();
    let mut slots = TokenStream::new();
    for (field, (_, param)) in arguments(tool).enumerate() {
        let ty = read_as(param, private);
        let field = Literal::usize_unsuffixed(field);
        let slot = param_trait(&ty, private, "slot");
        places.extend(quote_spanned!(at=> #private::None::<#ty>,));
        slots.extend(quote_spanned!(at=> #slot(&mut #list.#field),));
    }
    (
        quote_spanned!(at=> (#places)),
        quote_spanned!(at=> |#list| [#slots]),
    )
}

/// The parameters that are decoded one by one, with their places in the function.
fn arguments(tool: &Tool) -> impl Iterator<Item = (usize, &Param)> {
    let params = tool.params.iter().enumerate();
    params.filter(|(_, param)| param.argument().is_some())
}

/// What happens when the arguments are there: takes them out of their places, takes what the session
/// supplies, and makes the future of the function.
fn start(tool: &Tool, names: &Names) -> TokenStream {
    let at = Span::mixed_site();
    let here = located(tool.function.signature.ident.span());
    let whole = tool.params.iter().position(Param::is_whole);
    let taken = if let Some(index) = whole {
        let (local, ty) = (Names::local(index), &tool.params[index].ty);
        quote_spanned!(at=> #local: #ty)
    } else {
        let locals = arguments(tool).map(|(index, _)| Names::local(index));
        quote_spanned!(at=> (#(#locals,)*))
    };
    let run = run(tool, names);
    quote_spanned!(here=> move |#taken| #run)
}

/// What becomes of what the function returned.
fn finish(tool: &Tool, names: &Names) -> TokenStream {
    let output = &names.output;
    let into_output = into_output(tool, names);
    if tool.function.signature.asyncness.is_none() && tool.args.inline.is_none() {
        // What runs on another thread may be lost there.
        let at = Span::mixed_site();
        return quote_spanned!(at=> |#output| #into_output(#output?));
    }
    if let ReturnType::Type(_, ty) = &tool.function.signature.output
        && is_text(ty)
    {
        return into_output;
    }
    // A closure, and not the path alone: the compiler would tell twice what is wrong with the type.
    let at = Span::mixed_site();
    quote_spanned!(at=> |#output| #into_output(#output))
}

/// Moves a decoded value out of its place. A place without a value means that the argument was
/// absent and has a default; decoding refuses every other absence.
fn value(index: usize, param: &Param, names: &Names) -> TokenStream {
    let Names { private, value, .. } = names;
    let local = Names::local(index);
    if param.is_whole() {
        return local.into_token_stream();
    }
    let at = Span::mixed_site();
    let bridged = is_bridged(param).then(|| quote_spanned!(at=> .0));
    let default = param
        .argument()
        .and_then(|keys| default_value(index, param, keys, names));
    match default {
        None => quote_spanned!(at=> #private::filled(#local)#bridged),
        Some(default) => quote_spanned! {at=>
            match #local {
                #private::Some(#value) => #value #bridged,
                #private::None => #default,
            }
        },
    }
}

/// The future of the function, where it belongs.
fn run(tool: &Tool, names: &Names) -> TokenStream {
    let Names { private, cx, .. } = names;
    let function = &tool.function.signature.ident;
    let is_async = tool.function.signature.asyncness.is_some();
    let is_blocking = !is_async && tool.args.inline.is_none();

    let mut taken = TokenStream::new();
    let mut values = Vec::new();
    for (index, param) in tool.params.iter().enumerate() {
        let local = Names::local(index);
        let at = Span::mixed_site();
        values.push(match &param.kind {
            Kind::Argument(_) => value(index, param, names),
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

    let at = located(function.span());
    let called = quote_spanned!(at=> #function(#(#values),*));
    let future = if is_async {
        called
    } else if is_blocking {
        quote_spanned!(at=> #private::blocking(#cx, move || #called))
    } else {
        quote_spanned!(at=> #private::ready(#called))
    };
    if taken.is_empty() {
        return quote_spanned!(at=> #private::Ok(#future));
    }
    quote_spanned! {at=> {
        #taken
        #private::Ok(#future)
    }}
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
