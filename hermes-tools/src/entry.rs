//! A tool as `#[tool]` leaves it in the binary.

mod facts;
mod policy;

use std::any::TypeId;
use std::fmt;
use std::time::Duration;

pub use self::facts::{Facts, MAX_CHECKS};
pub use self::policy::{EffectFn, Exposure, Parallel, PatchFn, TargetsFn};

use crate::args::RawArguments;
use crate::availability::{Availability, CheckContext};
use crate::context::{StateNeed, ToolContext};
use crate::effect::Effect;
use crate::gate;
use crate::output::CallFuture;
use crate::param::Param;
use crate::schema::Schema;

/// The glue that `#[tool]` writes: decodes the arguments, takes what the session supplies, calls the
/// function.
pub type CallFn = for<'a> fn(&'a ToolContext, RawArguments<'a>) -> CallFuture<'a>;

/// An availability check of a tool.
pub type CheckFn = fn(&CheckContext<'_>) -> Availability;

/// Tells the function that a check asks from others, so that tools which share it share its answer.
/// `None` where it cannot be told.
pub type CheckId = fn() -> Option<TypeId>;

/// Everything that is known of a tool before it is called. Made by `#[tool]`, in read-only data.
///
/// The builder methods are for the macro, so that a new fact about tools is a new method, not a
/// change of every expansion. What most tools do not say stands in [`Facts`] of their own, and texts that
/// all tools have stand in one: a program that is loaded at no fixed address pays for every pointer.
#[derive(Clone, Copy)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag that the tool's author wrote or did not"
)]
pub struct ToolEntry {
    /// The name, the toolset, the description.
    texts: &'static str,
    /// The description, where it is apart.
    description: Option<&'static str>,
    params: &'static [Param],
    call: CallFn,
    /// The package, the module and the file, a line each.
    place: &'static str,
    line: u32,
    name_length: u16,
    toolset_length: u16,
    effect: Option<Effect>,
    idempotent: bool,
    open_world: bool,
    untrusted: bool,
    agent_loop: bool,
    spill: bool,
    max_result: usize,
    roles: bool,
    prepared: bool,
    needs: Option<&'static [Option<StateNeed>]>,
    output_schema: Option<&'static Schema>,
    facts: Option<&'static Facts>,
}

/// Characters of a result that reach the model when a tool names no limit of its own.
///
/// The value is that of hermes-agent.
pub const DEFAULT_MAX_RESULT: usize = 100_000;

/// Where something was declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// Name of the package.
    pub package: &'static str,
    /// Module path, the crate's name first.
    pub module: &'static str,
    /// Source file as the compiler was given it.
    pub file: &'static str,
    /// Line, counted from 1.
    pub line: u32,
}

impl ToolEntry {
    /// A tool with the defaults of every optional fact. The text is its name, its toolset, each of so
    /// many bytes, and its description.
    pub const fn new(
        texts: &'static str,
        [name_length, toolset_length]: [u16; 2],
        params: &'static [Param],
        call: CallFn,
    ) -> Self {
        Self {
            texts,
            description: None,
            params,
            call,
            place: "",
            line: 0,
            name_length,
            toolset_length,
            effect: None,
            idempotent: false,
            open_world: false,
            untrusted: false,
            agent_loop: false,
            spill: true,
            max_result: DEFAULT_MAX_RESULT,
            roles: gate::has_roles(params),
            prepared: false,
            needs: None,
            output_schema: None,
            facts: None,
        }
    }

