//! What a hook sees of a call.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::args::{ForeignArguments, Repair};
use crate::context::{Executor, SessionContext, SessionFacts};
use crate::dispatch::tell::End;
use crate::dispatch::{CallIds, CallStatus};
use crate::effect::Effect;
use crate::output::{ErrorKind, Output};
use crate::registry::Tool;

/// A call as hooks see it: the tool by its own name, also when it was called through `tool_call`, and
/// the decoded arguments. Clones share everything.
#[derive(Clone)]
pub struct HookCall(Arc<Inner>);

#[derive(Clone)]
struct Inner {
    tool: Tool,
    ids: CallIds,
    session: Arc<SessionContext>,
    arguments: ForeignArguments,
    repairs: Vec<Repair>,
}

/// How a call ended.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Ended {
    /// In one word.
    pub status: CallStatus,
    /// How long it took, approvals and hooks included, by the session's clock.
    pub duration: Duration,
    /// What the tool gave back, before it is cut; `None` when the call did not go well.
    pub output: Option<Output>,
    /// What kind of error it was, and its text for the model.
    pub error: Option<(ErrorKind, String)>,
    /// What had to be changed in the model's arguments before they fitted.
    pub repairs: Vec<Repair>,
    ran: bool,
    effect: Effect,
}

impl HookCall {
    pub(crate) fn new(
        tool: Tool,
        ids: CallIds,
        session: Arc<SessionContext>,
        arguments: ForeignArguments,
        repairs: Vec<Repair>,
    ) -> Self {
        Self(Arc::new(Inner {
            tool,
            ids,
            session,
            arguments,
            repairs,
        }))
    }

    pub(crate) fn with_arguments(&self, arguments: ForeignArguments) -> Self {
        Self(Arc::new(Inner {
            arguments,
            ..(*self.0).clone()
        }))
    }

    /// The tool's name.
    pub fn name(&self) -> &str {
        self.0.tool.name()
    }

    /// The tool with all its facts.
    pub fn tool(&self) -> &Tool {
        &self.0.tool
    }

    /// The arguments as they are decoded, and rewritten as far as that has come. They may hold
    /// secrets.
    pub fn arguments(&self) -> &ForeignArguments {
        &self.0.arguments
    }

    /// What had to be changed in the model's arguments before they fitted.
    pub fn repairs(&self) -> &[Repair] {
        &self.0.repairs
    }

    /// The ids of the call, the turn and the request.
    pub fn ids(&self) -> &CallIds {
        &self.0.ids
    }

    /// Facts about the session.
    pub fn facts(&self) -> &SessionFacts {
        &self.0.session.facts
    }

    pub(crate) fn executor(&self) -> &dyn Executor {
        &*self.0.session.executor
    }
}

impl Ended {
    pub(crate) fn new(
        end: &End,
        outcome: &Result<Output, crate::ToolError>,
        ran: bool,
        repairs: &[Repair],
        tool: &Tool,
    ) -> Self {
        Self {
            status: end.status,
            duration: end.duration,
            output: outcome.as_ref().ok().cloned(),
            error: outcome
                .as_ref()
                .err()
                .map(|error| (error.kind(), error.message().to_owned())),
            repairs: repairs.to_vec(),
            ran,
            effect: tool.declared_effect(),
        }
    }

    /// Whether the tool was run at all.
    pub fn has_run(&self) -> bool {
        self.ran
    }

    /// Whether the call may have done something although it did not end well: it was cut off or
    /// failed on the way, and its tool does more than read.
    pub fn may_have_acted(&self) -> bool {
        self.ran && self.status != CallStatus::Ok && self.effect != Effect::Read
    }
}

impl fmt::Debug for HookCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names alone: a value may be a secret.
        let names: Vec<&str> = self.0.arguments.iter().map(|(name, _)| name).collect();
        f.debug_struct("HookCall")
            .field("tool", &self.name())
            .field("ids", &self.0.ids)
            .field("arguments", &names)
            .finish_non_exhaustive()
    }
}
