//! The type under `#[derive(ToolParam)]`, as it was written.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{
    Attribute, Field, Fields, GenericParam, Generics, Ident, Item, LitStr, Meta, Pat, PatIdent,
    Path, Variant, parse2,
};

use super::case::{CASES, Case};
use crate::arg::ArgKeys;
use crate::args::{default_runtime, runtime};
use crate::diagnostics::{
    ARGUMENT_NAME, BORROWED_INSIDE, DEFAULT_OF_OPTION, DERIVE_EMPTY, DERIVE_FLATTEN,
    DERIVE_GENERIC, DERIVE_SHAPE, FIELD_DOCS, FIELD_NAME, FLATTEN_GENERIC, PARAM_FORM, PARAM_KEY,
    PARAM_MISPLACED, SAME_NAME, UNTAGGED, VARIANT_FIELDS,
};
use crate::docs::Docs;
use crate::errors::Errors;
use crate::keys::{Entries, Grammar, Key};
use crate::name::{argument_fault, corrected};
use crate::param::{Kind, Param};
use crate::types;
use crate::validate::bounds;
use crate::value::{string, strings, text, word};

/// The keys that `#[param(...)]` knows on a type.
pub(crate) const TYPE_KEYS: &[Key] = &[
    Key::new("rename_all", "rename_all = \"snake_case\""),
    Key::new("tag", "tag = \"type\""),
    Key::new("recursive", "recursive"),
    Key::new("crate", "crate = umbrella::hermes_tools"),
];

/// The keys that `#[param(...)]` knows on a field.
pub(crate) const PARAM_KEYS: &[Key] = &[
    Key::new("default", "default = 1"),
    Key::new("name", "name = \"path\""),
    Key::new("rename", "rename = \"path\""),
    Key::new("alias", "alias = \"file\""),
    Key::new("min", "min = 1"),
    Key::new("max", "max = 100"),
    Key::new("len", "len = 1..=64"),
    Key::new("items", "items(min = 1, max = 9)"),
    Key::new("pattern", "pattern = \"^[a-z]+$\""),
    Key::new("format", "format = \"date\""),
    Key::new("values", "values = [\"a\", \"b\"]"),
    Key::new("example", "example = \"src\""),
    Key::new("nullable", "nullable"),
    Key::new("role", "role = \"path\""),
    Key::new("any", "any"),
    Key::new("flatten", "flatten"),
    Key::new("recursive", "recursive"),
];

/// The keys that `#[param(...)]` knows on a variant.
const VARIANT_KEYS: &[Key] = &[
    Key::new("name", "name = \"walk\""),
    Key::new("rename", "rename = \"walk\""),
    Key::new("alias", "alias = \"go\""),
];

const fn grammar(keys: &'static [Key], elsewhere: &'static [Key]) -> Grammar {
    Grammar {
        keys,
        unknown: &PARAM_KEY,
        elsewhere,
        misplaced: &PARAM_MISPLACED,
        special: &[],
    }
}

const TYPE: Grammar = grammar(TYPE_KEYS, PARAM_KEYS);
const FIELD: Grammar = grammar(PARAM_KEYS, TYPE_KEYS);
const VARIANT: Grammar = grammar(VARIANT_KEYS, TYPE_KEYS);

/// A type.
pub(crate) struct Type {
    pub(super) name: Ident,
    pub(super) generics: Generics,
    pub(super) docs: Docs,
    pub(super) shape: Shape,
    /// Whether it contains itself.
    pub(super) recursive: bool,
    pub(super) runtime: Path,
}

/// What a type is made of.
pub(super) enum Shape {
    Struct(Vec<Param>),
    Units(Vec<Form>),
    Tagged { tag: String, variants: Vec<Form> },
}

/// A variant of an enum.
pub(super) struct Form {
    pub(super) ident: Ident,
    /// What the model writes for it.
    pub(super) name: String,
    pub(super) aliases: Vec<LitStr>,
    pub(super) docs: Docs,
    pub(super) content: Content,
}

