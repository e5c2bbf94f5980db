//! What a call answered, held against what a line expects.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use hermes_tools::CallResult;
use serde_json::{Value, json};

use super::tree;

/// The answer to a call.
pub(super) struct Answer {
    /// All of it, as a model gets it.
    pub(super) text: String,
    value: Value,
    code: Option<String>,
    took: Duration,
    root: String,
}

impl Answer {
    pub(super) fn new(result: &CallResult, took: Duration, root: &Path) -> Self {
        let value = result
            .outcome
            .as_ref()
            .ok()
            .and_then(|output| output.json());
        Self {
            text: result.model_text(),
            value: value.map_or(Value::Null, |text| serde_json::from_str(text).unwrap()),
            code: result
                .outcome
                .as_ref()
                .err()
                .map(|error| error.code().to_owned()),
            took,
            root: format!("{}/", root.display()),
        }
    }

    /// A path as the vectors spell it: from the workspace.
    fn path(&self, value: &Value) -> Value {
        let path = value.as_str().unwrap_or_default();
        json!(path.strip_prefix(&self.root).unwrap_or(path))
    }

    /// The numbered lines of a page.
    fn lines(&self) -> Vec<(u64, String)> {
        let content = self.value["content"].as_str().unwrap_or_default();
        let mut lines = Vec::new();
        for line in content.split('\n').filter(|line| !line.is_empty()) {
            let (number, text) = line.split_once('|').unwrap_or(("0", line));
            lines.push((
                number.parse().unwrap_or_default(),
                text.strip_suffix('\r').unwrap_or(text).to_owned(),
            ));
        }
        lines
    }

    /// The lines of a search: path, line, text, and whether it is only beside a match.
    fn found(&self) -> Vec<(Value, bool)> {
        let files = self.value["matches"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let mut found = Vec::new();
        for file in &files {
            for line in file["lines"].as_array().into_iter().flatten() {
                let hit = json!([self.path(&file["path"]), line["line"], line["text"]]);
                found.push((hit, line["context"] == true));
            }
        }
        found
    }

    fn files(&self) -> Vec<Value> {
        let files = self.value["files"].as_array().into_iter().flatten();
        files.map(|path| self.path(path)).collect()
    }

    /// Every path of a search result.
    fn paths(&self) -> Vec<String> {
        let counts = self.value["counts"].as_array().into_iter().flatten();
        let of_counts = counts.map(|count| self.path(&count["path"]));
        let of_lines = self.found().into_iter().map(|(hit, _)| hit[0].clone());
        let all = self.files().into_iter().chain(of_counts).chain(of_lines);
        all.map(|path| path.as_str().unwrap_or_default().to_owned())
            .collect()
    }

    fn returned(&self) -> usize {
        let matches = self.found().iter().filter(|(_, beside)| !beside).count();
        let counts = self.value["counts"].as_array().map_or(0, Vec::len);
        matches + counts + self.files().len()
    }

    fn warnings(&self) -> Vec<&str> {
        let warnings = self.value["warnings"].as_array().into_iter().flatten();
        warnings
            .filter_map(|warning| warning["kind"].as_str())
            .collect()
    }
}

/// Classes of warnings that the vectors know.
const CLASSES: [&str; 5] = [
    "stale",
    "partial_read",
    "sibling",
    "outside_workspace",
    "repeat",
];

/// The kinds of the vectors that a code of ours is.
pub(super) fn kinds_of(code: &str) -> &'static [&'static str] {
    match code {
        "outside_workspace" | "protected_path" => &["denied", "outside_root", "traversal"],
        "permission_denied" => &["denied", "io"],
        "invalid_arguments" => &["missing_arg", "bad_arg"],
        "not_regular" => &["device", "not_regular"],
        "not_found" => &["not_found"],
        "is_directory" => &["is_directory"],
        "not_a_directory" => &["not_a_directory"],
        "exists" => &["exists"],
        "bad_path" => &["bad_path"],
        "io" => &["io"],
        "binary" => &["binary"],
        "encoding" => &["encoding"],
        "out_of_range" => &["out_of_range"],
        "empty_old" => &["empty_old"],
        "identical" => &["identical", "no_changes"],
        "no_match" => &["no_match", "hint_not_found"],
        "ambiguous" => &["ambiguous"],
        "escape_drift" => &["escape_drift"],
        "bad_patch" => &["parse", "no_changes"],
        "conflict" => &["conflict"],
        "display_text" => &["display_text"],
        "repeated" => &["repeat_blocked"],
        "bad_pattern" => &["bad_regex"],
        _ => &[],
    }
}

