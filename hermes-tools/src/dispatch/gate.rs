//! The gate of a session: guards, and what asks for consent.

use std::sync::Arc;

use super::fence::Fence;
use super::guard::{Finding, Policy, Verdict};
use crate::gate::{Gate, GateFuture, PendingCall};
use crate::output::{ErrorKind, ToolError};

/// Judges the calls of a session.
#[derive(Debug)]
pub(crate) struct SessionGate {
    pub(crate) policy: Policy,
    pub(crate) fence: Arc<Fence>,
}

impl Gate for SessionGate {
    fn pass<'a>(&'a self, call: &'a PendingCall<'_>) -> GateFuture<'a> {
        Box::pin(async move {
            let findings = self.policy.judge(call).await?;
            if let Some(refusal) = findings.refusal() {
                return Err(refusal);
            }
            match findings.questions().next() {
                Some(question) => return Err(unanswered(question)),
                None => {}
            }
            self.fence.enter(call).await;
            Ok(())
        })
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
