//! Definitions, registrations and lookups.

mod writing;

use std::hint::black_box;
use std::sync::Arc;

use hermes_tools::{RuntimeTool, Selection, Session, Tool, ToolRegistry};
use serde_json::{Value, json};

pub use self::writing::{lookups, registrations};
#[cfg(feature = "peers")]
use crate::callers::McpRouter;
use crate::compare::Way;
use crate::hundred::{ECHO, OTHERS};

/// The definitions of a hundred tools that have not changed since.
pub fn kept() -> Vec<Way<'static>> {
    let session = session();
    let shared = session.definitions();
    vec![
        Way::new("clone of an `Arc`", move || Arc::clone(black_box(&shared))),
        Way::new("`Session::definitions`", {
            let session = session.clone();
            move || session.definitions()
        }),
        Way::new("`Session::definitions_for`", move || {
            session.definitions_for(hermes_tools::Dialect::Anthropic)
        }),
        #[cfg(feature = "peers")]
        Way::new("rmcp `ToolRouter::list_all`", {
            let router = router();
            move || router.list()
        }),
    ]
}

/// Their text: that of the first way is put together of texts that are there.
pub fn text() -> Vec<Way<'static>> {
    let session = session();
    let texts: Vec<String> = session
        .definitions()
        .iter()
        .map(|(_, text)| text.to_owned())
        .collect();
    vec![
        Way::new("joining texts", move || joined(black_box(&texts))),
        Way::new("`Session::definitions`, its text copied", {
            let session = session.clone();
            move || session.definitions().text().to_owned()
        }),
        Way::new("`Session::definitions` after a change", move || {
            // An alias is a change of the registry without a change of the tools.
            session.registry().alias("other", "bench");
            session.definitions()
        }),
        #[cfg(feature = "peers")]
        Way::new("rmcp `ToolRouter::list_all` as JSON", {
            let router = router();
            move || router.list_json()
        }),
    ]
}

/// Their text from the tables of the tools, with nothing kept.
pub fn cold() -> Vec<Way<'static>> {
    let session = session();
    let values: Vec<Value> =
        serde_json::from_str(&session.definitions()).expect("definitions are JSON");
    let tools: Vec<Tool> = session.tools().into_iter().map(|(tool, _)| tool).collect();
    vec![
        Way::new("`serde_json::to_string` of the same values", move || {
            serde_json::to_string(black_box(&values))
        }),
        Way::new("`Tool::definition` of each, joined", move || {
            let texts: Vec<String> = black_box(&tools).iter().map(Tool::definition).collect();
            joined(&texts)
        }),
    ]
}

/// A tool of the run time.
fn made(number: usize) -> RuntimeTool {
    let schema = json!({"type": "object", "properties": {"id": {"type": "string"}}});
    RuntimeTool::new(format!("tool_{number}"), "made", "Does something.", schema)
}

fn session() -> Session {
    let registry = ToolRegistry::linked().expect("no name twice");
    let names = OTHERS.into_iter().chain([ECHO, "survey"]);
    let builder = Session::builder(registry, Selection::of(names));
    builder.build().expect("the tools need no state")
}

fn joined(texts: &[String]) -> String {
    let mut all = String::with_capacity(texts.iter().map(|text| text.len() + 1).sum::<usize>() + 2);
    all.push('[');
    for (place, text) in texts.iter().enumerate() {
        if place > 0 {
            all.push(',');
        }
        all.push_str(text);
    }
    all.push(']');
    all
}

#[cfg(feature = "peers")]
fn router() -> McpRouter {
    // What is listed needs no runtime; making the router's service does.
    McpRouter::new(&crate::callers::runtime())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_session_is_its_texts_joined() {
        let session = session();
        let definitions = session.definitions();
        assert_eq!(definitions.count(), crate::hundred::COUNT);
        let texts: Vec<String> = definitions
            .iter()
            .map(|(_, text)| text.to_owned())
            .collect();
        assert_eq!(definitions.text(), joined(&texts));
    }
}
