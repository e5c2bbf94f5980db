//! `tools`, `toolsets`, `show`, `definitions`.

#[cfg(unix)]
use std::process::Command;

use serde_json::{Value, json};

use crate::folder::{Folder, Ran};

/// The tools of the toolset `file`: emoji, name, effect.
const FILE_TOOLS: [(&str, &str, &str); 4] = [
    ("🩹", "patch", "write"),
    ("📖", "read_file", "read"),
    ("🔎", "search_files", "read"),
    ("✍️", "write_file", "write"),
];

#[test]
fn tools_are_columns_separated_by_tabs_where_no_terminal_is() {
    let rows =
        FILE_TOOLS.map(|(emoji, name, effect)| format!("{emoji}\t{name}\tfile\t{effect}\tyes\n"));
    assert_eq!(
        Folder::new().run(&["tools", "--toolset", "file"]),
        Ran::wrote(&rows.concat())
    );
}

#[test]
fn the_default_is_what_a_shell_session_has_of_the_linked_tools() {
    let folder = Folder::new();
    let names = |words: &[&str]| -> Vec<String> {
        let listing = folder.run(words).json();
        let tools = listing["tools"].as_array().unwrap();
        tools
            .iter()
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let session = names(&["tools", "--json"]);
    let all = names(&["tools", "--all", "--json"]);
    assert!(session.is_sorted() && all.is_sorted());
    assert!(
        FILE_TOOLS
            .iter()
            .all(|(_, name, _)| session.contains(&(*name).to_owned()))
    );
    assert!(session.iter().all(|name| all.contains(name)));
    assert_eq!(
        names(&["tools", "--without", "file", "--toolset", "file", "--json"]),
        [""; 0]
    );
}

#[test]
fn a_tool_as_json_has_its_fields_in_a_fixed_order() {
    let ran = Folder::new().run(&["tools", "--toolset", "file", "--json"]);
    let (head, rest) = ran.stdout.split_once("\"description\":").unwrap();
    assert_eq!(
        head,
        "{\"tools\":[{\"name\":\"patch\",\"emoji\":\"🩹\",\"toolset\":\"file\",\
         \"effect\":\"write\",\"available\":true,"
    );
    assert!(
        rest.contains(",\"idempotent\":false,\"open_world\":false,"),
        "{rest}"
    );
    let origin = &ran.json()["tools"][1]["origin"];
    assert_eq!(origin["package"], "tools-builtin");
    assert_eq!(origin["module"], "tools_builtin::file::read");
    assert!(
        origin["file"]
            .as_str()
            .unwrap()
            .ends_with("tools-builtin/src/file/read.rs")
    );
    assert!(origin["line"].as_u64().unwrap() > 1);
}

#[test]
fn the_origin_is_a_column_of_its_own() {
    let ran = Folder::new().run(&["tools", "--toolset", "file", "--origin"]);
    let (_, origin) = ran
        .stdout
        .lines()
        .nth(1)
        .unwrap()
        .rsplit_once('\t')
        .unwrap();
    assert!(origin.starts_with("tools-builtin, "), "{origin}");
    assert!(
        origin.contains("tools-builtin/src/file/read.rs:"),
        "{origin}"
    );
}

#[cfg(unix)]
#[test]
fn a_tool_that_cannot_be_used_says_why_and_what_would_help() {
    let folder = Folder::new();
    // A current folder that is deleted while the program stands in it is no workspace.
    let script = "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" \"$@\"";
    let listing = |words: &[&str]| {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", script, env!("CARGO_BIN_EXE_hermes")])
            .args(words);
        Ran::from(shell.current_dir(folder.workspace()).output().unwrap())
    };
    let tool = &listing(&["tools", "--toolset", "file", "--json"]).json()["tools"][1];
    assert_eq!(
        (&tool["name"], &tool["available"]),
        (&json!("read_file"), &json!(false))
    );
    let (reason, remedy) = (
        tool["reason"].as_str().unwrap(),
        tool["remedy"].as_str().unwrap(),
    );
    let rows = listing(&["tools", "--toolset", "file"]).stdout;
    let row = format!("📖\tread_file\tfile\tread\tno: {reason}; {remedy}");
    assert_eq!(rows.lines().nth(1).unwrap(), row);
}

#[test]
fn toolsets_are_listed_with_how_much_of_them_is_linked() {
    let folder = Folder::new();
    let listing = folder.run(&["toolsets", "--json"]).json();
    let toolsets = listing["toolsets"].as_array().unwrap();
    let find = |name: &str| {
        toolsets
            .iter()
            .find(|toolset| toolset["name"] == name)
            .unwrap()
    };
    assert_eq!(
        find("file"),
        &json!({
            "name": "file",
            "description": "Read, write, edit and search files in the workspace.",
            "linked": 4,
            "listed": 4,
            "includes": [],
        })
    );
    assert_eq!(find("debugging")["includes"], json!(["web", "file"]));
    assert_eq!(find("hermes-webhook")["max_effect"], "read");
    let rows = folder.run(&["toolsets"]);
    let row = rows
        .stdout
        .lines()
        .find(|row| row.starts_with("file\t"))
        .unwrap();
    assert_eq!(
        row,
        "file\t4 of 4\tRead, write, edit and search files in the workspace.\t"
    );
    assert_eq!(rows.stdout.lines().count(), toolsets.len());
}

#[test]
fn the_tools_of_a_toolset_come_with_the_way_to_them() {
    let folder = Folder::new();
    assert_eq!(
        folder
            .run(&["toolsets", "debugging"])
            .stdout
            .lines()
            .nth(5)
            .unwrap(),
        "web_extract\tdebugging > web\tno: not linked"
    );
    let debugging = folder.run(&["toolsets", "debugging", "--json"]).json();
    let tools = debugging["tools"].as_array().unwrap();
    let find = |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap();
    assert_eq!(
        find("read_file"),
        &json!({
            "name": "read_file", "via": ["debugging", "file"], "linked": true, "available": true,
        })
    );
    assert_eq!(
        folder.run(&["toolsets", "file"]),
        Ran::wrote(
            "patch\tfile\tyes\nread_file\tfile\tyes\nsearch_files\tfile\tyes\n\
             write_file\tfile\tyes\n"
        )
    );
}

#[test]
fn an_old_name_is_shown_with_what_it_selects() {
    let old = Folder::new()
        .run(&["toolsets", "file_tools", "--json"])
        .json();
    assert_eq!(
        old["description"],
        "An old name, understood in selections only."
    );
    assert_eq!(old["tools"].as_array().unwrap().len(), 4);
}

#[test]
fn one_tool_is_shown_with_everything() {
    let folder = Folder::new();
    let ran = folder.run(&["show", "read_file"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    for part in [
        "📖  read_file\n",
        "\npath\tstring (at least 1 character)\trequired\t",
        "\nlimit\tinteger from 1 to 2000\t500\t",
        "\neffect\tread\n",
        "\navailable\tyes\n",
        "\nExample\nhermes call read_file '{\"path\":\"",
    ] {
        assert!(
            ran.stdout.contains(part),
            "{part:?} is not in {}",
            ran.stdout
        );
    }
    let tool = folder.run(&["show", "read_file", "--json"]).json();
    assert_eq!(tool["name"], "read_file");
    let limit = &tool["parameters"].as_array().unwrap()[2];
    assert_eq!(
        (&limit["name"], &limit["type"]),
        (&json!("limit"), &json!("integer"))
    );
    assert_eq!(
        (&limit["required"], &limit["default"]),
        (&json!(false), &json!(500))
    );
    assert_eq!(tool["parameters"][0]["role"], "path");
    assert_eq!(tool["schema"]["required"], json!(["path"]));
    assert!(tool["example"]["path"].is_string());
}

#[test]
fn the_example_of_every_tool_can_be_decoded() {
    let folder = Folder::new();
    let all = folder.run(&["tools", "--all", "--json"]).json();
    for tool in all["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let shown = folder.run(&["show", name, "--json"]).json();
        let keys: Vec<&String> = shown["schema"]["properties"]
            .as_object()
            .unwrap()
            .keys()
            .collect();
        let example = shown["example"].as_object().unwrap();
        assert!(
            example.keys().all(|key| keys.contains(&key)),
            "{name}: {example:?}"
        );
    }
}

#[test]
fn definitions_are_one_array_and_the_same_bytes_every_time() {
    let folder = Folder::new();
    let first = folder.run(&["definitions", "--toolset", "file"]);
    assert_eq!(
        first,
        folder.run(&["definitions", "--toolset", "file", "--json"])
    );
    let definitions = first.json();
    let names: Vec<&Value> = definitions
        .as_array()
        .unwrap()
        .iter()
        .map(|definition| &definition["name"])
        .collect();
    assert_eq!(names, ["patch", "read_file", "search_files", "write_file"]);
    assert!(
        first
            .stdout
            .starts_with("[{\"name\":\"patch\",\"description\":\""),
        "{first:?}"
    );
    let less = [
        "definitions",
        "--toolset",
        "file",
        "--toolset",
        "web",
        "--without",
        "file",
    ];
    assert_eq!(folder.run(&less).stdout, "[]\n");
}

#[test]
fn definitions_come_in_the_form_of_a_provider() {
    let folder = Folder::new();
    let words = [
        "definitions",
        "--toolset",
        "file",
        "--dialect",
        "anthropic-strict",
    ];
    let ran = folder.run(&words);
    assert_eq!(ran, folder.run(&words));
    let definitions = ran.json();
    assert_eq!(definitions[1]["name"], "read_file");
    assert_eq!(definitions[1]["strict"], true);
    let schema = &definitions[1]["input_schema"];
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["properties"]["limit"].get("minimum"), None);
    assert!(
        ran.stderr
            .contains("note: `read_file`: `limit`: the range has no keyword\n"),
        "{ran:?}"
    );
    let shown = folder.run(&["show", "read_file", "--dialect", "gemini", "--json"]);
    assert_eq!(
        shown.json()["parameters"]["properties"]["limit"]["minimum"],
        1
    );
    let unknown = folder.run(&["definitions", "--dialect", "claude"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("anthropic-strict"), "{unknown:?}");
}

#[test]
fn a_session_of_a_webhook_writes_nothing() {
    let folder = Folder::new();
    let listing = folder
        .run(&["tools", "--source", "webhook", "--json"])
        .json();
    let tools = listing["tools"].as_array().unwrap();
    assert!(
        tools.iter().all(|tool| tool["effect"] == "read"),
        "{tools:?}"
    );
}

#[test]
fn a_task_of_the_board_brings_its_toolset() {
    let folder = Folder::new();
    // The session's tools are those of `file` and of `kanban`; the second are not linked, so that taking
    // the first away leaves a warning with their number only when the variable is set.
    let words = ["tools", "--toolset", "file", "--without", "file"];
    assert_eq!(
        folder.run(&words).stderr,
        "warning: no tool is selected: the disabled toolsets take away all that is enabled: \
         disable fewer, or enable another one\n"
    );
    let mut command = folder.command(&words);
    let ran = Ran::from(command.env("HERMES_KANBAN_TASK", "7").output().unwrap());
    assert_eq!(
        ran.stderr,
        "warning: none of the 14 selected tools is registered, and the 4 that are have been taken away: \
         disable fewer toolsets\n"
    );
}
