//! The tools of a session as the protocol lists them.

use std::borrow::Cow;
use std::sync::Arc;

use hermes_tools::definitions::Definitions;
use hermes_tools::schema::write;
use hermes_tools::{Dialect, Session, Tool};
use rmcp::model::{self, JsonObject};
use serde_json::Value;

/// What a session tells its clients at one moment, sorted by name.
pub(super) struct Listing {
    definitions: Arc<Definitions>,
    tools: Vec<model::Tool>,
}

impl Listing {
    pub(super) fn of(session: &Session, definitions: Arc<Definitions>) -> Self {
        let mut tools: Vec<model::Tool> = definitions
            .iter()
            .filter_map(|(name, text)| told(name, text, session.registry().get(name).as_ref()))
            .collect();
        tools.sort_by(|a, b| a.name.cmp(&b.name));
        Self { definitions, tools }
    }

    /// What the session tells now. Checks are asked whose answers are too old.
    pub(super) async fn definitions(session: &Session) -> Arc<Definitions> {
        session.refresh().await;
        Self::known(session)
    }

    /// What the session tells by the answers that it has.
    pub(super) fn known(session: &Session) -> Arc<Definitions> {
        session.definitions_for(Dialect::Mcp)
    }

    /// What it was made of.
    pub(super) const fn source(&self) -> &Arc<Definitions> {
        &self.definitions
    }

    /// Whether the tool of this name says what its results look like.
    pub(super) fn has_output_schema(&self, name: &str) -> bool {
        let place = self.tools.binary_search_by(|tool| (*tool.name).cmp(name));
        place.is_ok_and(|at| self.tools[at].output_schema.is_some())
    }

    /// The tools, sorted by name.
    pub(super) fn tools(&self) -> &[model::Tool] {
        &self.tools
    }
}

/// One tool. The text of the definition was written by us, so it reads.
fn told(name: &str, text: &str, tool: Option<&Tool>) -> Option<model::Tool> {
    let Ok(Value::Object(mut definition)) = serde_json::from_str(text) else {
        return None;
    };
    let description = match definition.remove("description") {
        Some(Value::String(text)) => Some(Cow::Owned(text)),
        _ => None,
    };
    let Some(Value::Object(input)) = definition.remove("inputSchema") else {
        return None;
    };
    let mut told = model::Tool::new_with_raw(name.to_owned(), description, Arc::new(input));
    if let Some(annotations) = definition.remove("annotations") {
        told.annotations = serde_json::from_value(annotations).ok();
    }
    if let Some(tool) = tool {
        told.title = tool.display_title().map(str::to_owned);
        told.output_schema = output_schema(tool).map(Arc::new);
    }
    Some(told)
}

/// What the results of a tool look like, where that is an object, which is all that the protocol knows
/// (2025-11-25, "Tools", output schema). Results of an untrusted tool are framed, and nobody may take
/// them for data.
fn output_schema(tool: &Tool) -> Option<JsonObject> {
    let entry = tool.entry().filter(|_| !tool.is_untrusted())?;
    match serde_json::from_str(&write::output(entry)?) {
        Ok(Value::Object(schema)) if schema.get("type") == Some(&"object".into()) => Some(schema),
        _ => None,
    }
}
