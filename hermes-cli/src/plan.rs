//! What calls would do, for `--dry-run`: nothing runs.

use hermes_tools::args::Node;
use hermes_tools::dispatch::guard::{Finding, Verdict};
use hermes_tools::dispatch::{Footprint, Plan, PlannedCall};
use hermes_tools::{Access, Batch, Session, ToolCall};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::answer::{ErrorBody, RepairBody};
use crate::cli::Ended;
use crate::error::CliError;
use crate::exit::Exit;
use crate::json;
use crate::terminal;

/// What a call would do, as a JSON object. The order of the fields is that of the output.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    /// Whether it would run. Consent that has yet to be given does not speak against it.
    ok: bool,
    tool: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    effect: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<Box<RawValue>>,
    repairs: Vec<RepairBody<'a>>,
    /// What the guards say of paths, commands and addresses.
    verdicts: Vec<VerdictBody<'a>>,
    /// What a person would be asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    asks: Vec<&'a str>,
    touches: Touches<'a>,
    /// Lines of the calls that it waits for.
    #[serde(skip_serializing_if = "Option::is_none")]
    waits_for: Option<Vec<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorBody<'a>>,
}

#[derive(PartialEq, Serialize)]
struct VerdictBody<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    argument: &'a str,
    role: &'static str,
    target: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    access: Option<&'static str>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    category: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    why: &'a str,
}

#[derive(Serialize)]
struct Touches<'a> {
    /// Whether it runs alone.
    alone: bool,
    paths: Vec<(&'static str, String)>,
    locks: Vec<&'a str>,
}

#[derive(Serialize)]
struct Segments {
    /// Each with its kind, the lines of its calls, and how many run at a time.
    segments: Vec<(&'static str, Vec<u64>, usize)>,
}

/// Tells what one call would do.
pub(crate) fn tell_call(session: &Session, tool: String, arguments: &str, as_json: bool) -> Ended {
    let plan = session.plan_blocking(&Batch::new([ToolCall::new(tool, arguments)]));
    for call in plan.calls() {
        let told = Told::of(call);
        if as_json {
            terminal::print(&json::text(&told))?;
        } else {
            terminal::print_foreign(&told.readable(call))?;
        }
        if let Some(refusal) = call.refusal().filter(|_| !as_json) {
            terminal::report_error(&refusal.to_string());
        }
        if call.refusal().is_some() {
            return Ok(Exit::CallFailed);
        }
    }
    Ok(Exit::Success)
}

/// Tells what a call of a batch would do, and whether it would be refused. `lines` are those of all calls
/// of the plan.
pub(crate) fn tell_of_batch(
    plan: &Plan,
    place: usize,
    call: &PlannedCall,
    id: Option<&RawValue>,
    lines: &[u64],
    as_json: bool,
) -> Result<bool, CliError> {
    let mut told = Told::of(call);
    told.id = id;
    told.line = Some(lines[place]);
    told.waits_for = Some(
        plan.waits_for(place)
            .iter()
            .map(|place| lines[*place])
            .collect(),
    );
    if as_json {
        terminal::print(&json::text(&told))?;
    } else {
        let mut text = format!("line {}\n{}", lines[place], told.readable(call));
        if let Some(refusal) = call.refusal() {
            text.push_str("\nrefused    ");
            text.push_str(&refusal.to_string());
        }
        text.push('\n');
        terminal::print_foreign(&text)?;
    }
    Ok(call.refusal().is_some())
}

/// Tells the coarse view of a plan.
pub(crate) fn tell_segments(plan: &Plan, lines: &[u64], as_json: bool) -> Result<(), CliError> {
    let segments = plan.segments();
    let told = Segments {
        segments: segments
            .iter()
            .map(|segment| {
                let calls = segment.calls.iter().map(|place| lines[*place]);
                (
                    segment.kind.as_str(),
                    calls.collect(),
                    plan.workers(segment),
                )
            })
            .collect(),
    };
    if as_json {
        return terminal::print(&json::text(&told));
    }
    for (kind, calls, workers) in told.segments {
        let calls: Vec<String> = calls.iter().map(u64::to_string).collect();
        let calls = calls.join(", ");
        let at_a_time = if workers > 1 {
            format!(", {workers} at a time")
        } else {
            String::new()
        };
        terminal::print(&format!("{kind}: lines {calls}{at_a_time}"))?;
    }
    Ok(())
}

impl<'a> Told<'a> {
    fn of(call: &'a PlannedCall) -> Self {
        let arguments = call.arguments().map(|arguments| given(arguments).to_json());
        Self {
            id: None,
            line: None,
            ok: call.refusal().is_none(),
            tool: call.tool().map_or(call.name(), hermes_tools::Tool::name),
            effect: call.effect().map(hermes_tools::Effect::as_str),
            arguments: arguments.and_then(|json| RawValue::from_string(json).ok()),
            repairs: call.repairs().iter().map(RepairBody::of).collect(),
            verdicts: VerdictBody::all(call.findings()),
            asks: call
                .asks()
                .iter()
                .map(|reason| reason.why.as_str())
                .collect(),
            touches: Touches::of(call.footprint()),
            waits_for: None,
            error: call.refusal().map(ErrorBody::of),
        }
    }

