//! Paths: nothing leads out of the workspace, and what is not there is told.

use std::fs;

use hermes_tools::param::Param;
use serde_json::{Value, json};

use crate::fixture::{Fixture, TOOLS, patient, session};

/// A call of a tool on a path.
fn call(tool: &str, path: &str) -> Value {
    match tool {
        "write_file" => json!({"path": path, "content": "new\n"}),
        "patch" => json!({"path": path, "old_string": "secret", "new_string": "new"}),
        "search_files" => json!({"path": path, "pattern": "secret"}),
        _ => json!({"path": path}),
    }
}

#[test]
fn no_tool_leaves_the_workspace() {
    let fixture = Fixture::empty();
    let outside = fixture.outside("s.txt");
    fs::write(&outside, "secret\n").unwrap();
    fixture.link("file", &outside);
    fixture.link("relative", "../outside/s.txt");
    fixture.link("folder", fixture.outside(""));
    fixture.link("new", fixture.outside("new.txt"));
    let absolute = outside.to_str().unwrap();
    let paths = [
        "../outside/s.txt",
        absolute,
        "file",
        "relative",
        "folder/s.txt",
        "new",
        "/dev/zero",
    ];
    for tool in TOOLS {
        for path in paths {
            let error = fixture.call(tool, &call(tool, path)).unwrap_err();
            assert_eq!(error.code(), "outside_workspace", "{tool} {path}: {error}");
        }
    }
    assert_eq!(fs::read_to_string(outside).unwrap(), "secret\n");
    assert_eq!(fs::read_dir(fixture.outside("")).unwrap().count(), 1);
}

#[test]
fn paths_may_wind_inside_the_workspace() {
    for path in ["./d//./a.txt", "d/../d/a.txt", "l/a.txt", "{root}/d/a.txt"] {
        let fixture = Fixture::new(&[("d/a.txt", "secret\n")]);
        fixture.link("l", "d");
        let path = path.replace("{root}", fixture.path("").to_str().unwrap());
        let page = fixture.call("read_file", &json!({"path": path})).unwrap();
        assert_eq!(page["content"], "1|secret", "{path}");
    }
}

#[test]
fn names_are_no_options_and_no_patterns() {
    let names = [
        "-n",
        "a[1]*.txt",
        "x;y $(z) `w` 'q' \"d\" &.txt",
        "a\nb.txt",
        "дом 房子.txt",
    ];
    for name in names {
        let fixture = Fixture::new(&[(name, "secret\n")]);
        let page = fixture.call("read_file", &call("read_file", name)).unwrap();
        assert_eq!(page["content"], "1|secret", "{name}");
        let found = fixture
            .call("search_files", &call("search_files", name))
            .unwrap();
        assert_eq!(found["matches"][0]["path"], name);
        fixture.call("patch", &call("patch", name)).unwrap();
        fixture.holds(name, "new\n");
        fixture
            .call("write_file", &call("write_file", name))
            .unwrap();
        assert_eq!(fixture.names("."), [name]);
    }
}

#[test]
fn a_missing_file_is_told_with_similar_names() {
    let fixture = Fixture::new(&[("src/handlers.rs", "x\n")]);
    for tool in ["read_file", "patch", "search_files"] {
        fixture.refused(
            tool,
            call(tool, "src/handler.rs"),
            "not_found",
            "no such file: `src/handler.rs`; did you mean `src/handlers.rs`?",
        );
    }
}

#[test]
fn a_folder_is_no_file() {
    let fixture = Fixture::new(&[("d/a.txt", "x\n")]);
    for tool in ["read_file", "patch"] {
        fixture.refused(
            tool,
            call(tool, "d"),
            "is_directory",
            "`d` is a folder; name a file in it",
        );
    }
}

#[test]
fn a_pipe_is_refused_without_waiting() {
    let fixture = Fixture::empty();
    fixture.pipe("p");
    for tool in TOOLS {
        fixture.refused(
            tool,
            call(tool, "p"),
            "not_regular",
            "`p` is a device, a pipe or a socket; name a regular file",
        );
    }
}

#[test]
fn without_a_workspace_the_tools_are_unavailable() {
    let session = session().build().unwrap();
    assert_eq!(session.definitions().text(), "[]");
    for tool in TOOLS {
        let error = session
            .call_blocking_with(patient(tool, &call(tool, "a")))
            .outcome
            .unwrap_err();
        assert_eq!(error.code(), "unavailable");
        assert_eq!(
            error.to_string(),
            format!(
                "`{tool}` is unavailable: this session has no workspace; \
                 give the session a folder to work in"
            )
        );
    }
}

#[test]
fn tools_and_parameters_have_the_known_names() {
    let session = session();
    let session = session.build().unwrap();
    let tools = session.tools();
    let parameters: Vec<(&str, Vec<&str>)> = tools
        .iter()
        .map(|(tool, _)| (tool.name(), tool.params().iter().map(Param::name).collect()))
        .collect();
    assert_eq!(
        parameters,
        [
            (
                "patch",
                vec![
                    "mode",
                    "path",
                    "old_string",
                    "new_string",
                    "replace_all",
                    "patch"
                ]
            ),
            ("read_file", vec!["path", "offset", "limit"]),
            (
                "search_files",
                vec![
                    "pattern",
                    "target",
                    "path",
                    "file_glob",
                    "limit",
                    "offset",
                    "output_mode",
                    "context"
                ]
            ),
            ("write_file", vec!["path", "content"]),
        ]
    );
}
