//! Findings, as text for people, and as JSON, SARIF and annotations for programs.

mod github;
mod sarif;
mod text;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::allow::Allowed;
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
    /// What comments allow, with their reasons.
    pub allowed: Vec<Allowed>,
    /// What the scan could not see, sorted by place.
    pub blind_spots: Vec<BlindSpot>,
    /// What was looked at.
    pub scan: Scan,
    /// Folder of the workspace, which the paths of positions start from.
    root: PathBuf,
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
    pub fn new(
        root: PathBuf,
        scan: Scan,
        mut findings: Vec<Finding>,
        allowed: Vec<Allowed>,
    ) -> Self {
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
            allowed,
            blind_spots,
            scan,
            root,
        }
    }

    /// The path from the repository that the workspace is in: code hosts know nothing of workspaces.
    pub(crate) fn in_repository(&self, file: &str) -> String {
        let mut above = self.root.ancestors();
        let repository = above.find(|folder| folder.join(".git").exists());
        let inside = repository.and_then(|folder| self.root.strip_prefix(folder).ok());
        match inside {
            Some(inside) if Path::new(file).is_relative() => {
                let path = inside.join(file);
                path.to_string_lossy().replace('\\', "/")
            }
            _ => file.to_owned(),
        }
    }

    /// Keeps what is about these files alone.
    pub(crate) fn keep(&mut self, wanted: impl Fn(&str) -> bool) {
        self.findings
            .retain(|finding| wanted(&finding.problem.position.file));
        self.allowed
            .retain(|allowed| wanted(&allowed.finding.problem.position.file));
        self.blind_spots.retain(|spot| wanted(&spot.position.file));
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

    /// The report as one JSON object. Keys are only ever added within a `version`.
    pub fn to_json(&self) -> Value {
        let findings: Vec<Value> = self.findings.iter().map(Finding::to_json).collect();
        let blind_spots: Vec<Value> = self
            .blind_spots
            .iter()
            .map(|spot| json!({ "reason": spot.reason, "at": at(&spot.position) }))
            .collect();
        let allowed: Vec<Value> = self.allowed.iter().map(Allowed::to_json).collect();
        json!({
            "version": 1,
            "findings": findings,
            "allowed": allowed,
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

impl Allowed {
    fn to_json(&self) -> Value {
        let mut finding = self.finding.to_json();
        finding["reason"] = self.reason.clone().into();
        finding
    }
}

fn at(position: &Position) -> Value {
    json!({ "file": position.file, "line": position.line, "column": position.column })
}
