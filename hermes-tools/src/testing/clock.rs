//! Time that a test moves.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant, SystemTime};

use crate::context::{Executor, JobFuture};

/// An executor whose clock stands still until [`advance`](Self::advance) moves it. Jobs run in place.
/// Clones share one clock.
///
/// ```
/// use std::time::Duration;
///
/// use hermes_tools::context::Executor;
/// use hermes_tools::testing::FakeClock;
///
/// let clock = FakeClock::new();
/// let before = clock.now();
/// clock.advance(Duration::from_secs(90));
/// assert_eq!(clock.now() - before, Duration::from_secs(90));
/// // Somebody sets the clock on the wall; no time passes.
/// clock.set_wall_clock(std::time::UNIX_EPOCH);
/// assert_eq!(clock.now() - before, Duration::from_secs(90));
/// ```
#[derive(Debug, Clone)]
pub struct FakeClock {
    start: Instant,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    passed: Duration,
    /// What the clock on the wall was set to, and how much time had passed then.
    set: Option<(SystemTime, Duration)>,
    next: u64,
    sleeping: BTreeMap<u64, Waker>,
}

impl FakeClock {
    /// A clock that stands still.
    pub fn new() -> Self {
        Self {
            start: Instant::now(),
            state: Arc::default(),
        }
    }

    /// Lets time pass. Whoever sleeps looks whether its time has come.
    pub fn advance(&self, time: Duration) {
        let mut state = self.state();
        state.passed += time;
        let sleeping = std::mem::take(&mut state.sleeping);
        drop(state);
        sleeping.into_values().for_each(Waker::wake);
    }

    /// Sets the time of day, forward or back. No time passes, and nobody who sleeps is woken.
    pub fn set_wall_clock(&self, time: SystemTime) {
        let mut state = self.state();
        state.set = Some((time, state.passed));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change of the state is whole, also when a waker panicked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for FakeClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Executor for FakeClock {
    fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) -> JobFuture<'_> {
        job();
        Box::pin(std::future::ready(Ok(())))
    }

    fn now(&self) -> Instant {
        self.start + self.state().passed
    }

    /// The same moment in every test: the start of 1970, unless it was set, and the time that has passed
    /// since.
    fn wall_clock(&self) -> SystemTime {
        let state = self.state();
        let (base, at) = state
            .set
            .unwrap_or((SystemTime::UNIX_EPOCH, Duration::ZERO));
        base + state.passed.saturating_sub(at)
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        let until = self.state().passed.saturating_add(time);
        Box::pin(Sleep {
            clock: self,
            until,
            place: None,
        })
    }
}

struct Sleep<'a> {
    clock: &'a FakeClock,
    until: Duration,
    place: Option<u64>,
}

impl Future for Sleep<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let mut state = this.clock.state();
        if state.passed >= this.until {
            return Poll::Ready(());
        }
        let place = *this.place.get_or_insert_with(|| {
            state.next += 1;
            state.next
        });
        state.sleeping.insert(place, task.waker().clone());
        Poll::Pending
    }
}

impl Drop for Sleep<'_> {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            self.clock.state().sleeping.remove(&place);
        }
    }
}
