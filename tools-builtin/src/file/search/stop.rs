//! When a search ends before it has seen everything.

use std::time::{Duration, Instant};

use hermes_tools::{Cancel, Deadline, ErrorKind, ToolError};

/// When a search has to end.
#[derive(Debug)]
pub(super) struct Stop {
    cancel: Cancel,
    late: Option<Instant>,
}

impl Stop {
    /// At a cancel sign, or shortly before the deadline, so that there is time to tell what was
    /// found.
    pub(super) fn new(cancel: Cancel, deadline: Deadline) -> Self {
        const MARGIN: Duration = Duration::from_secs(5);
        let now = Instant::now();
        let time = deadline
            .remaining(now)
            .map(|left| left.saturating_sub((left / 10).min(MARGIN)));
        Self {
            cancel,
            late: time.and_then(|time| now.checked_add(time)),
        }
    }

    /// Whether to end now, with what was found until now.
    pub(super) fn is_late(&self) -> bool {
        self.late.is_some_and(|late| Instant::now() >= late)
    }

    /// Whether to end now, for whatever reason.
    pub(super) fn is_given(&self) -> bool {
        self.cancel.is_cancelled() || self.is_late()
    }

    /// The error of a cancelled call.
    pub(super) fn cancelled(&self) -> Result<(), ToolError> {
        if self.cancel.is_cancelled() {
            return Err(ToolError::new(
                ErrorKind::Cancelled,
                "the call was cancelled",
            ));
        }
        Ok(())
    }
}
