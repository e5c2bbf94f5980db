//! The static table of parameters, and the functions that make their defaults.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Expr, Type};

use crate::arg::ArgKeys;
use crate::bounds::Bounds;
use crate::json;
use crate::param::Param;
use crate::span::{Names, located};
use crate::tool::Tool;
use crate::types::{is_option, is_primitive, may_not_be_any, written};
use crate::value::literal_string;

/// The table, one row for each argument in the order of the function.
pub(super) fn table(tool: &Tool, names: &Names) -> TokenStream {
    let Names {
        private, params, ..
    } = names;
    if let Some(whole) = tool.params.iter().find(|param| param.is_whole()) {
        let at = located(whole.ty.span());
        let ty = &whole.ty;
        return quote_spanned! {at=>
            static #params: &[#private::Param] = <#ty as #private::FieldTable>::FIELDS;
        };
    }
    let mut defaults = TokenStream::new();
    let mut rows = Vec::new();
    for (index, param) in tool.params.iter().enumerate() {
        let Some(keys) = param.argument() else {
            continue;
        };
        rows.push(row(index, param, keys, names));
        if let Some(default) = computed_default(keys) {
            defaults.extend(default_function(index, &param.ty, default, names));
        }
    }
    let at = Span::mixed_site();
    quote_spanned! {at=>
        #defaults
        static #params: &[#private::Param] = &[#(#rows),*];
    }
}

/// The value of an absent argument, as an expression of the parameter's type.
pub(crate) fn default_value(
    index: usize,
    param: &Param,
    keys: &ArgKeys,
    names: &Names,
) -> Option<TokenStream> {
    let (_, default) = keys.default.as_ref()?;
    if computed_default(keys).is_some() {
        return Some(default_call(index, names));
    }
    Some(typed(&param.ty, default, names))
}

