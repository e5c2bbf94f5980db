//! The gate of a session: guards, consent, and hooks before a call.

use std::sync::Arc;

use super::approval::Approvals;
use super::fence::Fence;
use super::guard::{Policy, Verdict};
use super::hook::{HookCall, Hooks};
use super::in_call::InCall;
use super::shown::shown_arguments;
use crate::args::ForeignArguments;
use crate::audit::{self, Judgement};
use crate::context::ToolContext;
use crate::gate::{DestinationFuture, Gate, GateFuture, PendingCall};
use crate::output::{ErrorKind, ToolError};

/// Judges the calls of a session.
pub(crate) struct SessionGate {
    pub(crate) policy: Policy,
    pub(crate) approvals: Approvals,
    pub(crate) fence: Arc<Fence>,
    pub(crate) hooks: Arc<Hooks>,
    /// Whether files that calls change are to be told before and after.
    pub(crate) audited: bool,
}

impl Gate for SessionGate {
    fn sees_all(&self) -> bool {
        self.audited || !self.hooks.is_empty() || !self.approvals.policy.allows_all_effects()
    }

    fn pass<'a>(&'a self, call: &'a PendingCall<'_>) -> GateFuture<'a> {
        Box::pin(async move {
            let Some(in_call) = call.cx().in_call() else {
                self.judge(call, &InCall::default()).await?;
                self.fence.enter(call).await;
                return Ok(());
            };
            let standing = in_call.stand_in_gate(call.cx().executor());
            let judged = self.judge(call, in_call).await;
            drop(standing);
            in_call.judge(judged.is_ok());
            judged?;
            // The time of the call: what is waited for here may never end.
            self.fence.enter(call).await;
            Ok(())
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

impl SessionGate {
    /// What a call meets in this order: guards, a person, hooks. One that is tried again meets the guards
    /// alone, since what they look at may have changed.
    async fn judge(&self, call: &PendingCall<'_>, in_call: &InCall) -> Result<(), ToolError> {
        let hook_call = if in_call.hooked {
            Some(seen(call, in_call)?)
        } else {
            None
        };
        let findings = self.policy.judge(call).await?;
        if self.audited {
            let arguments = call.arguments()?;
            let secrets = call.cx().secrets();
            in_call
                .arguments
                .get_or_init(|| shown_arguments(arguments, secrets));
            in_call.judged(findings.findings.iter().map(Judgement::of).collect());
        }
        if let Some(refusal) = findings.refusal() {
            return Err(refusal);
        }
        if in_call.has_passed() {
            return Ok(());
        }
        let reasons = self.approvals.reasons(call, findings.questions())?;
        let (asked, allowed) = self.approvals.allow(call, &in_call.ids, reasons).await;
        in_call.asked(asked);
        allowed?;
        if let Some(hook_call) = hook_call {
            let asks = self.hooks.before(hook_call).await?;
            let reasons = Approvals::reasons_of_hooks(call, asks);
            let (asked, allowed) = self.approvals.allow(call, &in_call.ids, reasons).await;
            in_call.asked(asked);
            allowed?;
        }
        if self.audited {
            in_call.will_change(audit::files_before(call, &findings).await);
        }
        Ok(())
    }
}

/// The call as hooks see it, made once.
fn seen<'a>(call: &PendingCall<'_>, in_call: &'a InCall) -> Result<&'a HookCall, ToolError> {
    if let Some(seen) = in_call.seen.get() {
        return Ok(seen);
    }
    let arguments = ForeignArguments::from_node(call.arguments()?);
    let cx = call.cx();
    Ok(in_call.seen.get_or_init(|| {
        HookCall::new(
            call.tool().clone(),
            in_call.ids.clone(),
            cx.shared_session(),
            arguments,
            cx.repairs().to_vec(),
        )
    }))
}

impl std::fmt::Debug for SessionGate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionGate")
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}
