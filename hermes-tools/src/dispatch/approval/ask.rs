//! From what is asked of a call to a decision.

use std::borrow::Cow;
use std::sync::Arc;

use super::grants::Grants;
use super::{Approval, ApprovalPolicy, ApprovalRequest, Approver, GrantKey, GrantStore, Reason};
use super::{Rule, Unattended};
use crate::dispatch::CallIds;
use crate::dispatch::contain::contain;
use crate::dispatch::guard::{Finding, Verdict};
use crate::dispatch::hook::HookAsk;
use crate::dispatch::shown::shown_arguments;
use crate::effect::Role;
use crate::gate::PendingCall;
use crate::output::{ErrorKind, ToolError};
use crate::trace;

/// Who allows calls in a session, by what policy, and what was allowed already.
#[derive(Default)]
pub(crate) struct Approvals {
    pub(crate) policy: ApprovalPolicy,
    pub(crate) approver: Option<Arc<dyn Approver>>,
    grants: Grants,
    /// Questions are put one after the other: a person answers one at a time, and an answer for the
    /// session spares the next of its kind.
    turnstile: tokio::sync::Mutex<()>,
}

/// What came of the questions about a call, for the audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) categories: Vec<Box<str>>,
    /// `granted`, `unattended`, or the word of an [`Approval`].
    pub(crate) answer: &'static str,
}

impl Approvals {
    /// Those of a sub-agent: the same policy, what was allowed for always, and nobody to ask.
    pub(crate) fn of_child(&self) -> Self {
        let mut child = Self {
            policy: self.policy.clone(),
            ..Self::default()
        };
        child.grants.store.clone_from(&self.grants.store);
        child
    }

    pub(crate) fn set_store(&mut self, store: Arc<dyn GrantStore>) {
        self.grants.store = Some(store);
    }

    /// What has to be asked of a call, by what it does and by what the guards are not sure of.
    ///
    /// # Errors
    ///
    /// The policy denies the call.
    pub(crate) fn reasons<'a>(
        &self,
        call: &PendingCall<'_>,
        questions: impl Iterator<Item = &'a Finding>,
    ) -> Result<Vec<Reason>, ToolError> {
        let mut reasons = Vec::new();
        match self.policy.rule_of_effect(call.effect()) {
            Rule::Allow => {}
            Rule::Ask => reasons.push(by_effect(call)),
            Rule::Deny => {
                let why = format!("its effect is {}", call.effect());
                return Err(denied_by_policy(call, &why));
            }
        }
        for finding in questions {
            let Verdict::Ask { category, why } = &finding.verdict else {
                continue;
            };
            match self.policy.rule_of_category(category) {
                Rule::Allow => {}
                Rule::Ask => reasons.push(by_guard(call, finding, category, why)),
                Rule::Deny => return Err(denied_by_policy(call, why)),
            }
        }
        Ok(reasons)
    }

    /// What hooks want asked of a call.
    pub(crate) fn reasons_of_hooks(call: &PendingCall<'_>, asks: Vec<HookAsk>) -> Vec<Reason> {
        let reason = |ask: HookAsk| {
            let key = ask.key.as_deref().unwrap_or_default();
            Reason {
                category: "hook".into(),
                why: ask.why.into_owned(),
                subject: String::new(),
                key: GrantKey::of(call.tool(), "hook", &[&ask.hook, key]),
            }
        };
        asks.into_iter().map(reason).collect()
    }

    /// Has a call allowed. Without reasons it is.
    ///
    /// # Errors
    ///
    /// It is not allowed, or nobody can be asked.
    pub(crate) async fn allow(
        &self,
        call: &PendingCall<'_>,
        ids: &CallIds,
        reasons: Vec<Reason>,
    ) -> (Option<Asked>, Result<(), ToolError>) {
        if reasons.is_empty() {
            return (None, Ok(()));
        }
        let categories = reasons.iter().map(|it| it.category.clone()).collect();
        let (answer, outcome) = self.decide(call, ids, reasons).await;
        trace::approval(call.tool().name(), answer);
        let asked = Asked { categories, answer };
        (Some(asked), outcome)
    }

    async fn decide(
        &self,
        call: &PendingCall<'_>,
        ids: &CallIds,
        reasons: Vec<Reason>,
    ) -> (&'static str, Result<(), ToolError>) {
        if self.granted(&reasons) {
            return ("granted", Ok(()));
        }
        let cx = call.cx();
        if cx.facts().is_unattended() {
            return match self.policy.rule_unattended() {
                Unattended::Allow => ("unattended", Ok(())),
                Unattended::Deny => ("denied", Err(unattended(call, &reasons))),
            };
        }
        let Some(approver) = &self.approver else {
            return ("nobody", Err(nobody(call, &reasons)));
        };
        let _next = self.turnstile.lock().await;
        // The answer to the question before may have settled this one.
        if self.granted(&reasons) {
            return ("granted", Ok(()));
        }
        let arguments = match call.arguments() {
            Ok(arguments) => shown_arguments(arguments, cx.secrets()),
            Err(error) => return ("failed", Err(error)),
        };
        let request = ApprovalRequest::new(
            call.tool().clone(),
            call.effect(),
            ids.clone(),
            arguments,
            reasons,
            cx.shared_session(),
        );
        let limit = self.policy.timeout;
        let asked = contain(cx.executor(), limit, || approver.ask(&request)).await;
        match asked {
            Ok(Ok(approval)) => self.settle(&request, approval),
            Ok(Err(error)) => ("failed", Err(failed(&request, &error.to_string()))),
            Err(fault) => ("failed", Err(failed(&request, &fault.to_string()))),
        }
    }

    fn settle(
        &self,
        request: &ApprovalRequest,
        approval: Approval,
    ) -> (&'static str, Result<(), ToolError>) {
        let word = approval.as_str();
        let keys = request.reasons().iter().map(|reason| &reason.key);
        match approval {
            Approval::Once => {}
            Approval::Session => keys.for_each(|key| self.grants.keep_for_session(key)),
            Approval::Always => keys.for_each(|key| self.grants.keep(key)),
            Approval::Denied { reason } => return (word, Err(denied(request, &reason))),
        }
        (word, Ok(()))
    }

    fn granted(&self, reasons: &[Reason]) -> bool {
        reasons.iter().all(|reason| self.grants.holds(&reason.key))
    }
}

