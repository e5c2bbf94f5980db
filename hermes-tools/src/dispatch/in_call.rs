//! What is noted of one call while it is watched.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::CallIds;
use super::approval::Asked;
use super::hook::HookCall;
use crate::audit::{FileChange, Judgement};
use crate::context::Executor;
use crate::output::{Output, ToolError};

/// What the gate and the pipeline tell each other of a call. A call that nobody watches has none.
#[derive(Debug, Default)]
pub(crate) struct InCall {
    pub(crate) ids: CallIds,
    /// Whether hooks see the call.
    pub(crate) hooked: bool,
    /// The call as hooks see it, once its arguments are decoded.
    pub(crate) seen: OnceLock<HookCall>,
    /// The arguments that the tool gets, as JSON, secrets taken out, for a call that is audited.
    pub(crate) arguments: OnceLock<String>,
    /// Since when the tool has how much time.
    time: OnceLock<(Instant, Duration)>,
    passed: AtomicBool,
    refused: AtomicBool,
    notes: Mutex<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    /// Since when the call stands in the gate.
    entered: Option<Instant>,
    /// How long it stood there before.
    waited: Duration,
    judgements: Vec<Judgement>,
    asked: Vec<Asked>,
    changes: Vec<FileChange>,
}

impl InCall {
    /// Nothing is noted yet.
    pub(crate) fn new(ids: CallIds, hooked: bool) -> Self {
        Self {
            ids,
            hooked,
            ..Self::default()
        }
    }

    /// Whether the gate has let the call pass.
    pub(crate) fn has_passed(&self) -> bool {
        self.passed.load(Ordering::Acquire)
    }

    /// Notes what the gate has said.
    pub(crate) fn judge(&self, passed: bool) {
        let said = if passed { &self.passed } else { &self.refused };
        said.store(true, Ordering::Release);
    }

    /// Whether the tool was run. Calls that no gate has to see do not say so, but by their errors.
    pub(crate) fn has_run(&self, outcome: &Result<Output, ToolError>) -> bool {
        let refused = self.refused.load(Ordering::Acquire);
        let is_refusal = |error: &ToolError| error.kind().is_refusal();
        !refused && (self.has_passed() || !outcome.as_ref().is_err_and(is_refusal))
    }

    /// The time in the gate does not count against the call's limit: a person may take a minute.
    pub(crate) fn stand_in_gate<'a>(&'a self, executor: &'a dyn Executor) -> InGate<'a> {
        self.notes().entered = Some(executor.now());
        InGate {
            call: self,
            executor,
        }
    }

    /// Begins the time that the tool has, all tries together.
    pub(crate) fn begin(&self, limit: Duration, now: Instant) {
        let _ = self.time.set((now, limit));
    }

    /// How long all tries may take together.
    pub(crate) fn limit(&self) -> Option<Duration> {
        self.time.get().map(|(_, limit)| *limit)
    }

    /// What is left of the tool's time. What a person takes to answer is not the tool's.
    pub(crate) fn left(&self, now: Instant) -> Duration {
        let Some((begun, limit)) = self.time.get() else {
            return Duration::ZERO;
        };
        let notes = self.notes();
        let standing = notes.entered.map(|at| now.saturating_duration_since(at));
        let waited = notes.waited + standing.unwrap_or_default();
        limit.saturating_sub(now.saturating_duration_since(*begun).saturating_sub(waited))
    }

    pub(crate) fn judged(&self, judgements: Vec<Judgement>) {
        self.notes().judgements = judgements;
    }

    pub(crate) fn asked(&self, asked: Option<Asked>) {
        self.notes().asked.extend(asked);
    }

    pub(crate) fn will_change(&self, files: Vec<FileChange>) {
        self.notes().changes = files;
    }

    pub(crate) fn take_changes(&self) -> Vec<FileChange> {
        std::mem::take(&mut self.notes().changes)
    }

    pub(crate) fn take_notes(&self) -> (Vec<Judgement>, Vec<Asked>) {
        let mut notes = self.notes();
        (
            std::mem::take(&mut notes.judgements),
            std::mem::take(&mut notes.asked),
        )
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that stands in the gate until this is dropped.
pub(crate) struct InGate<'a> {
    call: &'a InCall,
    executor: &'a dyn Executor,
}

impl Drop for InGate<'_> {
    fn drop(&mut self) {
        let now = self.executor.now();
        let mut notes = self.call.notes();
        if let Some(entered) = notes.entered.take() {
            notes.waited += now.saturating_duration_since(entered);
        }
    }
}
