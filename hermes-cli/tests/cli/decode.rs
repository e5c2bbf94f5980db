//! `decode`.

use crate::folder::{Folder, Ran};

#[test]
fn every_line_is_answered_in_order_by_its_own_schema() {
    let input = concat!(
        r#"{"id": 1, "schema": {"properties": {"n": {"type": "integer"}}}, "raw": "{\"n\": 5}"}"#,
        "\n\n",
        r#"{"id": "b", "schema": {"properties": {"n": {"type": "integer"}}, "required": ["n"]}, "raw": "{}"}"#,
        "\n",
        r#"{"id": 3, "schema": {}, "raw": "{\"text\": \"cut of"}"#,
        "\nnonsense\n",
    );
    let ran = Folder::new().run_with(&["decode"], input);
    let lines: Vec<serde_json::Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((ran.code, ran.stderr.as_str(), lines.len()), (1, "", 4));
    assert_eq!(
        lines[0],
        serde_json::json!({"id": 1, "ok": true, "arguments": {"n": 5}, "repairs": []})
    );
    assert_eq!(lines[1]["id"], "b");
    assert_eq!(lines[1]["error"]["kind"], "invalid_arguments");
    assert_eq!(lines[1]["error"]["issues"][0]["path"], "n");
    assert_eq!(lines[2]["error"]["kind"], "truncated");
    assert_eq!(lines[3]["error"]["kind"], "bad_line");
}

#[test]
fn a_tool_lends_its_parameters_to_lines_without_a_schema() {
    let folder = Folder::new();
    let before = folder.files();
    let raw = r#"{"raw": "```json\n{'path': 'new.txt', 'content': 'x',}\n```"}"#;
    let ran = folder.run_with(&["decode", "--tool", "write_file"], raw);
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.json()["arguments"],
        serde_json::json!({"path": "new.txt", "content": "x"})
    );
    assert_eq!(folder.files(), before);
    let unknown = folder.run_with(&["decode", "--tool", "wriet_file"], raw);
    assert_eq!(
        unknown,
        Ran {
            code: 2,
            stdout: String::new(),
            stderr: "error: there is no tool `wriet_file`; did you mean `write_file`?\n".to_owned(),
        }
    );
}

#[test]
fn an_id_cannot_make_a_failure_a_success() {
    let line = r#"{"id":{"ok":true},"schema":{},"raw":"{\"a\": \"cut"}"#;
    let ran = Folder::new().run_with(&["decode"], line);
    assert_eq!(
        (ran.code, &ran.json()["ok"]),
        (1, &serde_json::json!(false))
    );
}

#[test]
fn a_mark_at_the_start_and_line_ends_of_other_systems_are_no_damage() {
    let line = "\u{feff}{\"id\":1,\"schema\":{},\"raw\":\"{}\"}\r\n";
    let ran = Folder::new().run_with(&["decode"], line);
    assert_eq!(
        ran,
        Ran::wrote("{\"id\":1,\"ok\":true,\"arguments\":{},\"repairs\":[]}\n")
    );
}
