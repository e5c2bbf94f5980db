//! A tool as `#[tool]` leaves it in the binary.

mod policy;

use std::any::TypeId;
use std::fmt;
use std::time::Duration;

pub use self::policy::{EffectFn, Exposure, Parallel, PatchFn, TargetsFn};

use self::policy::Policy;
use crate::args::RawArguments;
use crate::availability::{Availability, CheckContext};
use crate::context::ToolContext;
use crate::effect::Effect;
use crate::gate;
use crate::output::CallFuture;
use crate::param::Param;

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
/// change of every expansion.
#[derive(Clone, Copy)]
pub struct ToolEntry {
    name: &'static str,
    toolset: &'static str,
    description: &'static str,
    params: &'static [Param],
    call: CallFn,
    title: Option<&'static str>,
    emoji: Option<&'static str>,
    effect: Option<Effect>,
    checks: [Option<(CheckFn, Option<CheckId>)>; MAX_CHECKS],
    requires_env: &'static [&'static str],
    idempotent: bool,
    open_world: bool,
    timeout: Option<Duration>,
    teardown: Option<Duration>,
    max_result: usize,
    deprecated: Option<&'static str>,
    origin: Origin,
    roles: bool,
    policy: Policy,
}

/// How many checks one tool can have.
pub const MAX_CHECKS: usize = 4;

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
    /// A tool with the defaults of every optional fact.
    pub const fn new(
        name: &'static str,
        toolset: &'static str,
        description: &'static str,
        params: &'static [Param],
        call: CallFn,
    ) -> Self {
        Self {
            name,
            toolset,
            description,
            params,
            call,
            title: None,
            emoji: None,
            effect: None,
            checks: [None; MAX_CHECKS],
            requires_env: &[],
            idempotent: false,
            open_world: false,
            timeout: None,
            teardown: None,
            max_result: DEFAULT_MAX_RESULT,
            deprecated: None,
            origin: Origin {
                package: "",
                module: "",
                file: "",
                line: 0,
            },
            roles: gate::has_roles(params),
            policy: Policy::new(),
        }
    }

    /// Sets where the tool was declared.
    #[must_use]
    pub const fn origin(mut self, origin: Origin) -> Self {
        self.origin = origin;
        self
    }

    /// Sets the most that a call may do.
    #[must_use]
    pub const fn effect(mut self, effect: Effect) -> Self {
        self.effect = Some(effect);
        self
    }

    /// Sets the name shown to people.
    #[must_use]
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// Sets the sign shown to people.
    #[must_use]
    pub const fn emoji(mut self, emoji: &'static str) -> Self {
        self.emoji = Some(emoji);
        self
    }

    /// Sets the longest result, in characters; `usize::MAX` is no limit.
    #[must_use]
    pub const fn max_result(mut self, characters: usize) -> Self {
        self.max_result = characters;
        self
    }

    /// Sets how long a call may take.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets how long a call that is cancelled or late is waited for, so that it can clean up.
    #[must_use]
    pub const fn teardown(mut self, grace: Duration) -> Self {
        self.teardown = Some(grace);
        self
    }

    /// Adds an availability check; all of them must pass. More than [`MAX_CHECKS`] do not compile.
    #[must_use]
    pub const fn check(self, check: CheckFn) -> Self {
        self.add_check(check, None)
    }

    /// Adds an availability check that other tools may have too: all whose `id` says the same share
    /// its answer.
    #[must_use]
    pub const fn shared_check(self, check: CheckFn, id: CheckId) -> Self {
        self.add_check(check, Some(id))
    }

    const fn add_check(mut self, check: CheckFn, id: Option<CheckId>) -> Self {
        let mut index = 0;
        while self.checks[index].is_some() {
            index += 1;
        }
        self.checks[index] = Some((check, id));
        self
    }

    /// Names the environment variables without which the tool is unavailable.
    #[must_use]
    pub const fn requires_env(mut self, names: &'static [&'static str]) -> Self {
        self.requires_env = names;
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

    /// Says what to use instead.
    #[must_use]
    pub const fn deprecated(mut self, advice: &'static str) -> Self {
        self.deprecated = Some(advice);
        self
    }
}

/// What a tool says of itself.
impl ToolEntry {
    /// Name under which the model calls it.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Toolset under which it is registered.
    pub const fn toolset(&self) -> &'static str {
        self.toolset
    }

    /// Text for the model.
    pub const fn description(&self) -> &'static str {
        self.description
    }

    /// The arguments, in the order of the function.
    pub const fn params(&self) -> &'static [Param] {
        self.params
    }

    /// Name shown to people, when it differs from [`name`](Self::name).
    pub const fn display_title(&self) -> Option<&'static str> {
        self.title
    }

    /// Sign shown to people.
    pub const fn display_emoji(&self) -> Option<&'static str> {
        self.emoji
    }

    /// Whether an argument, or a field inside one, has a role or is a lock.
    pub const fn has_roles(&self) -> bool {
        self.roles
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
        self.timeout
    }

    /// How long a call that is cancelled or late is waited for; `None` when it is dropped at once.
    pub const fn teardown_grace(&self) -> Option<Duration> {
        self.teardown
    }

    /// Environment variables without which it is unavailable.
    pub const fn required_env(&self) -> &'static [&'static str] {
        self.requires_env
    }

    /// Whether a second equal call changes nothing more than the first. Readers always are.
    pub const fn is_idempotent(&self) -> bool {
        self.idempotent || matches!(self.effect, Some(Effect::Read))
    }

    /// Whether it reaches beyond this machine.
    pub const fn is_open_world(&self) -> bool {
        self.open_world
    }

    /// What to use instead, for a tool that is on its way out.
    pub const fn deprecation(&self) -> Option<&'static str> {
        self.deprecated
    }

    /// Where it was declared.
    pub const fn declared_at(&self) -> Origin {
        self.origin
    }

    /// Whether there is anything to ask before the tool can be called.
    pub fn has_checks(&self) -> bool {
        self.checks[0].is_some() || !self.requires_env.is_empty() || self.needs_workspace()
    }

    /// The checks, in the order in which they are asked.
    pub(crate) fn checks(&self) -> impl Iterator<Item = (CheckFn, Option<CheckId>)> {
        self.checks.iter().map_while(|check| *check)
    }

    /// Asks all checks of the tool. The first that fails decides.
    pub fn availability(&self, cx: &CheckContext<'_>) -> Availability {
        let missing: Vec<&str> = self
            .requires_env
            .iter()
            .copied()
            .filter(|name| cx.env(name).is_none())
            .collect();
        if !missing.is_empty() {
            return Availability::missing_env(&missing);
        }
        let checks = self.checks.iter().map_while(|check| *check);
        checks
            .map(|(check, _)| check(cx))
            .chain(std::iter::once_with(|| self.workspace_availability(cx)))
            .find(|answer| !answer.is_available())
            .unwrap_or(Availability::Available)
    }

    /// Starts a call. The arguments are decoded when the future is polled first.
    pub fn call<'a>(&self, cx: &'a ToolContext, arguments: RawArguments<'a>) -> CallFuture<'a> {
        (self.call)(cx, arguments)
    }
}

impl fmt::Debug for ToolEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolEntry")
            .field("name", &self.name)
            .field("toolset", &self.toolset)
            .field("effect", &self.declared_effect())
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} ({})", self.file, self.line, self.module)
    }
}
