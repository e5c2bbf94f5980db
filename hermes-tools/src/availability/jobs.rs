//! Plain checks that run on the threads for plain functions, none of them twice at a time.
//!
//! A check that hangs is given up by those who wait, and goes on hanging on its thread. Asked again and
//! again, it would take one thread after the other until none is left for tools.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

use rustc_hash::FxHashMap;

use super::Availability;
use super::check::CheckKey;

/// The checks that run now.
#[derive(Debug, Default)]
pub(super) struct Jobs(Arc<Mutex<FxHashMap<CheckKey, Arc<Job>>>>);

/// One run of a check.
#[derive(Debug, Default)]
pub(super) struct Job(Mutex<State>);

#[derive(Debug, Default)]
enum State {
    #[default]
    Runs,
    /// It runs, and somebody wants to hear of it. A check has one probe at a time.
    Awaited(Waker),
    /// How it ended; `None` when it was lost.
    Ended(Option<Availability>),
}

/// What the thread holds that runs a check: with it the run ends, however that happens.
pub(super) struct Ticket {
    key: CheckKey,
    job: Arc<Job>,
    jobs: Weak<Mutex<FxHashMap<CheckKey, Arc<Job>>>>,
}

impl Jobs {
    /// The run of a check, and a ticket for who has to run it when it does not run yet.
    pub(super) fn begin(&self, key: CheckKey) -> (Arc<Job>, Option<Ticket>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = all.get(&key) {
            return (Arc::clone(job), None);
        }
        let job = Arc::<Job>::default();
        all.insert(key, Arc::clone(&job));
        let ticket = Ticket {
            key,
            job: Arc::clone(&job),
            jobs: Arc::downgrade(&self.0),
        };
        (job, Some(ticket))
    }

    /// Leaves a run to itself: what it says was true before it was forgotten.
    pub(super) fn forget(&self, key: CheckKey) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.remove(&key);
    }

    /// Leaves all runs to themselves.
    pub(super) fn clear(&self) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.clear();
    }
}

impl Job {
    /// How the run has ended; `None` when it was lost.
    pub(super) fn poll(&self, task: &Context<'_>) -> Poll<Option<Availability>> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Ended(answer) = &*state {
            return Poll::Ready(answer.clone());
        }
        *state = State::Awaited(task.waker().clone());
        Poll::Pending
    }

    fn end(&self, answer: Option<Availability>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, State::Ended(_)) {
            return;
        }
        let before = std::mem::replace(&mut *state, State::Ended(answer));
        drop(state);
        if let State::Awaited(waker) = before {
            waker.wake();
        }
    }
}

impl Ticket {
    pub(super) fn done(self, answer: Availability) {
        self.leave();
        self.job.end(Some(answer));
    }

    fn leave(&self) {
        let Some(jobs) = self.jobs.upgrade() else {
            return;
        };
        let mut all = jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if all
            .get(&self.key)
            .is_some_and(|it| Arc::ptr_eq(it, &self.job))
        {
            all.remove(&self.key);
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.leave();
        self.job.end(None);
    }
}
