//! The entry: everything that is known of the tool before it is called.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::ReturnType;
use syn::spanned::Spanned;

use super::table::param_trait;
use crate::args::{MaxResult, ToolArgs};
use crate::param::Kind;
use crate::span::{Names, located};
use crate::tool::Tool;
use crate::types::{is_text_result, without_lifetimes};
use crate::value::literal_string;

/// The static entry, built by constant methods so that a new fact does not change old expansions.
pub(super) fn entry(tool: &Tool, names: &Names) -> TokenStream {
    let Names {
        private,
        params,
        call,
        entry,
        ..
    } = names;
    let toolset = tool.args.toolset.value();
    let start = format!("{}{toolset}", tool.name);
    let lengths = [tool.name.len(), toolset.len()].map(Literal::usize_unsuffixed);
    let [name, toolset] = &lengths;
    let mut described = TokenStream::new();
    let texts = match &tool.args.description {
        None => tool.docs.text_after(&start),
        Some(description) => {
            if let Some(text) = literal_string(description) {
                let texts = format!("{start}{}", text.value());
                quote_spanned!(description.span()=> #texts)
            } else {
                // What a macro gives need not be a literal, so that nothing can be joined with it.
                described = quote_spanned!(description.span()=> .describe(#description));
                start.to_token_stream()
            }
        }
    };
    let said = said(&tool.args, names);
    let (facts_item, facts) = facts(tool, names);
    let (needs_item, needs) = needs(tool, names);
    let output = output_schema(tool, names);
    let at = Span::mixed_site();
    quote_spanned! {at=>
        #facts_item
        #needs_item
        static #entry: #private::ToolEntry =
            #private::ToolEntry::new(#texts, [#name, #toolset], #params, #call)
                #described
                .declared(#private::place!(), ::core::line!())
                .prepared()
                #said
                #facts
                #needs
                #output;
    }
}

/// What the tool takes from the session: a table, and the builder call for it.
fn needs(tool: &Tool, names: &Names) -> (TokenStream, TokenStream) {
    let Names { private, needs, .. } = names;
    let context = tool
        .params
        .iter()
        .filter(|param| matches!(param.kind, Kind::Context));
    let types: Vec<TokenStream> = context
        .map(|param| {
            let at = located(param.ty.span());
            let ty = without_lifetimes(param.ty.to_token_stream());
            quote_spanned!(at=> <#ty as #private::FromToolContext<'_>>::NEED)
        })
        .collect();
    if types.is_empty() {
        return Default::default();
    }
    let at = Span::mixed_site();
    (
        quote_spanned! {at=>
            static #needs: &[#private::Option<#private::StateNeed>] = &[#(#types),*];
        },
        quote_spanned!(at=> .needs(#needs)),
    )
}

/// The builder call for what the tool returns, unless that is known to be text.
fn output_schema(tool: &Tool, names: &Names) -> TokenStream {
    let private = &names.private;
    let ReturnType::Type(_, ty) = &tool.function.signature.output else {
        return TokenStream::new();
    };
    if is_text_result(ty) {
        return TokenStream::new();
    }
    let at = located(ty.span());
    let ty = without_lifetimes(ty.to_token_stream());
    quote_spanned! {at=>
        .output_schema({
            use #private::NoOutputSchema as _;
            <#private::OutputProbe<#ty>>::SCHEMA
        })
    }
}

/// The builder calls for what the entry itself holds.
fn said(args: &ToolArgs, names: &Names) -> TokenStream {
    let private = &names.private;
    let at = Span::mixed_site();
    let mut said = TokenStream::new();
    if let Some(effect) = args.effect {
        let variant = Ident::new(effect.variant, at);
        said.extend(quote_spanned!(at=> .effect(#private::Effect::#variant)));
    }
    match args.max_result {
        None => {}
        Some(MaxResult::Characters(characters)) => {
            let characters = Literal::u64_unsuffixed(characters);
            said.extend(quote_spanned!(at=> .max_result(#characters)));
        }
        Some(MaxResult::Unlimited) => {
            said.extend(quote_spanned!(at=> .max_result(::core::primitive::usize::MAX)));
        }
    }
    for (flag, method) in [
        (args.untrusted, "untrusted"),
        (args.agent_loop, "agent_loop"),
        (args.no_spill, "no_spill"),
        (args.idempotent, "idempotent"),
        (args.open_world, "open_world"),
    ] {
        if flag {
            let method = Ident::new(method, at);
            said.extend(quote_spanned!(at=> .#method()));
        }
    }
    said
}

/// What few tools say: a table, and the builder call for it, where there is something.
fn facts(tool: &Tool, names: &Names) -> (TokenStream, TokenStream) {
    let args = &tool.args;
    let Names {
        private,
        facts: table,
        cx,
        arguments,
        value,
        ..
    } = names;
    let at = Span::mixed_site();
    let mut facts = TokenStream::new();
    let mut add = |method: TokenStream| facts.extend(method);

    if let Some(title) = &args.title {
        add(quote_spanned!(at=> .title(#title)));
    }
    if let Some(emoji) = &args.emoji {
        add(quote_spanned!(at=> .emoji(#emoji)));
    }
    if let Some(timeout) = &args.timeout {
        let milliseconds = Literal::u64_unsuffixed(timeout.milliseconds);
        add(quote_spanned!(at=> .timeout(#private::Duration::from_millis(#milliseconds))));
    }
    if let Some(teardown) = &args.teardown {
        let milliseconds = Literal::u64_unsuffixed(teardown.milliseconds);
        add(quote_spanned!(at=> .teardown(#private::Duration::from_millis(#milliseconds))));
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
    if let Some(function) = &args.effect_of {
        let here = located(function.span());
        let called = quote_spanned!(here=> #private::effect(&#function, #arguments));
        add(quote_spanned!(at=> .effect_of(|#arguments| #called)));
    }
    if let Some(function) = &args.targets {
        let here = located(function.span());
        let called = quote_spanned!(here=> #private::targets(&#function, #arguments));
        add(quote_spanned!(at=> .targets(|#arguments| #called)));
    }
    if let Some(function) = &args.schema_patch {
        let here = located(function.span());
        let called = quote_spanned!(here=> #private::patch(&#function, #cx, #value));
        add(quote_spanned!(at=> .schema_patch(|#cx, #value| #called)));
    }
    if let Some(parallel) = args.parallel {
        let variant = Ident::new(parallel, at);
        add(quote_spanned!(at=> .parallel(#private::Parallel::#variant)));
    }
    if let Some(exposure) = args.exposure {
        let variant = Ident::new(exposure, at);
        add(quote_spanned!(at=> .exposure(#private::Exposure::#variant)));
    }
    if let Some(package) = &args.overrides {
        add(quote_spanned!(at=> .overrides(#package)));
    }
    if let Some(advice) = &args.deprecated {
        add(quote_spanned!(at=> .deprecated(#advice)));
    }
    if let Some(whole) = tool.params.iter().find(|param| param.is_whole()) {
        let shape = param_trait(&whole.ty, private, "SHAPE");
        add(quote_spanned!(at=> .whole(#shape)));
    }
    if facts.is_empty() {
        return Default::default();
    }
    (
        quote_spanned! {at=>
            static #table: #private::Facts = #private::Facts::NONE #facts;
        },
        quote_spanned!(at=> .facts(&#table)),
    )
}
