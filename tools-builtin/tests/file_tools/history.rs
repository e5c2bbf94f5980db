//! What a session has seen and written: unchanged pages, stale files, questions asked again.

use std::fs;

use hermes_tools::workspace::Confined;
use hermes_tools::{Session, ToolError, Workspace};
use serde_json::{Value, json};
use tools_builtin::StaleMode;

use crate::fixture::{Fixture, patient, session};

fn call(session: &Session, tool: &str, arguments: &Value) -> Result<Value, ToolError> {
    let output = session
        .call_blocking_with(patient(tool, arguments))
        .outcome?;
    Ok(serde_json::from_str(output.json().unwrap()).unwrap())
}

fn read(fixture: &Fixture, path: &str) -> Result<Value, ToolError> {
    fixture.call("read_file", &json!({"path": path}))
}

#[track_caller]
fn warns(result: &Value, kinds: &[&str]) {
    let warnings = result["warnings"].as_array().cloned().unwrap_or_default();
    let found: Vec<&str> = warnings
        .iter()
        .map(|it| it["kind"].as_str().unwrap())
        .collect();
    assert_eq!(found, kinds, "{result}");
}

#[test]
fn an_unchanged_page_is_told_once_and_then_refused() {
    let fixture = Fixture::new(&[("a", "one\ntwo\n")]);
    assert_eq!(read(&fixture, "a").unwrap()["content"], "1|one\n2|two");
    fixture.check(
        "read_file",
        json!({"path": "a"}),
        json!({
            "status": "unchanged",
            "total_lines": 2,
            "file_size": 8,
            "truncated": false,
            "hint": "unchanged since you read it: lines 1 to 2",
        }),
    );
    for _ in 0..2 {
        fixture.refused(
            "read_file",
            json!({"path": "a"}),
            "repeated",
            "lines 1 to 2 of `a` are unchanged, and you have them already; use what you have, or \
             read other lines",
        );
    }
    // Something else was done in between, so the model may have lost its way.
    fixture
        .call("write_file", &json!({"path": "b", "content": "x"}))
        .unwrap();
    assert_eq!(read(&fixture, "a").unwrap()["status"], "unchanged");
}

#[test]
fn a_change_that_leaves_size_and_time_is_seen() {
    let fixture = Fixture::new(&[("a", "AAAA\n")]);
    read(&fixture, "a").unwrap();
    let path = fixture.path("a");
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, "BBBB\n").unwrap();
    fs::File::options()
        .append(true)
        .open(&path)
        .unwrap()
        .set_modified(time)
        .unwrap();
    assert_eq!(read(&fixture, "a").unwrap()["content"], "1|BBBB");
}

#[test]
fn what_the_model_has_lost_is_shown_again() {
    let fixture = Fixture::new(&[("a", "x\n")]);
    read(&fixture, "a").unwrap();
    fixture.session().context_compacted();
    assert_eq!(read(&fixture, "a").unwrap()["content"], "1|x");
    assert_eq!(read(&fixture, "a").unwrap()["status"], "unchanged");
}

#[test]
fn a_missing_file_and_a_written_one_are_never_served_from_memory() {
    let fixture = Fixture::empty();
    assert_eq!(read(&fixture, "n").unwrap_err().code(), "not_found");
    fixture
        .call("write_file", &json!({"path": "n", "content": "N\n"}))
        .unwrap();
    assert_eq!(read(&fixture, "n").unwrap()["content"], "1|N");
    fixture
        .call("write_file", &json!({"path": "n", "content": "N\n"}))
        .unwrap();
    assert_eq!(
        read(&fixture, "n").unwrap()["content"],
        "1|N",
        "its own write"
    );
}

