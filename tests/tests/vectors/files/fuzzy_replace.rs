//! The replacement of one passage, on a file of its own.

use std::fs;
use std::time::{Duration, Instant};

use hermes_tests::{Line, Outcome, VectorFile};
use hermes_tools::workspace::Confined;
use hermes_tools::{Selection, Session, ToolCall, ToolRegistry, Workspace};
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::{in_time, kinds_of, strings};
use super::tree;
use super::world::PATIENCE;

#[test]
fn fuzzy_replace_vectors() {
    VectorFile::new("fuzzy_replace")
        .kinds(["fuzzy_replace"])
        .run(run);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    content: Value,
    old: Value,
    new: Value,
    #[serde(default)]
    replace_all: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    #[serde(default)]
    any_of: Vec<Expected>,
    ok: Option<bool>,
    content: Option<Value>,
    count: Option<u64>,
    class: Option<String>,
    error: Option<Value>,
    max_ms: Option<u64>,
    #[serde(default)]
    ignore_eol: bool,
}

/// What came.
struct Came {
    result: Value,
    code: Option<String>,
    content: String,
    took: Duration,
}

fn run(line: &Line) -> Result<Outcome, String> {
    let case = line.file_case()?;
    let arguments: Arguments =
        serde_json::from_value(case.call["args"].clone()).map_err(|error| error.to_string())?;
    let expected: Expected = line.expected()?;
    let before = tree::text(&arguments.content)?;
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = scratch.path().join("text");
    fs::write(&file, &before).map_err(|error| error.to_string())?;
    let session = Session::builder(ToolRegistry::linked().unwrap(), Selection::of(["patch"]))
        .workspace(Workspace::new(Confined::open(scratch.path()).unwrap()))
        .build()
        .unwrap();
    let call = json!({
        "path": "text",
        "old_string": tree::text(&arguments.old)?,
        "new_string": tree::text(&arguments.new)?,
        "replace_all": arguments.replace_all,
    });
    let begin = Instant::now();
    let call = ToolCall::new("patch", call.to_string()).timeout(PATIENCE);
    let result = session.call_blocking_with(call);
    let took = begin.elapsed();
    let (result, code) = match &result.outcome {
        Ok(output) => {
            let text = output.json().ok_or("no JSON")?;
            let value = serde_json::from_str(text).map_err(|error| error.to_string())?;
            (value, None)
        }
        Err(error) => (json!(error.to_string()), Some(error.code().to_owned())),
    };
    let answered = Came {
        result,
        code,
        content: fs::read_to_string(&file).map_err(|error| error.to_string())?,
        took,
    };
    let untouched = answered.code.is_none() || answered.content == before;
    let mut alternatives = expected.any_of.iter().collect::<Vec<_>>();
    if alternatives.is_empty() {
        alternatives.push(&expected);
    }
    let mut passed = false;
    for alternative in alternatives {
        let folded = expected.ignore_eol || alternative.ignore_eol;
        passed |= untouched && is_right(alternative, &answered, folded)?;
    }
    let shown: String = answered.content.chars().take(300).collect();
    Ok(Outcome::Judged {
        passed,
        got: format!("{:?} {} {shown:?}", answered.code, answered.result),
    })
}

fn is_right(expected: &Expected, answered: &Came, ignore_eol: bool) -> Result<bool, String> {
    let fold = |text: &str| {
        if ignore_eol {
            text.replace("\r\n", "\n")
        } else {
            text.to_owned()
        }
    };
    let content = match &expected.content {
        Some(content) => fold(&tree::text(content)?) == fold(&answered.content),
        None => true,
    };
    let class = |strategy: &str| match strategy {
        "exact" => "exact",
        "escape" => "escape",
        "unicode" => "unicode",
        _ => "whitespace",
    };
    let strategy = answered.result["strategy"].as_str().unwrap_or_default();
    let is_class = |wanted: &String| wanted == class(strategy);
    let is_error = |wanted: &Value| {
        let kinds = answered.code.as_deref().map_or(&[][..], kinds_of);
        strings(wanted).any(|kind| kind == "other" || kinds.contains(&kind))
    };
    Ok(expected.ok == Some(answered.code.is_none())
        && content
        && expected
            .count
            .is_none_or(|count| answered.result["replacements"] == count)
        && expected.class.as_ref().is_none_or(is_class)
        && expected
            .max_ms
            .is_none_or(|most| in_time(answered.took, most))
        && expected.error.as_ref().is_none_or(is_error))
}
