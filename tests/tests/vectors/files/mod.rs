//! The file tools on real folders: what they answer, and what the folders hold afterwards.

mod answer;
mod fuzzy_replace;
mod path_safety;
mod tree;
mod world;

use hermes_tests::{Line, Outcome, VectorFile};
use serde_json::Value;

use self::answer::misses;
use self::world::World;

#[test]
fn read_file_vectors() {
    VectorFile::new("read_file").kinds(["read_file"]).run(run);
}

#[test]
fn write_file_vectors() {
    VectorFile::new("write_file").kinds(["write_file"]).run(run);
}

#[test]
fn file_state_vectors() {
    VectorFile::new("file_state").kinds(["file_state"]).run(run);
}

#[test]
fn search_files_vectors() {
    VectorFile::new("search_files")
        .kinds(["search_files"])
        .run(run);
}

#[test]
fn patch_replace_vectors() {
    VectorFile::new("patch_replace")
        .kinds(["patch_replace"])
        .run(run);
}

#[test]
fn v4a_patch_vectors() {
    VectorFile::new("v4a_patch").kinds(["v4a_patch"]).run(run);
}

#[test]
fn delta_lint_vectors() {
    VectorFile::new("delta_lint").kinds(["delta_lint"]).run(run);
}

/// Runs a line: it passes when one of its alternatives has nothing against what came.
fn run(line: &Line) -> Result<Outcome, String> {
    let case = line.file_case()?;
    let expected: Value = line.expected()?;
    let alternatives = match expected.get("any_of") {
        Some(Value::Array(alternatives)) => alternatives.clone(),
        _ => vec![expected],
    };
    let world = World::new(&case)?;
    world.prelude()?;
    let answer = world.judged()?;
    let mut told = Vec::new();
    for alternative in &alternatives {
        let alternative = world.filled(alternative);
        let mut wrong = misses(&alternative, &answer)?;
        let after = alternative.get("files_after").cloned();
        let after = after.unwrap_or_else(|| world.filled(&case.files_after));
        wrong.extend(world.differences(&after, &alternative)?);
        if wrong.is_empty() {
            return Ok(Outcome::Judged {
                passed: true,
                got: String::new(),
            });
        }
        told.push(wrong.join("; "));
    }
    let text: String = answer.text.chars().take(600).collect();
    Ok(Outcome::Judged {
        passed: false,
        got: format!("{text}\n     wrong: {}", told.join(" | ")),
    })
}
