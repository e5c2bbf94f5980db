//! Spans and identifiers of the expansion.
//!
//! Everything that we write has the hygiene of [`Span::mixed_site`], so that a name of ours never
//! meets a local name of the user. Where an error of rustc must point at user code, the *position*
//! is taken over and the hygiene is kept: with the user's own span rustc would believe that the
//! user wrote the path, and lint it.

use proc_macro2::{Ident, Span};
use syn::Generics;

/// Our hygiene at the position of user code.
pub(crate) fn located(user: Span) -> Span {
    Span::mixed_site().located_at(user)
}

/// The identifiers of one expansion, each built once.
///
/// They start with two underscores, because an item of the user called `call` or a constant
/// called `value` would otherwise be found in their place.
pub(crate) struct Names {
    /// Alias of the runtime's private module.
    pub(crate) private: Ident,
    /// The static table of parameters.
    pub(crate) params: Ident,
    /// What few tools say.
    pub(crate) facts: Ident,
    /// What the tool takes from the session.
    pub(crate) needs: Ident,
    /// The forms of a tagged enum.
    pub(crate) forms: Ident,
    /// The glue.
    pub(crate) call: Ident,
    /// The entry.
    pub(crate) entry: Ident,
    /// The glue's context.
    pub(crate) cx: Ident,
    /// The glue's arguments, not decoded yet.
    pub(crate) arguments: Ident,
    /// What the function returned.
    pub(crate) output: Ident,
    /// What a value is read from.
    pub(crate) reader: Ident,
    /// What fills places.
    pub(crate) fill: Ident,
    /// The entries of an object.
    pub(crate) entries: Ident,
    /// Places of several types.
    pub(crate) slots: Ident,
    /// A value on its way.
    pub(crate) value: Ident,
    /// The generics that functions beside the implementation repeat, since items do not see those
    /// of the type.
    pub(crate) generics: Generics,
}

impl Names {
    /// Those of a type with generics.
    pub(crate) fn with_generics(generics: Generics) -> Self {
        Self {
            generics,
            ..Self::new()
        }
    }

    pub(crate) fn new() -> Self {
        Self {
            private: ours("__p"),
            params: ours("__PARAMS"),
            facts: ours("__FACTS"),
            needs: ours("__NEEDS"),
            forms: ours("__FORMS"),
            call: ours("__call"),
            entry: ours("__ENTRY"),
            cx: ours("__cx"),
            arguments: ours("__arguments"),
            output: ours("__output"),
            reader: ours("__reader"),
            fill: ours("__fill"),
            entries: ours("__entries"),
            slots: ours("__slots"),
            value: ours("__value"),
            generics: Generics::default(),
        }
    }

    /// The local variable of the parameter at this index.
    pub(crate) fn local(index: usize) -> Ident {
        ours(&format!("__argument{index}"))
    }

    /// The table of the form at this index.
    pub(crate) fn form(index: usize) -> Ident {
        ours(&format!("__FORM{index}"))
    }

    /// The function that makes the default of the parameter at this index.
    pub(crate) fn default(index: usize) -> Ident {
        ours(&format!("__default{index}"))
    }
}

/// The hidden constant beside a tool function. It is an item that `tools!` and the user's modules
/// must find, so its position and hygiene are those of the function's name.
pub(crate) fn hidden_constant(function: &Ident) -> Ident {
    let name = function.to_string();
    let plain = name.strip_prefix("r#").unwrap_or(&name);
    Ident::new(&format!("__tool_{plain}"), function.span())
}

fn ours(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn the_hidden_constant_of_a_raw_identifier_is_plain() {
        assert_eq!(
            hidden_constant(&parse_quote!(r#type)).to_string(),
            "__tool_type"
        );
        assert_eq!(
            hidden_constant(&parse_quote!(read_file)).to_string(),
            "__tool_read_file"
        );
    }

    #[test]
    fn locals_of_different_parameters_differ() {
        assert_eq!(Names::local(0).to_string(), "__argument0");
        assert_eq!(Names::local(11).to_string(), "__argument11");
    }
}
