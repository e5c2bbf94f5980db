//! Running what a host brings, so that neither its panic nor its slowness gets further.

use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use crate::context::Executor;
use crate::panics;

/// Why something of the host did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    Panicked(Option<String>),
    Slow(Duration),
}

type Work<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Waits for this work, and no longer than `limit`. What is given up is dropped.
pub(crate) async fn contain<'a, T>(
    executor: &dyn Executor,
    limit: Duration,
    start: impl FnOnce() -> Work<'a, T>,
) -> Result<T, Fault> {
    let mut work = match catch_unwind(AssertUnwindSafe(start)) {
        Ok(work) => Guarded(Some(work)),
        Err(panic) => return Err(Fault::Panicked(panics::told(panic))),
    };
    let first = poll_fn(|task| Poll::Ready(work.poll(task))).await;
    if let Poll::Ready(ended) = first {
        return ended;
    }
    let mut alarm = executor.sleep(limit);
    poll_fn(|task| {
        if let Poll::Ready(ended) = work.poll(task) {
            return Poll::Ready(ended);
        }
        alarm.as_mut().poll(task).map(|()| Err(Fault::Slow(limit)))
    })
    .await
}

/// Work whose panics are faults, also when it is dropped.
struct Guarded<'a, T>(Option<Work<'a, T>>);

impl<T> Guarded<'_, T> {
    fn poll(&mut self, task: &mut std::task::Context<'_>) -> Poll<Result<T, Fault>> {
        let Some(work) = &mut self.0 else {
            return Poll::Pending;
        };
        match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(task))) {
            Ok(polled) => polled.map(Ok),
            Err(panic) => {
                let fault = Fault::Panicked(panics::told(panic));
                self.discard();
                Poll::Ready(Err(fault))
            }
        }
    }

    fn discard(&mut self) {
        let work = self.0.take();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(work))) {
            panics::told(panic);
        }
    }
}

impl<T> Drop for Guarded<'_, T> {
    fn drop(&mut self) {
        self.discard();
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked(Some(text)) => write!(f, "it panicked: {text}"),
            Self::Panicked(None) => f.write_str("it panicked"),
            Self::Slow(limit) => write!(f, "it took longer than {} s", limit.as_secs_f64()),
        }
    }
}
