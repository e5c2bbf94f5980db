//! Several calls of one answer on the same files, and results that are read page by page.

use std::fs;

use hermes_tools::output::store::ResultStore;
use hermes_tools::output::{Budget, Fit};
use hermes_tools::workspace::Confined;
use hermes_tools::{Batch, Json, Selection, Session, ToolCall, ToolRegistry, Workspace, tool};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::fixture::{TOOLS, patient};

/// Give many rows.
#[tool(toolset = "test", effect = "read", max_result = 10_000)]
fn many_rows() -> Json<Vec<Value>> {
    let mut rows: Vec<Value> = (0..40_000).map(|row| json!({"id": row})).collect();
    rows.push(json!({"id": "LAST"}));
    Json(rows)
}

/// A session on a folder, with a store beside it.
fn session(base: &TempDir, store: Option<ResultStore>) -> Session {
    let root = base.path().join("ws");
    fs::create_dir_all(&root).unwrap();
    let names = TOOLS.into_iter().chain(["many_rows"]);
    let builder = Session::builder(ToolRegistry::linked().unwrap(), Selection::of(names))
        .workspace(Workspace::new(Confined::open(root).unwrap()));
    match store {
        Some(store) => builder.result_store(store),
        None => builder,
    }
    .build()
    .unwrap()
}

fn edit(path: &str, old: &str, new: &str) -> ToolCall {
    let arguments = json!({"path": path, "old_string": old, "new_string": new});
    patient("patch", &arguments)
}

#[test]
fn edits_of_one_file_in_one_answer_follow_each_other_by_whatever_path() {
    let base = tempfile::tempdir().unwrap();
    let session = session(&base, None);
    let root = base.path().join("ws");
    fs::create_dir(root.join("x")).unwrap();
    std::os::unix::fs::symlink("p.md", root.join("link.md")).unwrap();
    for _ in 0..200 {
        fs::write(root.join("p.md"), "A=0\nB=0\nC=0\nD=0\n").unwrap();
        let results = session.call_batch_blocking([
            edit("p.md", "A=0", "A=1"),
            edit("./p.md", "B=0", "B=1"),
            edit("x/../p.md", "C=0", "C=1"),
            edit("link.md", "D=0", "D=1"),
        ]);
        for result in results {
            result.outcome.unwrap();
        }
        let text = fs::read_to_string(root.join("p.md")).unwrap();
        assert_eq!(text, "A=1\nB=1\nC=1\nD=1\n");
    }
}

#[test]
fn a_read_sees_the_write_before_it_and_not_the_one_behind_it() {
    let base = tempfile::tempdir().unwrap();
    let session = session(&base, None);
    let write = |text: &str| {
        let arguments = json!({"path": "src/a.txt", "content": text});
        patient("write_file", &arguments)
    };
    let search = || {
        let arguments = json!({"pattern": "word", "path": "src"});
        patient("search_files", &arguments)
    };
    for _ in 0..20 {
        let batch = Batch::new([write("one word\n"), search(), write("none\n"), search()]);
        let results = session.call_batch_blocking(batch);
        let counts: Vec<Value> = [&results[1], &results[3]]
            .into_iter()
            .map(|result| {
                let json = result.outcome.as_ref().unwrap().json().unwrap();
                serde_json::from_str::<Value>(json).unwrap()["total_count"].clone()
            })
            .collect();
        assert_eq!(counts, [1, 0]);
    }
}

