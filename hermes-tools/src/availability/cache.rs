//! Answers of checks, kept for a while.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use super::check::{CheckHandle, CheckKey};
use super::flight::{Flight, Landed, Lead};
use super::{Availability, probe};
use crate::context::SessionContext;

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
    checks: Mutex<Checks>,
    probes: AtomicU64,
    /// Grows when answers are forgotten: a probe that began before is not kept.
    epoch: AtomicU64,
}

/// An answer and how long it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Whether the tool can be used.
    pub availability: Availability,
    /// From this moment on the question has to be asked again; `None`: it never has to.
    pub until: Option<Instant>,
}

type Checks = FxHashMap<CheckKey, Kept>;

#[derive(Default)]
struct Kept {
    memory: Memory,
    flight: Option<Arc<Flight>>,
}

/// What is remembered of one check.
#[derive(Debug, Default)]
struct Memory {
    answer: Option<(Instant, Availability)>,
    success: Option<Instant>,
}

enum Step {
    Known(Answer),
    Join(Arc<Flight>),
    Lead(Lead, u64),
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
            checks: Mutex::default(),
            probes: AtomicU64::new(0),
            epoch: AtomicU64::new(0),
        }
    }

    /// What a check says in this session.
    pub async fn ask(&self, check: &CheckHandle, cx: &Arc<SessionContext>) -> Answer {
        loop {
            let now = cx.executor.now();
            match self.step(check.key, now) {
                Step::Known(answer) => return answer,
                Step::Join(flight) => {
                    if let Landed::Answered(answer) = flight.landed().await {
                        return answer;
                    }
                }
                Step::Lead(lead, epoch) => {
                    self.probes.fetch_add(1, Ordering::Relaxed);
                    let said = probe::probe(&check.ask, cx, self.timeout).await;
                    let answer = self.settle(check.key, epoch, now, said);
                    lead.land(answer.clone());
                    return answer;
                }
            }
        }
    }

    /// The answer of a check, when one is kept that still holds.
    pub fn known(&self, check: &CheckHandle, now: Instant) -> Option<Answer> {
        self.checks().get(&check.key)?.memory.known(now)
    }

    /// Forgets what a check has answered, its last success included.
    pub fn forget(&self, check: &CheckHandle) {
        let mut checks = self.checks();
        self.epoch.fetch_add(1, Ordering::AcqRel);
        checks.remove(&check.key);
    }

    /// Forgets all answers, the last successes included.
    pub fn clear(&self) {
        let mut checks = self.checks();
        self.epoch.fetch_add(1, Ordering::AcqRel);
        checks.clear();
    }

    /// How often a check was really asked.
    pub fn probes(&self) -> u64 {
        self.probes.load(Ordering::Relaxed)
    }

    /// Grows when answers are forgotten.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    fn step(&self, key: CheckKey, now: Instant) -> Step {
        let mut checks = self.checks();
        let epoch = self.epoch();
        let kept = checks.entry(key).or_default();
        if let Some(answer) = kept.memory.known(now) {
            return Step::Known(answer);
        }
        match &kept.flight {
            Some(flight) if !flight.has_landed() => Step::Join(Arc::clone(flight)),
            _ => {
                let flight = Arc::new(Flight::default());
                let lead = Lead::new(&flight);
                kept.flight = Some(flight);
                Step::Lead(lead, epoch)
            }
        }
    }

    fn settle(&self, key: CheckKey, epoch: u64, asked: Instant, said: Availability) -> Answer {
        let mut checks = self.checks();
        if self.epoch() != epoch {
            return Answer {
                availability: said,
                until: Some(asked),
            };
        }
        let kept = checks.entry(key).or_default();
        kept.flight = None;
        kept.memory.settle(asked, said)
    }

    fn checks(&self) -> MutexGuard<'_, Checks> {
        self.checks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for CheckCache {
    fn default() -> Self {
        Self::new()
    }
}

impl Memory {
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
            .field("checks", &self.checks().len())
            .field("probes", &self.probes())
            .finish_non_exhaustive()
    }
}
