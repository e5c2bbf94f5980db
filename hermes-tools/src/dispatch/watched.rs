//! The way of a call that somebody watches: hooks, approvals, limits, retries, traces, the audit log.
//!
//! Calls of a session in which nobody does take the short way in [`super::call`]; what is common to
//! both is there.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tracing::{Instrument, Span};

use super::bridge::Found;
use super::hook::{Ended, HookCall, Hooks};
use super::in_call::InCall;
use super::loops::LoopWatch;
use super::rate::RateLimits;
use super::retry::RetryBudget;
use super::shown::shown;
use super::{CallIds, CallStatus, Limits, admit, bridge, finish, pointless, run};
use crate::args::{ForeignArguments, RawArguments, Repair};
use crate::audit::{self, AuditLog, Record};
use crate::context::{SessionContext, ToolContext};
use crate::output::{Output, ToolError};
use crate::registry::Tool;
use crate::session::{CallResult, Inner};
use crate::trace;

/// What watches the calls of a session.
#[derive(Default)]
pub(crate) struct Watch {
    pub(crate) hooks: Arc<Hooks>,
    /// Whether calls may wait in the gate for a person.
    pub(crate) asks: bool,
    pub(crate) rates: RateLimits,
    pub(crate) retries: Option<RetryBudget>,
    pub(crate) audit: Option<Arc<AuditLog>>,
    pub(crate) trace_content: bool,
    pub(crate) loops: Option<LoopWatch>,
}

impl Watch {
    /// Whether every call has to take this way, traced or not.
    pub(crate) fn sees_calls(&self) -> bool {
        self.asks
            || !self.hooks.is_empty()
            || !self.rates.is_empty()
            || self.retries.is_some()
            || self.audit.is_some()
    }
}

/// What is told of a call beside its answer.
struct Told {
    cx: ToolContext,
    in_call: Arc<InCall>,
    status: CallStatus,
    retries: u32,
    duration: Duration,
}

/// Answers a call that is watched.
pub(super) async fn call(
    session: &Inner,
    name: &str,
    arguments: &str,
    limits: Limits<'_>,
) -> CallResult {
    let begun = session.context().executor.now();
    let tool = match admit::admit(session, name, limits.by_host, limits.cancel).await {
        Ok(tool) => tool,
        Err(error) => match bridge::find(session, name, arguments, limits.cancel, error).await {
            // The other tool's call is watched, under its own name and the same ids.
            Found::Call(tool, inner) => {
                return Box::pin(super::call(session, &tool, &inner, limits)).await;
            }
            Found::Answer(mut result) => {
                result.id.clone_from(&limits.id);
                tell_of_no_tool(session, name, &result, &limits.ids(), begun);
                return result;
            }
        },
    };
    let span = trace::call_span(&tool, &limits.ids(), &session.context().facts);
    let answer = answer(session, &tool, arguments, limits, begun, &span);
    let (result, told) = answer.instrument(span.clone()).await;
    trace::ended(&span, &result, told.status);
    write(session, &tool, &result, told).await;
    result
}

async fn answer(
    session: &Inner,
    tool: &Tool,
    arguments: &str,
    limits: Limits<'_>,
    begun: Instant,
    span: &Span,
) -> (CallResult, Told) {
    let watch = session.watch();
    let hooked = !limits.unhooked && !watch.hooks.is_empty();
    let in_call = Arc::new(InCall::new(limits.ids(), hooked));
    let mut arguments = Cow::Borrowed(arguments);
    let (cx, outcome, retries) = match begin(session, tool, &mut arguments, &in_call).await {
        Err(error) => {
            let cx = limits.context(session, tool, Duration::ZERO);
            (cx, Err(error), 0)
        }
        Ok(repairs) => tries(session, tool, &arguments, &limits, &in_call, repairs).await,
    };
    let ran = in_call.has_run(&outcome);
    let status = CallStatus::of(&outcome, ran);
    let duration = session.context().executor.now() - begun;
    let mut outcome = outcome;
    if let Some(seen) = in_call.seen.get() {
        let ended = Ended::new(status, duration, &outcome, ran, cx.repairs(), tool);
        watch.hooks.after(seen, &ended).await;
        if let Ok(output) = outcome {
            outcome = Ok(watch.hooks.rewrite_result(seen, output).await);
        }
    }
    if watch.trace_content && !span.is_disabled() {
        trace_content(span, &in_call, &cx, &arguments, &outcome);
    }
    let result = finish(
        session,
        tool,
        &arguments,
        outcome,
        cx.repairs().to_vec(),
        limits.id.clone(),
    );
    let told = Told {
        cx,
        in_call,
        status,
        retries,
        duration,
    };
    (result, told)
}

/// What may refuse or change a call before it goes to its tool. The repairs of arguments that hooks have
/// rewritten.
async fn begin(
    session: &Inner,
    tool: &Tool,
    arguments: &mut Cow<'_, str>,
    in_call: &InCall,
) -> Result<Vec<Repair>, ToolError> {
    let watch = session.watch();
    let now = || session.context().executor.now();
    watch.rates.take(tool.name(), now)?;
    let mut repairs = Vec::new();
    if in_call.hooked
        && watch.hooks.rewrites()
        && let Some(call) = rewritten(session, tool, arguments, in_call).await?
    {
        *arguments = Cow::Owned(call.arguments().to_json());
        repairs.extend_from_slice(call.repairs());
    }
    pointless(session, tool, arguments).map_or(Ok(repairs), Err)
}

