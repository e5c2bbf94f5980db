//! What calls would do, for `--dry-run`: nothing runs.

use std::collections::BTreeMap;
use std::fmt;

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
    /// The calls that it waits for.
    #[serde(skip_serializing_if = "Option::is_none")]
    waits_for: Option<Vec<CallName<'a>>>,
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
struct Segments<'a> {
    /// Each with its kind, its calls, and how many run at a time.
    segments: Vec<(&'static str, Vec<CallName<'a>>, usize)>,
}

/// How others speak of a call of a batch: by its id, or by its line where it has none of its own.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(untagged)]
pub(crate) enum CallName<'a> {
    /// As it was sent.
    Id(&'a RawValue),
    /// Counted from 1.
    Line { line: u64 },
}

/// The calls of a batch as a plan speaks of them, in the order of the plan.
pub(crate) struct Names<'a> {
    calls: Vec<(Option<&'a RawValue>, u64)>,
    names: Vec<CallName<'a>>,
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

/// Tells what a call of a batch would do, and whether it would be refused.
pub(crate) fn tell_of_batch(
    plan: &Plan,
    place: usize,
    call: &PlannedCall,
    names: &Names<'_>,
    as_json: bool,
) -> Result<bool, CliError> {
    let mut told = Told::of(call);
    let (id, line) = names.calls[place];
    told.id = id;
    told.line = Some(line);
    told.waits_for = Some(names.of(plan.waits_for(place)));
    if as_json {
        terminal::print(&json::text(&told))?;
    } else {
        let mut text = match id {
            Some(id) => format!("{} (line {line})\n", CallName::Id(id)),
            None => format!("line {line}\n"),
        };
        text.push_str(&told.readable(call));
        if let Some(refusal) = call.refusal() {
            text.push_str("\nrefused    ");
            text.push_str(&refusal.to_string());
        }
        text.push('\n');
        terminal::print_foreign(&text)?;
    }
    Ok(call.refusal().is_some())
}

/// Tells of a line that is no call.
pub(crate) fn tell_no_call(
    refusal: &str,
    line: u64,
    message: &str,
    as_json: bool,
) -> Result<(), CliError> {
    if as_json {
        return terminal::print(refusal);
    }
    terminal::print_foreign(&format!("line {line}\nrefused    {message}\n"))
}

/// Tells the coarse view of a plan.
pub(crate) fn tell_segments(plan: &Plan, names: &Names<'_>, as_json: bool) -> Result<(), CliError> {
    let segments = plan.segments();
    let told = Segments {
        segments: segments
            .iter()
            .map(|segment| {
                let calls = names.of(&segment.calls);
                (segment.kind.as_str(), calls, plan.workers(segment))
            })
            .collect(),
    };
    if as_json {
        return terminal::print(&json::text(&told));
    }
    for (kind, calls, workers) in told.segments {
        let calls = listed(&calls);
        let at_a_time = if workers > 1 {
            format!(", {workers} at a time")
        } else {
            String::new()
        };
        terminal::print_foreign(&format!("{kind}: {calls}{at_a_time}"))?;
    }
    Ok(())
}

impl<'a> Names<'a> {
    /// Those of these calls: the id of each, and its line.
    pub(crate) fn new(calls: Vec<(Option<&'a RawValue>, u64)>) -> Self {
        let mut times = BTreeMap::new();
        for (id, _) in &calls {
            *times.entry(id.map(RawValue::get)).or_insert(0) += 1;
        }
        let name = |(id, line): &(Option<&'a RawValue>, u64)| match id {
            Some(id) if times[&Some(id.get())] == 1 => CallName::Id(id),
            _ => CallName::Line { line: *line },
        };
        let names = calls.iter().map(name).collect();
        Self { calls, names }
    }

    fn of(&self, places: &[usize]) -> Vec<CallName<'a>> {
        places.iter().map(|place| self.names[*place]).collect()
    }
}

impl fmt::Display for CallName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { line } => write!(f, "line {line}"),
            // A text is an id without its quotes.
            Self::Id(id) => match serde_json::from_str::<String>(id.get()) {
                Ok(text) => write!(f, "`{}`", terminal::one_line(&text)),
                Err(_) => write!(f, "`{}`", id.get()),
            },
        }
    }
}

fn listed(names: &[CallName<'_>]) -> String {
    let names: Vec<String> = names.iter().map(CallName::to_string).collect();
    names.join(", ")
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
            lines.push(format!("waits for  {}", listed(waits)));
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
