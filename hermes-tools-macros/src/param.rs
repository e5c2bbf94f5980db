//! The parameters of a tool function: what they are, and their attributes.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Attribute, FnArg, Meta, Pat, PatType, Signature, Type};

use crate::arg::ArgKeys;
use crate::diagnostics::{ARG_AND_CTX, ARG_FORM, CTX_FORM, GIVEN_TWICE};
use crate::docs::Docs;
use crate::errors::Errors;
use crate::strip::take_helpers;

/// One parameter.
pub(crate) struct Param {
    pub(crate) pattern: Pat,
    pub(crate) ty: Type,
    pub(crate) docs: Docs,
    /// Attributes that stay on the parameter.
    pub(crate) others: Vec<Attribute>,
    pub(crate) kind: Kind,
}

/// Where a parameter's value comes from.
pub(crate) enum Kind {
    /// From the session.
    Context,
    /// From the model.
    Argument(Box<ArgKeys>),
}

/// Takes our attributes off the parameters of a function, and reads them.
pub(crate) fn take(signature: &mut Signature, errors: &mut Errors) -> Vec<Param> {
    let mut params = Vec::new();
    for input in &mut signature.inputs {
        match input {
            FnArg::Receiver(receiver) => {
                take_helpers(&mut receiver.attrs);
            }
            FnArg::Typed(typed) => params.push(Param::take(typed, errors)),
        }
    }
    params
}

impl Param {
    fn take(typed: &mut PatType, errors: &mut Errors) -> Self {
        let helpers = take_helpers(&mut typed.attrs);
        let docs = Docs::read(&helpers);
        let ctx = helpers
            .iter()
            .filter(|attribute| attribute.path().is_ident("ctx"));
        let arg: Vec<&Attribute> = helpers
            .iter()
            .filter(|attribute| attribute.path().is_ident("arg"))
            .collect();
        let mut is_context = false;
        for attribute in ctx {
            if std::mem::replace(&mut is_context, true) {
                errors.report(attribute, GIVEN_TWICE.with(&[&"#[ctx]"]));
            } else if !matches!(attribute.meta, Meta::Path(_)) {
                errors.report(attribute, CTX_FORM.with(&[]));
            }
        }
        if is_context && let Some(arg) = arg.first() {
            errors.report(arg, ARG_AND_CTX.with(&[]));
        }
        let keys = ArgKeys::read(lists(&arg, errors), errors);
        Self {
            pattern: (*typed.pat).clone(),
            ty: (*typed.ty).clone(),
            docs,
            others: typed.attrs.clone(),
            kind: if is_context {
                Kind::Context
            } else {
                Kind::Argument(Box::new(keys))
            },
        }
    }

    /// The name that the function gives it, if it is one.
    pub(crate) fn ident(&self) -> Option<&Ident> {
        match &self.pattern {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => Some(&name.ident),
            _ => None,
        }
    }

    /// What the function calls it, for messages and documentation.
    pub(crate) fn label(&self) -> String {
        match self.ident() {
            Some(ident) => ident.unraw().to_string(),
            None => self.pattern.to_token_stream().to_string(),
        }
    }

    /// What `#[arg(...)]` says, unless the value comes from the session.
    pub(crate) fn argument(&self) -> Option<&ArgKeys> {
        match &self.kind {
            Kind::Argument(keys) => Some(keys),
            Kind::Context => None,
        }
    }

    /// Whether it is all of the arguments.
    pub(crate) fn is_whole(&self) -> bool {
        self.argument().is_some_and(|keys| keys.flatten.is_some())
    }

    /// The name under which the model sends it.
    pub(crate) fn wire_name(&self) -> String {
        match self.argument().and_then(|keys| keys.name.as_ref()) {
            Some(name) => name.value(),
            None => self.label(),
        }
    }
}

/// What stands between the parentheses of each attribute.
fn lists(attributes: &[&Attribute], errors: &mut Errors) -> Vec<TokenStream> {
    let mut lists = Vec::new();
    for attribute in attributes {
        match &attribute.meta {
            Meta::List(list) => lists.push(list.tokens.clone()),
            Meta::Path(_) => {}
            Meta::NameValue(_) => errors.report(attribute, ARG_FORM.with(&[])),
        }
    }
    lists
}
