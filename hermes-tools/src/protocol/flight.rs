//! Questions whose answers are kept, and of which several callers share one probe.
//!
//! A probe belongs to nobody: whoever waits for it polls it, and when one of them goes away the others
//! go on. With the last one it is dropped, and the next question starts anew once it is gone: two probes
//! of one question never run side by side, unless what was known of it was forgotten in between.

use std::fmt;
use std::future::{Future, poll_fn};
use std::hash::Hash;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, TryLockError};
use std::task::{Context, Poll, Wake, Waker};

use rustc_hash::FxHashMap;

use super::sync::{AtomicU64, AtomicUsize, Mutex, MutexGuard};

/// A question that was put, on its way to an answer.
pub(crate) type Probe<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// What is remembered of one question.
pub(crate) trait Memory: Default {
    /// When something was asked.
    type Moment: Copy;
    /// What a probe says.
    type Said;
    /// What callers are told.
    type Answer: Clone;

    /// The answer that still holds at a moment.
    fn known(&self, now: Self::Moment) -> Option<Self::Answer>;
    /// Takes in what a probe says that began at a moment.
    fn settle(&mut self, asked: Self::Moment, said: Self::Said) -> Self::Answer;
    /// What a probe says, for those who wait for it and nobody else.
    fn passing(asked: Self::Moment, said: Self::Said) -> Self::Answer;
}

/// All questions by their keys.
pub(crate) struct Flights<K, M: Memory> {
    kept: Mutex<FxHashMap<K, Kept<M>>>,
    probes: AtomicU64,
    /// Grows when answers are forgotten: what a probe says that began before is not kept.
    epoch: AtomicU64,
}

struct Kept<M: Memory> {
    memory: M,
    flight: Option<Arc<Flight<M>>>,
}

/// A probe under way.
struct Flight<M: Memory> {
    asked: M::Moment,
    epoch: u64,
    /// How many wait for it. Changed under the lock of the map alone.
    seats: AtomicUsize,
    /// Gone once it has landed or was called off.
    probe: Mutex<Option<Probe<M::Said>>>,
    outcome: Mutex<Outcome<M::Answer>>,
    waiting: Arc<Waiting>,
}

/// What has become of a probe.
#[derive(Clone)]
enum Outcome<A> {
    UnderWay,
    Landed(A),
    /// All who waited went away. Who came while it was being dropped asks anew.
    CalledOff,
}

/// Who wants to hear of a probe. As a waker it wakes them all.
#[derive(Default)]
struct Waiting(Mutex<Vec<Waker>>);

/// The place of one caller on a flight.
struct Seat<'f, K: Eq + Hash + Copy, M: Memory> {
    all: &'f Flights<K, M>,
    key: K,
    flight: Arc<Flight<M>>,
}

impl<K: Eq + Hash + Copy, M: Memory> Flights<K, M> {
    /// The answer to a question: the one that is kept, that of the probe under way, or that of a new
    /// one.
    pub(crate) async fn ask(
        &self,
        key: K,
        now: M::Moment,
        probe: impl Fn() -> Probe<M::Said>,
    ) -> M::Answer {
        loop {
            let seat = match self.board(key, now, &probe) {
                Ok(answer) => return answer,
                Err(seat) => seat,
            };
            if let Some(answer) = poll_fn(|task| seat.poll(task)).await {
                return answer;
            }
        }
    }

    /// The answer that is kept and still holds.
    pub(crate) fn known(&self, key: K, now: M::Moment) -> Option<M::Answer> {
        self.kept().get(&key)?.memory.known(now)
    }

    /// Forgets all that is remembered of a question.
    pub(crate) fn forget(&self, key: K) {
        let mut kept = self.kept();
        self.epoch.fetch_add(1, Ordering::AcqRel);
        let gone = kept.remove(&key);
        drop(kept);
        drop(gone);
    }

    /// Forgets all that is remembered.
    pub(crate) fn clear(&self) {
        let mut kept = self.kept();
        self.epoch.fetch_add(1, Ordering::AcqRel);
        let gone = std::mem::take(&mut *kept);
        drop(kept);
        drop(gone);
    }

    /// How many probes were begun.
    pub(crate) fn probes(&self) -> u64 {
        self.probes.load(Ordering::Relaxed)
    }

