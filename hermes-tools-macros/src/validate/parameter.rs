//! Rules of one parameter by itself.

use syn::Pat;

use crate::arg::ArgKeys;
use crate::diagnostics::{
    ARGUMENT_NAME, BORROWED, BORROWED_INSIDE, CFG_PARAMETER, CTX_MISSING, DEFAULT_OF_OPTION,
    FLATTEN_KEYS, IMPL_TRAIT, NO_PARAMETER_DOCS, PATTERN, SCHEMARS_DEFAULT, SCHEMARS_KEY,
    UNDERSCORE,
};
use crate::errors::Errors;
use crate::json;
use crate::name::{argument_fault, corrected};
use crate::param::Param;
use crate::types;

/// Checks the parameter's attributes, pattern, name, description and type.
pub(super) fn check(param: &Param, errors: &mut Errors) {
    for attribute in &param.others {
        for name in ["cfg", "cfg_attr"] {
            if attribute.path().is_ident(name) {
                errors.report(attribute, CFG_PARAMETER.with(&[&name]));
            }
        }
    }
    if let Some(word) = types::impl_word(&param.ty) {
        errors.report(word, IMPL_TRAIT.with(&[]));
    }
    if let Some(keys) = param.argument() {
        name(param, keys, errors);
        if let Some(supplied) = supplied(param, keys) {
            errors.report(&param.ty, CTX_MISSING.with(&[&supplied]));
        } else {
            if param.docs.are_empty() && !param.is_whole() {
                errors.report(&param.pattern, NO_PARAMETER_DOCS.with(&[&param.label()]));
            }
            ownership(param, errors);
        }
        if keys.schemars.is_some() {
            schemars(keys, errors);
        }
        if keys.flatten.is_some() {
            for key in &keys.own {
                errors.report(key, FLATTEN_KEYS.with(&[key]));
            }
        }
        if let Some((key, _)) = &keys.default
            && types::is_option(&param.ty)
        {
            errors.report(key, DEFAULT_OF_OPTION.with(&[]));
        }
    }
}

/// The name of a type that sessions supply, where the mark was forgotten. A type of the user's own may
/// have that name, so one that is described as an argument, or has keys of one, is taken for that.
fn supplied(param: &Param, keys: &ArgKeys) -> Option<String> {
    const SUPPLIED: [&str; 6] = [
        "Workspace",
        "ToolContext",
        "Cancel",
        "Progress",
        "Deadline",
        "SessionFacts",
    ];
    let reference = types::reference(&param.ty);
    let ty = reference.map_or(&param.ty, |reference| &reference.elem);
    let name = types::last_name(ty)?;
    let is_described = !param.docs.are_empty() || !keys.own.is_empty() || param.is_whole();
    (SUPPLIED.contains(&name.as_str()) && (reference.is_some() || !is_described)).then_some(name)
}

/// Bounds and defaults of a foreign type are its own; only what needs no rendering is ours.
fn schemars(keys: &ArgKeys, errors: &mut Errors) {
    if let Some((key, default)) = &keys.default
        && json::value(default).is_none()
    {
        errors.report(key, SCHEMARS_DEFAULT.with(&[]));
    }
    for key in &keys.own {
        let name = key.to_string();
        if [
            "min", "max", "len", "items", "values", "pattern", "format", "lock",
        ]
        .contains(&name.as_str())
        {
            errors.report(key, SCHEMARS_KEY.with(&[&name]));
        }
    }
}

/// A plain name that a model can send.
fn name(param: &Param, keys: &ArgKeys, errors: &mut Errors) {
    let given = keys.name.iter().chain(&keys.aliases);
    for name in given.filter(|name| argument_fault(&name.value()).is_some()) {
        errors.report(
            name,
            ARGUMENT_NAME.with(&[&corrected(&name.value(), '_', "value")]),
        );
    }
    let is_wild = matches!(param.pattern, Pat::Wild(_));
    if param.ident().is_none() && !is_wild {
        errors.report(&param.pattern, PATTERN.with(&[]));
        return;
    }
    let label = param.label();
    if keys.name.is_none() && argument_fault(&label).is_some() {
        let corrected = corrected(&label, '_', "value");
        errors.report(&param.pattern, UNDERSCORE.with(&[&label, &corrected]));
    }
}

/// Arguments are made for the call, so they cannot borrow.
fn ownership(param: &Param, errors: &mut Errors) {
    if let Some(reference) = types::reference(&param.ty) {
        let owned = types::owned(reference);
        let is_text = matches!(owned.as_str(), "String" | "PathBuf");
        let hint = if is_text {
            ""
        } else {
            ", or mark what the host supplies with `#[ctx]`"
        };
        errors.report(&param.ty, BORROWED.with(&[&owned, &hint]));
    } else if types::has_lifetime(&param.ty) {
        errors.report(&param.ty, BORROWED_INSIDE.with(&[]));
    }
}
