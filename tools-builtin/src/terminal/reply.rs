//! One answer from a thread to a future.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

/// Where the answer is given.
pub(crate) struct Reply<T>(Arc<Mutex<State<T>>>);

/// What waits for it; `None` when nobody will give one.
pub(crate) struct Waiting<T>(Arc<Mutex<State<T>>>);

enum State<T> {
    Open(Option<Waker>),
    Given(T),
    /// One of the two sides is gone.
    Closed,
}

/// The two ends of an answer.
pub(crate) fn reply<T>() -> (Reply<T>, Waiting<T>) {
    let state = Arc::new(Mutex::new(State::Open(None)));
    (Reply(Arc::clone(&state)), Waiting(state))
}

impl<T> Reply<T> {
    /// Gives the answer, or gives it back when nobody waits for it any more.
    pub(crate) fn give(self, answer: T) -> Option<T> {
        match replace(&self.0, State::Given(answer)) {
            State::Open(waker) => {
                waker.into_iter().for_each(Waker::wake);
                None
            }
            State::Given(_) | State::Closed => match replace(&self.0, State::Closed) {
                State::Given(answer) => Some(answer),
                State::Open(_) | State::Closed => None,
            },
        }
    }
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Open(waker) = &mut *state {
            let waker = waker.take();
            *state = State::Closed;
            drop(state);
            waker.into_iter().for_each(Waker::wake);
        }
    }
}

impl<T> Drop for Waiting<T> {
    fn drop(&mut self) {
        replace(&self.0, State::Closed);
    }
}

impl<T> Future for Waiting<T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<T>> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Open(waker) = &mut *state {
            *waker = Some(task.waker().clone());
            return Poll::Pending;
        }
        match std::mem::replace(&mut *state, State::Closed) {
            State::Given(answer) => Poll::Ready(Some(answer)),
            State::Open(_) | State::Closed => Poll::Ready(None),
        }
    }
}

fn replace<T>(state: &Mutex<State<T>>, new: State<T>) -> State<T> {
    // A state is whole after every step.
    std::mem::replace(
        &mut *state.lock().unwrap_or_else(PoisonError::into_inner),
        new,
    )
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    fn poll<T>(waiting: &mut Waiting<T>) -> Poll<Option<T>> {
        Pin::new(waiting).poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn an_answer_comes_once_and_nobody_waits_for_one_that_never_comes() {
        let (answer, mut waiting) = reply();
        assert!(poll(&mut waiting).is_pending());
        assert_eq!(answer.give(1), None);
        assert_eq!(poll(&mut waiting), Poll::Ready(Some(1)));
        let (answer, mut waiting) = reply::<u8>();
        drop(answer);
        assert_eq!(poll(&mut waiting), Poll::Ready(None));
    }

    #[test]
    fn an_answer_that_nobody_waits_for_comes_back() {
        let (answer, waiting) = reply();
        drop(waiting);
        assert_eq!(answer.give(1), Some(1));
    }
}