    /// Sets a description that is no part of the texts.
    #[must_use]
    pub const fn describe(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// Sets where the tool was declared: the package, the module path and the file, a line each, and the
    /// line in the file.
    #[must_use]
    pub const fn declared(mut self, place: &'static str, line: u32) -> Self {
        self.place = place;
        self.line = line;
        self
    }

    /// Says that a call passes the gate of its session before anything of the tool runs, as what `#[tool]`
    /// writes does. A tool that does not say so is never looked at by starting a call: what a plan knows of it
    /// is what it has declared.
    #[must_use]
    pub const fn prepared(mut self) -> Self {
        self.prepared = true;
        self
    }

    /// Sets the most that a call may do.
    #[must_use]
    pub const fn effect(mut self, effect: Effect) -> Self {
        self.effect = Some(effect);
        self
    }

    /// Sets the longest result, in characters; `usize::MAX` is no limit.
    #[must_use]
    pub const fn max_result(mut self, characters: usize) -> Self {
        self.max_result = characters;
        self
    }

    /// Says that a second equal call changes nothing more than the first.
    #[must_use]
    pub const fn idempotent(mut self) -> Self {
        self.idempotent = true;
        self
    }

    /// Says that the tool reaches beyond this machine.
    #[must_use]
    pub const fn open_world(mut self) -> Self {
        self.open_world = true;
        self
    }

    /// Says that results hold what strangers wrote.
    #[must_use]
    pub const fn untrusted(mut self) -> Self {
        self.untrusted = true;
        self
    }

    /// Says that the agent loop may have to answer calls in place of the tool.
    #[must_use]
    pub const fn agent_loop(mut self) -> Self {
        self.agent_loop = true;
        self
    }

    /// Keeps results out of the store for long results: they are cut and nothing else.
    #[must_use]
    pub const fn no_spill(mut self) -> Self {
        self.spill = false;
        self
    }

    /// Sets what the tool takes from the session.
    #[must_use]
    pub const fn needs(mut self, needs: &'static [Option<StateNeed>]) -> Self {
        self.needs = Some(needs);
        self
    }

    /// Sets what the JSON that the tool returns looks like.
    #[must_use]
    pub const fn output_schema(mut self, schema: Option<&'static Schema>) -> Self {
        self.output_schema = schema;
        self
    }

    /// Sets what few tools say.
    #[must_use]
    pub const fn facts(mut self, facts: &'static Facts) -> Self {
        self.facts = Some(facts);
        self
    }
}

/// What a tool says of itself.
impl ToolEntry {
    /// Name under which the model calls it.
    pub const fn name(&self) -> &'static str {
        self.texts.split_at(self.name_length as usize).0
    }

