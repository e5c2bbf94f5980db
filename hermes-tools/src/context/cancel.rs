//! Telling a call that nobody waits for it any more.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// A sign that can be given once and is seen by every clone, and by every [`child`](Self::child).
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
    parents: [Option<Arc<State>>; 2],
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

    /// A sign that is given with this one, and can be given alone.
    #[must_use]
    pub fn child(&self) -> Self {
        Self {
            state: Some(Arc::new(State {
                parents: [self.state.clone(), None],
                ..State::default()
            })),
        }
    }

    /// A sign that is given with either of two.
    #[must_use]
    pub fn either(&self, other: &Self) -> Self {
        match (&self.state, &other.state) {
            (_, None) => self.clone(),
            (None, _) => other.clone(),
            (Some(one), Some(two)) => Self {
                state: Some(Arc::new(State {
                    parents: [Some(Arc::clone(one)), Some(Arc::clone(two))],
                    ..State::default()
                })),
            },
        }
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
        self.state.as_ref().is_some_and(|state| state.is_given())
    }

    /// Waits until the sign is given.
    pub fn cancelled(&self) -> Cancelled {
        let mut places = Vec::new();
        if let Some(state) = &self.state {
            state.list(&mut places);
        }
        Cancelled { places }
    }
}

impl State {
    fn is_given(&self) -> bool {
        let mut parents = self.parents.iter().flatten();
        self.cancelled.load(Ordering::SeqCst) || parents.any(|parent| parent.is_given())
    }

    /// Lists this sign and those that it is given with.
    fn list(self: &Arc<Self>, places: &mut Vec<(Arc<Self>, Option<u64>)>) {
        places.push((Arc::clone(self), None));
        for parent in self.parents.iter().flatten() {
            parent.list(places);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // A waker that panics leaves the map whole.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ready when the sign is given. Made by [`Cancel::cancelled`].
#[must_use = "futures do nothing unless polled"]
pub struct Cancelled {
    places: Vec<(Arc<State>, Option<u64>)>,
}

impl Future for Cancelled {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        for (state, place) in &mut self.places {
            let mut waiting = state.waiting();
            // Looked at under the lock: a sign given after this finds the waker.
            if state.cancelled.load(Ordering::SeqCst) {
                return Poll::Ready(());
            }
            let place = *place.get_or_insert_with(|| {
                waiting.next += 1;
                waiting.next
            });
            waiting.wakers.insert(place, cx.waker().clone());
        }
        Poll::Pending
    }
}

impl Drop for Cancelled {
    fn drop(&mut self) {
        for (state, place) in &self.places {
            if let Some(place) = place {
                state.waiting().wakers.remove(place);
            }
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
    fn a_child_ends_with_its_parent_and_its_parent_not_with_it() {
        let parent = Cancel::new();
        let (first, second) = (parent.child(), parent.child());
        first.cancel();
        assert!(first.is_cancelled() && !parent.is_cancelled() && !second.is_cancelled());
        let count = Arc::new(Count::default());
        let waker = Waker::from(Arc::clone(&count));
        let mut cx = Context::from_waker(&waker);
        let mut waiter = Box::pin(second.cancelled());
        assert!(waiter.as_mut().poll(&mut cx).is_pending());
        parent.cancel();
        assert_eq!(count.0.load(Ordering::SeqCst), 1);
        assert!(waiter.as_mut().poll(&mut cx).is_ready() && second.is_cancelled());
        assert!(!Cancel::never().child().is_cancelled());
    }

    #[test]
    fn a_sign_of_two_is_given_with_either() {
        for first_gives in [true, false] {
            let (first, second) = (Cancel::new(), Cancel::new());
            let either = first.either(&second).child();
            let count = Arc::new(Count::default());
            let waker = Waker::from(Arc::clone(&count));
            let mut waiter = Box::pin(either.cancelled());
            let mut cx = Context::from_waker(&waker);
            assert!(waiter.as_mut().poll(&mut cx).is_pending() && !either.is_cancelled());
            if first_gives { &first } else { &second }.cancel();
            assert_eq!(count.0.load(Ordering::SeqCst), 1);
            assert!(waiter.as_mut().poll(&mut cx).is_ready() && either.is_cancelled());
        }
        let one = Cancel::new();
        one.cancel();
        assert!(Cancel::never().either(&one).is_cancelled());
        assert!(one.either(&Cancel::never()).is_cancelled());
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
