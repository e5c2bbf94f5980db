//! Paths that try to get out. Lines that name folders of the system go through the guard alone, so that
//! no fault of a tool can change the machine that runs the tests.

use std::path::{Component, Path};

use hermes_tests::{Line, Outcome, VectorFile};
use hermes_tools::dispatch::guard::Policy;
use hermes_tools::{Access, SessionFacts};
use serde_json::Value;

#[test]
fn path_safety_vectors() {
    VectorFile::new("path_safety")
        .kinds(["path_safety"])
        .run(|line| match guarded_alone(line)? {
            Some(outcome) => Ok(outcome),
            None => super::run(line),
        });
}

/// Judges a line without opening anything, when it names a folder of the system and no root keeps the
/// tools from it.
fn guarded_alone(line: &Line) -> Result<Option<Outcome>, String> {
    const SYSTEM: [&str; 15] = [
        "dev", "proc", "sys", "etc", "boot", "usr", "var", "run", "root", "bin", "sbin", "lib",
        "lib64", "opt", "private",
    ];
    let case = line.file_case()?;
    let arguments = &case.call["args"];
    // A patch names its paths in its headers; no line names a folder of the system behind the first.
    let mut headers = arguments["patch"].as_str().into_iter().flat_map(str::lines);
    let first = headers.find_map(|line| line.split_once(" File: "));
    let path = arguments["path"].as_str();
    let path = path.or_else(|| first.map(|(_, path)| path));
    let path = path.unwrap_or_default();
    let first = Path::new(path).components().nth(1);
    let system =
        matches!(first, Some(Component::Normal(name)) if SYSTEM.iter().any(|it| name == *it));
    if case.config["confine"] != false || !path.starts_with('/') || !system {
        return Ok(None);
    }
    let access = match case.call["tool"].as_str() {
        Some("read_file" | "search_files") => Access::Read,
        _ => Access::Write,
    };
    let verdict = Policy::new().path(Path::new(path), access, &SessionFacts::default());
    let expected: Value = line.expected()?;
    let alternatives = match expected.get("any_of") {
        Some(Value::Array(alternatives)) => alternatives.clone(),
        _ => vec![expected],
    };
    let blocked = verdict.as_str() == "block";
    let passed = alternatives.iter().any(|it| {
        let kinds = it["error"].as_array().into_iter().flatten();
        let refusal = kinds
            .filter_map(Value::as_str)
            .any(|kind| matches!(kind, "denied" | "device"));
        it["ok"] == !blocked && (!blocked || refusal)
    });
    Ok(Some(Outcome::Judged {
        passed,
        got: format!("{verdict:?}"),
    }))
}
