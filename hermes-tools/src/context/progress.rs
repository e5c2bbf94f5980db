//! Telling how far a call has come, and when it must have ended.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Where a tool says how far it has come. Whoever made the call may listen; when nobody does,
/// saying so costs nothing.
#[derive(Clone, Default)]
pub struct Progress {
    listener: Option<Arc<Listener>>,
}

pub(crate) type Listener = dyn Fn(ProgressEvent<'_>) + Send + Sync;

/// How far a call has come.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ProgressEvent<'a> {
    /// Units done so far, of whatever the tool counts. Grows from event to event.
    pub done: f64,
    /// Units in all, where that is known.
    pub total: Option<f64>,
    /// What is being done, for a person; may be empty.
    pub message: &'a str,
}

/// When a call must have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    at: Option<Instant>,
}

impl Progress {
    pub(crate) fn new(listener: Option<Arc<Listener>>) -> Self {
        Self { listener }
    }

    /// Whether anybody listens, for tools whose reports cost something to make.
    pub const fn is_heard(&self) -> bool {
        self.listener.is_some()
    }

    /// Says how far the call has come.
    pub fn report(&self, done: f64, total: Option<f64>, message: &str) {
        if let Some(listener) = &self.listener {
            listener(ProgressEvent {
                done,
                total,
                message,
            });
        }
    }
}

impl Deadline {
    /// A deadline at this moment; `None` for a call that may take for ever.
    pub const fn new(at: Option<Instant>) -> Self {
        Self { at }
    }

    /// The moment, on the clock of the session's executor.
    pub const fn instant(&self) -> Option<Instant> {
        self.at
    }

    /// What is left at `now`: nothing once it has passed, `None` for a call that may take for ever.
    pub fn remaining(&self, now: Instant) -> Option<Duration> {
        self.at.map(|at| at.saturating_duration_since(now))
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Progress(heard: {})", self.listener.is_some())
    }
}
