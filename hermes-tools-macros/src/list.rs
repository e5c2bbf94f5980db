//! `tools![...]`: a catalogue by hand, from the hidden constants of the named functions.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Path, Token};

use crate::args::default_runtime;
use crate::diagnostics::LIST_PATH;
use crate::errors::{Errors, Report, compile_errors};
use crate::expand::entry_type;
use crate::span::hidden_constant;
use crate::value;

/// Expands `tools![...]`. Broken entries are reported and left out.
pub(crate) fn expand(tokens: TokenStream) -> TokenStream {
    let list = read(tokens);
    let errors = compile_errors(&list.reports);
    let entry = entry_type(&list.runtime);
    let constants = &list.constants;
    let at = Span::mixed_site();
    // A constant, so that the list is `'static` wherever it stands.
    quote_spanned! {at=> {
        #errors
        const __TOOLS: &'static [&'static #entry] = &[#(#constants),*];
        __TOOLS
    }}
}

/// A list as it was written.
pub(crate) struct List {
    runtime: Path,
    constants: Vec<Path>,
    pub(crate) reports: Vec<Report>,
}

/// Reads a list, and what is wrong with it.
pub(crate) fn read(tokens: TokenStream) -> List {
    let mut errors = Errors::new();
    let (runtime, entries) = parse.parse2(tokens).unwrap_or_else(|error| {
        errors.syntax(error);
        (default_runtime(), Vec::new())
    });
    let mut constants = Vec::new();
    for entry in entries {
        match value::path(&entry).and_then(constant) {
            Some(path) => constants.push(path),
            None => errors.report(entry, LIST_PATH.with(&[])),
        }
    }
    let reports = errors.finish().err().unwrap_or_default();
    List {
        runtime,
        constants,
        reports,
    }
}

fn parse(input: ParseStream<'_>) -> syn::Result<(Path, Vec<Expr>)> {
    let mut runtime = default_runtime();
    if input.peek(Token![crate]) && input.peek2(Token![=]) {
        input.parse::<Token![crate]>()?;
        input.parse::<Token![=]>()?;
        runtime = input.parse()?;
        input.parse::<Token![;]>()?;
    }
    let entries = Punctuated::<Expr, Token![,]>::parse_terminated(input)?;
    Ok((runtime, entries.into_iter().collect()))
}

/// The hidden constant beside the function at this path.
fn constant(function: &Path) -> Option<Path> {
    let mut path = function.clone();
    let last = path
        .segments
        .last_mut()
        .filter(|segment| segment.arguments.is_none())?;
    last.ident = hidden_constant(&last.ident);
    Some(path)
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn paths_lead_to_the_hidden_constants() {
        let expected = quote! {{
            const __TOOLS: &'static [&'static ::hermes_tools::ToolEntry] =
                &[file::__tool_read_file, __tool_wait];
            __TOOLS
        }};
        assert_eq!(
            expand(quote!(file::read_file, wait,)).to_string(),
            expected.to_string()
        );
    }

    #[test]
    fn the_runtime_crate_can_be_elsewhere() {
        let expected = quote! {{
            const __TOOLS: &'static [&'static umbrella::tools::ToolEntry] = &[crate::a::__tool_f];
            __TOOLS
        }};
        let expanded = expand(quote!(crate = umbrella::tools; crate::a::f));
        assert_eq!(expanded.to_string(), expected.to_string());
    }

    #[test]
    fn every_entry_that_is_no_path_is_reported() {
        let list = read(quote!(a(), b, "c", d::<u8>));
        let texts: Vec<String> = list.reports.iter().map(Report::text).collect();
        let expected = "expected the path of a tool function; write `module::function`";
        assert_eq!(texts, [expected; 3]);
        assert_eq!(list.constants.len(), 1);
    }
}
