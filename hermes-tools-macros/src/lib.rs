//! x
#![allow(missing_docs)]
mod arg;
mod args;
mod diagnostics;
mod docs;
mod errors;
mod expand;
mod input;
mod json;
mod keys;
mod list;
mod name;
mod number;
mod param;
mod span;
mod strip;
mod suggest;
#[cfg(test)]
mod tests;
mod tool;
mod types;
mod validate;
mod value;

use proc_macro::TokenStream;

#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(attribute.into(), item.into()).into()
}

#[proc_macro]
pub fn tools(list: TokenStream) -> TokenStream {
    list::expand(list.into()).into()
}
