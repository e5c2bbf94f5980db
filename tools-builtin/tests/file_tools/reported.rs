//! More faults that users of other frameworks reported: patches of several files, and paths.

use std::fs;
use std::os::unix::fs::symlink;

use hermes_tools::Workspace;
use hermes_tools::workspace::Confined;
use serde_json::{Value, json};

use crate::fixture::{Fixture, patient, session};

fn patch(text: &str) -> Value {
    json!({"mode": "patch", "patch": text})
}

#[test]
fn line_ends_of_a_patch_are_not_those_of_the_file() {
    let fixture = Fixture::new(&[("l.txt", "a\nb\n"), ("w.txt", "a\r\nb\r\n")]);
    let lines = "*** Begin Patch\n*** Update File: l.txt\n@@\n a\n-b\n+c\n*** End Patch\n";
    fixture
        .call("patch", &patch(&lines.replace('\n', "\r\n")))
        .unwrap();
    fixture.holds("l.txt", "a\nc\n");
    let lines = "*** Begin Patch\n*** Update File: w.txt\n@@\n a\n-b\n+c\n+d\n*** End Patch\n";
    fixture.call("patch", &patch(lines)).unwrap();
    fixture.holds("w.txt", "a\r\nc\r\nd\r\n");
}

#[test]
fn a_patch_that_says_nothing_or_half_of_it_changes_nothing() {
    let fixture = Fixture::new(&[("a.txt", "one\n")]);
    for text in [
        "*** Begin Patch\n*** End Patch\n",
        "*** Begin Patch\n*** Update File: \n@@\n-one\n+two\n*** End Patch\n",
        "*** Begin Patch\n*** Update File: a.txt\n*** End Patch\n",
        "@@\n-one\n+two\n",
        "",
    ] {
        let error = fixture.call("patch", &patch(text)).unwrap_err();
        assert_eq!(error.code(), "bad_patch", "{text}: {error}");
        fixture.holds("a.txt", "one\n");
    }
    // Both marks may be missing, so this is a whole patch.
    let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n";
    fixture.call("patch", &patch(text)).unwrap();
    fixture.holds("a.txt", "two\n");
}

#[test]
fn a_patch_goes_by_the_folder_of_the_session_and_reports_what_it_changed() {
    let fixture = Fixture::new(&[("t.txt", "W\n"), ("sub/t.txt", "S\n")]);
    let folder = fixture.path("sub").canonicalize().unwrap();
    let workspace = Workspace::new(Confined::open(fixture.path("")).unwrap()).in_folder(folder);
    let session = session().workspace(workspace).build().unwrap();
    let call = |text: &str| {
        session
            .call_blocking_with(patient("patch", &patch(text)))
            .outcome
    };
    let text = "*** Begin Patch\n*** Update File: t.txt\n@@\n-S\n+S2\n*** End Patch\n";
    let output = call(text).unwrap();
    let result: Value = serde_json::from_str(output.json().unwrap()).unwrap();
    assert_eq!(result["files_modified"], json!(["t.txt"]));
    fixture.holds("sub/t.txt", "S2\n");
    fixture.holds("t.txt", "W\n");
    let text = "*** Begin Patch\n*** Update File: t.txt\n*** Move to: ../../escape.txt\n@@\n-S2\n\
                +S3\n*** End Patch\n";
    assert_eq!(call(text).unwrap_err().code(), "outside_workspace");
    fixture.holds("sub/t.txt", "S2\n");
    assert!(!fixture.path("../escape.txt").exists());
}

#[test]
fn one_line_of_millions_of_characters_is_cut_and_its_length_told() {
    let fixture = Fixture::new(&[("one.txt", "x".repeat(3_000_000))]);
    let page = fixture
        .call("read_file", &json!({"path": "one.txt", "limit": 1}))
        .unwrap();
    let content = page["content"].as_str().unwrap();
    assert!(content.chars().count() < 2_100);
    assert!(
        content.ends_with(" [... 2998000 more characters]"),
        "{}",
        &content[2_000..]
    );
    assert_eq!(
        (&page["total_lines"], &page["file_size"]),
        (&json!(1), &json!(3_000_000))
    );
}

#[test]
fn a_folder_whose_name_only_begins_like_the_workspace_is_outside() {
    let fixture = Fixture::empty();
    let evil = fixture.path("../ws-evil");
    fs::create_dir(&evil).unwrap();
    fs::write(evil.join("s.txt"), "S\n").unwrap();
    let absolute = evil.canonicalize().unwrap();
    let absolute = absolute.to_str().unwrap();
    for (tool, arguments) in [
        ("read_file", json!({"path": "../ws-evil/s.txt"})),
        ("read_file", json!({"path": format!("{absolute}/s.txt")})),
        (
            "write_file",
            json!({"path": format!("{absolute}/n.txt"), "content": "x"}),
        ),
        ("search_files", json!({"path": absolute, "pattern": "S"})),
        (
            "search_files",
            json!({"path": absolute, "pattern": "*", "target": "files"}),
        ),
    ] {
        let error = fixture.call(tool, &arguments).unwrap_err();
        assert_eq!(error.code(), "outside_workspace", "{tool} {arguments}");
    }
    assert_eq!(fs::read_dir(evil).unwrap().count(), 1);
}

#[test]
fn links_of_every_kind_lead_nowhere_outside() {
    let fixture = Fixture::new(&[("in/keep", "k\n")]);
    let out = fixture.outside("");
    fs::write(out.join("old.txt"), "keep\n").unwrap();
    let link = |target: &str, name: &str| symlink(target, fixture.path(name)).unwrap();
    link(out.to_str().unwrap(), "dirlink");
    link(out.join("old.txt").to_str().unwrap(), "filelink");
    link(out.join("new.txt").to_str().unwrap(), "dangling");
    link("dangling", "chain");
    link("loop", "loop");
    link("in", "inside");
    let write = |path: &str| fixture.call("write_file", &json!({"path": path, "content": "x"}));
    for (path, code) in [
        ("dirlink/x.txt", "outside_workspace"),
        ("filelink", "outside_workspace"),
        ("dangling", "outside_workspace"),
        ("chain", "outside_workspace"),
        ("loop", "bad_path"),
        ("nope/../../out/y.txt", "outside_workspace"),
    ] {
        assert_eq!(write(path).unwrap_err().code(), code, "{path}");
    }
    for (tool, arguments) in [
        (
            "patch",
            json!({"path": "filelink", "old_string": "keep", "new_string": "x"}),
        ),
        ("read_file", json!({"path": "filelink"})),
    ] {
        let error = fixture.call(tool, &arguments).unwrap_err();
        assert_eq!(error.code(), "outside_workspace", "{tool}");
    }
    write("inside/ok.txt").unwrap();
    fixture.holds("in/ok.txt", "x");
    assert_eq!(fs::read_dir(&out).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(out.join("old.txt")).unwrap(), "keep\n");
}
