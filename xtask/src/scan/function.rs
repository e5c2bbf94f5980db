//! Reads a function that is a tool: the attribute, the documentation, the parameters.

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, FnArg, GenericArgument, ItemFn, Lit, Meta, Pat, PathArguments, Type};

use super::declarations::File;
use super::tokens::{Applied, split_commas, starts_with, value_of};
use super::{Description, Name, Parameter, Tool};

/// Sections of a documentation that are not for models.
const FOR_READERS: [&str; 3] = ["# Examples", "# Errors", "# Panics"];

/// The tool that the attribute makes of the function, if it is ours.
///
/// Other frameworks have an attribute `tool` too. Ours is told by the key `toolset`, which it requires.
pub(super) fn tool(attribute: &Applied, function: &ItemFn, file: File<'_>) -> Option<Tool> {
    let parts = split_commas(attribute.arguments.clone());
    let value = |key: &str| parts.iter().find_map(|part| value_of(part, key));
    let literal = |key: &str| value(key).and_then(|value| file.literal(&value));
    let has = |key: &str| parts.iter().any(|part| starts_with(part, key));
    let toolset = literal("toolset")?;
    let ident = &function.sig.ident;
    let function_name = ident.unraw().to_string();
    let name = literal("name").unwrap_or_else(|| file.name(function_name.clone(), ident.span()));
    let description = match (has("description"), literal("description")) {
        (_, Some(text)) => Description::Text(text.text),
        (true, None) => Description::Elsewhere,
        (false, None) => documentation(&function.attrs),
    };
    let first = function.attrs.first().map_or(ident.span(), Spanned::span);
    let last = function.sig.paren_token.span.close();
    Some(Tool {
        name,
        function: function_name,
        toolset,
        effect: literal("effect").map(|effect| effect.text),
        effect_of: has("effect_of"),
        overrides: has("overrides"),
        description,
        parameters: function
            .sig
            .inputs
            .iter()
            .filter_map(|input| parameter(input, file))
            .collect(),
        state: function
            .sig
            .inputs
            .iter()
            .filter_map(|input| state(input, file))
            .collect(),
        checks: value("check")
            .map(|paths| last_segments(&paths, file))
            .unwrap_or_default(),
        requires_env: value("requires_env").and_then(|names| first_string(names, file)),
        agent_loop: has("agent_loop"),
        first_line: first.start().line,
        last_line: last.end().line,
        attribute: attribute.name.clone(),
    })
}

/// The last segments of one path, or of a list of them.
fn last_segments(paths: &TokenStream, file: File<'_>) -> Vec<Name> {
    let mut trees = paths.clone().into_iter();
    if let (Some(TokenTree::Group(list)), None) = (trees.next(), trees.next()) {
        let parts = split_commas(list.stream()).into_iter();
        return parts.flat_map(|part| last_segments(&part, file)).collect();
    }
    let last = paths.clone().into_iter().last();
    match last {
        Some(TokenTree::Ident(name)) => vec![file.name(name.unraw().to_string(), name.span())],
        _ => Vec::new(),
    }
}

fn first_string(names: TokenStream, file: File<'_>) -> Option<Name> {
    match names.into_iter().next()? {
        TokenTree::Group(list) => file.literal(split_commas(list.stream()).first()?),
        tree => file.literal(&tree.into()),
    }
}

fn documentation(attributes: &[Attribute]) -> Description {
    let mut lines: Vec<String> = Vec::new();
    for attribute in attributes {
        let Meta::NameValue(pair) = &attribute.meta else {
            continue;
        };
        if !pair.path.is_ident("doc") {
            continue;
        }
        let Expr::Lit(literal) = &pair.value else {
            return Description::Elsewhere;
        };
        if let Lit::Str(text) = &literal.lit {
            lines.extend(text.value().lines().map(str::to_owned));
        }
    }
    let mut told = Vec::new();
    let mut for_models = true;
    for line in &lines {
        let line = line.trim();
        if line.starts_with("# ") {
            for_models = !FOR_READERS.contains(&line);
        }
        if for_models {
            told.push(line);
        }
    }
    let text = told.join("\n").trim().to_owned();
    if text.is_empty() {
        Description::Missing
    } else {
        Description::Text(text)
    }
}

fn parameter(input: &FnArg, file: File<'_>) -> Option<Parameter> {
    let FnArg::Typed(typed) = input else {
        return None;
    };
    let Pat::Ident(pattern) = &*typed.pat else {
        return None;
    };
    if has_attribute(&typed.attrs, "ctx") {
        return None;
    }
    let said_elsewhere = |attribute: &Attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("arg") => split_commas(list.tokens.clone())
            .iter()
            .any(|part| starts_with(part, "flatten") || starts_with(part, "description")),
        _ => false,
    };
    Some(Parameter {
        name: file.name(pattern.ident.unraw().to_string(), pattern.ident.span()),
        documented: has_attribute(&typed.attrs, "doc") || typed.attrs.iter().any(said_elsewhere),
    })
}

/// The type that the host has to supply: `T` of `#[ctx] name: &T` and of `Arc<T>`, and the workspace.
fn state(input: &FnArg, file: File<'_>) -> Option<Name> {
    let FnArg::Typed(typed) = input else {
        return None;
    };
    if !has_attribute(&typed.attrs, "ctx") {
        return None;
    }
    let wanted = match &*typed.ty {
        Type::Reference(reference) => &*reference.elem,
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            if last.ident == "Workspace" {
                return Some(file.name("Workspace".to_owned(), last.ident.span()));
            }
            if last.ident != "Arc" {
                return None;
            }
            let PathArguments::AngleBracketed(arguments) = &last.arguments else {
                return None;
            };
            arguments.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(wanted) => Some(wanted),
                _ => None,
            })?
        }
        _ => return None,
    };
    let Type::Path(path) = wanted else {
        return None;
    };
    let name = &path.path.segments.last()?.ident;
    Some(file.name(name.unraw().to_string(), name.span()))
}

fn has_attribute(attributes: &[Attribute], name: &str) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.path().is_ident(name))
}
