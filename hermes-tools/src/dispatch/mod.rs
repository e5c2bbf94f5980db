//! The way of a call: admit, decode, run, bound.
//!
//! ```text
//! model text -> admit -> decode -> run -> bound -> model text
//! ```
//!
//! - **admit**: the name is looked up among the tools of the session and nowhere else; the tool's
//!   checks are asked.
//! - **decode**: the glue of `#[tool]` decodes the arguments when its future is polled first. The
//!   gate (`gate.rs`: guards, consent, hooks) stands between this and the call of the function.
//! - **run**: the future is polled where it stands; plain functions run on the executor. A panic is
//!   an error, and a call that is cancelled or late is dropped.
//! - **bound**: the result is cut to the tool's limit, both ends kept, and marked when the tool's results
//!   are from outside; the texts of an error are cleaned.

mod admit;
mod bridge;
pub(crate) mod gate;
pub mod guard;
mod join;
mod panic;
pub(crate) mod runtime;

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

pub(crate) use self::join::join;
use self::panic::CatchPanic;
use crate::args::RawArguments;
use crate::context::{Cancel, Listener, ToolContext};
use crate::output::{ErrorKind, Output, ToolError, bound_as, bound_error_without};
use crate::registry::Tool;
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
    let tool = match admit::admit(session, name, limits.by_host, limits.cancel).await {
        Ok(tool) => tool,
        Err(error) => return bridge::call(session, name, arguments, limits, error).await,
    };
    let limit = limits
        .timeout
        .or(tool.time_limit())
        .unwrap_or(session.timeout());
    let cx = ToolContext::of_call(
        tool.owned_name(),
        Arc::clone(session.context()),
        limits.id,
        limits.cancel.clone(),
        limits.progress,
        limit,
    );
    let outcome = run(&tool, &cx, arguments, limit).await;
    CallResult {
        tool: tool.owned_name(),
        outcome: match outcome {
            Ok(output) => Ok(bound_as(
                output,
                tool.name(),
                tool.result_limit(),
                tool.is_untrusted(),
            )),
            Err(error) => Err(bound_error_without(error, cx.secrets())),
        },
        repairs: cx.into_repairs(),
    }
}

async fn run(
    tool: &Tool,
    cx: &ToolContext,
    arguments: &str,
    limit: Duration,
) -> Result<Output, ToolError> {
    if cx.caller().is_cancelled() {
        return Err(cancelled(tool));
    }
    let mut call = CatchPanic::new(tool, || tool.call(cx, RawArguments::new(arguments)));
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
            return Poll::Ready(Err(cancelled(tool)));
        }
        alarm.as_mut().poll(task).map(|()| Err(late(tool, limit)))
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

fn cancelled(tool: &Tool) -> ToolError {
    ToolError::new(
        ErrorKind::Cancelled,
        format!("the call of `{}` was cancelled", tool.name()),
    )
    .with_help("do not repeat it unless the user asks")
}

fn late(tool: &Tool, limit: Duration) -> ToolError {
    ToolError::new(
        ErrorKind::Timeout,
        format!(
            "`{}` took longer than {} s",
            tool.name(),
            limit.as_secs_f64()
        ),
    )
    .with_help("ask for less at once")
}
