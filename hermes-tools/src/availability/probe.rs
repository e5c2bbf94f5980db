//! Asking a check once, with a limit on how long it may take.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use super::check::{Ask, CheckHandle, CheckKey};
use super::jobs::Jobs;
use super::{Availability, CheckContext};
use crate::context::SessionContext;
use crate::panics;

/// What a check says; unavailable when it panics or takes too long.
pub(super) async fn probe(
    check: &CheckHandle,
    cx: &Arc<SessionContext>,
    limit: Duration,
    jobs: &Jobs,
) -> Availability {
    let mut answer = pin!(ask_once(check, cx, jobs));
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

async fn ask_once(check: &CheckHandle, cx: &Arc<SessionContext>, jobs: &Jobs) -> Availability {
    match &check.ask {
        Ask::Function(plain) => {
            let plain = *plain;
            on_pool(check.key, cx, jobs, plain).await
        }
        Ask::Plain(plain) => {
            let plain = Arc::clone(plain);
            on_pool(check.key, cx, jobs, move |cx| plain(cx)).await
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

/// Runs a check where plain functions run: it may block, and a caller that may not is not told. One that
/// still runs since it was asked before is waited for and not run a second time.
async fn on_pool(
    key: CheckKey,
    cx: &Arc<SessionContext>,
    jobs: &Jobs,
    check: impl FnOnce(&CheckContext<'_>) -> Availability + Send + 'static,
) -> Availability {
    let (job, handed_out) = jobs.begin(key);
    let mut running = handed_out.map(|ticket| {
        let session = Arc::clone(cx);
        let work = Box::new(move || {
            let context = CheckContext::new(&session.facts, session.workspace.as_ref());
            let answer = catch_unwind(AssertUnwindSafe(|| check(&context)));
            ticket.done(answer.unwrap_or_else(panicked));
        });
        cx.executor.run_blocking(work)
    });
    poll_fn(|task| {
        // Who runs it may do so only while this is polled; what comes of it stands in the job.
        if let Some(future) = &mut running
            && future.as_mut().poll(task).is_ready()
        {
            running = None;
        }
        job.poll(task)
    })
    .await
    .unwrap_or_else(|| Availability::unavailable("the host is shutting down"))
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
