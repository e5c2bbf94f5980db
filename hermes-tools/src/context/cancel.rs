//! Telling a call that nobody waits for it any more.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// A sign that can be given once and is seen by every clone.
///
/// A tool looks at [`is_cancelled`](Self::is_cancelled) between steps, or waits for
/// [`cancelled`](Self::cancelled) beside its work.
#[derive(Clone, Default)]
pub struct Cancel {
    state: Option<Arc<State>>,
}

#[derive(Default)]
struct State {
    cancelled: AtomicBool,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    next: u64,
    wakers: BTreeMap<u64, Waker>,
}

impl Cancel {
    /// A sign that has not been given.
    pub fn new() -> Self {
        Self {
            state: Some(Arc::default()),
        }
    }

    /// A sign that nobody can give.
    pub const fn never() -> Self {
        Self { state: None }
    }

    /// Gives the sign.
    pub fn cancel(&self) {
        let Some(state) = &self.state else { return };
        state.cancelled.store(true, Ordering::SeqCst);
        let wakers = std::mem::take(&mut state.waiting().wakers);
        wakers.into_values().for_each(Waker::wake);
    }

    /// Whether the sign was given.
    pub fn is_cancelled(&self) -> bool {
        self.state
            .as_ref()
            .is_some_and(|state| state.cancelled.load(Ordering::SeqCst))
    }

    /// Waits until the sign is given.
    pub fn cancelled(&self) -> Cancelled {
        Cancelled {
            state: self.state.clone(),
            place: None,
        }
    }
}

impl State {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // A waker that panics leaves the map whole.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ready when the sign is given. Made by [`Cancel::cancelled`].
#[must_use = "futures do nothing unless polled"]
pub struct Cancelled {
    state: Option<Arc<State>>,
    place: Option<u64>,
}

impl Future for Cancelled {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let Some(state) = &this.state else {
            return Poll::Pending;
        };
        let mut waiting = state.waiting();
        // Looked at under the lock: a sign given after this finds the waker.
        if state.cancelled.load(Ordering::SeqCst) {
            return Poll::Ready(());
        }
        let place = *this.place.get_or_insert_with(|| {
            waiting.next += 1;
            waiting.next
        });
        waiting.wakers.insert(place, cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Cancelled {
    fn drop(&mut self) {
        if let (Some(state), Some(place)) = (&self.state, self.place) {
            state.waiting().wakers.remove(&place);
        }
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cancel({})", self.is_cancelled())
    }
}

impl fmt::Debug for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancelled").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::task::Wake;

    use super::*;

    #[derive(Default)]
    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn every_waiter_is_woken_once_and_sees_the_sign() {
        let cancel = Cancel::new();
        let count = Arc::new(Count::default());
        let waker = Waker::from(Arc::clone(&count));
        let mut cx = Context::from_waker(&waker);
        let mut first = Box::pin(cancel.cancelled());
        let mut second = Box::pin(cancel.clone().cancelled());
        assert!(first.as_mut().poll(&mut cx).is_pending());
        assert!(first.as_mut().poll(&mut cx).is_pending());
        assert!(second.as_mut().poll(&mut cx).is_pending());
        cancel.cancel();
        assert_eq!(count.0.load(Ordering::SeqCst), 2);
        assert!(first.as_mut().poll(&mut cx).is_ready());
        assert!(second.as_mut().poll(&mut cx).is_ready());
        assert!(cancel.is_cancelled());
    }

    #[test]
    fn a_waiter_that_leaves_is_forgotten() {
        let cancel = Cancel::new();
        let count = Arc::new(Count::default());
        let waker = Waker::from(Arc::clone(&count));
        let mut waiter = Box::pin(cancel.cancelled());
        assert!(
            waiter
                .as_mut()
                .poll(&mut Context::from_waker(&waker))
                .is_pending()
        );
        drop(waiter);
        cancel.cancel();
        assert_eq!(count.0.load(Ordering::SeqCst), 0);
    }
}