/// Runs a call, again where that may help. All tries share the limit of the call; what a person takes to
/// answer does not count.
async fn tries(
    session: &Inner,
    tool: &Tool,
    arguments: &str,
    limits: &Limits<'_>,
    in_call: &Arc<InCall>,
    repairs: Vec<Repair>,
) -> (ToolContext, Result<Output, ToolError>, u32) {
    let executor = &session.context().executor;
    let limit = limits.time(session, tool);
    in_call.begin(limit, executor.now());
    let mut retries = 0;
    loop {
        let left = in_call.left(executor.now());
        let cx = limits.context(session, tool, left);
        let cx = cx.watched(Arc::clone(in_call));
        cx.note_repairs(repairs.clone());
        let outcome = run(tool, &cx, arguments, left).await;
        let Err(error) = &outcome else {
            return (cx, outcome, retries);
        };
        let again = session.watch().retries.as_ref().and_then(|budget| {
            let may = in_call.has_run(&outcome) && !limits.cancel.is_cancelled();
            let wait = may.then(|| budget.next(tool, error, retries + 1))?;
            wait.filter(|wait| *wait < in_call.left(executor.now()))
        });
        let Some(wait) = again else {
            return (cx, outcome, retries);
        };
        retries += 1;
        trace::retried(tool.name(), error.code(), retries);
        // A call that is cancelled meanwhile is told so by its next try.
        admit::unless_cancelled(limits.cancel, executor.sleep(wait)).await;
    }
}

/// The call with the arguments that hooks have made of it, when they have changed any. Arguments that
/// do not fit to begin with are left for the tool to refuse.
async fn rewritten(
    session: &Inner,
    tool: &Tool,
    arguments: &str,
    in_call: &InCall,
) -> Result<Option<HookCall>, ToolError> {
    let rules = tool.rules();
    let decoded = ForeignArguments::decode(&rules, RawArguments::new(arguments));
    let Ok((decoded, repairs)) = decoded else {
        return Ok(None);
    };
    let call = HookCall::new(
        tool.clone(),
        in_call.ids.clone(),
        Arc::clone(session.context()),
        decoded,
        repairs,
    );
    match session.watch().hooks.rewrite(call.clone(), &rules).await {
        Ok(changed) => Ok((changed.arguments() != call.arguments()).then_some(changed)),
        Err(error) => {
            // Its arguments were decoded, so hooks hear how it ended.
            let _ = in_call.seen.set(call);
            Err(error)
        }
    }
}

/// Tells of a call of a name that is no tool of the session: an answer of the tool search, or a refusal.
fn tell_of_no_tool(
    session: &Inner,
    name: &str,
    result: &CallResult,
    ids: &CallIds,
    begun: Instant,
) {
    let cx = session.context();
    let status = CallStatus::of(&result.outcome, false);
    trace::ended(&trace::named_span(name, ids, &cx.facts), result, status);
    if let Some(log) = &session.watch().audit {
        let duration = cx.executor.now() - begun;
        log.write(&Record {
            error: result.outcome.as_ref().err().map(ToolError::code),
            ..record(cx, &result.tool, ids, status, duration)
        });
    }
}

fn trace_content(
    span: &Span,
    in_call: &InCall,
    cx: &ToolContext,
    arguments: &str,
    outcome: &Result<Output, ToolError>,
) {
    // Arguments that were not decoded may hold secrets that nobody knows of.
    if in_call.has_run(outcome) {
        let arguments = shown(arguments, cx.secrets());
        trace::content(span, "gen_ai.tool.call.arguments", &arguments);
    }
    let text = match outcome {
        Ok(output) => output.text(),
        Err(error) => Cow::Owned(error.to_json()),
    };
    trace::content(span, "gen_ai.tool.call.result", &shown(&text, cx.secrets()));
}

/// Writes the line of a call into the audit log.
async fn write(session: &Inner, tool: &Tool, result: &CallResult, told: Told) {
    let Some(log) = &session.watch().audit else {
        return;
    };
    let Told {
        cx,
        in_call,
        status,
        retries,
        duration,
    } = told;
    let (verdicts, approvals, changes) = in_call.take_notes();
    let server = tool.runtime().and_then(|tool| tool.raw_names());
    log.write(&Record {
        server,
        effect: Some(tool.declared_effect().as_str()),
        arguments: in_call.arguments.get().map(String::as_str),
        verdicts,
        approvals,
        files: audit::files_after(&cx, changes).await,
        repairs: result.repairs.len(),
        retries,
        error: result.outcome.as_ref().err().map(ToolError::code),
        ..record(
            session.context(),
            tool.name(),
            &in_call.ids,
            status,
            duration,
        )
    });
}

/// What is told of every call.
fn record<'a>(
    session: &'a SessionContext,
    tool: &'a str,
    ids: &'a CallIds,
    status: CallStatus,
    duration: Duration,
) -> Record<'a> {
    Record {
        // The clock stands at the end of the call.
        time: audit::time(session.executor.wall_clock().checked_sub(duration)),
        facts: &session.facts,
        ids,
        tool,
        server: None,
        effect: None,
        arguments: None,
        verdicts: Vec::new(),
        approvals: Vec::new(),
        files: Vec::new(),
        repairs: 0,
        retries: 0,
        status,
        error: None,
        milliseconds: duration.as_secs_f64() * 1_000.0,
    }
}
