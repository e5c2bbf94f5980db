//! The way of a call: admit, decode, judge, run, bound.
//!
//! ```text
//! model text -> admit -> [rewrite] -> decode -> guard -> approval -> before -> run -> after -> bound -> model text
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
//!
//! A session with hooks, approvals, limits of rate, retries or an audit log, and every call while
//! somebody traces, takes the longer way in `watched.rs`; the others pay one comparison for it.

mod admit;
pub mod approval;
mod batch;
mod bridge;
pub(crate) mod contain;
pub(crate) mod fence;
mod footprint;
pub(crate) mod gate;
pub mod guard;
pub mod hook;
mod in_call;
mod join;
pub mod loops;
mod panic;
pub(crate) mod pool;
pub(crate) mod rate;
pub(crate) mod retry;
pub(crate) mod runtime;
pub(crate) mod shown;
mod status;
mod teardown;
mod tell;
mod watched;

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

pub use self::batch::{AT_MOST, Answered, Batch, Plan, PlannedCall, Segment, SegmentKind};
pub use self::footprint::Footprint;
pub(crate) use self::in_call::InCall;
pub(crate) use self::join::join;
use self::loops::{Action, ExactCall, LoopCode, LoopWatch, ResultOf, is_failure};
use self::panic::CatchPanic;
pub use self::pool::stuck_functions;
pub use self::status::{CallIds, CallStatus};
pub(crate) use self::watched::{Rewritten, Watch};
use crate::args::{ForeignArguments, RawArguments, Repair};
use crate::context::{Cancel, Listener, LogListener, ToolContext};
use crate::effect::{Effect, Role};
use crate::output::{ErrorKind, Fit, Output, ToolError, bound_error, hide_secrets};
use crate::registry::Tool;
use crate::session::{CallResult, Inner};
use crate::trace;

/// What bounds a call beside its tool.
pub(crate) struct Limits<'a> {
    pub(crate) id: Option<Arc<str>>,
    pub(crate) turn: Option<Arc<str>>,
    pub(crate) request: Option<Arc<str>>,
    pub(crate) cancel: &'a Cancel,
    pub(crate) timeout: Option<Duration>,
    pub(crate) progress: Option<Arc<Listener>>,
    pub(crate) log: Option<Arc<LogListener>>,
    /// Whether the host calls, who may call hidden tools.
    pub(crate) by_host: bool,
    /// Whether the call meets no hooks.
    pub(crate) unhooked: bool,
    /// Whether the model was stopped by its limit of length.
    pub(crate) cut: bool,
    /// What hooks have made of the arguments already.
    pub(crate) rewritten: Option<Box<Rewritten>>,
}

impl Limits<'_> {
    /// How long the call may take.
    fn time(&self, session: &Inner, tool: &Tool) -> Duration {
        self.timeout
            .or(tool.time_limit())
            .unwrap_or(session.timeout())
    }

    fn ids(&self) -> CallIds {
        CallIds {
            call: self.id.clone(),
            turn: self.turn.clone(),
            request: self.request.clone(),
        }
    }

    #[inline]
    fn context(&self, session: &Inner, tool: &Tool, limit: Duration) -> ToolContext {
        ToolContext::of_call(
            tool.owned_name(),
            Arc::clone(session.context()),
            self.id.clone(),
            self.cancel.clone(),
            (self.progress.clone(), self.log.clone()),
            limit,
        )
    }

    /// Arguments as they arrived.
    fn raw<'a>(&self, text: &'a str) -> RawArguments<'a> {
        RawArguments::new(text).cut(self.cut)
    }
}

/// Answers a call, whatever happens.
pub(crate) async fn call(
    session: &Inner,
    name: &str,
    arguments: &str,
    limits: Limits<'_>,
) -> CallResult {
    if session.watch().sees_calls || trace::is_on() {
        return Box::pin(watched::call(session, name, arguments, limits)).await;
    }
    let tool = match admit::admit(session, name, limits.by_host, limits.cancel).await {
        Ok(tool) => tool,
        Err(error) => {
            let id = limits.id.clone();
            let answer = bridge::call(session, name, arguments, limits, error).await;
            return CallResult { id, ..answer };
        }
    };
    let limit = limits.time(session, &tool);
    let mut cx = limits.context(session, &tool, limit);
    let outcome = match pointless(session, &tool, arguments) {
        None => {
            let mut call = started(&tool, &cx, limits.raw(arguments));
            match at_once(&mut call).await {
                Poll::Ready(outcome) => without_secrets(&cx, outcome),
                Poll::Pending => to_end(&tool, &cx, call, limit).await,
            }
        }
        Some(refusal) => Err(refusal),
    };
    let repairs = cx.take_repairs();
    let who = (cx.number().call, limits.id);
    finish(session, &tool, arguments, outcome, repairs, who)
}

