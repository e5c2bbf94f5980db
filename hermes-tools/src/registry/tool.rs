//! A handle on one tool, wherever it comes from.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::RuntimeTool;
use crate::args::RawArguments;
use crate::availability::{Availability, CheckContext, CheckHandle};
use crate::context::{SessionContext, StateNeed, ToolContext};
use crate::effect::{Effect, Role};
use crate::entry::{Exposure, Origin, Parallel, ToolEntry};
use crate::output::CallFuture;
use crate::param::Param;
use crate::schema::write;

/// A tool that can be called: one that is linked into the binary, or one that was registered while
/// the program runs. Cheap to clone.
#[derive(Clone)]
pub struct Tool(Source);

#[derive(Clone)]
enum Source {
    Linked(&'static ToolEntry),
    Runtime(Arc<RuntimeTool>),
}

impl Tool {
    /// Name under which the model calls it.
    pub fn name(&self) -> &str {
        match &self.0 {
            Source::Linked(entry) => entry.name(),
            Source::Runtime(tool) => tool.name(),
        }
    }

    /// Toolset under which it is registered.
    pub fn toolset(&self) -> &str {
        match &self.0 {
            Source::Linked(entry) => entry.toolset(),
            Source::Runtime(tool) => tool.toolset(),
        }
    }

    /// What lists say of it.
    pub fn description(&self) -> &str {
        match &self.0 {
            Source::Linked(entry) => entry.description(),
            Source::Runtime(tool) => tool.description(),
        }
    }

    /// Name shown to people, when it differs from [`name`](Self::name).
    pub fn display_title(&self) -> Option<&str> {
        match &self.0 {
            Source::Linked(entry) => entry.display_title(),
            Source::Runtime(tool) => tool.display_title(),
        }
    }

    /// Sign shown to people.
    pub fn display_emoji(&self) -> Option<&str> {
        match &self.0 {
            Source::Linked(entry) => entry.display_emoji(),
            Source::Runtime(tool) => tool.display_emoji(),
        }
    }

    /// The most that a call may do. A tool that does not say counts as destructive.
    pub fn declared_effect(&self) -> Effect {
        match &self.0 {
            Source::Linked(entry) => entry.declared_effect(),
            Source::Runtime(tool) => tool.declared_effect(),
        }
    }

    /// Longest result in characters; `usize::MAX` is no limit.
    pub fn result_limit(&self) -> usize {
        match &self.0 {
            Source::Linked(entry) => entry.result_limit(),
            Source::Runtime(tool) => tool.result_limit(),
        }
    }

    /// How long a call may take, or `None` for the session's default.
    pub fn time_limit(&self) -> Option<Duration> {
        match &self.0 {
            Source::Linked(entry) => entry.time_limit(),
            Source::Runtime(tool) => tool.time_limit(),
        }
    }

    /// How long a call that is cancelled or late is waited for, so that it can clean up.
    pub fn teardown_grace(&self) -> Option<Duration> {
        match &self.0 {
            Source::Linked(entry) => entry.teardown_grace(),
            Source::Runtime(tool) => tool.teardown_grace(),
        }
    }

    /// Whether calls may run beside others, where the tool says so itself.
    pub fn declared_parallel(&self) -> Option<Parallel> {
        match &self.0 {
            Source::Linked(entry) => entry.declared_parallel(),
            Source::Runtime(tool) => tool.declared_parallel(),
        }
    }

    /// Whether a long result may go to the result store.
    pub fn may_spill(&self) -> bool {
        match &self.0 {
            Source::Linked(entry) => entry.may_spill(),
            Source::Runtime(tool) => tool.may_spill(),
        }
    }

    /// Environment variables without which it is unavailable.
    pub fn required_env(&self) -> Vec<&str> {
        match &self.0 {
            Source::Linked(entry) => entry.required_env().to_vec(),
            Source::Runtime(tool) => tool.required_env().collect(),
        }
    }

