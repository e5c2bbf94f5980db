//! Rules across keys, parameters and the function. None stops another from being checked.

pub(crate) mod bounds;
mod function;
mod names;
mod parameter;

use crate::errors::Errors;
use crate::tool::Tool;

/// Checks every rule, takes surplus `#[tool]` attributes off, and settles the tool's name.
pub(crate) fn tool(tool: &mut Tool, errors: &mut Errors) {
    tool.name = names::tool(tool, errors);
    function::attributes(tool, errors);
    function::description(tool, errors);
    function::signature(&tool.function.signature, errors);
    function::result(&tool.function.signature, errors);
    function::mode(tool, errors);
    for param in &tool.params {
        parameter::check(param, errors);
        if let Some(keys) = param.argument() {
            bounds::check(keys, errors);
        }
    }
    names::arguments(&tool.params, errors);
}
