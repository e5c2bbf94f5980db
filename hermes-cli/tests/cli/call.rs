//! `call`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::json;

use crate::folder::{Folder, Ran};

#[test]
fn a_result_is_laid_out_for_people_and_whole_for_programs() {
    let folder = Folder::new();
    let words = ["call", "write_file", "path=new.txt", "content=one"];
    assert_eq!(
        folder.run(&words),
        Ran::wrote(
            "{\n  \"path\": \"new.txt\",\n  \"created\": true,\n  \"bytes_written\": 3\n}\n"
        )
    );
    assert_eq!(
        fs::read_to_string(folder.workspace().join("new.txt")).unwrap(),
        "one"
    );
    assert_eq!(
        folder.run(&[words.as_slice(), &["--json"]].concat()),
        Ran::wrote(
            "{\"ok\":true,\"tool\":\"write_file\",\"result\":{\"path\":\"new.txt\",\
             \"created\":false,\"bytes_written\":3},\"repairs\":[]}\n"
        )
    );
}

#[test]
fn pairs_json_and_the_standard_input_make_the_same_call() {
    let folder = Folder::new();
    let json = r#"{"path": "notes.txt", "offset": 2, "limit": 1}"#;
    let from_json = folder.run(&["call", "read_file", json]);
    assert_eq!((from_json.code, from_json.stderr.as_str()), (0, ""));
    assert!(
        from_json.stdout.contains("\"content\": \"2|second\""),
        "{from_json:?}"
    );
    assert_eq!(
        folder.run_with(&["call", "read_file", "-"], json),
        from_json
    );
    let pairs = [
        "call",
        "read_file",
        "path=notes.txt",
        "offset=2",
        "limit:=1",
    ];
    assert_eq!(folder.run(&pairs), from_json);
}

#[test]
fn repairs_are_told_where_somebody_wrote_json() {
    let folder = Folder::new();
    let json = r#"{"path": "notes.txt", "limit": "1"}"#;
    let ran = folder.run(&["call", "read_file", json]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            0,
            "note: argument changed: `limit`: text to integer (\"1\" to 1)\n"
        )
    );
    let ran = folder.run(&["call", "read_file", json, "--json"]);
    assert_eq!(ran.stderr, "");
    assert_eq!(
        ran.json()["repairs"],
        json!([{"path": "limit", "what": "text to integer", "before": "\"1\"", "after": "1"}])
    );
}

#[test]
fn repairs_are_told_when_the_call_fails_too() {
    let folder = Folder::new();
    let json = r#"{"path": "none.txt", "limit": "1"}"#;
    let ran = folder.run(&["call", "read_file", json]);
    assert_eq!(ran.code, 1);
    let first = ran.stderr.lines().next();
    assert_eq!(
        first,
        Some("note: argument changed: `limit`: text to integer (\"1\" to 1)")
    );
    let ran = folder.run(&["call", "read_file", json, "--json"]).json();
    assert_eq!(ran["error"]["code"], "not_found");
    assert_eq!(ran["repairs"][0]["path"], "limit");
}

