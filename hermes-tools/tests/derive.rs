//! `#[derive(ToolParam)]` and the schemas that tools show, against faults that were reported of other
//! frameworks.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "derive/cases.rs"]
mod cases;
#[path = "derive/types.rs"]
mod types;

use hermes_tools::{CallResult, Selection, Session, ToolEntry, ToolRegistry};
use serde_json::Value;

/// A session with one tool.
fn session(tool: &'static ToolEntry) -> Session {
    let registry = ToolRegistry::of(&[tool]).unwrap();
    Session::builder(registry, Selection::of([tool.name()]))
        .build()
        .unwrap()
}

/// The parameters of a tool as a model is told of them.
fn parameters(tool: &'static ToolEntry) -> Value {
    serde_json::from_str(&hermes_tools::schema::write::parameters(tool.params())).unwrap()
}

fn call(tool: &'static ToolEntry, arguments: &str) -> CallResult {
    session(tool).call_blocking(tool.name(), arguments)
}

/// What a call gives back; its error where it fails.
fn answer(tool: &'static ToolEntry, arguments: &str) -> String {
    match call(tool, arguments).outcome {
        Ok(output) => output.text().into_owned(),
        Err(error) => error.message().to_owned(),
    }
}
