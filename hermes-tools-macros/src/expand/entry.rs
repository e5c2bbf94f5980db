//! The entry: everything that is known of the tool before it is called.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;

use crate::args::{MaxResult, ToolArgs};
use crate::span::{Names, located};
use crate::tool::Tool;

/// The static entry, built by constant methods so that a new fact does not change old expansions.
pub(super) fn entry(tool: &Tool, names: &Names) -> TokenStream {
    let Names {
        private,
        params,
        call,
        entry,
        ..
    } = names;
    let name = &tool.name;
    let toolset = &tool.args.toolset;
    let description = match &tool.args.description {
        Some(description) => description.to_token_stream(),
        None => tool.docs.text(),
    };
    let facts = facts(&tool.args, names);
    let at = Span::mixed_site();
    quote_spanned! {at=>
        static #entry: #private::ToolEntry =
            #private::ToolEntry::new(#name, #toolset, #description, #params, #call)
                .origin(#private::origin!())
                #facts;
    }
}

/// The builder calls for what `#[tool(...)]` says.
fn facts(args: &ToolArgs, names: &Names) -> TokenStream {
    let Names { private, cx, .. } = names;
    let at = Span::mixed_site();
    let mut facts = TokenStream::new();
    let mut add = |method: TokenStream| facts.extend(method);

    if let Some(effect) = args.effect {
        let variant = Ident::new(effect.variant, at);
        add(quote_spanned!(at=> .effect(#private::Effect::#variant)));
    }
    if let Some(title) = &args.title {
        add(quote_spanned!(at=> .title(#title)));
    }
    if let Some(emoji) = &args.emoji {
        add(quote_spanned!(at=> .emoji(#emoji)));
    }
    match args.max_result {
        None => {}
        Some(MaxResult::Characters(characters)) => {
            let characters = Literal::u64_unsuffixed(characters);
            add(quote_spanned!(at=> .max_result(#characters)));
        }
        Some(MaxResult::Unlimited) => {
            add(quote_spanned!(at=> .max_result(::core::primitive::usize::MAX)));
        }
    }
    if let Some(timeout) = args.timeout {
        let milliseconds = Literal::u64_unsuffixed(timeout.milliseconds);
        add(quote_spanned!(at=> .timeout(#private::Duration::from_millis(#milliseconds))));
    }
    for check in &args.checks {
        let here = located(check.span());
        let called = quote_spanned!(here=> #private::check(&#check, #cx));
        let told = quote_spanned!(here=> #private::check_id(&#check));
        add(quote_spanned!(at=> .shared_check(|#cx| #called, || #told)));
    }
    if !args.requires_env.is_empty() {
        let variables = &args.requires_env;
        add(quote_spanned!(at=> .requires_env(&[#(#variables),*])));
    }
    if args.idempotent {
        add(quote_spanned!(at=> .idempotent()));
    }
    if args.open_world {
        add(quote_spanned!(at=> .open_world()));
    }
    if let Some(advice) = &args.deprecated {
        add(quote_spanned!(at=> .deprecated(#advice)));
    }
    facts
}
