//! What cannot be done: one line for people, one object for programs, an exit code, nothing written.

use serde_json::Value;

use crate::folder::Folder;

/// Runs a command in both ways and gives back the line and the object.
fn refused(words: &[&str], code: i32) -> (String, Value) {
    let folder = Folder::new();
    let before = folder.files();
    let for_people = folder.run(words);
    assert_eq!(
        (for_people.code, for_people.stdout.as_str()),
        (code, ""),
        "{for_people:?}"
    );
    let line = for_people
        .stderr
        .strip_prefix("error: ")
        .expect("it begins with its label");
    let line = line.strip_suffix('\n').expect("it is a line");
    assert!(!line.contains('\n'), "{line}");
    let for_programs = folder.run(&[words, &["--json"]].concat());
    assert_eq!(
        (for_programs.code, for_programs.stderr.as_str()),
        (code, ""),
        "{for_programs:?}"
    );
    let object = for_programs.json();
    assert_eq!(object["ok"], false);
    assert_eq!(folder.files(), before, "something was written");
    (line.to_owned(), object)
}

/// A call that its tool, or the session in its place, answers with an error of this code.
fn refused_call(words: &[&str], code: &str) -> String {
    let (line, object) = refused(&[&["call"], words].concat(), 1);
    assert_eq!(object["error"]["code"], code, "{object}");
    let message = object["error"]["message"].as_str().unwrap();
    let help = object["error"]["help"].as_str().unwrap();
    assert_eq!(line, format!("{message}; {help}"));
    line
}

/// A command that cannot even start.
fn refused_command(words: &[&str], code: &str) -> String {
    let (line, object) = refused(words, 2);
    assert_eq!(object["error"]["code"], code, "{object}");
    line
}

#[test]
fn unknown_tool() {
    assert_eq!(
        refused_call(&["raed_file", "path=notes.txt"], "unknown_tool"),
        "there is no tool `raed_file`; did you mean `read_file`?"
    );
    assert_eq!(
        refused_command(&["show", "raed_file"], "unknown_tool"),
        "there is no tool `raed_file`; did you mean `read_file`?"
    );
    assert_eq!(
        refused_command(&["show", "no\u{1b}[2J\nsuch"], "unknown_tool"),
        "there is no tool `no\\u{1b}[2J such`; `hermes tools --all` lists all names"
    );
}

#[test]
fn unknown_toolset() {
    let line = "unknown toolset `fiel`, did you mean `file`?";
    for words in [
        &["toolsets", "fiel"][..],
        &["tools", "--toolset", "fiel"],
        &["definitions", "--toolset", "fiel"],
        &["definitions", "--without", "fiel"],
        &[
            "call",
            "write_file",
            "path=x",
            "content=x",
            "--toolset",
            "fiel",
        ],
        &["batch", "-", "--toolset", "fiel"],
    ] {
        assert_eq!(refused_command(words, "unknown_toolset"), line, "{words:?}");
    }
}

#[test]
fn unknown_source() {
    assert_eq!(
        refused_command(&["tools", "--source", "telex"], "no_default_toolset"),
        "session source `telex` has no default toolset: enable toolsets by name, or define \
         `hermes-telex`; sources with a default: acp, api_server, bluebubbles, cli, cron, desktop, \
         dingtalk, discord, email, feishu, homeassistant, matrix, mattermost, qqbot, signal, slack, \
         telegram, webhook, wecom, wecom_callback, weixin, whatsapp, whatsapp_cloud, yuanbao"
    );
    let help = Folder::new().run(&["tools", "--help"]).stdout;
    let words: Vec<&str> = help.split_whitespace().collect();
    let help = words.join(" ");
    assert!(
        help.contains("which decides what is enabled: acp, api_server, bluebubbles, cli,"),
        "{help}"
    );
    let near = refused_command(&["tools", "--source", "webhok"], "no_default_toolset");
    assert!(near.contains("; did you mean `webhook`? sources"), "{near}");
}

