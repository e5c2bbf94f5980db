//! The facts of a tool that sessions, planners and listings go by.

use super::ToolEntry;
use crate::args::Arguments;
use crate::availability::{Availability, CheckContext};
use crate::context::{SessionContext, StateNeed};
use crate::definition::Definition;
use crate::effect::Effect;
use crate::output::ToolError;
use crate::schema::Schema;
use crate::target::Target;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Says what one call does, for tools with many actions.
pub type EffectFn = fn(&Arguments<'_>) -> Effect;

/// Says which paths one call touches, where they stand inside its arguments.
pub type TargetsFn = fn(&Arguments<'_>) -> Result<Vec<Target>, ToolError>;

/// Changes what a model is told of a tool by what is known of the session.
pub type PatchFn = fn(&CheckContext<'_>, &mut Definition);

/// Whether calls of a tool may run beside others, where effect and roles say too little.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Parallel {
    /// Alone: a call waits for all before it, and all after it wait for it.
    Never,
    /// Beside anything.
    Safe,
}

/// Who is told of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Exposure {
    /// The model, from the start.
    #[default]
    Direct,
    /// The model, when it searches for tools; where there is no search, from the start.
    Deferred,
    /// Nobody: the host calls it, and a model that does is refused.
    Hidden,
}

/// What a tool says beside what it is and what it is called.
#[derive(Clone, Copy)]
pub(super) struct Policy {
    effect_of: Option<EffectFn>,
    parallel: Option<Parallel>,
    untrusted: bool,
    agent_loop: bool,
    exposure: Exposure,
    overrides: Option<&'static str>,
    patch: Option<PatchFn>,
    targets: Option<TargetsFn>,
    spill: bool,
    needs: &'static [Option<StateNeed>],
    output_schema: Option<&'static Schema>,
}

impl Policy {
    pub(super) const fn new() -> Self {
        Self {
            effect_of: None,
            parallel: None,
            untrusted: false,
            agent_loop: false,
            exposure: Exposure::Direct,
            overrides: None,
            patch: None,
            targets: None,
            spill: true,
            needs: &[],
            output_schema: None,
        }
    }
}

/// Facts that `#[tool]` adds.
impl ToolEntry {
    /// Sets what says the effect of one call.
    #[must_use]
    pub const fn effect_of(mut self, effect: EffectFn) -> Self {
        self.policy.effect_of = Some(effect);
        self
    }

    /// Sets whether calls may run beside others.
    #[must_use]
    pub const fn parallel(mut self, parallel: Parallel) -> Self {
        self.policy.parallel = Some(parallel);
        self
    }

    /// Says that results hold what strangers wrote.
    #[must_use]
    pub const fn untrusted(mut self) -> Self {
        self.policy.untrusted = true;
        self
    }

    /// Says that the agent loop may have to answer calls in place of the tool.
    #[must_use]
    pub const fn agent_loop(mut self) -> Self {
        self.policy.agent_loop = true;
        self
    }

    /// Sets who is told of the tool.
    #[must_use]
    pub const fn exposure(mut self, exposure: Exposure) -> Self {
        self.policy.exposure = exposure;
        self
    }

    /// Names the package whose tool of the same name this one replaces.
    #[must_use]
    pub const fn overrides(mut self, package: &'static str) -> Self {
        self.policy.overrides = Some(package);
        self
    }

    /// Sets what changes the definition by the session.
    #[must_use]
    pub const fn schema_patch(mut self, patch: PatchFn) -> Self {
        self.policy.patch = Some(patch);
        self
    }

    /// Sets what finds the paths of a call.
    #[must_use]
    pub const fn targets(mut self, targets: TargetsFn) -> Self {
        self.policy.targets = Some(targets);
        self
    }

    /// Keeps results out of the store for long results: they are cut and nothing else.
    #[must_use]
    pub const fn no_spill(mut self) -> Self {
        self.policy.spill = false;
        self
    }

    /// Sets what the tool takes from the session.
    #[must_use]
    pub const fn needs(mut self, needs: &'static [Option<StateNeed>]) -> Self {
        self.policy.needs = needs;
        self
    }

    /// Sets what the JSON that the tool returns looks like.
    #[must_use]
    pub const fn output_schema(mut self, schema: Option<&'static Schema>) -> Self {
        self.policy.output_schema = schema;
        self
    }
}

/// What a tool says for sessions, planners and listings.
impl ToolEntry {
    /// What says the effect of one call.
    pub const fn call_effect(&self) -> Option<EffectFn> {
        self.policy.effect_of
    }

    /// Whether calls may run beside others, where the tool says so itself.
    pub const fn declared_parallel(&self) -> Option<Parallel> {
        self.policy.parallel
    }

    /// Whether results hold what strangers wrote.
    pub const fn is_untrusted(&self) -> bool {
        self.policy.untrusted
    }

    /// Whether the agent loop answers in a session that lacks what the tool needs.
    pub const fn is_agent_loop(&self) -> bool {
        self.policy.agent_loop
    }

    /// Who is told of the tool.
    pub const fn declared_exposure(&self) -> Exposure {
        self.policy.exposure
    }

    /// The package whose tool of the same name this one replaces.
    pub const fn overridden_package(&self) -> Option<&'static str> {
        self.policy.overrides
    }

    /// What changes the definition by the session.
    pub const fn definition_patch(&self) -> Option<PatchFn> {
        self.policy.patch
    }

    /// What finds the paths of a call.
    pub const fn call_targets(&self) -> Option<TargetsFn> {
        self.policy.targets
    }

    /// Whether a long result may go to the result store.
    pub const fn may_spill(&self) -> bool {
        self.policy.spill
    }

    /// What the tool takes from the session.
    pub fn state_needs(&self) -> impl Iterator<Item = &'static StateNeed> {
        self.policy.needs.iter().flatten()
    }

    /// What the JSON that the tool returns looks like, when its type says so.
    pub const fn result_schema(&self) -> Option<&'static Schema> {
        self.policy.output_schema
    }

    /// Whether a session bounded to this effect may see the tool: some call of it stays within.
    pub fn fits_effect(&self, most: Effect) -> bool {
        self.declared_effect() <= most || self.policy.effect_of.is_some()
    }

    /// The first thing that the tool takes and the session does not have, the workspace apart.
    pub fn missing_state(&self, session: &SessionContext) -> Option<&'static StateNeed> {
        self.state_needs()
            .find(|need| !need.is_workspace() && !need.is_met(session))
    }

    /// The definition for a session. A patch that panics changes nothing.
    pub fn definition(&self, cx: &CheckContext<'_>) -> Definition {
        let declared = Definition::of(self);
        let Some(patch) = self.policy.patch else {
            return declared;
        };
        let mut patched = declared.clone();
        let done = catch_unwind(AssertUnwindSafe(|| patch(cx, &mut patched)));
        if done.is_err() {
            return declared;
        }
        patched.name = self.name;
        patched
    }

    /// Whether the workspace that the tool takes is there.
    pub(crate) fn workspace_availability(&self, cx: &CheckContext<'_>) -> Availability {
        if cx.workspace().is_none() && self.needs_workspace() {
            return Availability::unavailable("this session has no workspace")
                .with_remedy("give the session a folder to work in");
        }
        Availability::Available
    }

    pub(super) fn needs_workspace(&self) -> bool {
        self.state_needs().any(StateNeed::is_workspace)
    }
}

impl Parallel {
    /// The word used in `parallel = "..."`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Safe => "safe",
        }
    }
}

impl Exposure {
    /// The word used in `exposure = "..."`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Deferred => "deferred",
            Self::Hidden => "hidden",
        }
    }
}