/// Bounds what came of a call, and tells the model of loops.
#[inline]
fn finish(
    session: &Inner,
    tool: &Tool,
    arguments: &str,
    outcome: Result<Output, ToolError>,
    repairs: Vec<Repair>,
    (number, id): (u64, Option<Arc<str>>),
) -> CallResult {
    let note = note_of_loop(session, tool, arguments, &outcome, &repairs);
    let (outcome, fit) = match outcome {
        Ok(output) => {
            let (output, fit) = session.bound(output, tool, id.as_deref());
            (Ok(output), fit)
        }
        Err(error) => (Err(bound_error(error)), Fit::Whole),
    };
    if outcome.is_err() || fit != Fit::Whole {
        session.note_not_shown(number);
    }
    CallResult {
        id,
        number,
        tool: tool.owned_name(),
        outcome,
        repairs,
        notes: Vec::from_iter(note),
        fit,
    }
}

/// Refuses a call that was made too often in this turn, where the session stops loops.
fn pointless(session: &Inner, tool: &Tool, arguments: &str) -> Option<ToolError> {
    let watch = session.watch().loops.as_ref()?;
    if !watch.may_block() {
        return None;
    }
    let decision = watch.before(&exact(tool, arguments, true));
    let kind = match decision.code {
        LoopCode::ExactFailureBlock => ErrorKind::RepeatedFailure,
        LoopCode::NoProgressBlock => ErrorKind::NoProgress,
        _ => return None,
    };
    trace::looped(tool.name(), &decision);
    Some(ToolError::new(kind, decision.message()).with_help(decision.help()))
}

/// Counts what came of a call. What is told to the model, if anything.
#[inline]
fn note_of_loop(
    session: &Inner,
    tool: &Tool,
    arguments: &str,
    outcome: &Result<Output, ToolError>,
    repairs: &[Repair],
) -> Option<String> {
    let watch = session.watch().loops.as_ref()?;
    // Most calls go well, and nothing is counted in a turn in which all do.
    if let Ok(output) = outcome
        && !watch.is_counting()
        && !output.is_failure()
        && tool.runtime().is_none()
        && !tool.says_idempotent()
    {
        return None;
    }
    count(watch, tool, arguments, outcome, repairs)
}

#[cold]
fn count(
    watch: &LoopWatch,
    tool: &Tool,
    arguments: &str,
    outcome: &Result<Output, ToolError>,
    repairs: &[Repair],
) -> Option<String> {
    let failed = match outcome {
        Ok(output) => {
            output.is_failure() || (tool.runtime().is_some() && says_failure(tool, output))
        }
        // A call that was not made, or not to its end, says nothing of the tool.
        Err(error) if error.kind() == ErrorKind::Cancelled => return None,
        Err(error) if error.kind().is_refusal() && !is_misfit(error.kind()) => return None,
        Err(_) => true,
    };
    let repeatable = tool.says_idempotent() && tool.declared_effect() == Effect::Read;
    if !failed && !repeatable && !watch.is_counting() {
        return None;
    }
    let call = exact(tool, arguments, !repairs.is_empty());
    let decision = match outcome {
        Ok(output) if !failed => {
            let answer = repeatable.then(|| output.text());
            watch.after_success(&call, answer.as_deref())
        }
        _ => watch.after_failure(&call),
    };
    if decision.action == Action::Allow {
        return None;
    }
    trace::looped(tool.name(), &decision);
    Some(decision.to_string())
}

/// A call as it is compared with others: by its decoded arguments. Those that needed no repair are what
/// the text says.
fn exact(tool: &Tool, arguments: &str, repaired: bool) -> ExactCall {
    if repaired
        && let Ok((decoded, _)) =
            ForeignArguments::decode(&tool.rules(), RawArguments::new(arguments))
    {
        return ExactCall::new(tool.name(), &decoded.to_json());
    }
    ExactCall::new(tool.name(), arguments)
}

const fn is_misfit(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::MalformedArguments | ErrorKind::TruncatedArguments | ErrorKind::InvalidArguments
    )
}

