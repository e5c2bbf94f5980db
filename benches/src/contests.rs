//! Every comparison: its ways, the limit first.

use std::collections::HashMap;
use std::hint::black_box;

use hermes_tools::{ToolEntry, ToolRegistry};
use tokio::runtime::Runtime;

use crate::arguments::{ESCAPED, LARGE, LONG, Large, SMALL, Small, large, small};
use crate::callers::{Caller, Limit, Ours, time};
#[cfg(feature = "peers")]
use crate::callers::{McpRouter, RigToolSet};
use crate::compare::Way;
use crate::hundred::ECHO;

/// A call of a tool that does nothing, from its name and the text of its arguments to the text of
/// its answer. Every caller is seen to give the same text.
pub fn dispatch(runtime: &Runtime) -> Vec<Way<'_>> {
    let ours = Ours::new();
    let blocking = ours.clone();
    vec![
        caller("limit", runtime, Limit::new()),
        caller("`Session::call`", runtime, ours),
        Way::new("`Session::call_blocking`", move || {
            blocking.call_blocking(black_box(ECHO), black_box(SMALL))
        }),
        #[cfg(feature = "peers")]
        caller("rmcp `ToolRouter::call`", runtime, McpRouter::new(runtime)),
        #[cfg(feature = "peers")]
        caller("rig `ToolSet::execute`", runtime, RigToolSet::new()),
    ]
}

/// Decoding three arguments.
pub fn decode_small() -> Vec<Way<'static>> {
    decode(SMALL)
}

/// Decoding three arguments, one of them a text of 64 KiB.
pub fn decode_long() -> Vec<Way<'static>> {
    decode(&LONG)
}

/// Decoding three arguments, one of them a text of 64 KiB with 2,048 escapes.
pub fn decode_escaped() -> Vec<Way<'static>> {
    decode(&ESCAPED)
}

/// Decoding ten arguments, five of them nested.
pub fn decode_large() -> Vec<Way<'static>> {
    vec![
        Way::new("`serde_json::from_str`", || {
            serde_json::from_str::<Large>(black_box(LARGE))
        }),
        Way::new("table and places", || large(black_box(LARGE))),
    ]
}

/// Building the registry of the hundred linked tools.
pub fn registry() -> Vec<Way<'static>> {
    vec![
        Way::new("`HashMap` over the slice", map),
        Way::new("`ToolRegistry::linked`", ToolRegistry::linked),
    ]
}

/// The linked tools by name: the least that a registry can be.
pub fn map() -> HashMap<&'static str, &'static ToolEntry> {
    let linked = &hermes_tools::__private::HERMES_TOOLS_V1;
    linked
        .iter()
        .flatten()
        .map(|tool| (tool.name(), *tool))
        .collect()
}

fn decode(text: &'static str) -> Vec<Way<'static>> {
    vec![
        Way::new("`serde_json::from_str`", || {
            serde_json::from_str::<Small>(black_box(text))
        }),
        Way::new("table and places", || small(black_box(text))),
    ]
}

fn caller<'w, C: Caller + 'w>(name: &'static str, runtime: &'w Runtime, caller: C) -> Way<'w> {
    let answer = runtime.block_on(caller.call(ECHO, SMALL));
    // The tool answers with its arguments.
    assert_eq!(C::text(&answer), Some(SMALL), "the answer of {name}");
    Way::timed(name, move |calls| time(runtime, &caller, calls))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::callers::runtime;

    #[test]
    fn every_caller_gives_the_same_text() {
        // Building the ways compares the texts.
        assert_eq!(
            dispatch(&runtime()).len(),
            if cfg!(feature = "peers") { 5 } else { 3 }
        );
    }
}