#[test]
fn arguments_of_a_stopped_model_are_refused() {
    let folder = Folder::new();
    let words = ["call", "read_file", r#"{"path": "notes.txt""#, "--json"];
    assert_eq!(folder.run(&words).code, 0);
    let ran = folder.run(&[words.as_slice(), &["--finish-reason", "length"]].concat());
    assert_eq!(
        (ran.code, &ran.json()["error"]["code"]),
        (1, &json!("truncated"))
    );
}

#[test]
fn a_pair_that_is_left_out_is_told() {
    let ran = Folder::new().run(&["call", "read_file", "path=notes.txt", "colour=red"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stderr.starts_with("note: argument changed: `colour`: "),
        "{ran:?}"
    );
    assert_eq!(ran.stderr.lines().count(), 1);
}

#[test]
fn the_workspace_is_the_folder_that_was_named() {
    let folder = Folder::new();
    let words = [
        "call",
        "read_file",
        "path=main.rs",
        "--workspace",
        "src",
        "--json",
    ];
    assert_eq!(
        folder.run(&words).json()["result"]["content"],
        "1|fn main() {}"
    );
}

#[test]
fn a_tool_that_is_not_selected_cannot_be_called() {
    let folder = Folder::new();
    let before = folder.files();
    let words = [
        "call",
        "write_file",
        "path=x",
        "content=",
        "--source",
        "webhook",
        "--json",
    ];
    let ran = folder.run(&words);
    assert_eq!(
        (ran.code, &ran.json()["error"]["code"]),
        (1, &json!("unknown_tool"))
    );
    let words = [
        "call",
        "write_file",
        "path=x",
        "content=",
        "--without",
        "file",
        "--json",
    ];
    assert_eq!(folder.run(&words).code, 1);
    assert_eq!(folder.files(), before);
}

#[test]
fn a_name_in_another_spelling_is_the_tool_it_means() {
    let ran = Folder::new().run(&["call", "readFile", "path=notes.txt", "--json"]);
    assert_eq!((ran.code, &ran.json()["tool"]), (0, &json!("read_file")));
}

#[test]
fn a_time_limit_that_is_kept_changes_nothing() {
    let ran = Folder::new().run(&["call", "read_file", "path=notes.txt", "--timeout", "30.5"]);
    assert_eq!(ran.code, 0);
}

#[test]
fn a_dry_run_tells_what_would_be_done_and_does_nothing() {
    let folder = Folder::new();
    let before = folder.files();
    let json = r#"{"path": "src/../new.txt", "content": 1}"#;
    let ran = folder.run(&["call", "write_file", json, "--dry-run", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let told = ran.json();
    assert_eq!(
        (&told["ok"], &told["tool"], &told["effect"]),
        (&json!(true), &json!("write_file"), &json!("write"))
    );
    assert_eq!(told["arguments"]["content"], "1");
    assert_eq!(told["repairs"][0]["path"], "content");
    assert_eq!(told["verdicts"][0]["access"], "write");
    assert_eq!(told["verdicts"][0]["verdict"], "allow");
    let path = folder.workspace().canonicalize().unwrap().join("new.txt");
    assert_eq!(
        told["touches"],
        json!({"alone": false, "paths": [["write", path]], "locks": []})
    );
    let ran = folder.run(&["call", "write_file", json, "--dry-run"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stdout
            .starts_with("tool       write_file (write)\narguments  {\"path\":"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("\npath       write "), "{}", ran.stdout);
    let ran = folder.run(&[
        "call",
        "write_file",
        json,
        "--dry-run",
        "--json",
        "--ask",
        "write",
    ]);
    assert_eq!(
        (&ran.json()["ok"], &ran.json()["asks"]),
        (&json!(true), &json!(["the effect of this call is write"]))
    );
    assert_eq!(folder.files(), before);
}

#[test]
fn a_dry_run_of_a_call_that_would_be_refused_fails_as_the_call_would() {
    let folder = Folder::new();
    for (tool, arguments, code) in [
        (
            "write_file",
            r#"{"path": "../x", "content": ""}"#,
            "outside_workspace",
        ),
        ("write_file", r#"{"path": "x""#, "invalid_arguments"),
        ("write_fule", "{}", "unknown_tool"),
    ] {
        let words = ["call", tool, arguments, "--json"];
        let wet = folder.run(&words).json()["error"].clone();
        let dry = folder.run(&[words.as_slice(), &["--dry-run"]].concat());
        assert_eq!(dry.code, 1, "{arguments}");
        assert_eq!(dry.json()["error"], wet);
        assert_eq!(wet["code"], code);
    }
}

#[test]
fn what_needs_consent_is_refused_at_once_where_nobody_can_answer() {
    let folder = Folder::new();
    let write = [
        "call",
        "write_file",
        "path=a.txt",
        "content=x",
        "--ask",
        "write",
    ];
    let refused = "error: `write_file` needs the consent of a person, and nobody can be asked: \
                   the effect of this call is write; do it in a way that changes less, or ask the \
                   user to do it\n";
    let ran = folder.run(&write);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, refused));
    // A pipe that says yes is no person.
    let ran = folder.run_with(&write, "y\ny\ny\n");
    assert_eq!((ran.code, ran.stderr.as_str()), (1, refused));
    assert!(!folder.workspace().join("a.txt").exists());
    let read = ["call", "read_file", "path=notes.txt", "--ask", "write"];
    assert_eq!(folder.run(&read).code, 0);
    let ran = folder.run(&[write.as_slice(), &["--yes"]].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(folder.workspace().join("a.txt").exists());
}

#[test]
fn a_worker_of_a_dispatcher_answers_no_question() {
    let folder = Folder::new();
    let words = [
        "call",
        "write_file",
        "path=a.txt",
        "content=x",
        "--ask",
        "write",
        "--yes",
    ];
    let output = folder
        .command(&words)
        .env("HERMES_KANBAN_TASK", "t1")
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("this session works without one"), "{told}");
}

#[test]
fn a_dry_run_says_what_the_call_would_be_refused_for() {
    let folder = Folder::new();
    fs::write(folder.workspace().join(".env"), "KEY=1\n").unwrap();
    let replace = r#"{"path": ".env", "old_string": "KEY=1", "new_string": "KEY=2"}"#;
    let text = r#"{"patch": "*** Update File: .env\n-KEY=1\n+KEY=2\n"}"#;
    for arguments in [replace, text] {
        let real = folder.run(&["call", "patch", arguments, "--json"]);
        let told = folder.run(&["call", "patch", arguments, "--dry-run", "--json"]);
        assert_eq!((real.code, told.code), (1, 1), "{real:?} {told:?}");
        let (real, told) = (real.json(), told.json());
        assert_eq!(told["ok"], false);
        assert_eq!(told["error"], real["error"]);
        let verdicts: Vec<(&str, &str)> = told["verdicts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| {
                (
                    it["access"].as_str().unwrap(),
                    it["verdict"].as_str().unwrap(),
                )
            })
            .collect();
        let mut sorted = verdicts.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [("read", "block"), ("write", "allow")]);
        assert_eq!(told["touches"]["paths"].as_array().unwrap().len(), 1);
    }
    let told = folder.run(&["call", "patch", replace, "--dry-run", "--json"]);
    let mut given = serde_json::from_str::<serde_json::Value>(replace).unwrap();
    given["replace_all"] = json!(false);
    assert_eq!(told.json()["arguments"], given);
}

#[test]
fn a_result_that_is_too_long_is_read_by_the_next_run_in_the_same_workspace() {
    let folder = Folder::new();
    let line = format!("needle {}\n", "x".repeat(60));
    fs::write(folder.workspace().join("long.txt"), line.repeat(300)).unwrap();
    // Results of a small window are cut early.
    fs::write(
        folder.workspace().join("small.toml"),
        "context_window = 10_000\n",
    )
    .unwrap();
    let search = [
        "call",
        "search_files",
        "pattern=needle",
        "limit=300",
        "--config",
        "small.toml",
        "--json",
    ];
    let shown = folder.run(&search).json()["result"].to_string();
    let path = stored_in(&shown);
    let read = |words: &[&str]| {
        let name = format!("path={path}");
        let all = [&["call", "read_file", &name, "--json"], words].concat();
        folder.run(&all).json()
    };
    // By another process, page by page.
    let page = read(&["offset=2", "limit=1"]);
    assert_eq!(page["ok"], true, "{page}");
    let another = folder.run(&search).json()["result"].to_string();
    assert_ne!(stored_in(&another), path, "no result replaces another");
    assert_eq!(
        read(&["offset=2", "limit=1"])["result"]["content"],
        page["result"]["content"]
    );
    // It is there to be read, by the runs of the same source in the same workspace alone.
    let name = format!("path={path}");
    let change = folder.run(&["call", "write_file", &name, "content=x", "--json"]);
    assert_eq!(change.json()["ok"], false);
    for words in [["--workspace", "src"], ["--source", "cron"]] {
        let refused = read(&words);
        assert_eq!(refused["error"]["code"], "outside_workspace", "{refused}");
    }
    // A folder that others may enter was not made here.
    let place = Path::new(&path).ancestors().nth(2).unwrap();
    fs::set_permissions(place, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(read(&["limit=1"])["ok"], false);
    fs::set_permissions(place, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(read(&["limit=1"])["ok"], true);
}

/// The file that a preview names.
fn stored_in(shown: &str) -> String {
    let (_, rest) = shown
        .split_once("all of it is in `")
        .unwrap_or_else(|| panic!("nothing was stored: {shown}"));
    rest.split('`').next().unwrap().to_owned()
}
