//! What only the linked catalogue shows: how schemas fare with each provider, how much room they
//! take, and whether they are what was agreed on.
//!
//! The binary is called with `--json definitions --toolset all --sizes`, with and without
//! `--dialect NAME`, and with `definitions --toolset all` for the definitions themselves. One that
//! has no such command is told of in a note.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::Context;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::LinkedTool;
use crate::report::{Finding, Problem, Severity};
use crate::rules::Check;
use crate::scan::Position;
use crate::workspace::stdout_of;

/// The forms that are asked for. Strict ones lose on purpose: what they cannot say, they reject.
const DIALECTS: [&str; 5] = ["openai", "openai-responses", "anthropic", "gemini", "mcp"];

const DEFINITIONS: [&str; 3] = ["definitions", "--toolset", "all"];

type Run<'a> = dyn Fn(&[&str]) -> anyhow::Result<Command> + 'a;

/// Applies `schema-dialect`, `schema-budget` and `golden-changed`.
pub(super) fn check(
    check: &Check<'_>,
    linked: &[LinkedTool],
    root: &Path,
    command: &Run<'_>,
    fix: bool,
) -> anyhow::Result<Vec<Finding>> {
    let here = Position {
        file: check.workspace.display(root),
        line: 1,
        column: 1,
    };
    let mut arguments = vec!["--json"];
    arguments.extend(DEFINITIONS);
    arguments.push("--sizes");
    let Ok(sizes) = stdout_of(&mut command(&arguments)?) else {
        let problem = Problem {
            message: "the binary does not print its definitions, so that schemas are not checked"
                .to_owned(),
            position: here,
            notes: Vec::new(),
            help: format!(
                "let it print their sizes as JSON when it is called with `{}`",
                arguments.join(" ")
            ),
        };
        return Ok(vec![problem.of("schema-dialect", Severity::Note)]);
    };
    let sizes: Value =
        serde_json::from_slice(&sizes).context("the sizes of the definitions are no JSON")?;
    let places = Places {
        check,
        linked,
        here,
    };
    let mut findings = places.budgets(&sizes);
    for dialect in DIALECTS {
        let asked = [&arguments[..], &["--dialect", dialect]].concat();
        let told = stdout_of(&mut command(&asked)?)
            .with_context(|| format!("cannot ask for the definitions in the form `{dialect}`"))?;
        let told: Value = serde_json::from_slice(&told).with_context(|| {
            format!("the sizes of the definitions in the form `{dialect}` are no JSON")
        })?;
        findings.extend(places.losses(dialect, &told));
    }
    if let Some(golden) = &check.settings.golden {
        let definitions = stdout_of(&mut command(&DEFINITIONS)?)?;
        findings.extend(places.golden(golden, &definitions, fix)?);
    }
    Ok(findings)
}

struct Places<'a> {
    check: &'a Check<'a>,
    linked: &'a [LinkedTool],
    here: Position,
}