/// What the effect of a call asks. An answer about a command or code counts for its exact text alone: the
/// next command of the same tool is another matter.
fn by_effect(call: &PendingCall<'_>) -> Reason {
    let exact: Vec<&str> = call
        .subjects()
        .iter()
        .filter(|subject| matches!(subject.role, Role::Command | Role::Code))
        .map(|subject| subject.text.as_str())
        .collect();
    let what = format!("effect {}", call.effect());
    Reason {
        category: "effect".into(),
        why: format!("the effect of this call is {}", call.effect()),
        subject: String::new(),
        key: GrantKey::of(call.tool(), &what, &exact),
    }
}

/// What a guard asks, for exactly the text that it is not sure of.
fn by_guard(call: &PendingCall<'_>, finding: &Finding, category: &str, why: &str) -> Reason {
    let subject = call
        .subjects()
        .iter()
        .find(|it| it.argument == finding.argument && it.role == finding.role);
    let exact = subject.map_or(finding.shown.as_str(), |subject| subject.text.as_str());
    Reason {
        category: category.into(),
        why: why.to_owned(),
        subject: finding.shown.clone(),
        key: GrantKey::of(call.tool(), category, &[finding.role.as_str(), exact]),
    }
}

const ANOTHER_WAY: &str = "do it in a way that changes less, or ask the user to do it";

fn denied_by_policy(call: &PendingCall<'_>, why: &str) -> ToolError {
    ToolError::new(
        ErrorKind::ApprovalDenied,
        format!(
            "this session does not allow this call of `{}`: {why}",
            call.tool().name()
        ),
    )
    .with_help(ANOTHER_WAY)
}

/// Consent is needed, and there is nobody who could give it.
fn nobody(call: &PendingCall<'_>, reasons: &[Reason]) -> ToolError {
    ToolError::new(
        ErrorKind::ApprovalRequired,
        format!(
            "`{}` needs the consent of a person, and nobody can be asked: {}",
            call.tool().name(),
            whys(reasons)
        ),
    )
    .with_help(ANOTHER_WAY)
}

fn unattended(call: &PendingCall<'_>, reasons: &[Reason]) -> ToolError {
    ToolError::new(
        ErrorKind::ApprovalDenied,
        format!(
            "`{}` needs the consent of a person, and this session works without one: {}",
            call.tool().name(),
            whys(reasons)
        ),
    )
    .with_help("do it in a way that changes less, or leave it to whoever gave you the task")
}

fn denied(request: &ApprovalRequest, reason: &str) -> ToolError {
    let name = request.tool().name();
    let message: Cow<'static, str> = match reason.trim() {
        "" => format!("this call of `{name}` was not allowed").into(),
        reason => format!("this call of `{name}` was not allowed: {reason}").into(),
    };
    ToolError::new(ErrorKind::ApprovalDenied, message)
        .with_help("do not try it again in another way; ask the user what to do instead")
}

fn failed(request: &ApprovalRequest, fault: &str) -> ToolError {
    ToolError::new(
        ErrorKind::ApprovalDenied,
        format!(
            "nobody answered whether `{}` may be called: {}",
            request.tool().name(),
            whys(request.reasons())
        ),
    )
    .with_help(ANOTHER_WAY)
    .for_operator(format!("the approver gave no answer: {fault}"))
}

fn whys(reasons: &[Reason]) -> String {
    let whys: Vec<&str> = reasons.iter().map(|reason| reason.why.as_str()).collect();
    whys.join("; ")
}
