//! Names: of the tool, and of its arguments among each other.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::LitStr;
use syn::ext::IdentExt;

use crate::diagnostics::{
    FLATTEN_ALONE, FUNCTION_NAME, NAME_CHARACTER, NAME_EMPTY, NAME_LENGTH, NAME_START, SAME_NAME,
};
use crate::errors::Errors;
use crate::name::{NameFault, corrected, shown, tool_fault};
use crate::param::Param;
use crate::tool::Tool;

/// The name of the tool: the one given, else that of the function.
pub(super) fn tool(tool: &Tool, errors: &mut Errors) -> String {
    if let Some(name) = &tool.args.name {
        given(name, errors);
        return name.value();
    }
    let function = &tool.function.signature.ident;
    let name = function.unraw().to_string();
    if tool_fault(&name).is_some() {
        errors.report(
            function,
            FUNCTION_NAME.with(&[&corrected(&name, '_', "my_tool")]),
        );
    }
    name
}

fn given(name: &LitStr, errors: &mut Errors) {
    let text = name.value();
    let corrected = corrected(&text, '_', "my_tool");
    let message = match tool_fault(&text) {
        None => return,
        Some(NameFault::Empty) => NAME_EMPTY.with(&[]),
        Some(NameFault::Character(c)) => NAME_CHARACTER.with(&[&shown(c), &corrected]),
        Some(NameFault::Start(c)) => NAME_START.with(&[&shown(c), &corrected]),
        Some(NameFault::Length(count)) => NAME_LENGTH.with(&[&count, &corrected]),
    };
    errors.report(name, message);
}

/// No two arguments answer to one name. Both places are marked.
pub(super) fn arguments(params: &[Param], errors: &mut Errors) {
    let arguments = params.iter().filter(|param| param.argument().is_some());
    if arguments.count() > 1 {
        for param in params {
            if let Some(key) = param.argument().and_then(|keys| keys.flatten.as_ref()) {
                errors.report(key, FLATTEN_ALONE.with(&[]));
            }
        }
    }
    let mut seen: Vec<(String, TokenStream)> = Vec::new();
    for param in params {
        for (name, place) in names_of(param) {
            if let Some((_, first)) = seen.iter().find(|(other, _)| *other == name) {
                errors.report(first, SAME_NAME.with(&[&name]));
                errors.report(&place, SAME_NAME.with(&[&name]));
            } else {
                seen.push((name, place));
            }
        }
    }
}

fn names_of(param: &Param) -> Vec<(String, TokenStream)> {
    let Some(keys) = param.argument() else {
        return Vec::new();
    };
    let own = match &keys.name {
        Some(name) => name.to_token_stream(),
        None => param.pattern.to_token_stream(),
    };
    let mut names = vec![(param.wire_name(), own)];
    names.extend(
        keys.aliases
            .iter()
            .map(|alias| (alias.value(), alias.to_token_stream())),
    );
    names
}
