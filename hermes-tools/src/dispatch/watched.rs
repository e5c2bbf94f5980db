//! The way of a call that somebody watches: hooks, approvals, limits, retries, traces, the audit log.
//!
//! Calls of a session in which nobody does take the short way in [`super::call`]; what is common to
//! both is there.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use tracing::Instrument;

use super::bridge::Found;
use super::hook::{Ended, HookCall, Hooks};
use super::in_call::InCall;
use super::loops::LoopWatch;
use super::rate::RateLimits;
use super::retry::RetryBudget;
use super::tell::{self, End, Untold};
use super::{CallIds, CallStatus, Limits, admit, bridge, finish, is_misfit, pointless, run};
use crate::args::{ForeignArguments, RawArguments, Repair};
use crate::audit::AuditLog;
use crate::context::ToolContext;
use crate::gate::{hide_in_repairs, is_secret_param};
use crate::output::{ErrorKind, Output, ToolError};
use crate::registry::Tool;
use crate::session::{CallResult, Inner};
use crate::trace;

/// What watches the calls of a session.
#[derive(Default)]
pub(crate) struct Watch {
    /// Whether every call has to take this way, traced or not.
    pub(crate) sees_calls: bool,
    pub(crate) hooks: Arc<Hooks>,
    pub(crate) rates: RateLimits,
    pub(crate) retries: Option<RetryBudget>,
    pub(crate) audit: Option<Arc<AuditLog>>,
    pub(crate) trace_content: bool,
    pub(crate) loops: Option<LoopWatch>,
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
        Err(error) => {
            match bridge::find(session, name, limits.raw(arguments), limits.cancel, error).await {
                // The other tool's call is watched, under its own name and the same ids.
                Found::Call(tool, inner) => {
                    return Box::pin(super::call(session, &tool, &inner, limits)).await;
                }
                Found::Answer(mut result) => {
                    result.id.clone_from(&limits.id);
                    tell::of_no_tool(session, name, &result, &limits.ids(), begun);
                    return result;
                }
            }
        }
    };
    let hooked = !limits.unhooked && !session.watch().hooks.is_empty();
    let in_call = Arc::new(InCall::new(limits.ids(), hooked));
    let span = trace::call_span(&tool, &in_call.ids, &session.context().facts);
    let untold = Untold::new(session, &tool, &in_call, &span, begun);
    let answer = answer(session, &tool, arguments, limits, &untold);
    let (result, end) = answer.instrument(span.clone()).await;
    untold.tell(&result, end).await;
    result
}

async fn answer(
    session: &Inner,
    tool: &Tool,
    arguments: &str,
    mut limits: Limits<'_>,
    untold: &Untold<'_>,
) -> (CallResult, End) {
    let (watch, in_call) = (session.watch(), untold.in_call());
    let mut arguments = Cow::Borrowed(arguments);
    let known = limits.rewritten.take();
    let (cx, mut outcome, retries) =
        match begin(session, tool, &mut arguments, (limits.cut, known), in_call).await {
            Err(error) => {
                let cx = limits.context(session, tool, Duration::ZERO);
                (cx, Err(error), 0)
            }
            Ok(repairs) => tries(session, tool, &arguments, &limits, in_call, repairs).await,
        };
    let ran = in_call.has_run(&outcome);
    let end = End {
        status: CallStatus::of(&outcome, ran),
        retries,
        duration: untold.duration(),
    };
    if let Some(seen) = seen(session, tool, &arguments, in_call, &outcome) {
        let ended = Ended::new(&end, &outcome, ran, cx.repairs(), tool);
        watch.hooks.after(seen, &ended).await;
        if let Ok(output) = outcome {
            outcome = Ok(watch.hooks.rewrite_result(seen, output).await);
        }
    }
    if watch.trace_content {
        untold.trace_content(&cx, &arguments, &outcome);
    }
    let repairs = cx.repairs().to_vec();
    let who = (cx.number().call, limits.id.clone());
    let result = finish(session, tool, &arguments, outcome, repairs, who);
    untold.keep(cx);
    (result, end)
}

