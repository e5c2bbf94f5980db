//! What is told of a call in the trace and in the audit log.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tracing::Span;

use super::in_call::InCall;
use super::shown::shown;
use super::{CallIds, CallStatus};
use crate::audit::{self, FileChange, Record};
use crate::context::{SessionContext, ToolContext};
use crate::output::{Output, ToolError};
use crate::registry::Tool;
use crate::session::{CallResult, Inner};
use crate::trace;

/// How a call ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct End {
    pub(crate) status: CallStatus,
    pub(crate) retries: u32,
    pub(crate) duration: Duration,
}

/// A call of which nothing is told yet. One that is dropped before its end is told as cancelled: its
/// caller waits for it no more, and it may have done something.
pub(super) struct Untold<'a> {
    session: &'a Inner,
    tool: &'a Tool,
    in_call: &'a Arc<InCall>,
    span: &'a Span,
    begun: Instant,
    cx: OnceLock<ToolContext>,
    told: bool,
}

impl<'a> Untold<'a> {
    pub(super) fn new(
        session: &'a Inner,
        tool: &'a Tool,
        in_call: &'a Arc<InCall>,
        span: &'a Span,
        begun: Instant,
    ) -> Self {
        Self {
            session,
            tool,
            in_call,
            span,
            begun,
            cx: OnceLock::new(),
            told: false,
        }
    }

    pub(super) fn in_call(&self) -> &'a Arc<InCall> {
        self.in_call
    }

    /// How long the call has taken so far.
    pub(super) fn duration(&self) -> Duration {
        self.session.context().executor.now() - self.begun
    }

    /// Keeps the context of the last try, for looking at the files that it changed.
    pub(super) fn keep(&self, cx: ToolContext) {
        let _ = self.cx.set(cx);
    }

    /// Traces what the arguments and the result are, as they may be shown.
    pub(super) fn trace_content(
        &self,
        cx: &ToolContext,
        arguments: &str,
        outcome: &Result<Output, ToolError>,
    ) {
        if self.span.is_disabled() {
            return;
        }
        // Arguments that were not decoded may hold secrets that nobody knows of.
        if self.in_call.has_run(outcome) {
            let arguments = shown(arguments, cx.secrets());
            trace::content(self.span, "gen_ai.tool.call.arguments", &arguments);
        }
        let text = match outcome {
            Ok(output) => output.text(),
            Err(error) => Cow::Owned(error.to_json()),
        };
        let text = shown(&text, cx.secrets());
        trace::content(self.span, "gen_ai.tool.call.result", &text);
    }

    /// Tells how the call ended.
    pub(super) async fn tell(mut self, result: &CallResult, end: End) {
        let error = result.outcome.as_ref().err().map(ToolError::code);
        trace::ended(self.span, end.status, error, &result.repairs);
        if self.session.watch().audit.is_some() {
            let changes = self.in_call.take_changes();
            let files = match self.cx.get() {
                // A plain function works on after its call is over.
                Some(_) if is_given_up(end.status) => changes,
                Some(cx) => audit::files_after(cx, changes).await,
                None => changes,
            };
            self.log(end, error, files, result.repairs.len());
        }
        self.told = true;
    }

    fn log(&self, end: End, error: Option<&'static str>, files: Vec<FileChange>, repairs: usize) {
        let Some(log) = &self.session.watch().audit else {
            return;
        };
        let (verdicts, approvals) = self.in_call.take_notes();
        log.write(&Record {
            server: self.tool.runtime().and_then(|tool| tool.raw_names()),
            effect: Some(self.tool.declared_effect().as_str()),
            arguments: self.in_call.arguments.get().map(String::as_str),
            verdicts,
            approvals,
            files,
            repairs,
            retries: end.retries,
            error,
            ..record(
                self.session.context(),
                self.tool.name(),
                &self.in_call.ids,
                end.status,
                end.duration,
            )
        });
    }
}

impl Drop for Untold<'_> {
    fn drop(&mut self) {
        if self.told {
            return;
        }
        let end = End {
            status: CallStatus::Cancelled,
            retries: 0,
            duration: self.duration(),
        };
        trace::ended(self.span, end.status, None, &[]);
        self.log(end, None, self.in_call.take_changes(), 0);
    }
}

/// Tells of a call of a name that is no tool of the session: an answer of the tool search, or a refusal.
pub(super) fn of_no_tool(
    session: &Inner,
    name: &str,
    result: &CallResult,
    ids: &CallIds,
    begun: Instant,
) {
    let cx = session.context();
    let status = CallStatus::of(&result.outcome, false);
    let error = result.outcome.as_ref().err().map(ToolError::code);
    let span = trace::named_span(name, ids, &cx.facts);
    trace::ended(&span, status, error, &result.repairs);
    if let Some(log) = &session.watch().audit {
        log.write(&Record {
            error,
            ..record(cx, &result.tool, ids, status, cx.executor.now() - begun)
        });
    }
}

/// Logs a call of a batch that was not run: its batch was over, or it is the same as an earlier one.
pub(super) fn of_not_run(session: &Inner, result: &CallResult, ids: &CallIds, repeated: bool) {
    if let Some(log) = &session.watch().audit {
        let status = CallStatus::of(&result.outcome, repeated);
        log.write(&Record {
            repeated,
            error: result.outcome.as_ref().err().map(ToolError::code),
            ..record(session.context(), &result.tool, ids, status, Duration::ZERO)
        });
    }
}

/// Whether a call ended before its tool has.
fn is_given_up(status: CallStatus) -> bool {
    matches!(status, CallStatus::Timeout | CallStatus::Cancelled)
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
        repeated: false,
        repairs: 0,
        retries: 0,
        status,
        error: None,
        milliseconds: duration.as_secs_f64() * 1_000.0,
    }
}