/// What of an answer is not as a line expects it.
pub(super) fn misses(expected: &Value, answer: &Answer) -> Result<Vec<String>, String> {
    let Value::Object(expected) = expected else {
        return Err(format!("nothing expected: {expected}"));
    };
    let mut wrong = Vec::new();
    for (key, right) in expected {
        let fine = is_right(key, right, answer)?;
        if !fine {
            wrong.push(format!("{key} should be {right}"));
        }
    }
    if expected.get("ordered") == Some(&Value::Bool(true))
        && json!(answer.files()) != expected["files"]
    {
        wrong.push("files should come in this order".to_owned());
    }
    Ok(wrong)
}

/// Whether a call ended within a bound that a line sets against hanging. It is no measurement, so a build
/// without optimisation on a machine that does many other things has fifty times as long.
pub(super) fn in_time(took: Duration, most_ms: u64) -> bool {
    took <= Duration::from_millis(most_ms) * 50
}

fn is_right(key: &str, right: &Value, answer: &Answer) -> Result<bool, String> {
    let got = &answer.value;
    let lines = || answer.lines();
    Ok(match key {
        "ok" => answer.code.is_none() == (right == true),
        "error" => {
            let kinds = answer.code.as_deref().map_or(&[][..], kinds_of);
            strings(right).any(|kind| kind == "other" || kinds.contains(&kind))
        }
        "max_ms" => in_time(answer.took, right.as_u64().unwrap_or_default()),
        "must_not_contain" => strings(right).all(|text| !answer.text.contains(text)),
        "similar" => strings(right).all(|path| answer.text.contains(path)),
        "warning" if right == false => answer.warnings().iter().all(|kind| !CLASSES.contains(kind)),
        "warning" => strings(right).any(|kind| answer.warnings().contains(&kind)),
        // How the files afterwards are compared, and what they are.
        "files_after" | "ignore_final_newline" | "ignore_eol" | "strict_lines" | "ordered" => true,

        "lines" => {
            let found: Vec<Value> = lines().iter().map(|line| json!(line)).collect();
            json!(found) == *right
        }
        "line_count" => json!(lines().len()) == *right,
        "first" => lines().first().map(|line| json!(line)).as_ref() == Some(right),
        "last" => lines().last().map(|line| json!(line)).as_ref() == Some(right),
        "total_lines" | "truncated" | "total_count" => got[key] == *right,
        "next_offset_consistent" => {
            let last = lines().last().map_or(0, |(number, _)| *number);
            got["next_offset"] == json!(last + 1)
        }
        "whole_lines" => lines().iter().all(|(_, text)| !is_cut(text)),
        "clamped_lines" => {
            let cut: Vec<u64> = lines()
                .iter()
                .filter(|(_, text)| is_cut(text))
                .map(|(number, _)| *number)
                .collect();
            json!(cut) == *right
        }
        "max_line_chars" => lines()
            .iter()
            .all(|(_, text)| text.chars().count() as u64 <= right.as_u64().unwrap_or_default()),
        "max_chars" => {
            let content = got["content"].as_str().unwrap_or_default();
            content.chars().count() as u64 <= right.as_u64().unwrap_or_default()
        }
        "status" => got["status"] == *right,
        "content_absent" => got.get("content").is_none(),
        "extracted_document" => got["extracted"].is_string(),
        "text_contains" => {
            let shown: Vec<String> = lines().into_iter().map(|(_, text)| text).collect();
            let shown = shown.join("\n");
            strings(right).all(|text| shown.contains(text))
        }
        "content" => Some(tree::text(right)?.as_str()) == got["content"].as_str(),

        "diff" => {
            let diff = got["diff"].as_str();
            diff.is_some_and(|diff| !diff.is_empty()) == (right == true)
        }
        "created" => same_paths(&got["files_created"], right),
        "deleted" => same_paths(&got["files_deleted"], right),
        "lint" => lint_is(&got["lint"], right)?,
        "lints" => {
            let right = right.as_object().ok_or("no lints by path")?;
            let mut fine = true;
            for (path, right) in right {
                fine &= lint_is(&got["lints"][path], right)?;
            }
            fine
        }

        "bytes" => got["bytes_written"] == *right,

        other => return is_right_of_search(other, right, answer),
    })
}

