//! The way of a call: admit, decode, run, bound.
//!
//! ```text
//! model text -> admit -> decode -> run -> bound -> model text
//! ```
//!
//! - **admit**: the name is looked up among the tools of the session and nowhere else; the tool's
//!   checks are asked.
//! - **decode**: the glue of `#[tool]` decodes the arguments when its future is polled first. What
//!   judges decoded arguments (guards, hooks) stands between this and the call of the function.
//! - **run**: the future is polled where it stands; plain functions run on the executor. A panic is
//!   an error, and a call that is cancelled or late is dropped.
//! - **bound**: the result is cut to the tool's limit, both ends kept, and marked when the tool's results
//!   are from outside; the texts of an error are cleaned.

mod admit;
mod panic;
pub(crate) mod runtime;

use std::borrow::Cow;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use self::panic::CatchPanic;
use crate::args::RawArguments;
use crate::context::{Cancel, Listener, ToolContext};
use crate::entry::ToolEntry;
use crate::output::{ErrorKind, Output, ToolError, bound, bound_error};
use crate::session::{CallResult, Inner};

/// What bounds a call beside its tool.
pub(crate) struct Limits<'a> {
    pub(crate) id: Option<Arc<str>>,
    pub(crate) cancel: &'a Cancel,
    pub(crate) timeout: Option<Duration>,
    pub(crate) progress: Option<Arc<Listener>>,
    /// Whether the host calls, who may call hidden tools.
    pub(crate) by_host: bool,
}

/// Answers a call, whatever happens.
pub(crate) async fn call(
    session: &Inner,
    name: &str,
    arguments: &str,
    limits: Limits<'_>,
) -> CallResult {
    let entry = match admit::admit(session, name, limits.by_host) {
        Ok(entry) => entry,
        Err(error) => {
            return CallResult::failed(Cow::Owned(name.to_owned()), bound_error(error));
        }
    };
    let limit = limits
        .timeout
        .or(entry.time_limit())
        .unwrap_or(session.timeout());
    let cx = ToolContext::of_call(
        entry.name(),
        Arc::clone(session.context()),
        limits.id,
        limits.cancel.clone(),
        limits.progress,
        limit,
    );
    let outcome = run(entry, &cx, arguments, limit).await;
    CallResult {
        tool: Cow::Borrowed(entry.name()),
        outcome: match outcome {
            Ok(output) => Ok(bound(output, entry)),
            Err(error) => Err(bound_error(error)),
        },
        repairs: cx.into_repairs(),
    }
}

async fn run(
    entry: &ToolEntry,
    cx: &ToolContext,
    arguments: &str,
    limit: Duration,
) -> Result<Output, ToolError> {
    if cx.caller().is_cancelled() {
        return Err(cancelled(entry));
    }
    let mut call = CatchPanic::new(entry, || entry.call(cx, RawArguments::new(arguments)));
    // Most tools are ready at once: nothing is set up for those that are not before that is known.
    let first = poll_fn(|task| Poll::Ready(Pin::new(&mut call).poll(task))).await;
    if let Poll::Ready(outcome) = first {
        return outcome;
    }
    let abandoned = Abandon(cx);
    let mut sign = pin!(cx.caller().cancelled());
    let mut alarm = cx.executor().sleep(limit);
    let outcome = poll_fn(|task| {
        if let Poll::Ready(outcome) = Pin::new(&mut call).poll(task) {
            return Poll::Ready(outcome);
        }
        if sign.as_mut().poll(task).is_ready() {
            return Poll::Ready(Err(cancelled(entry)));
        }
        alarm.as_mut().poll(task).map(|()| Err(late(entry, limit)))
    })
    .await;
    drop(abandoned);
    outcome
}

/// Gives the call's own cancel sign when the call ends, in whatever way: also when the caller drops
/// it. A plain function that still works sees it.
struct Abandon<'a>(&'a ToolContext);

impl Drop for Abandon<'_> {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

fn cancelled(entry: &ToolEntry) -> ToolError {
    ToolError::new(
        ErrorKind::Cancelled,
        format!("the call of `{}` was cancelled", entry.name()),
    )
    .with_help("do not repeat it unless the user asks")
}

fn late(entry: &ToolEntry, limit: Duration) -> ToolError {
    ToolError::new(
        ErrorKind::Timeout,
        format!(
            "`{}` took longer than {} s",
            entry.name(),
            limit.as_secs_f64()
        ),
    )
    .with_help("ask for less at once")
}
