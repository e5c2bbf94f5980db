//! What needs an approval.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::effect::Effect;

/// What needs an approval in a session.
///
/// By default nothing is asked for what a call does; whatever a guard is not sure of is asked; and
/// in a session that nobody attends, a sub-agent's or a worker's, every question is answered with no.
///
/// ```
/// use hermes_tools::Effect;
/// use hermes_tools::approval::{ApprovalPolicy, Rule};
///
/// let policy = ApprovalPolicy::default()
///     .effect(Effect::Write, Rule::Ask)
///     .effect(Effect::Destructive, Rule::Ask)
///     .category("package-install", Rule::Deny);
/// assert_eq!(policy.rule_of_effect(Effect::Read), Rule::Allow);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalPolicy {
    effects: [Rule; 3],
    categories: BTreeMap<Box<str>, Rule>,
    unattended: Unattended,
    pub(super) timeout: Duration,
}

/// What becomes of calls of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// They run.
    Allow,
    /// A person is asked.
    Ask,
    /// They do not run.
    Deny,
}

/// What becomes of questions in a session that nobody attends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Unattended {
    /// The answer is no.
    #[default]
    Deny,
    /// The answer is yes, this time.
    Allow,
}

/// How long a question waits for its answer.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(1);

impl Default for ApprovalPolicy {
    fn default() -> Self {
        Self {
            effects: [Rule::Allow; 3],
            categories: BTreeMap::new(),
            unattended: Unattended::Deny,
            timeout: DEFAULT_TIMEOUT,
        }
    }
}

impl ApprovalPolicy {
    /// Sets what becomes of calls with this effect. A tool that does not say counts as destructive,
    /// and so does every tool of a server that the operator has said nothing of.
    #[must_use]
    pub fn effect(mut self, effect: Effect, rule: Rule) -> Self {
        self.effects[effect as usize] = rule;
        self
    }

    /// Sets what becomes of calls with this effect or a graver one.
    #[must_use]
    pub fn from_effect(self, least: Effect, rule: Rule) -> Self {
        [Effect::Read, Effect::Write, Effect::Destructive]
            .into_iter()
            .filter(|effect| *effect >= least)
            .fold(self, |policy, effect| policy.effect(effect, rule))
    }

    /// Sets what becomes of what the guards ask about with this category. What they block stays
    /// blocked.
    #[must_use]
    pub fn category(mut self, category: impl Into<Box<str>>, rule: Rule) -> Self {
        self.categories.insert(category.into(), rule);
        self
    }

    /// Sets what becomes of questions in a session that nobody attends.
    #[must_use]
    pub fn unattended(mut self, answer: Unattended) -> Self {
        self.unattended = answer;
        self
    }

    /// Sets how long a question waits for its answer; a minute without this.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// What becomes of calls with this effect.
    pub const fn rule_of_effect(&self, effect: Effect) -> Rule {
        self.effects[effect as usize]
    }

    /// What becomes of what the guards ask about with this category.
    pub fn rule_of_category(&self, category: &str) -> Rule {
        self.categories.get(category).copied().unwrap_or(Rule::Ask)
    }

    /// What becomes of questions in a session that nobody attends.
    pub const fn rule_unattended(&self) -> Unattended {
        self.unattended
    }

    /// Whether no call is judged by its effect.
    pub(crate) fn allows_all_effects(&self) -> bool {
        self.effects == [Rule::Allow; 3]
    }
}