/// Whether the text of a foreign tool says that it failed.
fn says_failure(tool: &Tool, output: &Output) -> bool {
    if output.parts().any(|part| !part.is_text()) {
        return false;
    }
    let of = if tool.has_role(Role::Command) {
        ResultOf::Command
    } else if tool.has_role(Role::Path) && tool.declared_effect() != Effect::Read {
        ResultOf::Edit
    } else {
        ResultOf::Anything
    };
    is_failure(&output.text(), of)
}

async fn run(
    tool: &Tool,
    cx: &ToolContext,
    arguments: RawArguments<'_>,
    limit: Duration,
) -> Result<Output, ToolError> {
    let mut call = started(tool, cx, arguments);
    match at_once(&mut call).await {
        Poll::Ready(outcome) => without_secrets(cx, outcome),
        Poll::Pending => to_end(tool, cx, call, limit).await,
    }
}

/// A call that has begun, unless it is cancelled already.
#[inline]
fn started<'a>(tool: &'a Tool, cx: &'a ToolContext, arguments: RawArguments<'a>) -> CatchPanic<'a> {
    if cx.caller().is_cancelled() {
        return CatchPanic::failed(tool, cancelled(tool));
    }
    CatchPanic::new(tool, || tool.call(cx, arguments))
}

/// Polls a call once. Most tools are ready at once: nothing is set up for those that are not before that is
/// known.
#[inline]
fn at_once(
    call: &mut CatchPanic<'_>,
) -> impl Future<Output = Poll<Result<Output, ToolError>>> + Send {
    poll_fn(|task| Poll::Ready(Pin::new(&mut *call).poll(task)))
}

#[inline]
fn without_secrets(
    cx: &ToolContext,
    outcome: Result<Output, ToolError>,
) -> Result<Output, ToolError> {
    outcome.map_err(|error| hide_secrets(error, cx.secrets()))
}

/// Waits for a call that was not ready at once: until it is, is cancelled or is late. Boxed, so that the
/// others do not carry what only these need.
fn to_end<'a>(
    tool: &'a Tool,
    cx: &'a ToolContext,
    call: CatchPanic<'a>,
    limit: Duration,
) -> Pin<Box<dyn Future<Output = Result<Output, ToolError>> + Send + 'a>> {
    Box::pin(async move { without_secrets(cx, wait(tool, cx, call, limit).await) })
}

async fn wait(
    tool: &Tool,
    cx: &ToolContext,
    mut call: CatchPanic<'_>,
    limit: Duration,
) -> Result<Output, ToolError> {
    let abandoned = Abandon(cx);
    let mut sign = pin!(cx.caller().cancelled());
    let mut alarm = cx.executor().sleep(limit);
    let mut outcome = poll_fn(|task| {
        if let Poll::Ready(outcome) = Pin::new(&mut call).poll(task) {
            return Poll::Ready(outcome);
        }
        if sign.as_mut().poll(task).is_ready() {
            return Poll::Ready(Err(cancelled(tool)));
        }
        while alarm.as_mut().poll(task).is_ready() {
            // What a person took to answer is not the tool's time.
            match cx
                .in_call()
                .map(|in_call| in_call.left(cx.executor().now()))
            {
                Some(left) if !left.is_zero() => alarm = cx.executor().sleep(left),
                _ => {
                    let whole = cx.in_call().and_then(InCall::limit).unwrap_or(limit);
                    return Poll::Ready(Err(late(tool, cx, whole)));
                }
            }
        }
        Poll::Pending
    })
    .await;
    if let Some(grace) = tool.teardown_grace().filter(|_| !call.is_over())
        && let Some(found) = teardown::wait(tool, cx, &mut call, grace).await
    {
        outcome = Ok(found);
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
    if cx.waits() {
        let message = format!(
            "`{}` did not begin within {} s: an earlier call that was given up still holds what it \
             needs",
            tool.name(),
            limit.as_secs_f64()
        );
        return ToolError::new(ErrorKind::Timeout, message)
            .with_help("go on with something else, and send it again later");
    }
    ToolError::new(
        ErrorKind::Timeout,
        format!(
            "`{}` took longer than {} s",
            tool.name(),
            limit.as_secs_f64()
        ),
    )
    .with_help(match tool.declared_effect() {
        Effect::Read => "ask for less at once",
        Effect::Write | Effect::Destructive => {
            "look what it has done before you call it again, and ask for less at once"
        }
    })
}