/// The call as hooks see it. One that was refused before it was decoded is decoded for them, unless that
/// is why it was refused; one that the agent loop has to handle is not theirs.
fn seen<'a>(
    session: &Inner,
    tool: &Tool,
    arguments: &str,
    in_call: &'a InCall,
    outcome: &Result<Output, ToolError>,
) -> Option<&'a HookCall> {
    let kind = outcome.as_ref().err().map(ToolError::kind);
    let missed = in_call.hooked && in_call.seen.get().is_none();
    if missed && kind.is_some_and(|kind| kind != ErrorKind::AgentLoop && !is_misfit(kind)) {
        let decoded = ForeignArguments::decode(&tool.rules(), RawArguments::new(arguments));
        let (arguments, repairs) = decoded.ok()?;
        let _ = in_call.seen.set(HookCall::new(
            tool.clone(),
            in_call.ids.clone(),
            Arc::clone(session.context()),
            arguments,
            repairs,
        ));
    }
    in_call.seen.get()
}

/// What may refuse or change a call before it goes to its tool. The repairs of arguments that hooks have
/// rewritten.
async fn begin(
    session: &Inner,
    tool: &Tool,
    arguments: &mut Cow<'_, str>,
    (cut, known): (bool, Option<Box<Rewritten>>),
    in_call: &InCall,
) -> Result<Vec<Repair>, ToolError> {
    let watch = session.watch();
    let now = || session.context().executor.now();
    watch.rates.take(tool.name(), now)?;
    let mut repairs = Vec::new();
    if in_call.hooked && watch.hooks.rewrites() {
        let raw = RawArguments::new(arguments).cut(cut);
        let rewritten = match known {
            // The tool may have been replaced since.
            Some(known) if known.tool.is_same(tool) => *known,
            _ => rewrite(session, tool, raw, in_call.ids.clone()).await,
        };
        match rewritten.outcome {
            Ok(None) => {}
            Ok(Some(call)) => {
                *arguments = Cow::Owned(call.arguments().to_json());
                repairs = hidden(tool, call.repairs().to_vec());
            }
            Err((call, error)) => {
                // Its arguments were decoded, so hooks hear how it ended.
                let _ = in_call.seen.set(call);
                return Err(error);
            }
        }
    }
    pointless(session, tool, arguments).map_or(Ok(repairs), Err)
}

/// What is told of changed arguments, secrets left out.
fn hidden(tool: &Tool, repairs: Vec<Repair>) -> Vec<Repair> {
    hide_in_repairs(repairs, &|name| match tool.runtime() {
        Some(tool) => tool.roles().is_secret(name),
        None => is_secret_param(tool.params(), name),
    })
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
        let outcome = run(tool, &cx, limits.raw(arguments), left).await;
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
        session.note_not_shown(cx.number().call);
        retries += 1;
        trace::retried(tool.name(), error.code(), retries);
        // A call that is cancelled meanwhile is told so by its next try.
        admit::unless_cancelled(limits.cancel, executor.sleep(wait)).await;
    }
}

/// What hooks have made of the arguments of a call.
pub(crate) struct Rewritten {
    tool: Tool,
    /// The call with other arguments, when they have changed any; or the call that they refuse.
    outcome: Result<Option<HookCall>, (HookCall, ToolError)>,
}

impl Rewritten {
    /// The arguments that the call will have, when they are others than it was made with.
    pub(super) fn arguments(&self) -> Option<String> {
        let call = self.outcome.as_ref().ok()?.as_ref()?;
        Some(call.arguments().to_json())
    }
}

/// Has hooks change the arguments of a call. Arguments that do not fit to begin with are left for the tool
/// to refuse.
pub(super) async fn rewrite(
    session: &Inner,
    tool: &Tool,
    arguments: RawArguments<'_>,
    ids: CallIds,
) -> Rewritten {
    let rules = tool.rules();
    let outcome = match ForeignArguments::decode(&rules, arguments) {
        Err(_) => Ok(None),
        Ok((decoded, repairs)) => {
            let cx = Arc::clone(session.context());
            let call = HookCall::new(tool.clone(), ids, cx, decoded, repairs);
            match session.watch().hooks.rewrite(call.clone(), &rules).await {
                Ok(changed) => Ok((changed.arguments() != call.arguments()).then_some(changed)),
                Err(error) => Err((call, error)),
            }
        }
    };
    Rewritten {
        tool: tool.clone(),
        outcome,
    }
}