    fn readable(&self, call: &PlannedCall) -> String {
        let mut lines = vec![match self.effect {
            Some(effect) => format!("tool       {} ({effect})", self.tool),
            None => format!("tool       {}", self.tool),
        }];
        if let Some(arguments) = &self.arguments {
            lines.push(format!("arguments  {}", arguments.get()));
        }
        for repair in call.repairs() {
            lines.push(format!("changed    {repair}"));
        }
        for verdict in &self.verdicts {
            let access = verdict.access.map(|access| format!("{access} "));
            let why = if verdict.why.is_empty() {
                String::new()
            } else {
                format!(" ({})", verdict.why)
            };
            lines.push(format!(
                "{:<10} {}{}: {}{why}",
                verdict.role,
                access.unwrap_or_default(),
                verdict.target,
                verdict.verdict
            ));
        }
        for why in &self.asks {
            lines.push(format!("asks       {why}"));
        }
        for lock in &self.touches.locks {
            lines.push(format!("lock       {lock}"));
        }
        if let Some(waits) = self.waits_for.as_deref().filter(|waits| !waits.is_empty()) {
            let waits: Vec<String> = waits.iter().map(u64::to_string).collect();
            lines.push(format!("waits for  lines {}", waits.join(", ")));
        }
        if self.touches.alone && self.ok {
            lines.push("order      alone: it may do anything".to_owned());
        }
        lines.join("\n")
    }
}

/// The arguments without those that are absent.
fn given(arguments: &Node) -> Node {
    match arguments {
        Node::Object(members) => {
            let given = members.iter().filter(|(_, value)| *value != Node::Null);
            Node::Object(given.cloned().collect())
        }
        other => other.clone(),
    }
}

impl<'a> VerdictBody<'a> {
    /// All findings, each once: a path may be an argument and a target of the tool as well.
    fn all(findings: &'a [Finding]) -> Vec<Self> {
        let mut verdicts: Vec<Self> = Vec::new();
        for finding in findings {
            let verdict = Self::of(finding);
            let is_known = verdicts.iter().any(|known| {
                let argument = known.argument;
                *known
                    == Self {
                        argument,
                        ..verdict
                    }
            });
            if !is_known {
                verdicts.push(verdict);
            }
        }
        verdicts
    }

    fn of(finding: &'a Finding) -> Self {
        Self {
            argument: &finding.argument,
            role: finding.role.as_str(),
            target: &finding.shown,
            access: finding.access.map(access),
            verdict: finding.verdict.as_str(),
            category: finding.verdict.category(),
            why: match &finding.verdict {
                Verdict::Ask { why, .. } | Verdict::Block { why, .. } => why,
                _ => "",
            },
        }
    }
}

impl<'a> Touches<'a> {
    fn of(footprint: &'a Footprint) -> Self {
        // Who writes at a path may read there as well.
        let mut paths: Vec<(String, Access)> = Vec::new();
        for (path, how) in footprint.paths() {
            let path = path.display().to_string();
            match paths.iter_mut().find(|(known, _)| *known == path) {
                Some((_, known)) => *known = how.max(*known),
                None => paths.push((path, how)),
            }
        }
        Self {
            alone: footprint.is_alone(),
            paths: paths
                .into_iter()
                .map(|(path, how)| (access(how), path))
                .collect(),
            locks: footprint.locks().collect(),
        }
    }
}

const fn access(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
    }
}