    /// Grows when something is forgotten.
    #[cfg_attr(
        not(feature = "host"),
        expect(dead_code, reason = "what is remembered of answers is the host's")
    )]
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    fn board(
        &self,
        key: K,
        now: M::Moment,
        probe: impl Fn() -> Probe<M::Said>,
    ) -> Result<M::Answer, Seat<'_, K, M>> {
        let mut all = self.kept();
        let kept = all.entry(key).or_default();
        if let Some(answer) = kept.memory.known(now) {
            return Ok(answer);
        }
        let flight = kept.flight.get_or_insert_with(|| {
            self.probes.fetch_add(1, Ordering::Relaxed);
            Arc::new(Flight {
                asked: now,
                epoch: self.epoch.load(Ordering::Acquire),
                seats: AtomicUsize::new(0),
                probe: Mutex::new(Some(probe())),
                outcome: Mutex::new(Outcome::UnderWay),
                waiting: Arc::default(),
            })
        });
        flight.seats.fetch_add(1, Ordering::Relaxed);
        Err(Seat {
            all: self,
            key,
            flight: Arc::clone(flight),
        })
    }

    fn settle(&self, key: K, flight: &Arc<Flight<M>>, said: M::Said) -> M::Answer {
        let mut all = self.kept();
        if self.epoch.load(Ordering::Acquire) != flight.epoch {
            flight.leave(&mut all, &key);
            return M::passing(flight.asked, said);
        }
        let kept = all.entry(key).or_default();
        kept.flight = None;
        kept.memory.settle(flight.asked, said)
    }

    fn kept(&self) -> MutexGuard<'_, FxHashMap<K, Kept<M>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M: Memory> Flight<M> {
    /// Takes the flight out of the map, when it is there.
    fn leave<K: Eq + Hash>(self: &Arc<Self>, all: &mut FxHashMap<K, Kept<M>>, key: &K) {
        let Some(kept) = all.get_mut(key) else {
            return;
        };
        if kept.flight.as_ref().is_some_and(|it| Arc::ptr_eq(it, self)) {
            kept.flight = None;
        }
    }

    fn take(&self) -> Option<Probe<M::Said>> {
        let mut probe = self.probe.lock().unwrap_or_else(PoisonError::into_inner);
        probe.take()
    }

    fn outcome(&self) -> MutexGuard<'_, Outcome<M::Answer>> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash + Copy, M: Memory> Seat<'_, K, M> {
    /// The answer; `None` when the probe was called off before this caller could wait for it.
    fn poll(&self, task: &mut Context<'_>) -> Poll<Option<M::Answer>> {
        let flight = &self.flight;
        // First in the list, then a look at the outcome: one that comes between is seen.
        flight.waiting.add(task.waker());
        let outcome = flight.outcome().clone();
        match outcome {
            Outcome::UnderWay => {}
            Outcome::Landed(answer) => return Poll::Ready(Some(answer)),
            Outcome::CalledOff => return Poll::Ready(None),
        }
        let mut probe = match flight.probe.try_lock() {
            Ok(probe) => probe,
            Err(TryLockError::Poisoned(probe)) => probe.into_inner(),
            // Somebody polls it at this moment, and wakes all when there is more to do.
            Err(TryLockError::WouldBlock) => return Poll::Pending,
        };
        let Some(under_way) = probe.as_mut() else {
            // It has ended, and whoever took it is about to say how.
            return Poll::Pending;
        };
        let all = Waker::from(Arc::clone(&flight.waiting));
        let Poll::Ready(said) = under_way.as_mut().poll(&mut Context::from_waker(&all)) else {
            return Poll::Pending;
        };
        let ended = probe.take();
        drop(probe);
        let unless_it_panics = CallOff(self);
        drop(ended);
        std::mem::forget(unless_it_panics);
        let answer = self.all.settle(self.key, flight, said);
        *flight.outcome() = Outcome::Landed(answer.clone());
        // Giving up the seat wakes the others.
        Poll::Ready(Some(answer))
    }
}

/// Takes a flight out of the map whose probe is gone without an answer, also when dropping it panics.
struct CallOff<'s, 'f, K: Eq + Hash + Copy, M: Memory>(&'s Seat<'f, K, M>);

impl<K: Eq + Hash + Copy, M: Memory> Drop for CallOff<'_, '_, K, M> {
    fn drop(&mut self) {
        let Seat { all, key, flight } = self.0;
        let mut all = all.kept();
        flight.leave(&mut all, key);
        // Under the same lock: who reads it does not find the flight again.
        *flight.outcome() = Outcome::CalledOff;
        drop(all);
        flight.waiting.wake_all();
    }
}

impl<K: Eq + Hash + Copy, M: Memory> Drop for Seat<'_, K, M> {
    fn drop(&mut self) {
        let all = self.all.kept();
        let last = self.flight.seats.fetch_sub(1, Ordering::Relaxed) == 1;
        // Without another seat nobody polls it. It is dropped outside the lock of the map, for what it
        // drops may ask in its turn, and is out of the map after that.
        let abandoned = if last { self.flight.take() } else { None };
        drop(all);
        if abandoned.is_some() {
            let _whatever_happens = CallOff(self);
            drop(abandoned);
        }
        // The flight has landed, or this caller may be the one that was woken last and has not looked.
        self.flight.waiting.wake_all();
    }
}

impl Waiting {
    fn add(&self, waker: &Waker) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !waiting.iter().any(|known| known.will_wake(waker)) {
            waiting.push(waker.clone());
        }
    }

    fn wake_all(&self) {
        let waiting = {
            let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *waiting)
        };
        waiting.into_iter().for_each(Waker::wake);
    }
}

impl Wake for Waiting {
    fn wake(self: Arc<Self>) {
        self.wake_all();
    }
}

impl<K, M: Memory> Default for Flights<K, M> {
    fn default() -> Self {
        Self {
            kept: Mutex::new(FxHashMap::default()),
            probes: AtomicU64::new(0),
            epoch: AtomicU64::new(0),
        }
    }
}

impl<M: Memory> Default for Kept<M> {
    fn default() -> Self {
        Self {
            memory: M::default(),
            flight: None,
        }
    }
}

impl<K, M: Memory> fmt::Debug for Flights<K, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_struct("Flights")
            .field("questions", &kept.len())
            .finish_non_exhaustive()
    }
}
