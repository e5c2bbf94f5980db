//! `batch`.

use std::fs;

use serde_json::{Value, json};

use crate::folder::{Folder, Ran};

const CALLS: &str = r#"{"id": "a", "name": "read_file", "arguments": {"path": "notes.txt", "limit": 1}}

{"id": 2, "tool": "read_file", "arguments": "{\"path\": \"src/main.rs\"}"}
not json
{"name": "read_file", "arguments": {"path": "gone.txt"}}
{"name": "write_file", "args": {}}
{"name": "write_file", "arguments": {"path": "new.txt", "content": "x"}}"#;

fn answers(ran: &Ran) -> Vec<Value> {
    ran.stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn every_line_has_its_answer_in_order_and_a_bad_one_stops_nothing() {
    let folder = Folder::new();
    fs::write(folder.workspace().join("calls.jsonl"), CALLS).unwrap();
    let ran = folder.run(&["batch", "calls.jsonl"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let answers = answers(&ran);
    assert_eq!(answers.len(), 6);
    assert_eq!(
        (&answers[0]["id"], &answers[0]["ok"]),
        (&json!("a"), &json!(true))
    );
    assert_eq!(answers[0]["result"]["content"], "1|first");
    assert_eq!(
        (&answers[1]["id"], &answers[1]["tool"]),
        (&json!(2), &json!("read_file"))
    );
    assert_eq!(answers[1]["result"]["content"], "1|fn main() {}");
    assert_eq!(
        answers[2],
        json!({
            "line": 4,
            "ok": false,
            "error": {
                "code": "malformed_call",
                "message": "line 4 is no call: it is no JSON object",
                "help": "write such as {\"id\": 1, \"name\": \"read_file\", \
                         \"arguments\": {\"path\": \"README.md\"}}",
            },
        })
    );
    assert_eq!(
        (&answers[3]["line"], &answers[3]["error"]["code"]),
        (&json!(5), &json!("not_found"))
    );
    assert_eq!(answers[4]["line"], 6);
    assert!(
        answers[4]["error"]["message"]
            .as_str()
            .unwrap()
            .contains("unknown field `args`")
    );
    assert_eq!(
        (&answers[5]["line"], &answers[5]["ok"]),
        (&json!(7), &json!(true))
    );
    assert_eq!(
        fs::read_to_string(folder.workspace().join("new.txt")).unwrap(),
        "x"
    );
}

#[test]
fn an_answer_begins_with_what_it_answers() {
    let call = r#"{"id": 1.0, "name": "write_file", "arguments": {"path": "n", "content": "x"}}"#;
    assert_eq!(
        Folder::new().run_with(&["batch", "-"], call),
        Ran::wrote(
            "{\"id\":1.0,\"ok\":true,\"tool\":\"write_file\",\"result\":{\"path\":\"n\",\
             \"created\":true,\"bytes_written\":1},\"repairs\":[]}\n"
        )
    );
}

#[test]
fn arguments_of_a_stopped_model_are_refused() {
    let folder = Folder::new();
    let lines = concat!(
        r#"{"name":"read_file","arguments":"{\"path\":\"notes.txt\"","finish_reason":"stop"}"#,
        "\n",
        r#"{"name":"read_file","arguments":"{\"path\":\"notes.txt\"","finish_reason":"max_tokens"}"#,
    );
    let ran = folder.run_with(&["batch", "-"], lines);
    let answers = answers(&ran);
    assert_eq!(answers[0]["ok"], true);
    assert_eq!(answers[1]["error"]["code"], "truncated");
}

#[test]
fn a_batch_without_failures_ends_well() {
    let folder = Folder::new();
    assert_eq!(folder.run_with(&["batch", "-"], "\n  \n"), Ran::wrote(""));
    let call = "{\"name\": \"search_files\", \"arguments\": {\"pattern\": \"second\"}}\n";
    let ran = folder.run_with(&["batch", "-", "--json"], call.repeat(3));
    assert_eq!((ran.code, answers(&ran).len()), (0, 3));
}

#[test]
fn bytes_that_are_no_text_are_answered() {
    let ran = Folder::new().run_with(&["batch", "-"], b"{\"name\": \"\xff\"}\n");
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.json()["error"]["message"],
        "line 1 is no call: it is not UTF-8"
    );
}

#[test]
fn a_mark_at_the_start_and_line_ends_of_other_systems_are_passed_over() {
    let call = r#"{"id": 1, "name": "read_file", "arguments": {"path": "src/main.rs"}}"#;
    let folder = Folder::new();
    let ran = folder.run_with(&["batch", "-"], format!("\u{feff}{call}\r\n\r\n{call}\r\n"));
    assert_eq!((ran.code, answers(&ran).len()), (0, 2), "{ran:?}");
    // In the middle it is damage.
    let ran = folder.run_with(&["batch", "-"], format!("{call}\n\u{feff}{call}\n"));
    assert_eq!(answers(&ran)[1]["error"]["code"], "malformed_call");
}

#[test]
fn the_selection_holds_for_every_call() {
    let folder = Folder::new();
    let before = folder.files();
    let call = r#"{"name": "write_file", "arguments": {"path": "n", "content": "x"}}"#;
    let ran = folder.run_with(&["batch", "-", "--toolset", "web"], call);
    assert_eq!(
        (ran.code, &ran.json()["error"]["code"]),
        (1, &json!("unknown_tool"))
    );
    assert_eq!(folder.files(), before);
}

#[test]
fn a_dry_run_tells_the_order_of_calls_and_does_nothing() {
    let folder = Folder::new();
    let before = folder.files();
    let calls = r#"{"id": "w", "name": "write_file", "arguments": {"path": "new.txt", "content": "x"}}
{"id": "r", "name": "read_file", "arguments": {"path": "notes.txt"}}
no call
{"id": "e", "name": "patch", "arguments": {"path": "./new.txt", "old_string": "x", "new_string": "y"}}"#;
    let ran = folder.run_with(&["batch", "-", "--dry-run", "--json"], calls);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let told = answers(&ran);
    assert_eq!(told.len(), 5);
    let waits: Vec<(&Value, &Value)> = told[..4]
        .iter()
        .map(|call| (&call["id"], &call["waits_for"]))
        .collect();
    assert_eq!(
        waits,
        [
            (&json!("w"), &json!([])),
            (&json!("r"), &json!([])),
            (&Value::Null, &Value::Null),
            (&json!("e"), &json!(["w"])),
        ]
    );
    assert_eq!(told[2]["error"]["code"], "malformed_call");
    assert_eq!(
        told[4],
        json!({"segments": [["parallel", ["w", "r"], 2], ["sequential", ["e"], 1]]})
    );
    let ran = folder.run_with(&["batch", "-", "--dry-run"], calls);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    assert!(
        ran.stdout
            .ends_with("\nparallel: `w`, `r`, 2 at a time\nsequential: `e`\n"),
        "{}",
        ran.stdout
    );
    // All of it is for people.
    assert!(
        ran.stdout.contains(
            "\nline 3\nrefused    it is no call: it is no JSON object; write such as {\"id\": 1, "
        ),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .starts_with("`w` (line 1)\ntool       write_file (write)\n")
    );
    assert!(ran.stdout.contains("\nwaits for  `w`\n"), "{}", ran.stdout);
    assert_eq!(folder.files(), before);
}

#[test]
fn a_dry_run_names_calls_by_their_lines_where_ids_tell_none_apart() {
    let folder = Folder::new();
    let write = |id: &str| {
        let arguments = r#""arguments": {"path": "n", "content": "x"}"#;
        format!("{{{id}\"name\": \"write_file\", {arguments}}}\n")
    };
    let calls = [
        write("\"id\": \"a\", "),
        write("\"id\": \"a\", "),
        write(""),
        write("\"id\": 7, "),
    ];
    let ran = folder.run_with(&["batch", "-", "--dry-run", "--json"], calls.concat());
    let told = answers(&ran);
    let waits: Vec<&Value> = told[..4].iter().map(|call| &call["waits_for"]).collect();
    let line = |line: u64| json!({ "line": line });
    assert_eq!(*waits[1], json!([line(1)]));
    assert_eq!(*waits[3], json!([line(3)]));
    let named: Vec<&Value> = told[4]["segments"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|segment| segment[1].as_array().unwrap())
        .collect();
    assert_eq!(named, [&line(1), &line(2), &line(3), &json!(7)]);
}

#[test]
fn calls_that_conflict_follow_each_other_and_equal_ones_all_run() {
    let folder = Folder::new();
    let call = |text: &str| {
        format!(
            "{{\"name\": \"write_file\", \"arguments\": {{\"path\": \"n\", \"content\": \"{text}\"}}}}\n"
        )
    };
    let mut calls: String = (0..300).map(|number| call(&number.to_string())).collect();
    calls.push_str(&call("last"));
    calls.push_str(&call("last"));
    fs::write(folder.workspace().join("calls.jsonl"), calls).unwrap();
    let ran = folder.run(&["batch", "calls.jsonl", "--parallel", "32"]);
    assert_eq!((ran.code, answers(&ran).len()), (0, 302));
    for (index, answer) in answers(&ran).iter().enumerate() {
        assert_eq!(answer["line"], index + 1);
        assert_eq!(answer["tool"], "write_file");
    }
    let text = fs::read_to_string(folder.workspace().join("n")).unwrap();
    assert_eq!(text, "last");
}

#[cfg(unix)]
#[test]
fn ctrl_c_between_calls_ends_the_program() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};

    let folder = Folder::new();
    let mut command = folder.command(&["batch", "-"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(
        input,
        r#"{{"name": "read_file", "arguments": {{"path": "notes.txt"}}}}"#
    )
    .unwrap();
    let mut answer = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut answer)
        .unwrap();
    assert!(answer.starts_with("{\"line\":1,\"ok\":true,"), "{answer}");
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