impl Places<'_> {
    /// Where a tool is declared, or the root of the binary.
    fn tool(&self, name: &str) -> Position {
        let mut tools = self
            .check
            .scan
            .tools
            .iter()
            .filter(|tool| tool.ships_from_member());
        let tool = tools.find(|tool| tool.item.name.text == name);
        tool.map_or(&self.here, |tool| &tool.item.name.position)
            .clone()
    }

    fn budgets(&self, sizes: &Value) -> Vec<Finding> {
        let settings = self.check.settings;
        let mut totals: BTreeMap<&str, Vec<(&str, u64)>> = BTreeMap::new();
        for tool in sizes["tools"].as_array().into_iter().flatten() {
            let Some((name, tokens)) = tool["name"].as_str().zip(tool["tokens"].as_u64()) else {
                continue;
            };
            let linked = self.linked.iter().find(|linked| linked.name == name);
            if let Some(toolset) = linked.and_then(|linked| linked.toolset.as_deref()) {
                totals.entry(toolset).or_default().push((name, tokens));
            }
        }
        let mut findings = Vec::new();
        for (toolset, mut tools) in totals {
            let budget = settings
                .schema_budgets
                .get(toolset)
                .copied()
                .or(settings.schema_budget);
            let total: u64 = tools.iter().map(|(_, tokens)| tokens).sum();
            let Some(budget) = budget.filter(|budget| *budget < total) else {
                continue;
            };
            tools.sort_unstable_by_key(|(name, tokens)| (std::cmp::Reverse(*tokens), *name));
            let largest: Vec<String> = tools
                .iter()
                .take(3)
                .map(|(name, tokens)| format!("`{name}` {tokens}"))
                .collect();
            let mut declared = self
                .check
                .scan
                .toolsets
                .iter()
                .filter(|found| found.ships_from_member());
            let declared = declared.find(|found| found.item.name.text == toolset);
            let problem = Problem {
                message: format!(
                    "the definitions of toolset `{toolset}` take {total} tokens, and the budget is {budget}"
                ),
                position: declared
                    .map_or(&self.here, |found| &found.item.name.position)
                    .clone(),
                notes: vec![format!("the largest are {}", largest.join(", "))],
                help: "shorten descriptions, or raise `schema-budget` in Cargo.toml".to_owned(),
            };
            findings.push(problem.of("schema-budget", Severity::Warning));
        }
        findings
    }

    /// A loss names the tool first, in backticks.
    fn losses(&self, dialect: &str, told: &Value) -> Vec<Finding> {
        let losses = told["losses"].as_array().into_iter().flatten();
        let losses = losses.filter_map(Value::as_str);
        losses
            .map(|loss| {
                let name = loss.split('`').nth(1).unwrap_or_default();
                let problem = Problem {
                    message: format!("in the form `{dialect}`: {loss}"),
                    position: self.tool(name),
                    notes: Vec::new(),
                    help: "say it in the description, or write a schema that every provider takes"
                        .to_owned(),
                };
                problem.of("schema-dialect", Severity::Warning)
            })
            .collect()
    }

    fn golden(&self, file: &str, definitions: &[u8], fix: bool) -> anyhow::Result<Option<Finding>> {
        let path = self.check.workspace.root.join(file);
        let known = std::fs::read(&path).unwrap_or_default();
        let known = String::from_utf8_lossy(&known);
        let now = one_a_line(&String::from_utf8_lossy(definitions));
        if known == now {
            return Ok(None);
        }
        if fix {
            std::fs::write(&path, now).with_context(|| format!("cannot write {file}"))?;
            return Ok(None);
        }
        let same = known
            .lines()
            .zip(now.lines())
            .take_while(|(left, right)| left == right)
            .count();
        let line = |text: &str| text.lines().nth(same).unwrap_or("nothing").to_owned();
        let (before, now) = (line(&known), line(&now));
        let letters = before.chars().zip(now.chars());
        let at = letters.take_while(|(left, right)| left == right).count();
        let problem = Problem {
            message: "what models are told differs from the golden definitions".to_owned(),
            position: Position {
                file: file.to_owned(),
                line: same + 1,
                column: at + 1,
            },
            notes: vec![
                format!("before: {}", around(&before, at)),
                format!("now:    {}", around(&now, at)),
            ],
            help: "if that is meant, write the file with `--fix`".to_owned(),
        };
        Ok(Some(problem.of("golden-changed", Severity::Error)))
    }
}

/// A list of JSON with each of its values on a line of its own; anything else as it is.
fn one_a_line(list: &str) -> String {
    let elements = || {
        let mut rest = list.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
        let mut lines = Vec::new();
        while !rest.is_empty() {
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
            values.next()?.ok()?;
            let (value, behind) = rest.split_at(values.byte_offset());
            lines.push(value.trim());
            let behind = behind.trim_start();
            rest = match behind.strip_prefix(',') {
                Some(next) => next.trim_start(),
                None if behind.is_empty() => behind,
                None => return None,
            };
        }
        Some(lines)
    };
    match elements() {
        Some(lines) => format!("[\n{}\n]\n", lines.join(",\n")),
        None => list.to_owned(),
    }
}

/// A part of a long line with the letter of this number in it.
fn around(line: &str, at: usize) -> String {
    const BEFORE: usize = 40;
    const LENGTH: usize = 100;
    let start = at.saturating_sub(BEFORE);
    let part: String = line.chars().skip(start).take(LENGTH).collect();
    let lead = if start > 0 { "…" } else { "" };
    let more = if line.chars().count() > start + LENGTH {
        "…"
    } else {
        ""
    };
    format!("{lead}{part}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_stand_on_lines_of_their_own_in_their_own_spelling() {
        let list = r#"[{"b":1,"a":[2, 3]} ,{"c":"],\\\""},[]]"#;
        let expected = "[\n{\"b\":1,\"a\":[2, 3]},\n{\"c\":\"],\\\\\\\"\"},\n[]\n]\n";
        assert_eq!(one_a_line(list), expected);
        assert_eq!(one_a_line(expected), expected);
        assert_eq!(one_a_line("[1 2]"), "[1 2]");
        assert_eq!(one_a_line("none"), "none");
    }

    #[test]
    fn long_lines_are_shown_where_they_differ() {
        let line = "x".repeat(300);
        assert_eq!(around(&line, 150), format!("…{}…", "x".repeat(100)));
        assert_eq!(around("short", 2), "short");
    }
}
