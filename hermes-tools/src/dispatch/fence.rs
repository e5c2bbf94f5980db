//! What outlives its call, and what one call at a time may hold.
//!
//! A plain function that was given up goes on in its thread. Until it has ended, no call of the session
//! starts that would meet it: one that names the same, and where it runs alone any other that does. Calls
//! that run beside others go on, or one stuck function would stop the session; and until a call has ended, no other starts that holds the same lock.

use std::collections::BTreeMap;
use std::fmt;
use std::future::poll_fn;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::task::{Poll, Waker};

use super::footprint::{Footprint, Traces};
use crate::context::{Hold, SessionContext, ToolContext};
use crate::gate::PendingCall;

/// What calls of a session wait for beside the order of their batch.
#[derive(Default)]
pub(crate) struct Fence {
    /// How many entries there are, so that a session without any takes no lock.
    count: AtomicUsize,
    held: Mutex<Held>,
    session: OnceLock<Weak<SessionContext>>,
}

#[derive(Default)]
struct Held {
    next: u64,
    entries: BTreeMap<u64, Footprint>,
    waiting: Vec<Waker>,
}

impl Fence {
    /// Says whose paths are followed.
    pub(crate) fn belongs_to(&self, session: &Arc<SessionContext>) {
        // Once, when the session is built.
        let _ = self.session.set(Arc::downgrade(session));
    }

    /// Waits until nothing is held that the call would meet, and holds what the call names until its tool
    /// has ended.
    pub(crate) async fn enter(self: &Arc<Self>, call: &PendingCall<'_>) {
        let traces = Traces::of(call);
        if traces.holds_nothing() {
            return;
        }
        let Some(session) = self.session.get().and_then(Weak::upgrade) else {
            return;
        };
        if !traces.has_locks() && self.count.load(Ordering::Acquire) == 0 {
            self.keep(call.cx(), traces, None);
            return;
        }
        let footprint = traces.clone().follow(&session);
        let place = poll_fn(|task| {
            let mut held = self.held();
            if held
                .entries
                .values()
                .any(|other| other.holds_up(&footprint))
            {
                if !held
                    .waiting
                    .iter()
                    .any(|waker| waker.will_wake(task.waker()))
                {
                    held.waiting.push(task.waker().clone());
                }
                call.cx().note_wait(true);
                return Poll::Pending;
            }
            if !traces.has_locks() {
                return Poll::Ready(None);
            }
            // Paths are held by the order of a batch and by the workspace while the call lasts.
            let locks = footprint.locks_alone();
            Poll::Ready(Some(self.insert(&mut held, locks)))
        })
        .await;
        call.cx().note_wait(false);
        self.keep(call.cx(), traces, place);
    }

    fn keep(self: &Arc<Self>, cx: &ToolContext, traces: Traces, place: Option<u64>) {
        cx.keep(Arc::new(Entry {
            fence: Arc::clone(self),
            traces,
            places: Mutex::new(place.into_iter().collect()),
        }));
    }

    fn insert(&self, held: &mut Held, footprint: Footprint) -> u64 {
        held.next += 1;
        let place = held.next;
        held.entries.insert(place, footprint);
        self.count.store(held.entries.len(), Ordering::Release);
        place
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        // Every change is whole, also when a waker panicked.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one call holds.
struct Entry {
    fence: Arc<Fence>,
    traces: Traces,
    places: Mutex<Vec<u64>>,
}

impl Hold for Entry {
    fn outlived(&self) {
        let Some(session) = self.fence.session.get().and_then(Weak::upgrade) else {
            return;
        };
        let footprint = self.traces.clone().follow(&session);
        let place = self.fence.insert(&mut self.fence.held(), footprint);
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.push(place);
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let places = self
            .places
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        if places.is_empty() {
            return;
        }
        let mut held = self.fence.held();
        for place in places {
            held.entries.remove(place);
        }
        self.fence
            .count
            .store(held.entries.len(), Ordering::Release);
        let waiting = std::mem::take(&mut held.waiting);
        drop(held);
        waiting.into_iter().for_each(Waker::wake);
    }
}

impl fmt::Debug for Fence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fence({} held)", self.count.load(Ordering::Relaxed))
    }
}
