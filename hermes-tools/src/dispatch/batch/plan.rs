//! The order of the calls of a batch.

use std::fmt;

use super::facts::{self, Depth, Facts};
use super::index::Index;
use super::segments::{self, Segment, SegmentKind};
use super::settle::Settled;
use super::{Batch, repeat};
use crate::args::{Node, Repair};
use crate::dispatch::approval::Reason;
use crate::dispatch::footprint::Footprint;
use crate::dispatch::guard::Finding;
use crate::effect::Effect;
use crate::output::ToolError;
use crate::registry::Tool;
use crate::session::{Inner, ToolCall};

/// What a batch would do, and in which order.
pub struct Plan {
    calls: Vec<PlannedCall>,
    pub(super) before: Vec<Vec<usize>>,
    at_most: usize,
}

/// A call of a plan: decoded and not run.
pub struct PlannedCall {
    name: String,
    pub(super) facts: Facts,
    pub(super) repeats: Option<usize>,
}

/// Looks at the calls of a batch and orders them, by the arguments that they will have as far as hooks have
/// settled those.
pub(super) async fn plan(
    session: &Inner,
    batch: &Batch,
    settled: &[Settled],
    at_most: usize,
    depth: Depth,
) -> Plan {
    let open = Settled::default();
    let mut calls: Vec<PlannedCall> = Vec::with_capacity(batch.calls.len());
    let mut before: Vec<Vec<usize>> = Vec::with_capacity(batch.calls.len());
    let mut index = Index::default();
    let mut repeats = repeat::Repeats::new(!batch.run_repeats);
    for (place, call) in batch.calls.iter().enumerate() {
        let settled = settled.get(place).unwrap_or(&open);
        let facts = facts::look(session, call, settled, depth).await;
        let first = repeats.find(place, call, settled.arguments(call), &facts);
        match first {
            // It is not run, and waits for the answer that it points to.
            Some(first) => before.push(vec![first]),
            None => before.push(index.add(place, &facts.footprint)),
        }
        calls.push(PlannedCall::new(call, facts, first));
    }
    Plan {
        calls,
        before,
        at_most,
    }
}

impl Plan {
    /// The calls in their order.
    pub fn calls(&self) -> &[PlannedCall] {
        &self.calls
    }

    /// The earlier calls that a call waits for, by their places. Where it waits for a call that waits for
    /// others, these may be left out.
    pub fn waits_for(&self, call: usize) -> &[usize] {
        self.before.get(call).map_or(&[], Vec::as_slice)
    }

    /// The coarse view: runs of calls with no conflict between any two. A call may start earlier than its
    /// segment, as soon as what it waits for has ended.
    pub fn segments(&self) -> Vec<Segment> {
        segments::segments(&self.before)
    }

    /// How many calls of a segment run at a time.
    pub fn workers(&self, segment: &Segment) -> usize {
        match segment.kind {
            SegmentKind::Parallel => segment.calls.len().min(self.at_most),
            SegmentKind::Sequential => 1,
        }
    }

    /// Whether all calls may run side by side, and there are two at least.
    pub fn is_all_parallel(&self) -> bool {
        matches!(&*self.segments(), [only] if only.kind == SegmentKind::Parallel)
    }
}

impl PlannedCall {
    fn new(call: &ToolCall, facts: Facts, repeats: Option<usize>) -> Self {
        Self {
            name: call.name.clone(),
            facts,
            repeats,
        }
    }

    /// The name as it was asked for.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tool that would run.
    pub fn tool(&self) -> Option<&Tool> {
        self.facts.tool.as_ref()
    }

    /// What this call would do; unknown when it cannot be decoded.
    pub fn effect(&self) -> Option<Effect> {
        self.facts.effect
    }

    /// What it touches.
    pub fn footprint(&self) -> &Footprint {
        &self.facts.footprint
    }

    /// The arguments as the tool would get them, without those that are absent.
    pub fn arguments(&self) -> Option<&Node> {
        self.facts.arguments.as_ref()
    }

    /// What had to be changed in the arguments.
    pub fn repairs(&self) -> &[Repair] {
        &self.facts.repairs
    }

    /// What the guards found.
    pub fn findings(&self) -> &[Finding] {
        &self.facts.findings
    }

    /// What a person would be asked, unless consent was given already.
    pub fn asks(&self) -> &[Reason] {
        &self.facts.reasons
    }

    /// Why it would be refused.
    pub fn refusal(&self) -> Option<&ToolError> {
        self.facts.refusal.as_ref()
    }

    /// The place of the call that it repeats, so that it would not run.
    pub fn repeats(&self) -> Option<usize> {
        self.repeats
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("calls", &self.calls)
            .field("before", &self.before)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for PlannedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Arguments are left out: they may be secret.
        f.debug_struct("PlannedCall")
            .field("name", &self.name)
            .field("footprint", &self.facts.footprint)
            .field("refusal", &self.facts.refusal)
            .finish_non_exhaustive()
    }
}
