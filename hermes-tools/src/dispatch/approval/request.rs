//! What is put to a person.

use std::fmt;
use std::sync::Arc;

use super::GrantKey;
use crate::context::{Executor, SessionContext, SessionFacts};
use crate::dispatch::CallIds;
use crate::effect::Effect;
use crate::registry::Tool;

/// A question about one call: may it run? Clones share everything.
#[derive(Clone)]
pub struct ApprovalRequest(Arc<Inner>);

struct Inner {
    tool: Tool,
    effect: Effect,
    ids: CallIds,
    arguments: String,
    reasons: Vec<Reason>,
    session: Arc<SessionContext>,
}

/// One thing that is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reason {
    /// A stable word for what it is: a guard's category, `effect`, or `hook`.
    pub category: Box<str>,
    /// Why it is asked, for people.
    pub why: String,
    /// The text that it is about, such as a command; empty when it is about the call as a whole.
    pub subject: String,
    /// What an answer is remembered under.
    pub key: GrantKey,
}

impl ApprovalRequest {
    pub(super) fn new(
        tool: Tool,
        effect: Effect,
        ids: CallIds,
        arguments: String,
        reasons: Vec<Reason>,
        session: Arc<SessionContext>,
    ) -> Self {
        Self(Arc::new(Inner {
            tool,
            effect,
            ids,
            arguments,
            reasons,
            session,
        }))
    }

    /// The tool.
    pub fn tool(&self) -> &Tool {
        &self.0.tool
    }

    /// What the call does, as far as is known.
    pub fn effect(&self) -> Effect {
        self.0.effect
    }

    /// The ids of the call, the turn and the request.
    pub fn ids(&self) -> &CallIds {
        &self.0.ids
    }

    /// The arguments as JSON text, secrets taken out. They are what the tool will get.
    pub fn arguments(&self) -> &str {
        &self.0.arguments
    }

    /// All that is asked of the call; at least one thing.
    pub fn reasons(&self) -> &[Reason] {
        &self.0.reasons
    }

    /// Facts about the session.
    pub fn facts(&self) -> &SessionFacts {
        &self.0.session.facts
    }

    pub(super) fn executor(&self) -> &dyn Executor {
        &*self.0.session.executor
    }
}

impl fmt::Debug for ApprovalRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApprovalRequest")
            .field("tool", &self.0.tool.name())
            .field("effect", &self.0.effect)
            .field("ids", &self.0.ids)
            .field("reasons", &self.0.reasons)
            .finish_non_exhaustive()
    }
}
