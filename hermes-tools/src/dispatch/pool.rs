//! Plain functions on the blocking threads of the library's runtime.
//!
//! A function cannot be stopped. One that is given up before it began never begins, and lets go of what it
//! holds at once, not when a thread comes to it; one that goes on is counted, and beyond a bound no further function is started: functions that never end would otherwise
//! take one thread after another, until those that do end have none.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use crate::context::{JobFuture, JobLost};

/// How many functions of the process may go on behind the end of their calls when a session does not
/// say. The runtime has 512 blocking threads.
pub(crate) const MOST_STUCK: usize = 64;

/// Functions of this process that were given up and go on.
static STUCK: AtomicUsize = AtomicUsize::new(0);

const QUEUED: u8 = 0;
const RUNS: u8 = 1;
const GIVEN_UP: u8 = 2;
const RUNS_ON: u8 = 3;
const ENDED: u8 = 4;

/// Starts a job unless too many go on already.
pub(super) fn start(
    handle: &Handle,
    job: Box<dyn FnOnce() + Send>,
    most_stuck: usize,
) -> JobFuture<'static> {
    let stuck = STUCK.load(Ordering::Relaxed);
    if stuck >= most_stuck {
        return Box::pin(std::future::ready(Err(JobLost::TooManyStuck(stuck))));
    }
    let queued = Arc::new(Queued {
        state: AtomicU8::new(QUEUED),
        job: Mutex::new(Some(job)),
    });
    let shared = Arc::clone(&queued);
    let join = handle.spawn_blocking(move || {
        let state = &shared.state;
        let begun = state.compare_exchange(QUEUED, RUNS, Ordering::AcqRel, Ordering::Acquire);
        if begun.is_ok() {
            let _running = Running(state);
            if let Some(job) = shared.take() {
                job();
            }
        }
    });
    Box::pin(Job { queued, join })
}

/// A function and what has become of it.
struct Queued {
    state: AtomicU8,
    /// Until it begins or is given up.
    job: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl Queued {
    fn take(&self) -> Option<Box<dyn FnOnce() + Send>> {
        // Nothing is done while it is locked.
        let mut job = self.job.lock().unwrap_or_else(PoisonError::into_inner);
        job.take()
    }
}

/// How many functions of this process go on though their calls have ended.
pub fn stuck_functions() -> usize {
    STUCK.load(Ordering::Relaxed)
}

/// Ends with the job, also when that panics.
struct Running<'a>(&'a AtomicU8);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if self.0.swap(ENDED, Ordering::AcqRel) == RUNS_ON {
            STUCK.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

struct Job {
    queued: Arc<Queued>,
    join: JoinHandle<()>,
}

impl Future for Job {
    type Output = Result<(), JobLost>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        let join = Pin::new(&mut self.join).poll(task);
        join.map(|joined| joined.map_err(|_| JobLost::ShutDown))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        let state = &self.queued.state;
        let given_up =
            state.compare_exchange(QUEUED, GIVEN_UP, Ordering::AcqRel, Ordering::Acquire);
        if given_up.is_ok() {
            self.join.abort();
            drop(self.queued.take());
            return;
        }
        // Counted first: the job may end at any moment and count back.
        STUCK.fetch_add(1, Ordering::Relaxed);
        let runs_on = state.compare_exchange(RUNS, RUNS_ON, Ordering::AcqRel, Ordering::Acquire);
        if runs_on.is_err() {
            STUCK.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_function_that_is_given_up_before_it_began_holds_nothing_any_more() {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(1)
            .build()
            .unwrap();
        let (begun, begins) = mpsc::channel();
        let (go, waits) = mpsc::channel::<()>();
        // The only thread has something to do.
        let first = start(
            runtime.handle(),
            Box::new(move || {
                begun.send(()).unwrap();
                waits.recv().unwrap();
            }),
            MOST_STUCK,
        );
        begins.recv().unwrap();
        let held = Arc::new(());
        let holds = Arc::clone(&held);
        let second = start(runtime.handle(), Box::new(move || drop(holds)), MOST_STUCK);
        assert_eq!(Arc::strong_count(&held), 2);
        drop(second);
        assert_eq!(Arc::strong_count(&held), 1);
        go.send(()).unwrap();
        runtime.block_on(first).unwrap();
    }
}
