//! Every call meets the guards, on whatever way.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hermes_tools::context::SessionContext;
use hermes_tools::dispatch::guard::Policy;
use hermes_tools::search::ToolSearch;
use hermes_tools::workspace::Confined;
use hermes_tools::{
    Effect, Role, RuntimeTool, Selection, Session, Target, ToolContext, ToolEntry, ToolError,
    ToolRegistry, Workspace, tools,
};
use serde_json::json;

use crate::{Counting, Place};

#[test]
fn roles_count_in_fields_and_lists() {
    let place = Place::of(tools![crate::edit_many]);
    assert_eq!(
        place.code(
            "edit_many",
            r#"{"edits": [{"path": "a"}, {"path": "b"}], "more": ["c"]}"#
        ),
        "ok"
    );
    assert_eq!(
        place.code(
            "edit_many",
            r#"{"edits": [{"path": "a"}, {"path": "home/.netrc"}]}"#
        ),
        "protected_path"
    );
    assert_eq!(
        place.code("edit_many", r#"{"edits": [], "more": ["a", "../b"]}"#),
        "outside_workspace"
    );
}

#[test]
fn tools_of_the_run_time_are_guarded_alike() {
    let schema = json!({"type": "object", "properties": {"file": {"type": "string"}, "urls": {"type": "array", "items": {"type": "string"}}, "key": {"type": "string", "maxLength": 3}}});
    let tool = RuntimeTool::new("remote_write", "mcp-files", "Write.", schema)
        .effect(Effect::Write)
        .role("file", Role::Path)
        .role("urls", Role::Url)
        .role("key", Role::Secret)
        .targets(|arguments| match arguments.text("file") {
            Some("none") => Err(ToolError::failed("no target")),
            Some("hidden") => Ok(vec![Target::write("home/.netrc")]),
            _ => Ok(Vec::new()),
        })
        .answering(|_| "done".to_owned());
    let folder = tempfile::tempdir().unwrap();
    let registry = ToolRegistry::of(&[]).unwrap();
    registry.register(tool);
    let home = folder.path().canonicalize().unwrap().join("home");
    let session = Session::builder(registry, Selection::of(["remote_write"]))
        .workspace(Workspace::new(Confined::open(folder.path()).unwrap()))
        .guard(Policy::new().home(home))
        .build()
        .unwrap();
    let code = |arguments: &str| {
        let outcome = session.call_blocking("remote_write", arguments).outcome;
        outcome.map_or_else(|error| error.code().to_owned(), |_| "ok".to_owned())
    };
    assert_eq!(code(r#"{"file": "a"}"#), "ok");
    assert_eq!(code(r#"{"file": "../a"}"#), "outside_workspace");
    assert_eq!(code(r#"{"file": "home/.ssh/x"}"#), "protected_path");
    assert_eq!(code(r#"{"file": "hidden"}"#), "protected_path");
    assert_eq!(code(r#"{"file": "none"}"#), "failed");
    assert_eq!(
        code(r#"{"urls": ["https://93.184.216.34/", "http://127.0.0.1/"]}"#),
        "url_blocked"
    );
    let error = session
        .call_blocking("remote_write", r#"{"key": "hunter2"}"#)
        .outcome
        .unwrap_err();
    assert!(!error.to_json().contains("hunter2"), "{error:?}");
}

#[test]
fn commands_are_run_asked_about_or_never_run() {
    let place = Place::of(tools![crate::terminal, crate::spawn]);
    let run = |command: &str| place.code("terminal", &json!({ "command": command }).to_string());
    assert_eq!(run("ls -la"), "ok");
    assert_eq!(run("rm -rf build"), "approval_required");
    assert_eq!(run("rm -rf /"), "command_blocked");
    assert_eq!(run("rm -rf ~"), "command_blocked");
    assert_eq!(run("./a\0b.sh"), "approval_required");
    assert_eq!(place.code("spawn", r#"{"argv": ["ls", "-la"]}"#), "ok");
    assert_eq!(
        place.code("spawn", r#"{"argv": ["rm", "-rf", "/"]}"#),
        "command_blocked"
    );
    assert_eq!(
        place.code("spawn", r#"{"argv": ["echo", "rm -rf /"]}"#),
        "command_blocked"
    );
    let error = place
        .session
        .call_blocking("terminal", r#"{"command": "rm -rf /"}"#)
        .outcome
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "this command is never run: it deletes everything on the machine; do it in a way that touches less, or ask the user to do it"
    );
}

#[test]
fn every_door_leads_to_the_guard() {
    let place = Place::with(tools![crate::terminal], |builder| {
        builder.tool_search(ToolSearch::of_value(&json!({"enabled": true})))
    });
    let doors = [
        ("terminal", r#"{"command": "rm -rf /"}"#),
        (
            "Terminal_tool",
            r#"{"command": "rm -rf /", "background": true}"#,
        ),
        ("terminal", r#"{"arguments": {"command": "rm -rf /"}}"#),
        ("terminal", r#"{"command": "[\"rm\",\"-rf\",\"/\"]"}"#),
        (
            "tool_call",
            r#"{"name": "terminal", "arguments": {"command": "rm -rf /"}}"#,
        ),
        (
            "tool_call",
            r#"{"name": "tool_call", "arguments": {"name": "terminal", "arguments": {"command": "rm -rf /"}}}"#,
        ),
    ];
    for (tool, arguments) in doors {
        let result = place.session.call_blocking(tool, arguments);
        assert!(result.outcome.is_err(), "{tool} {arguments}: {result:?}");
    }
}

#[test]
fn the_value_that_is_judged_is_the_one_that_is_used() {
    let place = Place::of(tools![crate::put]);
    // The last of equal keys counts, for the guard as for the tool; a list is no path.
    assert_eq!(
        place.code("put", r#"{"path": "ok.txt", "path": "../bad.txt"}"#),
        "outside_workspace"
    );
    assert_ne!(place.code("put", r#"{"path": ["../bad.txt"]}"#), "ok");
    assert!(!fs::exists(place.folder.path().join("../bad.txt")).unwrap());
}

#[test]
fn secrets_are_in_no_error_and_no_repair() {
    let place = Place::of(tools![crate::sign_in]);
    for arguments in [
        r#"{"key": "hunter2", "times": 3}"#,
        r#"{"key": "hunter2hunter2", "times": 3}"#,
        r#"{"key": ["hunter2"], "times": 3}"#,
        r#"{"key": 70412938, "times": 3}"#,
        r#"{"key": "hunter2", "times": "x"}"#,
        r#"{"key": "hunter2", times: 3"#,
    ] {
        let result = place.session.call_blocking("sign_in", arguments);
        let shown = format!("{} {:?}", result.model_text(), result.repairs);
        assert!(
            !shown.contains("hunter2") && !shown.contains("70412938"),
            "{arguments}: {shown}"
        );
        assert!(result.outcome.is_err());
    }
    let error = place
        .session
        .call_blocking("sign_in", r#"{"key": "hunter2hunter2", "times": 3}"#)
        .outcome
        .unwrap_err();
    assert_eq!(
        error.message(),
        "invalid arguments for `sign_in`: `key`: expected text of 1 to 10 characters, got a secret that is not shown"
    );
}

#[test]
fn tools_without_roles_do_not_pass_the_gate() {
    let gate = Arc::new(Counting(AtomicUsize::new(0)));
    let session = Arc::new(SessionContext {
        gate: Some(Arc::<Counting>::clone(&gate)),
        ..SessionContext::default()
    });
    let call = |entry: &'static ToolEntry, arguments: &str| {
        let cx = ToolContext::new(entry.name(), Arc::clone(&session));
        let raw = hermes_tools::args::RawArguments::new(arguments);
        let mut future = entry.call(&cx, raw);
        let mut task = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(future.as_mut().poll(&mut task).is_ready());
    };
    call(tools![crate::count][0], r#"{"number": 1}"#);
    assert_eq!(gate.0.load(Ordering::Relaxed), 0);
    assert!(!tools![crate::count][0].has_roles());
    call(tools![crate::terminal][0], r#"{"command": "ls"}"#);
    assert_eq!(gate.0.load(Ordering::Relaxed), 1);
}
