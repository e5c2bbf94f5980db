//! Answers of checks, kept for a while.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::check::{CheckHandle, CheckKey};
use super::jobs::Jobs;
use super::{Availability, probe};
use crate::context::SessionContext;
use crate::protocol::{self, Flights};

/// How long an answer is used. At exactly this age it is too old.
pub const FRESH: Duration = Duration::from_secs(30);

/// How long after a real success a failure counts as a flicker. At exactly this distance the failure
/// counts.
pub const GRACE: Duration = Duration::from_mins(1);

/// How long a check may take to answer, unless a cache is told otherwise.
pub const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// What checks have answered, and when.
///
/// An answer is used for [`FRESH`]. A failure within [`GRACE`] of a real success is told as available
/// and not kept, so that the next question asks again. Callers that ask at the same time share one
/// probe. Times are those of the session's executor, taken before the probe.
///
/// A session has a cache of its own, since an answer may depend on the session. A host may give
/// one cache to several sessions of equal facts.
pub struct CheckCache {
    timeout: Duration,
    flights: Flights<CheckKey, Memory>,
    jobs: Arc<Jobs>,
}

/// An answer and how long it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Whether the tool can be used.
    pub availability: Availability,
    /// From this moment on the question has to be asked again; `None`: it never has to.
    pub until: Option<Instant>,
}

/// What is remembered of one check.
#[derive(Debug, Default)]
struct Memory {
    answer: Option<(Instant, Availability)>,
    success: Option<Instant>,
}

impl CheckCache {
    /// A cache that has asked nothing yet.
    pub fn new() -> Self {
        Self::with_timeout(PROBE_TIMEOUT)
    }

    /// A cache whose checks may take so long to answer.
    pub fn with_timeout(timeout: Duration) -> Self {
        Self {
            timeout,
            flights: Flights::default(),
            jobs: Arc::default(),
        }
    }

    /// What a check says in this session. A caller that goes away leaves the probe to the others who
    /// wait for it; with the last of them it ends.
    pub async fn ask(&self, check: &CheckHandle, cx: &Arc<SessionContext>) -> Answer {
        let limit = self.timeout;
        let begin = || -> protocol::Probe<Availability> {
            let (check, cx, jobs) = (check.clone(), Arc::clone(cx), Arc::clone(&self.jobs));
            Box::pin(async move { probe::probe(&check, &cx, limit, &jobs).await })
        };
        self.flights.ask(check.key, cx.executor.now(), begin).await
    }

    /// The answer of a check, when one is kept that still holds.
    pub fn known(&self, check: &CheckHandle, now: Instant) -> Option<Answer> {
        self.flights.known(check.key, now)
    }

    /// Forgets what a check has answered, its last success included.
    pub fn forget(&self, check: &CheckHandle) {
        self.jobs.forget(check.key);
        self.flights.forget(check.key);
    }

    /// Forgets all answers, the last successes included.
    pub fn clear(&self) {
        self.jobs.clear();
        self.flights.clear();
    }

    /// How often a check was really asked.
    pub fn probes(&self) -> u64 {
        self.flights.probes()
    }

    /// Grows when answers are forgotten.
    #[cfg(feature = "host")]
    pub(crate) fn epoch(&self) -> u64 {
        self.flights.epoch()
    }
}

impl Default for CheckCache {
    fn default() -> Self {
        Self::new()
    }
}

impl protocol::Memory for Memory {
    type Moment = Instant;
    type Said = Availability;
    type Answer = Answer;

    fn known(&self, now: Instant) -> Option<Answer> {
        let (asked, availability) = self.answer.as_ref()?;
        (now.saturating_duration_since(*asked) < FRESH).then(|| Answer {
            availability: availability.clone(),
            until: asked.checked_add(FRESH),
        })
    }

    fn settle(&mut self, asked: Instant, said: Availability) -> Answer {
        let flicker = |success: Instant| asked.saturating_duration_since(success) < GRACE;
        if !said.is_available() && self.success.is_some_and(flicker) {
            return Answer {
                availability: Availability::Available,
                until: Some(asked),
            };
        }
        if said.is_available() {
            self.success = Some(asked);
        }
        self.answer = Some((asked, said.clone()));
        Answer {
            availability: said,
            until: asked.checked_add(FRESH),
        }
    }

    fn passing(asked: Instant, said: Availability) -> Answer {
        Answer {
            availability: said,
            until: Some(asked),
        }
    }
}

impl Answer {
    /// Available, now and later.
    pub const ALWAYS: Self = Self {
        availability: Availability::Available,
        until: None,
    };

    /// Both: available when both are, until the first of them has to be asked again.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let until = match (self.until, other.until) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let availability = if self.availability.is_available() {
            other.availability
        } else {
            self.availability
        };
        Self {
            availability,
            until,
        }
    }
}

impl fmt::Debug for CheckCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckCache")
            .field("checks", &self.flights)
            .field("probes", &self.probes())
            .finish_non_exhaustive()
    }
}
