//! What is known of a call before it runs.

use std::sync::{Arc, Mutex, PoisonError};

use super::settle::Settled;
use crate::args::{Node, RawArguments, Repair};
use crate::context::ToolContext;
use crate::dispatch::approval::Reason;
use crate::dispatch::footprint::{Footprint, Traces};
use crate::dispatch::guard::Finding;
use crate::dispatch::panic::CatchPanic;
use crate::dispatch::{admit, bridge, shown};
use crate::effect::Effect;
use crate::entry::{Parallel, ToolEntry};
use crate::gate::{
    DestinationFuture, Gate, GateFuture, PendingCall, hide_in_error, hide_in_repairs,
    is_secret_param, secrets_of,
};
use crate::output::{ErrorKind, ToolError, bound_error};
use crate::registry::Tool;
use crate::session::{Inner, ToolCall};

/// How closely a call is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// For its place in the order.
    Order,
    /// For a person too: with its arguments and the findings of the guards.
    Shown,
}

/// A call, decoded and not run.
pub(super) struct Facts {
    /// The tool; none when the session has none of the name.
    pub(super) tool: Option<Tool>,
    pub(super) effect: Option<Effect>,
    pub(super) footprint: Footprint,
    pub(super) arguments: Option<Node>,
    pub(super) repairs: Vec<Repair>,
    pub(super) findings: Vec<Finding>,
    /// What a person would be asked.
    pub(super) reasons: Vec<Reason>,
    /// Why it will be refused.
    pub(super) refusal: Option<ToolError>,
}

impl Facts {
    fn refused(tool: Option<Tool>, refusal: Option<ToolError>) -> Self {
        Self {
            tool,
            effect: None,
            footprint: Footprint::unknown(),
            arguments: None,
            repairs: Vec::new(),
            findings: Vec::new(),
            reasons: Vec::new(),
            refusal: refusal.map(bound_error),
        }
    }
}

/// Looks at a call: it takes the whole way of a call up to the moment in which the tool would run.
pub(super) async fn look(
    session: &Inner,
    call: &ToolCall,
    settled: &Settled,
    depth: Depth,
) -> Facts {
    let tool = match admit::admit(session, &call.name, call.by_host, &call.cancel).await {
        Ok(tool) => tool,
        // What a call through the tool search does is known when it is answered.
        Err(_) if bridge::is_bridge(&call.name) => return Facts::refused(None, None),
        Err(error) => return Facts::refused(None, Some(error)),
    };
    if tool.entry().is_some_and(|entry| !entry.is_prepared()) {
        return declared(tool, raw(call, settled));
    }
    let probe = Arc::new(Probe {
        session: session.gate().clone(),
        depth,
        seen: Mutex::new(None),
    });
    let mut cx = ToolContext::new(tool.owned_name(), Arc::clone(session.context()))
        .with_probe(Arc::clone(&probe) as Arc<dyn Gate>);
    let outcome = CatchPanic::new(&tool, || tool.call(&cx, raw(call, settled))).await;
    let seen = probe
        .seen
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    let Some(seen) = seen else {
        let refusal = outcome.err();
        return Facts::refused(Some(tool), refusal);
    };
    let unsettled = settled.is_open(session, call) && !is_reader(&tool);
    Facts {
        // What the arguments say now is not what they will have said.
        effect: Some(if unsettled {
            tool.declared_effect()
        } else {
            seen.effect
        }),
        footprint: if unsettled && tool.declared_parallel() != Some(Parallel::Safe) {
            Footprint::unknown()
        } else {
            seen.traces.follow(session.context())
        },
        tool: Some(tool),
        arguments: seen.arguments,
        repairs: cx.take_repairs(),
        findings: seen.findings,
        reasons: seen.reasons,
        refusal: seen.refusal.map(bound_error),
    }
}

/// What is known of a tool whose calls cannot be stopped before it runs: what it has declared, and whether
/// the arguments fit. It runs alone.
fn declared(tool: Tool, raw: RawArguments<'_>) -> Facts {
    let secret = |name: &str| is_secret_param(tool.params(), name);
    match tool.rules().decode(raw) {
        Ok(decoded) => Facts {
            effect: Some(tool.declared_effect()),
            // Which of them are secret cannot be told in all places, so none is shown.
            arguments: (!has_roles(&tool)).then(|| shown::without_secrets(decoded.arguments, &[])),
            repairs: hide_in_repairs(decoded.repairs, &secret),
            ..Facts::refused(Some(tool), None)
        },
        Err(error) => {
            let error = hide_in_error(error, &secret);
            let error = ToolError::arguments(tool.name(), &error, tool.rules().example());
            Facts::refused(Some(tool), Some(error))
        }
    }
}

fn has_roles(tool: &Tool) -> bool {
    tool.entry().is_some_and(ToolEntry::has_roles)
}

/// The arguments that the call will have.
fn raw<'a>(call: &'a ToolCall, settled: &'a Settled) -> RawArguments<'a> {
    RawArguments::new(settled.arguments(call)).cut(call.cut)
}

/// Whether the tool does no more than read, whatever its arguments.
fn is_reader(tool: &Tool) -> bool {
    tool.declared_effect() == Effect::Read
}

/// The gate of a call that is only looked at: it sees everything and lets nothing pass.
struct Probe {
    session: Arc<crate::dispatch::gate::SessionGate>,
    depth: Depth,
    seen: Mutex<Option<Seen>>,
}

struct Seen {
    effect: Effect,
    traces: Traces,
    arguments: Option<Node>,
    findings: Vec<Finding>,
    reasons: Vec<Reason>,
    refusal: Option<ToolError>,
}

impl Gate for Probe {
    fn sees_all(&self) -> bool {
        true
    }

    fn destination<'a>(
        &'a self,
        cx: &'a ToolContext,
        address: &'a str,
        from: Option<&'a str>,
    ) -> DestinationFuture<'a> {
        self.session.destination(cx, address, from)
    }

    fn pass<'a>(&'a self, call: &'a PendingCall<'_>) -> GateFuture<'a> {
        Box::pin(async move {
            let mut seen = Seen {
                effect: call.effect(),
                traces: Traces::of(call),
                arguments: None,
                findings: Vec::new(),
                reasons: Vec::new(),
                refusal: None,
            };
            if self.depth == Depth::Shown {
                let secrets = secrets_of(call.subjects());
                let arguments = call.arguments().ok();
                seen.arguments = arguments.map(|it| shown::without_secrets(it, &secrets));
                match self.session.policy.judge(call).await {
                    Ok(findings) => {
                        seen.refusal = findings.refusal();
                        let asked = self.session.approvals.reasons(call, findings.questions());
                        match asked {
                            Ok(reasons) => seen.reasons = reasons,
                            Err(denied) => seen.refusal = seen.refusal.or(Some(denied)),
                        }
                        seen.findings = findings.findings;
                    }
                    Err(error) => seen.refusal = Some(error),
                }
            }
            *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(seen);
            // Ends the call here. Nobody sees it.
            Err(ToolError::new(ErrorKind::NotStarted, "only looked at"))
        })
    }
}