/// What a variant holds.
pub(super) enum Content {
    Nothing,
    /// One value whose fields stand beside the tag.
    Value(Box<syn::Type>),
    Fields(Vec<Param>),
}

/// What `#[param(...)]` says of a type.
struct TypeKeys {
    case: Option<Case>,
    tag: Option<LitStr>,
    recursive: bool,
    runtime: Path,
}

impl TypeKeys {
    fn read(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut entries = entries(attributes, &TYPE, errors);
        Self {
            case: entries
                .value("rename_all")
                .and_then(|(_, value)| word(&value, CASES, errors)),
            tag: entries
                .value("tag")
                .and_then(|(key, value)| text(&key, &value, errors))
                .inspect(|tag| check_name(tag, errors)),
            recursive: entries.flag("recursive").is_some(),
            runtime: entries
                .value("crate")
                .and_then(|(_, value)| runtime(&value, errors))
                .unwrap_or_else(default_runtime),
        }
    }

    fn rename(&self, name: &Ident) -> String {
        let name = name.unraw().to_string();
        match self.case {
            Some(case) => case.apply(&name),
            None => name,
        }
    }
}

/// Reads the item. `None` when it can be no parameter at all.
pub(super) fn read(item: TokenStream, errors: &mut Errors) -> Option<Type> {
    let item = match parse2::<Item>(item.clone()).and_then(|parsed| without_self(item, parsed)) {
        Ok(item) => item,
        Err(error) => {
            errors.syntax(error);
            return None;
        }
    };
    let (attributes, name, generics, shape, keys) = match item {
        Item::Struct(item) => {
            let keys = TypeKeys::read(&item.attrs, errors);
            let Fields::Named(named) = &item.fields else {
                errors.report(
                    &item.ident,
                    DERIVE_SHAPE.with(&[&"a struct without named fields"]),
                );
                return None;
            };
            let mut fields: Vec<Param> = named
                .named
                .iter()
                .map(|field| read_field(field, &keys, errors))
                .collect();
            distinct(&fields, None, errors);
            if has_parameters(&item.generics) {
                let flattened = fields.iter().filter_map(|field| field.argument());
                for key in flattened.filter_map(|keys| keys.flatten.as_ref()) {
                    errors.report(key, FLATTEN_GENERIC.with(&[]));
                }
            }
            let recursive = recursive(&item.ident, &keys, fields.iter_mut());
            (
                item.attrs,
                item.ident,
                item.generics,
                Shape::Struct(fields),
                (keys, recursive),
            )
        }
        Item::Enum(item) => {
            let keys = TypeKeys::read(&item.attrs, errors);
            for param in &item.generics.params {
                let rule = match param {
                    GenericParam::Lifetime(_) => &BORROWED_INSIDE,
                    _ => &DERIVE_GENERIC,
                };
                errors.report(param, rule.with(&[]));
            }
            if item.variants.is_empty() {
                errors.report(&item.ident, DERIVE_EMPTY.with(&[]));
            }
            let mut forms: Vec<Form> = item
                .variants
                .iter()
                .map(|variant| read_form(variant, &keys, errors))
                .collect();
            same_forms(&forms, errors);
            let fields = forms.iter_mut().flat_map(|form| match &mut form.content {
                Content::Fields(fields) => fields.iter_mut(),
                _ => [].iter_mut(),
            });
            let recursive = recursive(&item.ident, &keys, fields);
            let shape = shape_of(&item.ident, forms, &keys, errors);
            (
                item.attrs,
                item.ident,
                item.generics,
                shape,
                (keys, recursive),
            )
        }
        other => {
            let name = other.to_token_stream();
            errors.report(name, DERIVE_SHAPE.with(&[&"a union"]));
            return None;
        }
    };
    let (keys, recursive) = keys;
    Some(Type {
        name,
        generics,
        docs: Docs::read(&attributes),
        shape,
        recursive,
        runtime: keys.runtime,
    })
}

