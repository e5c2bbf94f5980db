//! The gate of a session: guards, and what asks for consent.

use super::guard::{Finding, Policy, Verdict};
use crate::context::ToolContext;
use crate::gate::{DestinationFuture, Gate, GateFuture, PendingCall};
use crate::output::{ErrorKind, ToolError};

/// Judges the calls of a session.
#[derive(Debug)]
pub(crate) struct SessionGate {
    pub(crate) policy: Policy,
}

impl Gate for SessionGate {
    fn pass<'a>(&'a self, call: &'a PendingCall<'_>) -> GateFuture<'a> {
        Box::pin(async move {
            let findings = self.policy.judge(call).await?;
            if let Some(refusal) = findings.refusal() {
                return Err(refusal);
            }
            match findings.questions().next() {
                Some(question) => Err(unanswered(question)),
                None => Ok(()),
            }
        })
    }

    fn destination<'a>(
        &'a self,
        cx: &'a ToolContext,
        address: &'a str,
        from: Option<&'a str>,
    ) -> DestinationFuture<'a> {
        Box::pin(async move {
            let judged = self.policy.url(cx, address, from).await;
            judged.map_err(refusal)
        })
    }
}

/// The error that a verdict is, when it is one.
fn refusal(verdict: Verdict) -> ToolError {
    match verdict {
        Verdict::Block {
            kind, why, help, ..
        } => ToolError::new(kind, why).with_help(help),
        Verdict::Allow | Verdict::Ask { .. } => ToolError::new(
            ErrorKind::GuardFailed,
            "a guard contradicts itself: nothing was done",
        )
        .with_help("use another way, and tell the user"),
    }
}

/// Consent is needed, and there is nobody who could give it.
fn unanswered(question: &Finding) -> ToolError {
    let why = match &question.verdict {
        Verdict::Ask { why, .. } => why.as_str(),
        Verdict::Allow | Verdict::Block { .. } => "",
    };
    ToolError::new(
        ErrorKind::ApprovalRequired,
        format!(
            "`{}` needs the consent of a person, and nobody can be asked: {why}",
            question.shown
        ),
    )
    .with_help("do it in a way that changes less, or ask the user to do it")
}
