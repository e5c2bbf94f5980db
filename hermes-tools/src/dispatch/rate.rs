//! How often a tool may be called.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::output::{ErrorKind, ToolError};

/// How often a tool may be called: so many calls at once, and as many again over a period.
///
/// ```
/// use std::time::Duration;
///
/// use hermes_tools::RateLimit;
///
/// let limit = RateLimit::new(10, Duration::from_mins(1));
/// assert_eq!(limit.spacing(), Duration::from_secs(6));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    calls: u32,
    spacing: Duration,
}

/// The limits of a session, and when each tool was called.
#[derive(Debug, Default, Clone)]
pub(crate) struct RateLimits {
    limits: HashMap<Box<str>, RateLimit>,
    /// When the allowance of a tool will be whole again. Clones share it: a sub-agent's calls count
    /// with its parent's.
    whole: Arc<Mutex<HashMap<Box<str>, Instant>>>,
}

impl RateLimit {
    /// At most so many calls at once, and over a long time so many per period. No calls count as one.
    pub fn new(calls: u32, period: Duration) -> Self {
        let calls = calls.max(1);
        Self {
            calls,
            spacing: period / calls,
        }
    }

    /// After how long one more call may be made, once the allowance is used up.
    pub const fn spacing(&self) -> Duration {
        self.spacing
    }
}

impl RateLimits {
    pub(crate) fn set(&mut self, tool: Box<str>, limit: RateLimit) {
        self.limits.insert(tool, limit);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.limits.is_empty()
    }

    /// Counts a call of a tool. A call that is refused does not count.
    pub(crate) fn take(&self, tool: &str, now: impl FnOnce() -> Instant) -> Result<(), ToolError> {
        let Some(RateLimit { calls, spacing }) = self.limits.get(tool) else {
            return Ok(());
        };
        let now = now();
        let mut all = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = all.entry(tool.into()).or_insert(now);
        let start = (*whole).max(now);
        let behind = start.saturating_duration_since(now);
        let room = spacing.saturating_mul(calls - 1);
        if behind > room {
            return Err(too_often(tool, behind.saturating_sub(room)));
        }
        // A period beyond what the clock can tell allows nothing more.
        *whole = start.checked_add(*spacing).unwrap_or(start);
        Ok(())
    }
}

fn too_often(tool: &str, wait: Duration) -> ToolError {
    let seconds = wait.as_millis().div_ceil(1_000);
    ToolError::new(
        ErrorKind::RateLimited,
        format!("`{tool}` was called too often"),
    )
    .with_help(format!(
        "do something else, and call it again in {seconds} s"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_is_used_up_and_comes_back_bit_by_bit() {
        let mut limits = RateLimits::default();
        limits.set("t".into(), RateLimit::new(2, Duration::from_mins(1)));
        let start = Instant::now();
        let take = |seconds| limits.take("t", || start + Duration::from_secs(seconds));
        assert!(take(0).is_ok() && take(0).is_ok());
        let error = take(10).unwrap_err();
        assert_eq!(error.code(), "rate_limited");
        assert_eq!(
            error.to_string(),
            "`t` was called too often; do something else, and call it again in 20 s"
        );
        assert!(take(30).is_ok());
        assert!(take(31).is_err());
        assert!(take(200).is_ok() && take(200).is_ok());
        assert!(take(200).is_err());
        assert!(limits.take("other", || start).is_ok());
    }
}
