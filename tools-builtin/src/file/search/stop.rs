//! When a search ends before it has seen everything.

use std::time::{Duration, Instant};

use hermes_tools::{Cancel, Deadline};

/// The longest that a search goes on behind the sign that it has to end, to tell what it had found. The call
/// waits a little longer (`teardown` of the tool).
const LAST: Duration = Duration::from_secs(1);

/// When a search has to end.
#[derive(Debug)]
pub(super) struct Stop {
    cancel: Cancel,
    late: Option<Instant>,
    /// How long it may then go on to tell what it had found.
    last: Duration,
}

impl Stop {
    /// At a cancel sign, or shortly before the deadline, so that there is time to tell what was
    /// found.
    pub(super) fn new(cancel: Cancel, deadline: Deadline) -> Self {
        const MARGIN: Duration = Duration::from_secs(5);
        let now = Instant::now();
        let time = deadline.remaining(now).map(|left| {
            let margin = (left / 10).min(MARGIN);
            (left.saturating_sub(margin), (margin / 2).min(LAST))
        });
        Self {
            cancel,
            late: time.and_then(|(time, _)| now.checked_add(time)),
            last: time.map_or(LAST, |(_, last)| last),
        }
    }

    /// The same, with so much time behind a sign.
    #[cfg(test)]
    pub(super) fn with_last(self, last: Duration) -> Self {
        Self { last, ..self }
    }

    /// When to end with looking at what was found: there is a little time for that when the search itself
    /// has to end.
    pub(super) fn for_the_page(&self) -> Self {
        let (cancel, late) = if self.is_given() {
            (Cancel::never(), Instant::now().checked_add(self.last))
        } else {
            (self.cancel.clone(), self.late)
        };
        Self {
            cancel,
            late,
            last: self.last,
        }
    }

    /// Whether the time is up.
    pub(super) fn is_late(&self) -> bool {
        self.late.is_some_and(|late| Instant::now() >= late)
    }

    /// Whether to end now with what was found until now, for whatever reason.
    pub(super) fn is_given(&self) -> bool {
        self.cancel.is_cancelled() || self.is_late()
    }
}
