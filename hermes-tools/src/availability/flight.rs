//! One probe that several callers wait for.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use super::cache::Answer;

/// The probe of a check, under way.
#[derive(Debug, Default)]
pub(super) struct Flight(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    landed: Option<Landed>,
    waiting: Vec<Waker>,
}

/// How a probe ended.
#[derive(Debug, Clone)]
pub(super) enum Landed {
    Answered(Answer),
    /// Whoever asked went away in the middle; somebody else has to ask.
    Abandoned,
}

/// Ends a flight when the caller that leads it goes away.
pub(super) struct Lead {
    flight: Arc<Flight>,
    landed: bool,
}

impl Flight {
    pub(super) async fn landed(&self) -> Landed {
        poll_fn(|task| {
            let mut state = self.state();
            if let Some(landed) = &state.landed {
                return Poll::Ready(landed.clone());
            }
            if !state
                .waiting
                .iter()
                .any(|waker| waker.will_wake(task.waker()))
            {
                state.waiting.push(task.waker().clone());
            }
            Poll::Pending
        })
        .await
    }

    pub(super) fn has_landed(&self) -> bool {
        self.state().landed.is_some()
    }

    fn land(&self, landed: Landed) {
        let waiting = {
            let mut state = self.state();
            state.landed = Some(landed);
            std::mem::take(&mut state.waiting)
        };
        waiting.into_iter().for_each(Waker::wake);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lead {
    pub(super) fn new(flight: &Arc<Flight>) -> Self {
        Self {
            flight: Arc::clone(flight),
            landed: false,
        }
    }

    pub(super) fn land(mut self, answer: Answer) {
        self.landed = true;
        self.flight.land(Landed::Answered(answer));
    }
}

impl Drop for Lead {
    fn drop(&mut self) {
        if !self.landed {
            self.flight.land(Landed::Abandoned);
        }
    }
}
