//! hermes-tools: the whole way of a call, from the model's text to a bounded result.

use hermes_tools::{CallResult, Selection, Session, ToolRegistry};

use super::Caller;
use crate::hundred::COUNT;

/// A session with every linked tool.
#[derive(Clone)]
pub struct Ours {
    session: Session,
}

impl Ours {
    /// A session with the linked registry.
    pub fn new() -> Self {
        let registry = ToolRegistry::linked().expect("names in the crate differ");
        let snapshot = registry.snapshot();
        assert_eq!(snapshot.tools().len(), COUNT);
        let selection = Selection::of(snapshot.tools().iter().map(|tool| tool.name()));
        Self {
            session: Session::builder(registry, selection)
                .build()
                .expect("the tools take no state"),
        }
    }

    /// A call from a thread that is in no runtime.
    pub fn call_blocking(&self, tool: &str, arguments: &str) -> CallResult {
        self.session.call_blocking(tool, arguments)
    }
}

impl Default for Ours {
    fn default() -> Self {
        Self::new()
    }
}

impl Caller for Ours {
    type Answer = CallResult;

    async fn call(&self, tool: &'static str, arguments: &str) -> Self::Answer {
        self.session.call(tool, arguments).await
    }

    fn text(answer: &Self::Answer) -> Option<&str> {
        answer.outcome.as_ref().ok()?.json()
    }
}