    /// Whether a second equal call changes nothing more than the first. Readers always are.
    pub fn is_idempotent(&self) -> bool {
        match &self.0 {
            Source::Linked(entry) => entry.is_idempotent(),
            Source::Runtime(tool) => tool.is_idempotent(),
        }
    }

    /// Whether it says itself that it is idempotent: of a reader, that equal calls give equal answers as
    /// long as nothing has changed, so that asking again is pointless.
    pub fn says_idempotent(&self) -> bool {
        match &self.0 {
            Source::Linked(entry) => entry.says_idempotent(),
            Source::Runtime(tool) => tool.says_idempotent(),
        }
    }

    /// What arguments must look like, for decoding them as a tree.
    #[cfg(feature = "host")]
    pub(crate) fn rules(&self) -> Arc<crate::args::JsonSchema> {
        match &self.0 {
            Source::Linked(entry) => Arc::new(crate::args::JsonSchema::of(entry.params())),
            Source::Runtime(tool) => Arc::clone(tool.rules()),
        }
    }

    /// Whether it reaches beyond this machine.
    pub fn is_open_world(&self) -> bool {
        match &self.0 {
            Source::Linked(entry) => entry.is_open_world(),
            Source::Runtime(tool) => tool.is_open_world(),
        }
    }

    /// What to use instead, for a tool that is on its way out.
    pub fn deprecation(&self) -> Option<&str> {
        match &self.0 {
            Source::Linked(entry) => entry.deprecation(),
            Source::Runtime(_) => None,
        }
    }

    /// The typed arguments of a linked tool, in the order of the function. The arguments of a tool of
    /// the run time are a JSON schema, and this is empty.
    pub fn params(&self) -> &'static [Param] {
        self.entry().map_or(&[], ToolEntry::params)
    }

    /// Whether an argument at the top has this role.
    pub fn has_role(&self, role: Role) -> bool {
        match &self.0 {
            Source::Linked(entry) => {
                let mut params = entry.params().iter();
                params.any(|param| param.declared_role() == Some(role))
            }
            Source::Runtime(tool) => tool.roles().has(role),
        }
    }

    /// Who is told of it. That of a tool of the run time is up to the tool search.
    pub fn declared_exposure(&self) -> Exposure {
        self.entry()
            .map_or(Exposure::Direct, ToolEntry::declared_exposure)
    }

    /// Whether the agent loop answers in a session that lacks what the tool needs.
    pub fn is_agent_loop(&self) -> bool {
        self.entry().is_some_and(ToolEntry::is_agent_loop)
    }

    /// Whether results hold what strangers wrote.
    pub fn is_untrusted(&self) -> bool {
        match &self.0 {
            Source::Linked(entry) => entry.is_untrusted(),
            Source::Runtime(tool) => tool.is_untrusted(),
        }
    }

    /// Whether a session bounded to this effect may see the tool: some call of it stays within.
    pub fn fits_effect(&self, most: Effect) -> bool {
        match &self.0 {
            Source::Linked(entry) => entry.fits_effect(most),
            Source::Runtime(tool) => tool.declared_effect() <= most,
        }
    }

