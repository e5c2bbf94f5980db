//! The user's function, with the documentation of its parameters.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use crate::docs::doc_text;
use crate::input::Function;
use crate::param::Param;
use crate::tool::Tool;

/// The function as it was written, without helper attributes on its parameters.
pub(super) fn function(tool: &Tool) -> TokenStream {
    let Function {
        attributes,
        visibility,
        signature,
        body,
    } = &tool.function;
    let docs = documentation(tool);
    let at = Span::mixed_site();
    // A tool is `async` or takes its arguments by value because of how it is called, and its
    // parameters are the tool's schema: none of that is a choice that a lint could better.
    quote_spanned! {at=>
        #(#attributes)*
        #docs
        #[allow(
            clippy::unused_async,
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            clippy::fn_params_excessive_bools
        )]
        #visibility #signature #body
    }
}

/// What rustdoc shows after the user's own text.
fn documentation(tool: &Tool) -> TokenStream {
    let at = Span::mixed_site();
    let mut docs = TokenStream::new();
    if tool.docs.are_empty()
        && let Some(description) = &tool.args.description
    {
        docs.extend(quote_spanned!(at=> #[doc = #description]));
    }
    docs.extend(doc_text("", at));
    let described: Vec<&Param> = tool
        .params
        .iter()
        .filter(|param| !param.docs.are_empty())
        .collect();
    if !described.is_empty() {
        docs.extend(doc_text("# Parameters", at));
        docs.extend(doc_text("", at));
        for param in described {
            docs.extend(param.docs.list_item(&label(param)));
        }
        docs.extend(doc_text("", at));
    }
    docs.extend(doc_text(&summary(tool), at));
    docs
}

fn label(param: &Param) -> String {
    let (label, wire_name) = (param.label(), param.wire_name());
    if label == wire_name {
        format!("`{label}`")
    } else {
        format!("`{label}` (sent as `{wire_name}`)")
    }
}

fn summary(tool: &Tool) -> String {
    let effect = match tool.args.effect {
        Some(effect) => format!("effect {}", effect.word),
        None => "effect not given, which counts as destructive".to_owned(),
    };
    format!(
        "Tool `{}` of toolset `{}`, {effect}.",
        tool.name,
        tool.args.toolset.value()
    )
}