/// The item with its own name for `Self`, which tables and functions beside the implementation do not
/// know.
fn without_self(tokens: TokenStream, parsed: Item) -> syn::Result<Item> {
    let (name, generics) = match &parsed {
        Item::Struct(item) => (&item.ident, &item.generics),
        Item::Enum(item) => (&item.ident, &item.generics),
        _ => return Ok(parsed),
    };
    if !types::has_self(tokens.clone()) {
        return Ok(parsed);
    }
    let (_, types, _) = generics.split_for_impl();
    let turbofish = types.as_turbofish();
    parse2(types::named_self(tokens, &quote!(#name #turbofish)))
}

/// Whether there are types or constants to choose.
fn has_parameters(generics: &Generics) -> bool {
    let lifetime = |param: &GenericParam| matches!(param, GenericParam::Lifetime(_));
    !generics.params.iter().all(lifetime)
}

/// A text where no variant holds anything, a union with its tag otherwise.
fn shape_of(name: &Ident, forms: Vec<Form>, keys: &TypeKeys, errors: &mut Errors) -> Shape {
    let has_data = forms
        .iter()
        .any(|form| !matches!(form.content, Content::Nothing));
    let Some(tag) = &keys.tag else {
        if has_data {
            errors.report(name, UNTAGGED.with(&[]));
        }
        return Shape::Units(forms);
    };
    for form in &forms {
        if let Content::Fields(fields) = &form.content {
            distinct(fields, Some(tag), errors);
        }
    }
    Shape::Tagged {
        tag: tag.value(),
        variants: forms,
    }
}

fn read_field(field: &Field, keys: &TypeKeys, errors: &mut Errors) -> Param {
    let ident = field
        .ident
        .clone()
        .unwrap_or_else(|| Ident::new("field", Span::call_site()));
    let docs = Docs::read(&field.attrs);
    let mut own = ArgKeys::read_as(lists(&field.attrs, errors), &FIELD, errors);
    if own.flatten.is_none() {
        if docs.are_empty() {
            errors.report(&ident, FIELD_DOCS.with(&[&ident.unraw()]));
        }
        for name in own.name.iter().chain(&own.aliases) {
            check_name(name, errors);
        }
        let name = keys.rename(&ident);
        if own.name.is_none() && argument_fault(&name).is_some() {
            let corrected = corrected(&name, '_', "value");
            errors.report(&ident, FIELD_NAME.with(&[&name, &corrected]));
        }
        own.name
            .get_or_insert_with(|| LitStr::new(&name, ident.span()));
    }
    if types::reference(&field.ty).is_some() || types::has_lifetime(&field.ty) {
        errors.report(&field.ty, BORROWED_INSIDE.with(&[]));
    }
    if let Some((key, _)) = &own.default
        && types::is_option(&field.ty)
    {
        errors.report(key, DEFAULT_OF_OPTION.with(&[]));
    }
    bounds::check(&own, errors);
    Param {
        pattern: Pat::Ident(PatIdent {
            attrs: Vec::new(),
            by_ref: None,
            mutability: None,
            ident,
            subpat: None,
        }),
        ty: field.ty.clone(),
        docs,
        others: Vec::new(),
        kind: Kind::Argument(Box::new(own)),
    }
}

fn check_name(name: &LitStr, errors: &mut Errors) {
    if argument_fault(&name.value()).is_some() {
        let corrected = corrected(&name.value(), '_', "value");
        errors.report(name, ARGUMENT_NAME.with(&[&corrected]));
    }
}

fn read_form(variant: &Variant, keys: &TypeKeys, errors: &mut Errors) -> Form {
    let mut entries = entries(&variant.attrs, &VARIANT, errors);
    let name = entries
        .value("name")
        .or_else(|| entries.value("rename"))
        .and_then(|(_, value)| string(&value, errors));
    let aliases = entries
        .value("alias")
        .map(|(key, value)| strings(&key, &value, errors));
    let content = match &variant.fields {
        Fields::Unit => Content::Nothing,
        Fields::Unnamed(fields) => match fields.unnamed.first() {
            Some(field) if fields.unnamed.len() == 1 => Content::Value(Box::new(field.ty.clone())),
            _ => {
                errors.report(&variant.ident, VARIANT_FIELDS.with(&[]));
                Content::Nothing
            }
        },
        Fields::Named(fields) => Content::Fields(
            fields
                .named
                .iter()
                .map(|field| {
                    // `rename_all` of an enum is about its variants.
                    let keys = TypeKeys {
                        case: None,
                        tag: None,
                        recursive: false,
                        runtime: keys.runtime.clone(),
                    };
                    let field = read_field(field, &keys, errors);
                    if let Some(key) = field.argument().and_then(|keys| keys.flatten.as_ref()) {
                        errors.report(key, DERIVE_FLATTEN.with(&[]));
                    }
                    field
                })
                .collect(),
        ),
    };
    Form {
        name: name.map_or_else(|| keys.rename(&variant.ident), |name| name.value()),
        ident: variant.ident.clone(),
        aliases: aliases.unwrap_or_default(),
        docs: Docs::read(&variant.attrs),
        content,
    }
}

/// Whether the type contains itself: where its own name stands in the type of a field, or where the
/// user says so.
fn recursive<'p>(
    name: &Ident,
    keys: &TypeKeys,
    fields: impl Iterator<Item = &'p mut Param>,
) -> bool {
    let mut found = keys.recursive;
    for field in fields {
        let says = field.argument().is_some_and(|keys| keys.recursive);
        found |= says || types::mentions(&field.ty, name);
    }
    found
}

/// No two fields answer to one name, nor to that of the tag.
fn distinct(fields: &[Param], tag: Option<&LitStr>, errors: &mut Errors) {
    let mut seen: Vec<(String, TokenStream)> = Vec::new();
    seen.extend(tag.map(|tag| (tag.value(), tag.to_token_stream())));
    for field in fields {
        let Some(keys) = field.argument().filter(|keys| keys.flatten.is_none()) else {
            continue;
        };
        for name in keys.name.iter().chain(&keys.aliases) {
            let text = name.value();
            if let Some((_, first)) = seen.iter().find(|(other, _)| *other == text) {
                errors.report(first, SAME_NAME.with(&[&text]));
                errors.report(name, SAME_NAME.with(&[&text]));
            } else {
                seen.push((text, name.to_token_stream()));
            }
        }
    }
}

fn same_forms(forms: &[Form], errors: &mut Errors) {
    let mut seen: Vec<(String, &Ident)> = Vec::new();
    for form in forms {
        let aliases = form.aliases.iter().map(LitStr::value);
        for name in std::iter::once(form.name.clone()).chain(aliases) {
            if let Some((_, first)) = seen.iter().find(|(other, _)| *other == name) {
                errors.report(first, SAME_NAME.with(&[&name]));
                errors.report(&form.ident, SAME_NAME.with(&[&name]));
            } else {
                seen.push((name, &form.ident));
            }
        }
    }
}

fn entries(attributes: &[Attribute], grammar: &Grammar, errors: &mut Errors) -> Entries {
    let mut entries = Entries::default();
    for list in lists(attributes, errors) {
        entries.read(list, grammar, errors);
    }
    entries
}

/// What stands between the parentheses of each `#[param(...)]`.
fn lists(attributes: &[Attribute], errors: &mut Errors) -> Vec<TokenStream> {
    let ours = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("param"));
    let mut lists = Vec::new();
    for attribute in ours {
        match &attribute.meta {
            Meta::List(list) => lists.push(list.tokens.clone()),
            Meta::Path(_) => {}
            Meta::NameValue(_) => errors.report(attribute, PARAM_FORM.with(&[])),
        }
    }
    lists
}