    /// The first thing that the tool takes and the session does not have, the workspace apart.
    pub fn missing_state(&self, session: &SessionContext) -> Option<&'static StateNeed> {
        self.entry()?.missing_state(session)
    }

    /// Where it was declared. Tools of the run time have no place in source.
    pub fn declared_at(&self) -> Option<Origin> {
        self.entry().map(ToolEntry::declared_at)
    }

    /// What `#[tool]` left in the binary, for a linked tool.
    pub fn entry(&self) -> Option<&'static ToolEntry> {
        match &self.0 {
            Source::Linked(entry) => Some(entry),
            Source::Runtime(_) => None,
        }
    }

    /// What was registered, for a tool of the run time.
    pub fn runtime(&self) -> Option<&Arc<RuntimeTool>> {
        match &self.0 {
            Source::Linked(_) => None,
            Source::Runtime(tool) => Some(tool),
        }
    }

    /// The plugin that owns it. Linked tools and those of the host have no owner.
    pub fn plugin(&self) -> Option<&str> {
        self.runtime().and_then(|tool| tool.plugin())
    }

    /// Whether a session without an opinion may hide it behind the tool search.
    pub fn is_always_visible(&self) -> bool {
        self.runtime().is_some_and(|tool| tool.is_always_visible())
    }

    /// The definition for a model as JSON text: `name`, `description`, `parameters`.
    pub fn definition(&self) -> String {
        match &self.0 {
            Source::Linked(entry) => write::definition(entry),
            Source::Runtime(tool) => tool.definition(),
        }
    }

    /// The definition, made once unless it is dynamic.
    #[cfg(feature = "host")]
    pub(crate) fn definition_text(&self, cx: &CheckContext<'_>) -> Arc<str> {
        match &self.0 {
            Source::Linked(entry) if self.is_dynamic() => entry.definition(cx).to_json().into(),
            Source::Linked(entry) => super::texts::of_linked(entry),
            Source::Runtime(tool) => tool.definition_text(),
        }
    }

    /// Whether the definition may differ from one moment to the next.
    pub fn is_dynamic(&self) -> bool {
        match &self.0 {
            Source::Linked(entry) => entry.definition_patch().is_some(),
            Source::Runtime(tool) => tool.is_dynamic(),
        }
    }

    /// Whether there is anything to ask before the tool can be called.
    pub fn has_checks(&self) -> bool {
        match &self.0 {
            Source::Linked(entry) => entry.has_checks(),
            Source::Runtime(tool) => tool.has_checks(),
        }
    }

    /// The checks, in the order in which they are asked.
    pub fn checks(&self) -> Vec<CheckHandle> {
        match &self.0 {
            Source::Linked(entry) => entry.checks().map(CheckHandle::linked).collect(),
            Source::Runtime(tool) => tool.checks().cloned().collect(),
        }
    }

    /// Unavailable when a variable that the tool needs is not set in this session.
    pub fn environment(&self, cx: &CheckContext<'_>) -> Availability {
        let mut missing = self.required_env();
        missing.retain(|name| cx.env(name).is_none());
        if missing.is_empty() {
            Availability::Available
        } else {
            Availability::missing_env(&missing)
        }
    }

    /// Unavailable when the tool takes a workspace and the session has none.
    #[cfg(feature = "host")]
    pub(crate) fn workspace(&self, cx: &CheckContext<'_>) -> Availability {
        let entry = self.entry();
        entry.map_or(Availability::Available, |it| it.workspace_availability(cx))
    }

    /// Starts a call. The arguments are decoded when the future is polled first.
    pub fn call<'a>(&self, cx: &'a ToolContext, arguments: RawArguments<'a>) -> CallFuture<'a> {
        match &self.0 {
            Source::Linked(entry) => entry.call(cx, arguments),
            Source::Runtime(tool) => tool.call(cx, arguments),
        }
    }

    /// The name to keep in an answer; that of a linked tool is not copied.
    #[cfg(feature = "host")]
    pub(crate) fn owned_name(&self) -> std::borrow::Cow<'static, str> {
        match &self.0 {
            Source::Linked(entry) => entry.name().into(),
            Source::Runtime(tool) => tool.name().to_owned().into(),
        }
    }

    /// Whether both handles are on the same tool.
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Source::Linked(a), Source::Linked(b)) => std::ptr::eq(*a, *b),
            (Source::Runtime(a), Source::Runtime(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl From<&'static ToolEntry> for Tool {
    fn from(entry: &'static ToolEntry) -> Self {
        Self(Source::Linked(entry))
    }
}

impl From<Arc<RuntimeTool>> for Tool {
    fn from(tool: Arc<RuntimeTool>) -> Self {
        Self(Source::Runtime(tool))
    }
}

impl From<RuntimeTool> for Tool {
    fn from(tool: RuntimeTool) -> Self {
        Self(Source::Runtime(Arc::new(tool)))
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Source::Linked(entry) => entry.fmt(f),
            Source::Runtime(tool) => tool.fmt(f),
        }
    }
}