    /// Toolset under which it is registered.
    pub const fn toolset(&self) -> &'static str {
        let (_, texts) = self.texts.split_at(self.name_length as usize);
        texts.split_at(self.toolset_length as usize).0
    }

    /// Text for the model.
    pub const fn description(&self) -> &'static str {
        if let Some(description) = self.description {
            return description;
        }
        let before = self.name_length as usize + self.toolset_length as usize;
        self.texts.split_at(before).1
    }

    /// The arguments, in the order of the function.
    pub const fn params(&self) -> &'static [Param] {
        self.params
    }

    /// Name shown to people, when it differs from [`name`](Self::name).
    pub const fn display_title(&self) -> Option<&'static str> {
        self.rare().title
    }

    /// Sign shown to people.
    pub const fn display_emoji(&self) -> Option<&'static str> {
        self.rare().emoji
    }

    /// Whether an argument, or a field inside one, has a role or is a lock.
    pub const fn has_roles(&self) -> bool {
        self.roles
    }

    /// Whether a call passes the gate before anything of the tool runs.
    pub const fn is_prepared(&self) -> bool {
        self.prepared
    }

    /// The most that a call may do. A tool that does not say counts as destructive.
    pub const fn declared_effect(&self) -> Effect {
        match self.effect {
            Some(effect) => effect,
            None => Effect::Destructive,
        }
    }

    /// Longest result in characters; `usize::MAX` is no limit.
    pub const fn result_limit(&self) -> usize {
        self.max_result
    }

    /// How long a call may take, or `None` for the session's default.
    pub const fn time_limit(&self) -> Option<Duration> {
        self.rare().timeout
    }

    /// How long a call that is cancelled or late is waited for; `None` when it is dropped at once.
    pub const fn teardown_grace(&self) -> Option<Duration> {
        self.rare().teardown
    }

    /// Environment variables without which it is unavailable.
    pub const fn required_env(&self) -> &'static [&'static str] {
        self.rare().requires_env
    }

    /// Whether a second equal call changes nothing more than the first. Readers always are.
    pub const fn is_idempotent(&self) -> bool {
        self.idempotent || matches!(self.effect, Some(Effect::Read))
    }

    /// Whether it says so itself: of a reader, that equal calls give equal answers as long as nothing
    /// has changed.
    pub const fn says_idempotent(&self) -> bool {
        self.idempotent
    }

    /// Whether it reaches beyond this machine.
    pub const fn is_open_world(&self) -> bool {
        self.open_world
    }

    /// What to use instead, for a tool that is on its way out.
    pub const fn deprecation(&self) -> Option<&'static str> {
        self.rare().deprecated
    }

    /// Where it was declared.
    pub const fn declared_at(&self) -> Origin {
        let (package, rest) = first_line(self.place);
        let (module, file) = first_line(rest);
        Origin {
            package,
            module,
            file,
            line: self.line,
        }
    }

    /// Whether there is anything to ask before the tool can be called.
    pub fn has_checks(&self) -> bool {
        self.checks().next().is_some() || !self.required_env().is_empty() || self.needs_workspace()
    }

    /// The checks, in the order in which they are asked.
    pub(crate) fn checks(&self) -> impl Iterator<Item = (CheckFn, Option<CheckId>)> {
        self.rare().checks.iter().map_while(|check| *check)
    }

    /// Asks all checks of the tool. The first that fails decides.
    pub fn availability(&self, cx: &CheckContext<'_>) -> Availability {
        let missing: Vec<&str> = self
            .required_env()
            .iter()
            .copied()
            .filter(|name| cx.env(name).is_none())
            .collect();
        if !missing.is_empty() {
            return Availability::missing_env(&missing);
        }
        self.checks()
            .map(|(check, _)| check(cx))
            .chain(std::iter::once_with(|| self.workspace_availability(cx)))
            .find(|answer| !answer.is_available())
            .unwrap_or(Availability::Available)
    }

    /// What few tools say.
    const fn rare(&self) -> &'static Facts {
        match self.facts {
            Some(facts) => facts,
            None => &Facts::NONE,
        }
    }

    /// Starts a call. The arguments are decoded when the future is polled first.
    pub fn call<'a>(&self, cx: &'a ToolContext, arguments: RawArguments<'a>) -> CallFuture<'a> {
        (self.call)(cx, arguments)
    }
}

/// A text up to the end of its first line, and what follows.
const fn first_line(text: &'static str) -> (&'static str, &'static str) {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() && bytes[end] != b'\n' {
        end += 1;
    }
    let (line, rest) = text.split_at(end);
    match rest.split_at_checked(1) {
        Some((_, rest)) => (line, rest),
        None => (line, rest),
    }
}

impl fmt::Debug for ToolEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolEntry")
            .field("name", &self.name())
            .field("toolset", &self.toolset())
            .field("effect", &self.declared_effect())
            .field("origin", &self.declared_at())
            .finish_non_exhaustive()
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} ({})", self.file, self.line, self.module)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that is loaded at no fixed address copies each page of tables that has a pointer in
    /// it, so what grows here is paid for at the start of every program.
    #[cfg(target_pointer_width = "64")]
    #[test]
    fn rows_of_the_tables_stay_small() {
        assert_eq!(size_of::<Param>(), 40);
        assert_eq!(size_of::<ToolEntry>(), 128);
    }

    #[test]
    fn a_tool_without_rare_facts_has_the_defaults() {
        fn call<'a>(_: &'a ToolContext, _: RawArguments<'a>) -> CallFuture<'a> {
            Box::pin(async { Err(crate::ToolError::failed("never called")) })
        }
        let entry = ToolEntry::new("abc", [1, 1], &[], call);
        assert_eq!(entry.display_title(), None);
        assert_eq!(entry.required_env(), [""; 0]);
        assert_eq!(entry.time_limit(), None);
        assert_eq!(entry.declared_exposure(), Exposure::Direct);
        assert!(entry.may_spill() && !entry.has_checks() && entry.call_effect().is_none());
        assert_eq!(entry.example_call(None), "{}");
    }
}
