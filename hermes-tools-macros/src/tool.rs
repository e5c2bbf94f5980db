//! The way of `#[tool]`: read, validate, expand.

use proc_macro2::TokenStream;
use quote::ToTokens;

use crate::args::ToolArgs;
use crate::docs::Docs;
use crate::errors::{Errors, Report, compile_errors};
use crate::input::{self, Function};
use crate::param::{self, Param};
use crate::{expand, validate};

/// A tool as it was written.
pub(crate) struct Tool {
    /// The function, without our attributes.
    pub(crate) function: Function,
    pub(crate) args: ToolArgs,
    pub(crate) params: Vec<Param>,
    pub(crate) docs: Docs,
    /// The name under which the model calls it.
    pub(crate) name: String,
}

/// What is left of a tool that breaks a rule.
pub(crate) struct Refused {
    /// The item, as it can be compiled without us.
    item: TokenStream,
    pub(crate) reports: Vec<Report>,
}

/// Expands `#[tool(attribute)] item`. The item is always part of the answer, so that a mistake in
/// the attribute does not bring "cannot find function" with it.
pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    match analyse(attribute, item) {
        Ok(tool) => expand::tool(&tool),
        Err(refused) => {
            let mut tokens = refused.item;
            tokens.extend(compile_errors(&refused.reports));
            tokens
        }
    }
}

/// Reads a tool and checks every rule.
pub(crate) fn analyse(attribute: TokenStream, item: TokenStream) -> Result<Tool, Refused> {
    let mut errors = Errors::new();
    let args = ToolArgs::read(attribute, &mut errors);
    let function = input::read(item, &mut errors);
    let read = function.map(|mut function| {
        let params = param::take(&mut function.signature, &mut errors);
        let docs = Docs::read(&function.attributes);
        let mut tool = Tool {
            function,
            args,
            params,
            docs,
            name: String::new(),
        };
        validate::tool(&mut tool, &mut errors);
        tool
    });
    match (read, errors.finish()) {
        (Ok(tool), Ok(())) => Ok(tool),
        (Ok(tool), Err(reports)) => Err(Refused {
            item: tool.function.into_token_stream(),
            reports,
        }),
        (Err(item), outcome) => Err(Refused {
            item,
            reports: outcome.err().unwrap_or_default(),
        }),
    }
}
