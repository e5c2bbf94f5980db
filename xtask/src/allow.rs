//! Findings that a comment allows: `// check-toolsets: allow(rule): reason`.
//!
//! The comment stands on the line of the finding, or above it: directly, or above the attributes and
//! documentation of the function that the finding is about. It costs a build nothing.

use crate::report::Finding;
use crate::scan::outline::line_comments;
use crate::scan::{Allow, Found, Position, Scan};

/// What a comment begins with, after its mark.
pub(crate) const MARK: &str = "check-toolsets: allow(";

/// A finding that a comment allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    /// The finding.
    pub finding: Finding,
    /// Why it is allowed.
    pub reason: String,
    /// Where the comment stands.
    pub comment: Position,
}

/// What begins a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// `//`.
    Rust,
    /// `#`.
    Toml,
}

/// The comments of a text that allow something, in the order of their lines.
pub(crate) fn comments(text: &str, file: &str, language: Language) -> Vec<Allow> {
    if memchr::memmem::find(text.as_bytes(), MARK.as_bytes()).is_none() {
        return Vec::new();
    }
    let real = match language {
        Language::Rust => line_comments(text),
        Language::Toml => Vec::new(),
    };
    let lines: Vec<&str> = text.lines().collect();
    let mut allows = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some((before, rest)) = line.split_once(MARK) else {
            continue;
        };
        let lead = before.trim_end();
        let is_comment = match language {
            Language::Rust => {
                let line_start = line.as_ptr() as usize - text.as_ptr() as usize;
                lead.ends_with("//") && real.contains(&(line_start + lead.len() - 2))
            }
            Language::Toml => lead.ends_with('#'),
        };
        if !is_comment {
            continue;
        }
        let Some((rules, rest)) = rest.split_once(')') else {
            continue;
        };
        let reason = rest.trim_start().strip_prefix(':').unwrap_or_default();
        // A comment on a line of its own speaks of the next line that is no comment.
        let alone = lead.trim_start().len() <= 2;
        let covers = if alone {
            let mark = match language {
                Language::Rust => "//",
                Language::Toml => "#",
            };
            let is_code = |line: &&str| !line.trim_start().starts_with(mark);
            index
                + 1
                + lines[index + 1..]
                    .iter()
                    .take_while(|line| !is_code(line))
                    .count()
        } else {
            index
        };
        allows.push(Allow {
            position: Position {
                file: file.to_owned(),
                line: index + 1,
                column: before.chars().count() + 1,
            },
            rules: rules
                .split(',')
                .map(|rule| rule.trim().to_owned())
                .collect(),
            reason: reason.trim().to_owned(),
            covers: covers + 1,
        });
    }
    allows
}

/// Parts what no comment allows from what one does. A comment without a reason allows nothing.
pub(crate) fn apply(scan: &Scan, findings: Vec<Finding>) -> (Vec<Finding>, Vec<Allowed>) {
    let mut left = Vec::new();
    let mut allowed = Vec::new();
    for finding in findings {
        let comment = scan
            .allows
            .iter()
            .find(|allow| covers(scan, allow, &finding));
        match comment {
            Some(Found { item, .. }) => allowed.push(Allowed {
                finding,
                reason: item.reason.clone(),
                comment: item.position.clone(),
            }),
            None => left.push(finding),
        }
    }
    (left, allowed)
}

fn covers(scan: &Scan, allow: &Found<Allow>, finding: &Finding) -> bool {
    let allow = &allow.item;
    let place = &finding.problem.position;
    if allow.reason.is_empty()
        || allow.position.file != place.file
        || !allow.rules.iter().any(|rule| rule == finding.rule)
    {
        return false;
    }
    // Findings about a function stand at its name, below its attributes.
    let first = scan
        .tools
        .iter()
        .map(|tool| &tool.item)
        .filter(|tool| tool.name.position.file == place.file)
        .filter(|tool| tool.first_line <= place.line && place.line <= tool.last_line)
        .map(|tool| tool.first_line)
        .max()
        .unwrap_or(place.line);
    (first..=place.line).contains(&allow.covers)
        || (first..=place.line).contains(&allow.position.line)
}
