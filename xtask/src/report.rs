//! Findings, as text for people and as JSON for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::scan::{BlindSpot, Position, Scan};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something that the scan could not decide. Never fails the check.
    Note,
    /// Works, and is most likely not meant. Fails the check with `--deny-warnings`.
    Warning,
    /// Does not work. Fails the check.
    Error,
}

/// One thing that a rule found, with the rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Id of the rule, such as `duplicate-tool`.
    pub rule: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What was found.
    pub problem: Problem,
}

/// What is wrong, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, in one line.
    pub message: String,
    /// Where.
    pub position: Position,
    /// What else belongs to it.
    pub notes: Vec<String>,
    /// What to do.
    pub help: String,
}

/// The result of a check.
#[derive(Debug)]
pub struct Report {
    /// What the rules found, sorted by place.
    pub findings: Vec<Finding>,
    /// What the scan could not see, sorted by place.
    pub blind_spots: Vec<BlindSpot>,
    /// What was looked at.
    pub scan: Scan,
}

impl Problem {
    /// The problem as a finding of a rule.
    pub(crate) fn of(self, rule: &'static str, severity: Severity) -> Finding {
        Finding {
            rule,
            severity,
            problem: self,
        }
    }
}

impl Severity {
    /// The word in front of a finding.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl Report {
    /// Sorts the findings, and gathers the blind spots of the workspace.
    pub fn new(scan: Scan, mut findings: Vec<Finding>) -> Self {
        findings.sort_by(|left, right| left.order().cmp(&right.order()));
        findings.dedup();
        let mut blind_spots: Vec<BlindSpot> = scan
            .blind_spots
            .iter()
            .filter(|spot| spot.ships_from_member())
            .map(|spot| spot.item.clone())
            .collect();
        blind_spots.sort();
        blind_spots.dedup();
        Self {
            findings,
            blind_spots,
            scan,
        }
    }

    /// How many findings have this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    }

    /// Whether nothing was found that fails the check.
    pub fn is_clean(&self, deny_warnings: bool) -> bool {
        self.count(Severity::Error) == 0 && !(deny_warnings && self.count(Severity::Warning) > 0)
    }

    /// The report in the manner of the compiler, one summary line at the end.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for Finding {
            rule,
            severity,
            problem,
        } in &self.findings
        {
            let _ = writeln!(text, "{}[{rule}]: {}", severity.as_str(), problem.message);
            let _ = writeln!(text, "  --> {}", place(&problem.position));
            for note in &problem.notes {
                let _ = writeln!(text, "   = note: {note}");
            }
            let _ = writeln!(text, "   = help: {}\n", problem.help);
        }
        for spot in &self.blind_spots {
            let place = place(&spot.position);
            let _ = writeln!(text, "note[blind-spot]: {}\n  --> {place}\n", spot.reason);
        }
        let _ = writeln!(
            text,
            "{} and {} in {}: {}, {}",
            counted(self.tools().count(), "tool"),
            counted(self.toolsets().count(), "toolset"),
            counted(self.scan.files.len(), "file"),
            counted(self.count(Severity::Error), "error"),
            counted(self.count(Severity::Warning), "warning"),
        );
        text
    }

    /// The report as one JSON object. Keys are only ever added within a `version`.
    pub fn to_json(&self) -> Value {
        let findings: Vec<Value> = self.findings.iter().map(Finding::to_json).collect();
        let blind_spots: Vec<Value> = self
            .blind_spots
            .iter()
            .map(|spot| json!({ "reason": spot.reason, "at": at(&spot.position) }))
            .collect();
        json!({
            "version": 1,
            "findings": findings,
            "blind_spots": blind_spots,
            "tools": self.tools().collect::<Vec<_>>(),
            "toolsets": self.toolsets().collect::<Vec<_>>(),
            "files": self.scan.files.len(),
            "errors": self.count(Severity::Error),
            "warnings": self.count(Severity::Warning),
        })
    }

    /// Tools of the workspace that reach users.
    fn tools(&self) -> impl Iterator<Item = Value> {
        self.scan
            .tools
            .iter()
            .filter(|tool| tool.ships_from_member())
            .map(|tool| {
                json!({
                    "name": tool.item.name.text,
                    "toolset": tool.item.toolset.text,
                    "function": tool.item.function,
                    "effect": tool.item.effect,
                    "package": tool.unit.package,
                    "target": tool.unit.target,
                    "kind": tool.unit.kind.as_str(),
                    "module": tool.module,
                    "cfg": tool.cfg,
                    "at": at(&tool.item.name.position),
                })
            })
    }

    /// Toolsets of the workspace that reach users.
    fn toolsets(&self) -> impl Iterator<Item = Value> {
        self.scan
            .toolsets
            .iter()
            .filter(|toolset| toolset.ships_from_member())
            .map(|toolset| {
                let texts = |names: &[crate::scan::Name]| -> Vec<String> {
                    names.iter().map(|name| name.text.clone()).collect()
                };
                json!({
                    "name": toolset.item.name.text,
                    "tools": texts(&toolset.item.tools),
                    "includes": texts(&toolset.item.includes),
                    "lent": texts(&toolset.item.lent),
                    "package": toolset.unit.package,
                    "target": toolset.unit.target,
                    "kind": toolset.unit.kind.as_str(),
                    "module": toolset.module,
                    "cfg": toolset.cfg,
                    "at": at(&toolset.item.name.position),
                })
            })
    }
}

impl Finding {
    fn order(&self) -> (&Position, &str, &str) {
        (&self.problem.position, self.rule, &self.problem.message)
    }

    fn to_json(&self) -> Value {
        let Problem {
            message,
            position,
            notes,
            help,
        } = &self.problem;
        json!({
            "rule": self.rule,
            "severity": self.severity.as_str(),
            "message": message,
            "at": at(position),
            "notes": notes,
            "help": help,
        })
    }
}

/// `file:line:column`.
pub(crate) fn place(position: &Position) -> String {
    format!("{}:{}:{}", position.file, position.line, position.column)
}

/// `1 tool`, `2 tools`.
fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

fn at(position: &Position) -> Value {
    json!({ "file": position.file, "line": position.line, "column": position.column })
}