#[test]
fn a_file_that_someone_changed_is_written_with_a_warning() {
    let fixture = Fixture::new(&[("a", "one\ntwo\n")]);
    read(&fixture, "a").unwrap();
    fixture.write("a", "theirs, longer\n");
    let edit = json!({"path": "a", "old_string": "theirs", "new_string": "ours"});
    let patched = fixture.call("patch", &edit).unwrap();
    warns(&patched, &["stale"]);
    let again = fixture
        .call("write_file", &json!({"path": "a", "content": "mine\n"}))
        .unwrap();
    warns(&again, &[]);
    fs::remove_file(fixture.path("a")).unwrap();
    let anew = fixture
        .call("write_file", &json!({"path": "a", "content": "mine\n"}))
        .unwrap();
    assert_eq!(
        anew["warnings"][0]["message"],
        "`a` was removed since it was read"
    );
}

#[test]
fn a_session_may_refuse_to_overwrite_what_someone_changed() {
    let fixture = Fixture::new(&[("a", "one\n")]);
    let workspace = Workspace::new(Confined::open(fixture.path("")).unwrap());
    let strict = session()
        .workspace(workspace)
        .state(StaleMode::Refuse)
        .build()
        .unwrap();
    let write = json!({"path": "a", "content": "mine\n"});
    call(&strict, "read_file", &json!({"path": "a"})).unwrap();
    fixture.write("a", "theirs, longer\n");
    let error = call(&strict, "write_file", &write).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`a` was changed since it was read: nothing was written; read the file again, then send the \
         change again"
    );
    fixture.holds("a", "theirs, longer\n");
    call(&strict, "read_file", &json!({"path": "a"})).unwrap();
    call(&strict, "write_file", &write).unwrap();
    fixture.holds("a", "mine\n");
}

#[test]
fn sessions_that_share_a_workspace_know_of_each_other() {
    let fixture = Fixture::new(&[("a", "one\n"), ("b", "two\n")]);
    let workspace = Workspace::new(Confined::open(fixture.path("")).unwrap());
    let open = || session().workspace(workspace.clone()).build().unwrap();
    let (mine, theirs) = (open(), open());
    let write = |session: &Session, path: &str, content: &str| {
        call(
            session,
            "write_file",
            &json!({"path": path, "content": content}),
        )
        .unwrap()
    };
    call(&mine, "read_file", &json!({"path": "a"})).unwrap();
    warns(&write(&theirs, "a", "theirs\n"), &[]);
    let result = write(&mine, "a", "mine\n");
    warns(&result, &["sibling"]);
    assert_eq!(
        result["warnings"][0]["message"],
        "another session has changed `a` since it was read"
    );
    warns(&write(&theirs, "b", "theirs\n"), &[]);
    warns(&write(&mine, "b", "mine\n"), &["sibling"]);
    warns(&write(&mine, "b", "mine again\n"), &[]);
}

#[test]
fn a_part_that_was_read_is_not_the_whole() {
    let text: String = (1..=10).map(|number| format!("n{number}\n")).collect();
    let fixture = Fixture::new(&[("a", &*text)]);
    let page = |offset: u32| {
        fixture
            .call(
                "read_file",
                &json!({"path": "a", "offset": offset, "limit": 5}),
            )
            .unwrap()
    };
    page(1);
    let result = fixture
        .call("write_file", &json!({"path": "a", "content": "short\n"}))
        .unwrap();
    warns(&result, &["partial_read"]);
    fixture.write("a", &text);
    page(1);
    page(6);
    let result = fixture
        .call("write_file", &json!({"path": "a", "content": "short\n"}))
        .unwrap();
    warns(&result, &[]);
}

#[test]
fn a_text_that_leaves_something_out_is_written_with_a_warning() {
    let fixture = Fixture::new(&[("big.js", "line\n".repeat(200))]);
    let text = "function one() { return 1; }\n// ... rest of the code stays the same ...\n";
    let result = fixture
        .call("write_file", &json!({"path": "big.js", "content": text}))
        .unwrap();
    assert_eq!(
        result["warnings"][0]["message"],
        "line 2 seems to be a placeholder for what was omitted: `// ... rest of the code stays the \
         same ...`; the file had 200 lines and has 2 now"
    );
}

