//! What few tools say of themselves, apart from the entry that every tool has.

use std::time::Duration;

use crate::param::Shape;
use crate::schema::Schema;

use super::{CheckFn, CheckId, EffectFn, Exposure, Parallel, PatchFn, TargetsFn};

/// How many checks one tool can have.
pub const MAX_CHECKS: usize = 4;

/// Facts of a tool that most tools leave at their defaults.
///
/// The builder methods are for `#[tool]`, which makes facts only for a tool that has some.
#[derive(Clone, Copy)]
pub struct Facts {
    pub(super) title: Option<&'static str>,
    pub(super) emoji: Option<&'static str>,
    pub(super) checks: [Option<(CheckFn, Option<CheckId>)>; MAX_CHECKS],
    pub(super) requires_env: &'static [&'static str],
    pub(super) timeout: Option<Duration>,
    pub(super) teardown: Option<Duration>,
    pub(super) deprecated: Option<&'static str>,
    pub(super) effect_of: Option<EffectFn>,
    pub(super) parallel: Option<Parallel>,
    pub(super) exposure: Exposure,
    pub(super) overrides: Option<&'static str>,
    pub(super) patch: Option<PatchFn>,
    pub(super) targets: Option<TargetsFn>,
    pub(super) whole: Option<&'static Schema>,
}

impl Facts {
    /// The facts of a tool that says nothing.
    pub const NONE: Self = Self {
        title: None,
        emoji: None,
        checks: [None; MAX_CHECKS],
        requires_env: &[],
        timeout: None,
        teardown: None,
        deprecated: None,
        effect_of: None,
        parallel: None,
        exposure: Exposure::Direct,
        overrides: None,
        patch: None,
        targets: None,
        whole: None,
    };

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

    /// Sets how long a call may take.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets how long a call that is cancelled or late is waited for, so that it can clean up. What a tool that
    /// only reads gives back in that time is its answer.
    #[must_use]
    pub const fn teardown(mut self, grace: Duration) -> Self {
        self.teardown = Some(grace);
        self
    }

    /// Says what to use instead.
    #[must_use]
    pub const fn deprecated(mut self, advice: &'static str) -> Self {
        self.deprecated = Some(advice);
        self
    }

    /// Sets what says the effect of one call.
    #[must_use]
    pub const fn effect_of(mut self, effect: EffectFn) -> Self {
        self.effect_of = Some(effect);
        self
    }

    /// Sets whether calls may run beside others.
    #[must_use]
    pub const fn parallel(mut self, parallel: Parallel) -> Self {
        self.parallel = Some(parallel);
        self
    }

    /// Sets who is told of the tool.
    #[must_use]
    pub const fn exposure(mut self, exposure: Exposure) -> Self {
        self.exposure = exposure;
        self
    }

    /// Names the package whose tool of the same name this one replaces.
    #[must_use]
    pub const fn overrides(mut self, package: &'static str) -> Self {
        self.overrides = Some(package);
        self
    }

    /// Sets what changes the definition by the session.
    #[must_use]
    pub const fn schema_patch(mut self, patch: PatchFn) -> Self {
        self.patch = Some(patch);
        self
    }

    /// Sets what finds the paths of a call.
    #[must_use]
    pub const fn targets(mut self, targets: TargetsFn) -> Self {
        self.targets = Some(targets);
        self
    }

    /// Sets the type of the one parameter that is all of the arguments.
    #[must_use]
    pub const fn whole(mut self, shape: &'static Shape) -> Self {
        self.whole = Some(&shape.schema);
        self
    }
}

impl std::fmt::Debug for Facts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Facts")
            .field("title", &self.title)
            .field("requires_env", &self.requires_env)
            .finish_non_exhaustive()
    }
}