#[test]
fn malformed_json() {
    for (json, code) in [
        ("{\"path\": ", "truncated"),
        ("{\"path\" \"x\"}", "malformed_arguments"),
        ("{path}", "malformed_arguments"),
    ] {
        let line = refused_call(&["write_file", json], code);
        assert!(
            line.starts_with("invalid arguments for `write_file`: "),
            "{line}"
        );
    }
}

#[test]
fn json_that_is_no_object() {
    let line = refused_call(&["write_file", "[1]"], "invalid_arguments");
    assert!(line.contains("expected an object"), "{line}");
}

#[test]
fn missing_arguments() {
    let line = refused_call(&["write_file", "path=x"], "invalid_arguments");
    assert!(
        line.starts_with("invalid arguments for `write_file`: `content`: missing"),
        "{line}"
    );
    refused_call(&["read_file"], "invalid_arguments");
    refused_call(&["read_file", "{}"], "invalid_arguments");
}

#[test]
fn mistyped_arguments() {
    let line = refused_call(
        &["read_file", "path=notes.txt", "limit=few"],
        "invalid_arguments",
    );
    assert!(line.contains("`limit`: expected a whole number"), "{line}");
    let (_, object) = refused(&["call", "read_file", r#"{"path": {}, "limit": 0}"#], 1);
    let issues = object["error"]["issues"].as_array().unwrap();
    let paths: Vec<&Value> = issues.iter().map(|issue| &issue["path"]).collect();
    assert_eq!(paths, ["path", "limit"]);
}

#[test]
fn words_that_are_no_arguments() {
    assert_eq!(
        refused_command(&["call", "read_file", "notes.txt"], "bad_argument"),
        "`notes.txt` is neither JSON nor a `key=value` pair; write such as `path=notes.txt`, \
         `limit:=10`, or `-` for the standard input"
    );
    refused_command(
        &["call", "read_file", "path=notes.txt", "{}"],
        "bad_argument",
    );
    refused_command(&["call", "read_file", "limit:=few"], "bad_argument");
}

#[test]
fn a_path_outside_the_workspace() {
    for path in ["../secret.txt", "/etc/passwd", "src/../../secret.txt"] {
        refused_call(&["read_file", &format!("path={path}")], "outside_workspace");
        refused_call(
            &["write_file", &format!("path={path}"), "content=x"],
            "outside_workspace",
        );
    }
}

#[test]
fn a_missing_file() {
    assert_eq!(
        refused_call(&["read_file", "path=note.txt"], "not_found"),
        "no such file: `note.txt`; did you mean `notes.txt`?"
    );
}

#[test]
fn a_folder_instead_of_a_file() {
    refused_call(&["read_file", "path=src"], "is_directory");
    refused_call(&["write_file", "path=src", "content=x"], "is_directory");
}

#[test]
fn a_binary_file() {
    refused_call(&["read_file", "path=data.bin"], "binary");
}

#[test]
fn a_workspace_that_is_no_folder() {
    let line = refused_command(&["tools", "--workspace", "gone"], "bad_workspace");
    assert!(
        line.starts_with("cannot open the workspace `gone`: "),
        "{line}"
    );
    let call = [
        "call",
        "write_file",
        "path=x",
        "content=x",
        "--workspace",
        "notes.txt",
    ];
    refused_command(&call, "bad_workspace");
}

#[test]
fn input_that_cannot_be_read() {
    let line = refused_command(&["batch", "gone.jsonl"], "unreadable_input");
    assert!(line.starts_with("cannot read `gone.jsonl`: "), "{line}");
    refused_command(&["batch", "src"], "unreadable_input");
    let ran = Folder::new().run_with(&["call", "read_file", "-"], b"{\"path\": \"\xff\"}");
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr
            .starts_with("error: cannot read the standard input: "),
        "{ran:?}"
    );
}
