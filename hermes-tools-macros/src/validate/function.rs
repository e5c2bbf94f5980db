//! Rules of the function: its attributes, signature, result, and how it is run.

use syn::{Attribute, FnArg, GenericParam, ReturnType, Safety, Signature};

use crate::diagnostics::{
    BLOCKING_BORROW, CONST_FN, EMPTY_DESCRIPTION, EXTERN_FN, GENERIC, IMPL_TRAIT, INLINE_ASYNC,
    INLINE_TIMEOUT, NO_DESCRIPTION, NO_RESULT, RETURNS_FUTURE, SELF_RECEIVER, TEXT_ERROR,
    TOOL_TWICE, UNSAFE_FN, VARIADIC_FN,
};
use crate::errors::Errors;
use crate::param::Kind;
use crate::tool::Tool;
use crate::types;

/// Only one `#[tool]`. Others are taken off, since each would expand again.
pub(super) fn attributes(tool: &mut Tool, errors: &mut Errors) {
    let runtime = tool
        .args
        .runtime
        .segments
        .last()
        .map(|segment| segment.ident.clone());
    let is_tool = |attribute: &Attribute| {
        let segments = &attribute.path().segments;
        let module = segments.iter().rev().nth(1).map(|segment| &segment.ident);
        segments.last().is_some_and(|last| last.ident == "tool")
            && module
                .is_none_or(|module| module == "hermes_tools" || Some(module) == runtime.as_ref())
    };
    tool.function.attributes.retain(|attribute| {
        let surplus = is_tool(attribute);
        if surplus {
            errors.report(attribute, TOOL_TWICE.with(&[]));
        }
        !surplus
    });
}

/// The model is told what the tool does.
pub(super) fn description(tool: &Tool, errors: &mut Errors) {
    if tool.args.description.is_some() {
        return;
    }
    let name = &tool.function.signature.ident;
    match tool.docs.place() {
        None => errors.report(name, NO_DESCRIPTION.with(&[])),
        Some(place) if tool.docs.are_empty() => {
            errors.report_at(place, EMPTY_DESCRIPTION.with(&[]));
        }
        Some(_) => {}
    }
}

/// Nothing that a call from a table could not do.
pub(super) fn signature(signature: &Signature, errors: &mut Errors) {
    if let Some(token) = &signature.constness {
        errors.report(token, CONST_FN.with(&[]));
    }
    if let Safety::Unsafe(token) = &signature.safety {
        errors.report(token, UNSAFE_FN.with(&[]));
    }
    if let Some(abi) = &signature.abi {
        errors.report(abi, EXTERN_FN.with(&[]));
    }
    if let Some(variadic) = &signature.variadic {
        errors.report(variadic.dots, VARIADIC_FN.with(&[]));
    }
    for input in &signature.inputs {
        if let FnArg::Receiver(receiver) = input {
            errors.report(receiver, SELF_RECEIVER.with(&[]));
        }
    }
    let mut generic = false;
    for param in &signature.generics.params {
        if !matches!(param, GenericParam::Lifetime(_)) {
            errors.report(param, GENERIC.with(&[]));
            generic = true;
        }
    }
    if let Some(clause) = &signature.generics.where_clause
        && !generic
    {
        errors.report(clause, GENERIC.with(&[]));
    }
}

/// Something that the model can read.
pub(super) fn result(signature: &Signature, errors: &mut Errors) {
    let ty = match &signature.output {
        ReturnType::Default => {
            errors.report(&signature.ident, NO_RESULT.with(&[]));
            return;
        }
        ReturnType::Type(_, ty) => ty,
    };
    if types::is_unit(ty) {
        errors.report(ty, NO_RESULT.with(&[]));
    } else if signature.asyncness.is_none() && types::is_future(ty) {
        errors.report(ty, RETURNS_FUTURE.with(&[]));
    } else if let Some(word) = types::impl_word(ty) {
        errors.report(word, IMPL_TRAIT.with(&[]));
    } else if let Some(error) = types::text_error(ty) {
        errors.report(error, TEXT_ERROR.with(&[&types::written(error)]));
    }
}

/// Where the function runs, and what it can borrow there.
pub(super) fn mode(tool: &Tool, errors: &mut Errors) {
    let is_async = tool.function.signature.asyncness.is_some();
    match &tool.args.inline {
        Some(inline) if is_async => errors.report(inline, INLINE_ASYNC.with(&[])),
        Some(_) => {
            if let Some(timeout) = &tool.args.timeout {
                errors.report(&timeout.key, INLINE_TIMEOUT.with(&[]));
            }
        }
        None if !is_async => {
            for param in &tool.params {
                let borrows =
                    types::reference(&param.ty).is_some() || types::has_lifetime(&param.ty);
                if matches!(param.kind, Kind::Context) && borrows {
                    errors.report(&param.ty, BLOCKING_BORROW.with(&[]));
                }
            }
        }
        _ => {}
    }
}