#[test]
fn a_page_that_was_cut_for_the_model_is_none_that_it_has() {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().join("ws");
    fs::create_dir(&root).unwrap();
    let session = Session::builder(ToolRegistry::linked().unwrap(), Selection::of(TOOLS))
        .workspace(Workspace::new(Confined::open(&root).unwrap()))
        .result_budget(Budget::default().with_per_turn(9_000))
        .build()
        .unwrap();
    let names: Vec<String> = (0..4).map(|number| format!("f{number}")).collect();
    for name in &names {
        fs::write(root.join(name), format!("{name}\n").repeat(400)).unwrap();
    }
    let read = |name: &String| patient("read_file", &json!({"path": name}));
    let results = session.call_batch_blocking(Batch::new(names.iter().map(read)));
    let cut = results.iter().filter(|result| result.fit == Fit::Cut);
    assert_eq!(cut.count(), 3);
    for (name, first) in names.iter().zip(&results) {
        let again = session.call_blocking_with(read(name));
        assert_eq!(again.fit, Fit::Whole);
        let page: Value = serde_json::from_str(again.outcome.unwrap().json().unwrap()).unwrap();
        let unchanged = page["status"] == "unchanged";
        assert_eq!(unchanged, first.fit == Fit::Whole, "{name}: {page}");
        assert_eq!(page["content"].is_string(), !unchanged, "{name}: {page}");
    }
    // Now it has those too.
    let page = session.call_blocking_with(read(&names[0])).outcome.unwrap();
    let page: Value = serde_json::from_str(page.json().unwrap()).unwrap();
    assert_eq!(page["status"], "unchanged");
}

#[test]
fn a_large_result_is_read_and_searched_where_it_is_kept() {
    let base = tempfile::tempdir().unwrap();
    let store = ResultStore::open(base.path().join("results")).unwrap();
    let session = session(&base, Some(store));
    let result = session.call_blocking_with(patient("many_rows", &json!({})));
    let Fit::Stored(path) = &result.fit else {
        panic!("{:?}", result.fit);
    };
    let shown = result.outcome.as_ref().unwrap().text().into_owned();
    assert!(shown.chars().count() < 12_000);
    assert!(
        shown.contains("\"id\": 0") && shown.contains("\"id\": \"LAST\""),
        "{shown}"
    );
    assert!(
        shown.contains(" with `read_file` or `search_files`."),
        "{shown}"
    );
    let told: usize = shown
        .split_once("The result has ")
        .and_then(|(_, rest)| rest.split(' ').next()?.parse().ok())
        .unwrap();
    assert_eq!(told, fs::read_to_string(path).unwrap().chars().count());
    let line: u64 = shown
        .split_once("from line ")
        .and_then(|(_, rest)| rest.split(' ').next()?.parse().ok())
        .unwrap();

    let arguments = json!({"path": path, "offset": line, "limit": 2000});
    let page = session.call_blocking_with(patient("read_file", &arguments));
    assert_eq!(page.fit, Fit::Whole);
    let page: Value = serde_json::from_str(page.outcome.unwrap().json().unwrap()).unwrap();
    let content = page["content"].as_str().unwrap();
    assert!(content.starts_with(&format!("{line}|")), "{page}");
    assert_eq!(page["truncated"], true);

    for place in [path.as_path(), path.parent().unwrap()] {
        let arguments = json!({"pattern": "LAST", "path": place});
        let found = session.call_blocking_with(patient("search_files", &arguments));
        let found: Value = serde_json::from_str(found.outcome.unwrap().json().unwrap()).unwrap();
        assert_eq!(found["total_count"], 1, "{found}");
    }
    let arguments = json!({"path": path, "content": "x"});
    let error = session.call_blocking_with(patient("write_file", &arguments));
    assert_eq!(error.outcome.unwrap_err().code(), "permission_denied");
}

#[test]
fn a_large_result_that_cannot_be_kept_says_so() {
    let base = tempfile::tempdir().unwrap();
    let store = ResultStore::open(base.path().join("results")).unwrap();
    let session = session(&base, Some(store));
    fs::remove_dir_all(base.path().join("results")).unwrap();
    let result = session.call_blocking_with(patient("many_rows", &json!({})));
    assert_eq!(result.fit, Fit::Cut);
    let shown = result.outcome.unwrap().text().into_owned();
    assert!(
        shown.contains("\"id\": 0") && shown.contains("\"LAST\""),
        "{shown}"
    );
    assert!(shown.contains("it could not be kept ("), "{shown}");
}
