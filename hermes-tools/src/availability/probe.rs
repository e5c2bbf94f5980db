//! Asking a check once, with a limit on how long it may take.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use super::check::Ask;
use super::{Availability, CheckContext};
use crate::context::SessionContext;
use crate::panics;

/// What a check says; unavailable when it panics or takes too long.
pub(super) async fn probe(ask: &Ask, cx: &Arc<SessionContext>, limit: Duration) -> Availability {
    let mut answer = pin!(ask_once(ask, cx));
    let first = poll_fn(|task| Poll::Ready(answer.as_mut().poll(task))).await;
    if let Poll::Ready(answer) = first {
        return answer;
    }
    let mut alarm = cx.executor.sleep(limit);
    poll_fn(|task| {
        if let Poll::Ready(answer) = answer.as_mut().poll(task) {
            return Poll::Ready(answer);
        }
        alarm.as_mut().poll(task).map(|()| late(limit))
    })
    .await
}

async fn ask_once(ask: &Ask, cx: &Arc<SessionContext>) -> Availability {
    match ask {
        Ask::Function(check) => {
            let check = *check;
            on_pool(cx, check).await
        }
        Ask::Plain(check) => {
            let check = Arc::clone(check);
            on_pool(cx, move |cx| check(cx)).await
        }
        Ask::Waiting(check) => {
            let started = catch_unwind(AssertUnwindSafe(|| check(Arc::clone(cx))));
            let mut answer = match started {
                Ok(answer) => answer,
                Err(panic) => return panicked(panic),
            };
            poll_fn(|task| {
                // A check may wait for what needs a runtime, whoever polls it.
                #[cfg(feature = "host")]
                let _inside = crate::dispatch::runtime::enter();
                let polled = catch_unwind(AssertUnwindSafe(|| Pin::new(&mut answer).poll(task)));
                polled.unwrap_or_else(|panic| Poll::Ready(panicked(panic)))
            })
            .await
        }
    }
}

/// Runs a check where plain functions run: it may block, and a caller that may not is not told.
async fn on_pool(
    cx: &Arc<SessionContext>,
    check: impl FnOnce(&CheckContext<'_>) -> Availability + Send + 'static,
) -> Availability {
    let place: Arc<Mutex<Option<Availability>>> = Arc::default();
    let (result, session) = (Arc::clone(&place), Arc::clone(cx));
    let job = Box::new(move || {
        let context = CheckContext::new(&session.facts, session.workspace.as_ref());
        let answer = catch_unwind(AssertUnwindSafe(|| check(&context)));
        let answer = answer.unwrap_or_else(panicked);
        *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
    });
    // A job that was lost has left no answer.
    let _ = cx.executor.run_blocking(job).await;
    let answer = place.lock().unwrap_or_else(PoisonError::into_inner).take();
    answer.unwrap_or_else(|| Availability::unavailable("the host is shutting down"))
}

fn panicked(panic: Box<dyn Any + Send>) -> Availability {
    let reason = match panics::told(panic) {
        Some(text) => format!("its check panicked: {text}"),
        None => "its check panicked".to_owned(),
    };
    Availability::unavailable(reason).with_remedy("report it to the author of the tool")
}

fn late(limit: Duration) -> Availability {
    Availability::unavailable(format!(
        "its check did not answer within {} s",
        limit.as_secs_f64()
    ))
    .with_remedy("try again later")
}