/// A key about what a search found.
fn is_right_of_search(key: &str, right: &Value, answer: &Answer) -> Result<bool, String> {
    let got = &answer.value;
    Ok(match key {
        "matches" => same_set(
            answer.found().into_iter().filter(|(_, beside)| !beside),
            right,
        ),
        "context" => same_set(
            answer.found().into_iter().filter(|(_, beside)| *beside),
            right,
        ),
        "match_lines" => {
            let hits = answer.found().into_iter().filter(|(_, beside)| !beside);
            same_set(
                hits.map(|(hit, beside)| (json!([hit[0], hit[1]]), beside)),
                right,
            )
        }
        "files" => same_set(answer.files().into_iter().map(|path| (path, false)), right),
        "counts" => {
            let counts = got["counts"].as_array().into_iter().flatten();
            let counts = counts.map(|count| {
                let path = answer.path(&count["path"]);
                (
                    path.as_str().unwrap_or_default().to_owned(),
                    count["count"].clone(),
                )
            });
            Value::Object(counts.collect()) == *right
        }
        "returned" => json!(answer.returned()) == *right,
        "must_include" => strings(right).all(|path| answer.paths().iter().any(|it| it == path)),
        "must_exclude" => strings(right).all(|path| {
            let below = format!("{path}/");
            let paths = answer.paths();
            paths.iter().all(|it| it != path && !it.starts_with(&below))
        }),
        "max_text" => answer.found().iter().all(|(hit, _)| {
            let text = hit[2].as_str().unwrap_or_default();
            text.chars().count() as u64 <= right.as_u64().unwrap_or_default()
        }),
        "search_warning" => {
            (got["hint"].is_string() || got["skipped"].is_object()) == (right == true)
        }
        other => return Err(format!("unknown key `{other}` in what is expected")),
    })
}

fn same_paths(found: &Value, right: &Value) -> bool {
    let found: BTreeSet<&str> = strings(found).collect();
    found == strings(right).collect()
}

/// Whether a lint is of a state, with its problem at one of the lines.
fn lint_is(found: &Value, right: &Value) -> Result<bool, String> {
    let right = right.as_object().ok_or("no lint")?;
    if let Some(key) = right.keys().find(|key| *key != "state" && *key != "line") {
        return Err(format!("unknown key `{key}` in a lint"));
    }
    let problems = |name: &str| found[name].as_array().map_or(&[][..], Vec::as_slice);
    let new = problems("new_problems");
    let lines = right.get("line").and_then(Value::as_array);
    let at_line = |problem: &Value| lines.is_none_or(|lines| lines.contains(&problem["line"]));
    Ok(match right["state"].as_str() {
        Some("clean") => found["parses"] == true && new.is_empty(),
        Some("skipped") => found.is_null(),
        Some("new") => found["parses"] == false && new.iter().any(at_line),
        Some("preexisting") => new.is_empty(),
        Some("any") => true,
        _ => return Err(format!("unknown state of a lint: {right:?}")),
    })
}

/// Whether a line of a page says that it was cut.
fn is_cut(text: &str) -> bool {
    text.ends_with("more character]") || text.ends_with("more characters]")
}

fn same_set(found: impl Iterator<Item = (Value, bool)>, right: &Value) -> bool {
    let found: Vec<String> = found.map(|(value, _)| value.to_string()).collect();
    let right: Vec<String> = right
        .as_array()
        .into_iter()
        .flatten()
        .map(Value::to_string)
        .collect();
    found.len() == right.len()
        && found.iter().collect::<BTreeSet<_>>() == right.iter().collect::<BTreeSet<_>>()
}

pub(super) fn strings(value: &Value) -> impl Iterator<Item = &str> {
    let one = value.as_str().into_iter();
    one.chain(
        value
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str),
    )
}
