//! Spans and events of calls, under the names of OpenTelemetry's conventions for generative AI.
//!
//! A call is a span `execute_tool`. Without a subscriber nothing of this is made: what a call pays is
//! one comparison. What arguments and results hold is traced only when a host asks for it
//! ([`SessionBuilder::trace_content`](crate::SessionBuilder::trace_content)), secrets taken out.
//!
//! | field | what |
//! |---|---|
//! | `otel.name` | `execute_tool` and the tool's name: the name of the span for OpenTelemetry |
//! | `gen_ai.operation.name` | `execute_tool` |
//! | `gen_ai.tool.name`, `gen_ai.tool.description`, `gen_ai.tool.type` | the tool; the type is `function`, or `extension` for a tool of an MCP server |
//! | `gen_ai.tool.call.id` | the id under which the model knows the call |
//! | `gen_ai.tool.call.arguments`, `gen_ai.tool.call.result` | contents, on request |
//! | `error.type` | the stable code of the error |
//! | `otel.status_code` | `ERROR` for a call that did not go well |
//! | `hermes.status`, `hermes.effect`, `hermes.toolset`, `hermes.repairs` | the [`CallStatus`] in a word, what the tool may do, its toolset, how many changes the arguments needed |
//! | `hermes.session.id`, `hermes.turn.id`, `hermes.request.id` | what the host said of them |
//!
//! Events of target [`TARGET`] tell of repairs (debug), rewritten arguments, answers of approvals, loops,
//! retries (info), and of hooks, stores and audit logs that fail (warn).

use tracing::field::Empty;
use tracing::{Level, Span, debug, info, info_span, warn};

use crate::args::Repair;
use crate::dispatch::CallIds;
use crate::dispatch::loops::LoopDecision;
use crate::registry::Tool;
use crate::{CallStatus, SessionFacts};

/// The target of all spans and events, for filters.
pub const TARGET: &str = "hermes_tools";

/// Whether anybody wants to know of calls.
pub(crate) fn is_on() -> bool {
    tracing::span_enabled!(target: TARGET, Level::INFO)
}

/// The span of a call of a tool.
pub(crate) fn call_span(tool: &Tool, ids: &CallIds, facts: &SessionFacts) -> Span {
    let foreign = tool.runtime().is_some_and(|it| it.raw_names().is_some());
    let span = named_span(tool.name(), ids, facts);
    span.record("gen_ai.tool.description", tool.description());
    span.record(
        "gen_ai.tool.type",
        if foreign { "extension" } else { "function" },
    );
    span.record("hermes.effect", tool.declared_effect().as_str());
    span.record("hermes.toolset", tool.toolset());
    span
}

/// The span of a call of a name that is no tool of the session.
pub(crate) fn named_span(name: &str, ids: &CallIds, facts: &SessionFacts) -> Span {
    if !is_on() {
        return Span::none();
    }
    info_span!(
        target: TARGET,
        "execute_tool",
        otel.name = format!("execute_tool {name}"),
        otel.kind = "internal",
        otel.status_code = Empty,
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = name,
        gen_ai.tool.description = Empty,
        gen_ai.tool.type = Empty,
        gen_ai.tool.call.id = ids.call.as_deref(),
        gen_ai.tool.call.arguments = Empty,
        gen_ai.tool.call.result = Empty,
        error.type = Empty,
        hermes.status = Empty,
        hermes.effect = Empty,
        hermes.toolset = Empty,
        hermes.repairs = Empty,
        hermes.session.id = facts.id(),
        hermes.turn.id = ids.turn.as_deref(),
        hermes.request.id = ids.request.as_deref(),
    )
}

/// Notes in the span of a call how it ended.
pub(crate) fn ended(
    span: &Span,
    status: CallStatus,
    error: Option<&'static str>,
    repairs: &[Repair],
) {
    if span.is_disabled() {
        return;
    }
    span.record("hermes.status", status.as_str());
    span.record("hermes.repairs", repairs.len());
    if status != CallStatus::Ok {
        span.record("error.type", error.unwrap_or(status.as_str()));
        span.record("otel.status_code", "ERROR");
    }
    let _entered = span.enter();
    for Repair { path, what, .. } in repairs {
        // The values before and after may be secret.
        debug!(target: TARGET, path = path.as_str(), what, "arguments repaired");
    }
}

/// Notes what the arguments of a call were, or its result, as they may be shown.
pub(crate) fn content(span: &Span, field: &'static str, text: &str) {
    span.record(field, text);
}

pub(crate) fn rewritten(hook: &str, tool: &str) {
    info!(target: TARGET, hook, tool, "arguments rewritten by a hook");
}

pub(crate) fn hook_blocked(hook: &str, tool: &str) {
    info!(target: TARGET, hook, tool, "call blocked by a hook");
}

pub(crate) fn hook_failed(hook: &str, tool: &str, fault: &str) {
    warn!(target: TARGET, hook, tool, fault, "a hook failed");
}

pub(crate) fn approval(tool: &str, answer: &str) {
    info!(target: TARGET, tool, answer, "approval");
}

pub(crate) fn store_failed(fault: &str) {
    warn!(target: TARGET, fault, "the store of grants failed");
}

pub(crate) fn audit_failed(fault: &str) {
    warn!(target: TARGET, fault, "the audit log cannot be written");
}

pub(crate) fn retried(tool: &str, code: &str, further: u32) {
    info!(target: TARGET, tool, code, further, "the call is tried again");
}

pub(crate) fn looped(tool: &str, decision: &LoopDecision) {
    let (action, code) = (decision.action.as_str(), decision.code.as_str());
    info!(target: TARGET, tool, action, code, count = decision.count, "loop");
}
