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
//! - **bound**: a result that is too long goes into the store, with a preview in its place, and one from
//!   outside is marked; the texts of an error are cleaned.

mod admit;
mod batch;
mod bridge;
pub(crate) mod fence;
mod footprint;
pub(crate) mod gate;
pub mod guard;
mod join;
mod panic;
pub(crate) mod pool;
pub(crate) mod runtime;
mod teardown;

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

pub use self::batch::{AT_MOST, Answered, Batch, Plan, PlannedCall, Segment, SegmentKind};
pub use self::footprint::Footprint;
pub(crate) use self::join::join;
use self::panic::CatchPanic;
pub use self::pool::stuck_functions;
use crate::args::RawArguments;
use crate::context::{Cancel, Listener, ToolContext};
use crate::output::{ErrorKind, Fit, Output, ToolError, bound_error};
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
        Err(error) => {
            let id = limits.id.clone();
            let answer = bridge::call(session, name, arguments, limits, error).await;
            return CallResult { id, ..answer };
        }
    };
    let limit = limits
        .timeout
        .or(tool.time_limit())
        .unwrap_or(session.timeout());
    let cx = ToolContext::of_call(
        tool.owned_name(),
        Arc::clone(session.context()),
        limits.id.clone(),
        limits.cancel.clone(),
        limits.progress,
        limit,
    );
    let outcome = run(&tool, &cx, arguments, limit).await;
    let (outcome, fit) = match outcome {
        Ok(output) => {
            let (output, fit) = session.bound(output, &tool, limits.id.as_deref());
            (Ok(output), fit)
        }
        Err(error) => (Err(bound_error(error)), Fit::Whole),
    };
    CallResult {
        id: limits.id,
        tool: tool.owned_name(),
        outcome,
        repairs: cx.into_repairs(),
        fit,
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
        alarm
            .as_mut()
            .poll(task)
            .map(|()| Err(late(tool, cx, limit)))
    })
    .await;
    if let Some(grace) = tool.teardown_grace().filter(|_| !call.is_over()) {
        teardown::wait(cx, &mut call, grace).await;
    }
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
        format!("the call of `{}` was cancelled by the user", tool.name()),
    )
    .with_help("do not repeat it unless the user asks")
}

fn late(tool: &Tool, cx: &ToolContext, limit: Duration) -> ToolError {
    let (name, seconds) = (tool.name(), limit.as_secs_f64());
    if cx.waits() {
        let message = format!(
            "`{name}` did not begin within {seconds} s: an earlier call that was given up still \
             holds what it needs"
        );
        return ToolError::new(ErrorKind::Timeout, message)
            .with_help("go on with something else, and send it again later");
    }
    ToolError::new(
        ErrorKind::Timeout,
        format!("`{name}` took longer than {seconds} s"),
    )
    .with_help("ask for less at once")
}
