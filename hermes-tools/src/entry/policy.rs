//! The facts of a tool that sessions, planners and listings go by.

use super::ToolEntry;
use crate::args::{Arguments, JsonSchema};
use crate::availability::{Availability, CheckContext};
use crate::context::{SessionContext, StateNeed};
use crate::definition::Definition;
use crate::effect::Effect;
use crate::output::ToolError;
use crate::schema::{Kind, Schema, Variant};
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

impl Parallel {
    /// Whether calls of such a tool may have to run alone, whatever their arguments name.
    pub(crate) const fn may_run_alone(declared: Option<Self>, effect: Effect) -> bool {
        match declared {
            Some(Self::Never) => true,
            Some(Self::Safe) => false,
            None => !matches!(effect, Effect::Read),
        }
    }
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

/// What a tool says for sessions, planners and listings.
impl ToolEntry {
    /// What says the effect of one call.
    pub const fn call_effect(&self) -> Option<EffectFn> {
        self.rare().effect_of
    }

    /// Whether calls may run beside others, where the tool says so itself.
    pub const fn declared_parallel(&self) -> Option<Parallel> {
        self.rare().parallel
    }

    /// Whether results hold what strangers wrote.
    pub const fn is_untrusted(&self) -> bool {
        self.untrusted
    }

    /// Whether the agent loop answers in a session that lacks what the tool needs.
    pub const fn is_agent_loop(&self) -> bool {
        self.agent_loop
    }

    /// Who is told of the tool.
    pub const fn declared_exposure(&self) -> Exposure {
        self.rare().exposure
    }

    /// The package whose tool of the same name this one replaces.
    pub const fn overridden_package(&self) -> Option<&'static str> {
        self.rare().overrides
    }

    /// What changes the definition by the session.
    pub const fn definition_patch(&self) -> Option<PatchFn> {
        self.rare().patch
    }

    /// What all of the arguments together look like, where one parameter is all of them. It may say
    /// more than the table: which fields belong to which form of a union.
    pub const fn whole_schema(&self) -> Option<&'static Schema> {
        self.rare().whole
    }

    /// The forms of the arguments, with the key that tells them apart, where they have several.
    pub(crate) fn forms(&self) -> Option<(&'static str, &'static [Variant])> {
        match self.whole_schema()?.resolved().kind {
            Kind::Union { tag, variants } => Some((tag, variants)),
            _ => None,
        }
    }

    /// A minimal call that fits, as JSON text. Where the arguments have several forms it is of the one
    /// that this text names, else of the first.
    pub fn example_call(&self, form: Option<&str>) -> String {
        let Some((tag, forms)) = self.forms() else {
            return crate::args::example(self.params());
        };
        let named = forms.iter().find(|known| Some(known.name) == form);
        let variants = named.map_or(forms, std::slice::from_ref);
        JsonSchema::of_schema(&Schema::new(Kind::Union { tag, variants })).example()
    }

    /// What finds the paths of a call.
    pub const fn call_targets(&self) -> Option<TargetsFn> {
        self.rare().targets
    }

    /// Whether a long result may go to the result store.
    pub const fn may_spill(&self) -> bool {
        self.spill
    }

    /// What the tool takes from the session.
    pub fn state_needs(&self) -> impl Iterator<Item = &'static StateNeed> {
        self.needs.into_iter().flatten().flatten()
    }

    /// What the JSON that the tool returns looks like, when its type says so.
    pub const fn result_schema(&self) -> Option<&'static Schema> {
        self.output_schema
    }

    /// Whether a session bounded to this effect may see the tool: some call of it stays within.
    pub fn fits_effect(&self, most: Effect) -> bool {
        self.declared_effect() <= most || self.rare().effect_of.is_some()
    }

    /// The first thing that the tool takes and the session does not have, the workspace apart.
    pub fn missing_state(&self, session: &SessionContext) -> Option<&'static StateNeed> {
        self.state_needs()
            .find(|need| !need.is_workspace() && !need.is_met(session))
    }

    /// The definition for a session. A patch that panics changes nothing.
    pub fn definition(&self, cx: &CheckContext<'_>) -> Definition {
        let declared = Definition::of(self);
        let Some(patch) = self.rare().patch else {
            return declared;
        };
        let mut patched = declared.clone();
        let done = catch_unwind(AssertUnwindSafe(|| patch(cx, &mut patched)));
        if done.is_err() {
            return declared;
        }
        patched.name = self.name();
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