#[test]
fn text_that_was_made_for_showing_is_not_written() {
    let fixture = Fixture::new(&[("a", "x\n")]);
    fixture.refused(
        "write_file",
        json!({"path": "a", "content": "1|import os\n2|\n3|print(os)\n"}),
        "display_text",
        "`content` is lines with the numbers that `read_file` shows before them, not the text of a \
         file: `a` is as it was; send the text itself, without numbers and notes",
    );
    fixture.holds("a", "x\n");
}

#[test]
fn a_further_name_of_a_file_is_told() {
    let fixture = Fixture::new(&[("h1", "h\n")]);
    fs::hard_link(fixture.path("h1"), fixture.path("h2")).unwrap();
    let result = fixture
        .call("write_file", &json!({"path": "h1", "content": "hh\n"}))
        .unwrap();
    assert_eq!(
        result["warnings"][0]["message"],
        "`h1` had 2 names (hard links): the others keep the old contents"
    );
    fixture.holds("h2", "h\n");
}

#[test]
fn the_same_search_again_and_again_is_warned_of_and_then_refused() {
    let fixture = Fixture::new(&[("a", "hit\n")]);
    let search = |context: u32| {
        fixture.call(
            "search_files",
            &json!({"pattern": "hit", "context": context}),
        )
    };
    warns(&search(0).unwrap(), &[]);
    warns(&search(0).unwrap(), &[]);
    warns(&search(0).unwrap(), &["repeat"]);
    assert_eq!(search(0).unwrap_err().code(), "repeated");
    warns(&search(1).unwrap(), &[]);
    // What changes is worth asking again.
    for number in 0..6 {
        fixture.write("a", format!("hit {number}\n"));
        warns(&search(0).unwrap(), &[]);
    }
}

#[test]
fn large_files_are_counted_once_and_paged_by_seeking() {
    let fixture = Fixture::empty();
    let line = format!("{}\n", "x".repeat(1_023));
    fixture.write("large", line.repeat(66 * 1_024));
    let page = |offset: u64| {
        let arguments = json!({"path": "large", "offset": offset, "limit": 1});
        fixture.call("read_file", &arguments).unwrap()
    };
    for offset in [60_000, 1, 67_584, 33_000] {
        let page = page(offset);
        assert_eq!(page["total_lines"], 67_584);
        assert_eq!(page["file_size"], 66 << 20);
        assert_eq!(page["content"], format!("{offset}|{}", line.trim_end()));
    }
    let mut file = fs::File::options()
        .append(true)
        .open(fixture.path("large"))
        .unwrap();
    std::io::Write::write_all(&mut file, b"more").unwrap();
    let page = page(67_585);
    assert_eq!(
        (&page["total_lines"], &page["content"]),
        (&json!(67_585), &json!("67585|more"))
    );
}

#[test]
fn what_someone_wrote_is_kept_before_it_is_replaced() {
    let fixture = Fixture::new(&[("s.md", "start\n")]);
    let store = tempfile::tempdir().unwrap();
    let checkpoints = hermes_tools::checkpoint::Checkpoints::open(store.path());
    let workspace =
        Workspace::new(Confined::open(fixture.path("")).unwrap()).with_journal(checkpoints.clone());
    let session = session().workspace(workspace).build().unwrap();
    call(&session, "read_file", &json!({"path": "s.md"})).unwrap();
    fixture.write("s.md", "theirs, longer\n");
    let write = json!({"path": "s.md", "content": "mine\n"});
    let result = call(&session, "write_file", &write).unwrap();
    let kept = &checkpoints.list().unwrap()[0];
    assert_eq!(
        result["warnings"][0]["message"],
        format!(
            "`s.md` was changed since it was read; what stood there is in checkpoint `{}`",
            kept.id
        )
    );
    let before = kept.files[0].before.as_ref().unwrap();
    assert_eq!(checkpoints.contents(before).unwrap(), b"theirs, longer\n");
}