pub(crate) fn row(index: usize, param: &Param, keys: &ArgKeys, names: &Names) -> TokenStream {
    let private = &names.private;
    let name = param.wire_name();
    let length = Literal::usize_unsuffixed(name.len());
    let default = keys.default.as_ref().map(|(_, default)| default);
    let json = default.and_then(json::scalar);
    let texts = format!("{name}{}", json.as_deref().unwrap_or_default());
    let texts = param.docs.text_after(&texts);
    let shape = shape(&param.ty, keys, names);
    let at = Span::mixed_site();
    let mut row = quote_spanned!(at=> #private::Param::new(#texts, #length, #shape));
    let mut add = |method: TokenStream| row.extend(method);

    if let Some(json) = &json {
        let length = Literal::usize_unsuffixed(json.len());
        add(quote_spanned!(at=> .default_json(#length)));
    }

    if let Some(role) = keys.role {
        let role = Ident::new(role, at);
        add(quote_spanned!(at=> .role(#private::Role::#role)));
    }
    let more = more(index, param, keys, names);
    if !more.is_empty() {
        add(quote_spanned!(at=> .more(&#private::More::NONE #more)));
    }
    row
}

/// The builder calls for what few parameters say.
fn more(index: usize, param: &Param, keys: &ArgKeys, names: &Names) -> TokenStream {
    let private = &names.private;
    let at = Span::mixed_site();
    let mut more = TokenStream::new();
    let mut add = |method: TokenStream| more.extend(method);
    if !keys.aliases.is_empty() {
        let aliases = &keys.aliases;
        add(quote_spanned!(at=> .alias(&[#(#aliases),*])));
    }
    if computed_default(keys).is_some() {
        add(rendered(index, &param.ty, names));
    }
    if let Some(example) = &keys.example
        && let Some(json) = json::value(example)
    {
        let json = if keys.schemars.is_some() {
            quote_spanned!(at=> #json)
        } else {
            let here = located(example.span());
            let shape = param_trait(&param.ty, private, "SHAPE");
            quote_spanned!(here=> <#private::Shape>::example(#shape, #json))
        };
        add(quote_spanned!(at=> .example_json(#json)));
    }
    if keys.lock {
        add(quote_spanned!(at=> .lock()));
    }
    more
}

/// The shape of the type with the bounds of the parameter: that of all parameters of the type where
/// there are none. All of it stands at the type, where the compiler reports a bound that the type
/// cannot have.
fn shape(ty: &Type, keys: &ArgKeys, names: &Names) -> TokenStream {
    let private = &names.private;
    let at = located(ty.span());
    let mut calls = bounds(&keys.bounds, ty, names);
    if let Some(items) = &keys.items {
        let own = param_trait(ty, private, "PARAM");
        let bounds = bounds(items, ty, names);
        calls.extend(quote_spanned! {at=> .items(const { &#own.schema.item() #bounds })});
    }
    if keys.nullable {
        calls.extend(quote_spanned!(at=> .nullable()));
    }
    let shape = if keys.schemars.is_some() {
        let (name, required) = (written(ty), !is_option(ty));
        quote_spanned! {at=>
            <#private::Bridge<#ty>>::shape(
                ::core::concat!(::core::module_path!(), "::", #name), #required
            )
        }
    } else {
        param_trait(ty, private, "PARAM")
    };
    let is_plain = calls.is_empty() && keys.schemars.is_none();
    let mut shape = if is_plain {
        param_trait(ty, private, "SHAPE")
    } else {
        quote_spanned!(at=> const { &#shape #calls })
    };
    if keys.schemars.is_none() && keys.any.is_none() && !may_not_be_any(ty) {
        shape.extend(quote_spanned!(at=> .typed()));
    }
    if keys.lock {
        shape.extend(quote_spanned!(at=> .lockable()));
    }
    shape
}

/// Whether the type is read by serde.
pub(super) fn is_bridged(param: &Param) -> bool {
    param.argument().is_some_and(|keys| keys.schemars.is_some())
}

/// The type as which the parameter is decoded.
pub(super) fn read_as(param: &Param, private: &Ident) -> Type {
    let ty = &param.ty;
    if !is_bridged(param) {
        return ty.clone();
    }
    let at = located(ty.span());
    Type::Verbatim(quote_spanned!(at=> #private::Bridge<#ty>))
}

/// Bounds as calls of builder methods, at the type that they must fit.
fn bounds(bounds: &Bounds, ty: &Type, names: &Names) -> TokenStream {
    let at = located(ty.span());
    let mut calls = TokenStream::new();
    let mut add = |method: TokenStream| calls.extend(method);
    if let Some(min) = &bounds.min {
        let min = min.bound(names);
        add(quote_spanned!(at=> .min(#min)));
    }
    if let Some(max) = &bounds.max {
        let max = max.bound(names);
        add(quote_spanned!(at=> .max(#max)));
    }
    if let Some(length) = &bounds.length {
        let (min, max) = (length.min, length.max);
        add(quote_spanned!(at=> .length(#min, #max)));
    }
    if !bounds.values.is_empty() {
        let values = &bounds.values;
        add(quote_spanned!(at=> .values(&[#(#values),*])));
    }
    if let Some(pattern) = &bounds.pattern {
        add(quote_spanned!(at=> .pattern(#pattern)));
    }
    if let Some(format) = &bounds.format {
        add(quote_spanned!(at=> .format(#format)));
    }
    calls
}

/// `<Type as ToolParam>::member`, at the place of the type. Every use of the bound is written this
/// way, so that a type that is no parameter is reported once, and there.
pub(crate) fn param_trait(ty: &Type, private: &Ident, member: &str) -> TokenStream {
    let at = located(ty.span());
    let member = Ident::new(member, at);
    quote_spanned!(at=> <#ty as #private::ToolParam>::#member)
}

/// The default, when its JSON text is not known before it runs.
fn computed_default(keys: &ArgKeys) -> Option<&Expr> {
    keys.default
        .as_ref()
        .map(|(_, default)| default)
        .filter(|expr| json::scalar(expr).is_none())
}

/// The functions that make the defaults of these parameters.
pub(crate) fn default_functions(params: &[(usize, &Param)], names: &Names) -> TokenStream {
    let mut functions = TokenStream::new();
    for (index, param) in params {
        if let Some(default) = param.argument().and_then(computed_default) {
            functions.extend(default_function(*index, &param.ty, default, names));
        }
    }
    functions
}

/// The default stands in one place, so that what is wrong with it is reported once.
fn default_function(index: usize, ty: &Type, default: &Expr, names: &Names) -> TokenStream {
    let function = Names::default(index);
    let value = typed(ty, default, names);
    let (declared, _, clause) = names.generics.split_for_impl();
    let at = Span::mixed_site();
    quote_spanned!(at=> fn #function #declared() -> #ty #clause { #value })
}

fn default_call(index: usize, names: &Names) -> TokenStream {
    let function = Names::default(index);
    let (_, types, _) = names.generics.split_for_impl();
    let turbofish = types.as_turbofish();
    let at = Span::mixed_site();
    quote_spanned!(at=> #function #turbofish())
}

fn rendered(index: usize, ty: &Type, names: &Names) -> TokenStream {
    let made = default_call(index, names);
    let render = param_trait(ty, &names.private, "render");
    let at = Span::mixed_site();
    quote_spanned!(at=> .default_with(|| #render(&#made)))
}

/// The expression as a value of the type. A wrong one is the compiler's "mismatched types" on the
/// user's literal; text becomes what its type makes of it.
fn typed(ty: &Type, expr: &Expr, names: &Names) -> TokenStream {
    let Names { private, value, .. } = names;
    let at = located(expr.span());
    let converted = if literal_string(expr).is_some() && !is_primitive(ty) {
        quote_spanned!(at=> #private::From::from(#expr))
    } else {
        quote_spanned!(at=> #expr)
    };
    let at = Span::mixed_site();
    quote_spanned!(at=> { let #value: #ty = #converted; #value })
}
