//! What both binaries do.

use std::error::Error;
use std::process::ExitCode;

use hermes_tools::{Selection, Session, Tool, ToolRegistry};

/// Lists the tools, or answers the call that the arguments of the process are.
pub(crate) fn run() -> ExitCode {
    match answer() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn answer() -> Result<bool, Box<dyn Error>> {
    let registry = ToolRegistry::linked()?;
    let snapshot = registry.snapshot();
    // Here every linked tool may be used. An agent takes a selection made from toolset names.
    let selection = Selection::of(snapshot.tools().iter().map(Tool::name));
    let session = Session::builder(registry, selection).build()?;

    let mut arguments = std::env::args().skip(1);
    let Some(tool) = arguments.next() else {
        for tool in snapshot.tools() {
            println!("{}\t{}", tool.name(), tool.declared_effect());
        }
        return Ok(true);
    };
    let result = session.call_blocking(&tool, &arguments.next().unwrap_or_default());
    println!("{}", result.model_text());
    Ok(result.outcome.is_ok())
}
