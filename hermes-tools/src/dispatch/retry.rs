//! Trying a call again that failed and may go well.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::output::ToolError;
use crate::registry::Tool;

/// When a failed call is tried again, unseen by the model.
///
/// Only calls of tools that read or are `idempotent` are: a second call of those does no harm. And only
/// where another try may help: the tool says so of its error, or says nothing and the kind of the
/// error is one that passes ([`ErrorKind::is_transient`](crate::ErrorKind::is_transient)). All tries
/// share the time limit of the call, and approvals and hooks come once.
///
/// ```
/// use std::time::Duration;
///
/// use hermes_tools::Retries;
///
/// // Up to two more tries, after 100 and 200 ms, and no more than ten in a turn.
/// let retries = Retries::new(2).wait(Duration::from_millis(100)).budget(10);
/// assert_eq!(retries.wait_before(2), Duration::from_millis(200));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    most: u32,
    wait: Duration,
    budget: u32,
}

/// The retries of a session, and how many were made in this turn.
#[derive(Debug)]
pub(crate) struct RetryBudget {
    pub(crate) retries: Retries,
    made: AtomicU32,
}

/// Waits double from try to try, up to this.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

impl Retries {
    /// So many more tries of a call, the first after 200 ms, and at most 20 in a turn.
    pub const fn new(most: u32) -> Self {
        Self {
            most,
            wait: Duration::from_millis(200),
            budget: 20,
        }
    }

    /// Sets the wait before the second try. It doubles with each further try, up to ten seconds.
    #[must_use]
    pub const fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Sets how many more tries all calls of a turn have together.
    #[must_use]
    pub const fn budget(mut self, budget: u32) -> Self {
        self.budget = budget;
        self
    }

    /// How long to wait before a further try, counted from 1.
    pub fn wait_before(&self, further: u32) -> Duration {
        let factor = 1_u32 << further.saturating_sub(1).min(16);
        self.wait.saturating_mul(factor).min(LONGEST_WAIT)
    }
}

impl RetryBudget {
    pub(crate) const fn new(retries: Retries) -> Self {
        Self {
            retries,
            made: AtomicU32::new(0),
        }
    }

    pub(crate) fn new_turn(&self) {
        self.made.store(0, Ordering::Relaxed);
    }

    /// How long to wait before the next try of a call that failed so, if there may be one. `further` is
    /// its number, counted from 1.
    pub(crate) fn next(&self, tool: &Tool, error: &ToolError, further: u32) -> Option<Duration> {
        let allowed = further <= self.retries.most && tool.is_idempotent() && error.is_transient();
        if !allowed {
            return None;
        }
        let budget = self.retries.budget;
        let take = |made| (made < budget).then_some(made + 1);
        self.made
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .ok()?;
        Some(self.retries.wait_before(further))
    }
}
