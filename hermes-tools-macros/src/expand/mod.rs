//! What a tool becomes: its function, and one hidden constant beside it.
//!
//! The constant is a block with the parameter table, the glue and the entry, so that no other name
//! reaches the user's module. It is a constant and not a module or type of the function's name,
//! since `mod read_file; pub use read_file::read_file;` would then clash (E0255).

mod entry;
mod function;
mod glue;
pub(crate) mod table;

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::{Attribute, Path};

use crate::span::{Names, hidden_constant};
use crate::tool::Tool;

/// The expansion of a tool that breaks no rule.
pub(crate) fn tool(tool: &Tool) -> TokenStream {
    let names = Names::new();
    let Names { private, entry, .. } = &names;
    let runtime = &tool.args.runtime;
    let visibility = &tool.function.visibility;
    let constant = hidden_constant(&tool.function.signature.ident);
    let conditions = tool
        .function
        .attributes
        .iter()
        .filter(|attribute| is_condition(attribute));

    let function = function::function(tool);
    let table = table::table(tool, &names);
    let glue = glue::glue(tool, &names);
    let entry_item = entry::entry(tool, &names);
    let entry_type = entry_type(runtime);

    let at = Span::mixed_site();
    let hidden = quote_spanned! {at=>
        #[doc(hidden)]
        #[allow(non_upper_case_globals, dead_code, deprecated, unreachable_pub)]
        #(#conditions)*
        #visibility const #constant: &'static #entry_type = {
            use #runtime::__private as #private;
            #table
            #glue
            #entry_item
            #private::submit!(#entry);
            &#entry
        };
    };
    let mut tokens = function;
    tokens.extend(hidden);
    tokens
}

/// The type of an entry, outside of our block.
pub(crate) fn entry_type(runtime: &Path) -> TokenStream {
    let at = Span::mixed_site();
    quote_spanned!(at=> #runtime::ToolEntry)
}

fn is_condition(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
}
