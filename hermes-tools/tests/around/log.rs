//! The audit log: one line a call, whatever becomes of it.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hermes_tools::approval::{Approval, ApprovalPolicy, Rule};
use hermes_tools::audit::AuditLog;
use hermes_tools::testing::{FakeClock, Folder};
use hermes_tools::{
    Batch, Cancel, Effect, RuntimeTool, SessionFacts, SessionSource, ToolCall, Worker,
};
use serde_json::{Map, Value, json};

use crate::{Driven, call, session, session_with};

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Written {
    fn log(&self) -> Arc<AuditLog> {
        Arc::new(AuditLog::to(self.clone()))
    }

    fn lines(&self) -> Vec<Value> {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap());
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.is_empty() || text.ends_with('\n'));
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// The SHA-256 of `new`.
const NEW: &str = "11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437";
/// The SHA-256 of `old`.
const OLD: &str = "cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4";

#[test]
fn a_line_says_who_did_what_and_how_it_ended() {
    let (clock, written) = (FakeClock::new(), Written::default());
    clock.advance(Duration::from_millis(86_400_500));
    let folder = Folder::with([("a.txt", "old")]).unwrap();
    let facts = SessionFacts::new(SessionSource::Cli)
        .with_id("s1")
        .for_user("ada");
    let session = session(&clock, |it| {
        it.facts(facts)
            .workspace(folder.workspace().unwrap())
            .audit(written.log())
            .approvals(ApprovalPolicy::default().effect(Effect::Write, Rule::Ask))
            .approve_with(|_| Approval::Once)
    });
    let write = r#"{"path": "a.txt", "text": "new"}"#;
    let write = ToolCall::new("write_note", write).id("c1").turn("t1");
    assert!(Driven::of(session.call_with(write)).ready().outcome.is_ok());
    assert_eq!(
        written.lines(),
        [json!({
            "time": "1970-01-02T00:00:00.500Z",
            "session": "s1",
            "user": "ada",
            "source": "cli",
            "tool": "write_note",
            "call": "c1",
            "turn": "t1",
            "effect": "write",
            "arguments": {"path": "a.txt", "text": "new"},
            "verdicts": [{"argument": "path", "role": "path", "shown": "a.txt", "verdict": "allow"}],
            "approvals": [{"categories": ["effect"], "answer": "once"}],
            "files": [{"path": "a.txt", "before": OLD, "after": NEW}],
            "status": "ok",
            "duration_ms": 0,
        })]
    );
}

#[test]
fn new_files_have_no_hash_before_and_unchanged_ones_are_left_out() {
    let (clock, written) = (FakeClock::new(), Written::default());
    let folder = Folder::with([("same.txt", "new")]).unwrap();
    let session = session(&clock, |it| {
        it.workspace(folder.workspace().unwrap())
            .audit(written.log())
    });
    for path in ["b.txt", "same.txt"] {
        let arguments = format!(r#"{{"path":"{path}","text":"new"}}"#);
        assert!(call(&session, "write_note", &arguments).outcome.is_ok());
    }
    let lines = written.lines();
    assert_eq!(
        lines[0]["files"],
        json!([{"path": "b.txt", "before": null, "after": NEW}])
    );
    assert_eq!(lines[1].get("files"), None);
}

#[test]
fn refused_calls_have_a_line_too_and_secrets_are_in_none() {
    let (clock, written) = (FakeClock::new(), Written::default());
    let folder = Folder::with([]).unwrap();
    let session = session(&clock, |it| {
        it.workspace(folder.workspace().unwrap())
            .audit(written.log())
    });
    call(&session, "no_such_tool", "{}");
    call(&session, "say", r#"{"text":1.5}"#);
    call(&session, "write_note", r#"{"path":"../x","text":"a"}"#);
    call(&session, "login", r#"{"name":"ada","password":"hunter2"}"#);
    let lines = written.lines();
    let told: Vec<[&str; 3]> = lines
        .iter()
        .map(|line| ["tool", "status", "error"].map(|key| line[key].as_str().unwrap_or("-")))
        .collect();
    assert_eq!(
        told,
        [
            ["no_such_tool", "blocked", "unknown_tool"],
            ["say", "error", "invalid_arguments"],
            ["write_note", "blocked", "outside_workspace"],
            ["login", "ok", "-"],
        ]
    );
    assert_eq!(lines[2]["verdicts"][0]["verdict"], "block");
    assert_eq!(
        lines[3]["arguments"],
        json!({"name": "ada", "password": "***"})
    );
}

#[test]
fn workers_sub_agents_and_servers_are_named() {
    let (clock, written) = (FakeClock::new(), Written::default());
    let facts = SessionFacts::new(SessionSource::Cli)
        .works_as(Worker::of_task("t7").in_run("r1"))
        .child();
    let session = session_with(
        &clock,
        |registry| {
            let tool = RuntimeTool::of_server("my srv", "get.it", Map::new());
            registry.register(tool.answering(|_| "here"));
        },
        |it| it.facts(facts).audit(written.log()),
    );
    assert!(call(&session, "mcp__my_srv__get_it", "{}").outcome.is_ok());
    let line = written.lines().remove(0);
    assert_eq!(line["delegated"], true);
    assert_eq!(line["worker"], json!({"task": "t7", "run": "r1"}));
    assert_eq!(line["server"], json!({"name": "my srv", "tool": "get.it"}));
    assert_eq!(line["tool"], "mcp__my_srv__get_it");
}

#[test]
fn a_log_in_a_file_is_only_appended_to() {
    let folder = Folder::with([("audit.jsonl", "{\"first\":true}\n")]).unwrap();
    let path = folder.path().join("audit.jsonl");
    for _ in 0..2 {
        let log = Arc::new(AuditLog::open(&path).unwrap());
        let session = session(&FakeClock::new(), |it| it.audit(log));
        call(&session, "say", r#"{"text":"a"}"#);
    }
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.starts_with("{\"first\":true}\n{\"time\":\"1970-01-01T00:00:00.000Z\""));
    assert_eq!(text.lines().count(), 3);
}

/// A disk that is full.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_log_that_cannot_be_written_does_not_change_the_answer() {
    let log = Arc::new(AuditLog::to(Full));
    let session = session(&FakeClock::new(), |it| it.audit(log));
    let result = call(&session, "say", r#"{"text":"a"}"#);
    assert_eq!(result.outcome.unwrap().text(), "a");
}

#[test]
fn a_call_that_its_caller_drops_has_a_line() {
    let (clock, written) = (FakeClock::new(), Written::default());
    let session = session(&clock, |it| it.audit(written.log()));
    let mut hanging = Driven::of(session.call("hang", "{}"));
    assert!(hanging.poll().is_none());
    clock.advance(Duration::from_secs(3));
    drop(hanging);
    let line = written.lines().remove(0);
    assert_eq!(
        (&line["tool"], &line["status"], &line["duration_ms"]),
        (&json!("hang"), &json!("cancelled"), &json!(3_000))
    );
}

#[test]
fn files_that_tools_may_not_read_are_hashed_all_the_same() {
    let (clock, written) = (FakeClock::new(), Written::default());
    let folder = Folder::with([(".env", "old")]).unwrap();
    let session = session(&clock, |it| {
        it.workspace(folder.workspace().unwrap())
            .audit(written.log())
    });
    for path in [".env", ".env.local"] {
        let arguments = format!(r#"{{"path":"{path}","text":"new"}}"#);
        assert!(call(&session, "write_note", &arguments).outcome.is_ok());
    }
    let lines = written.lines();
    assert_eq!(
        [&lines[0]["files"], &lines[1]["files"]],
        [
            &json!([{"path": ".env", "before": OLD, "after": NEW}]),
            &json!([{"path": ".env.local", "before": null, "after": NEW}]),
        ]
    );
}

#[test]
fn a_write_that_is_given_up_names_its_file() {
    let (clock, written) = (FakeClock::new(), Written::default());
    let folder = Folder::with([]).unwrap();
    let session = session(&clock, |it| {
        it.workspace(folder.workspace().unwrap())
            .audit(written.log())
    });
    let unknown = json!([{"path": "a.txt", "before": null, "after": "unknown"}]);
    let mut late = Driven::of(session.call("write_and_hang", r#"{"path": "a.txt"}"#));
    assert!(late.poll().is_none());
    clock.advance(Duration::from_secs(31));
    assert!(late.poll().is_some());
    let line = written.lines().remove(0);
    assert_eq!(
        (&line["status"], &line["files"]),
        (&json!("timeout"), &unknown)
    );
    std::fs::remove_file(folder.path().join("a.txt")).unwrap();
    let mut dropped = Driven::of(session.call("write_and_hang", r#"{"path": "a.txt"}"#));
    assert!(dropped.poll().is_none());
    drop(dropped);
    let line = written.lines().remove(0);
    assert_eq!(
        (&line["status"], &line["files"]),
        (&json!("cancelled"), &unknown)
    );
}

#[test]
fn every_call_of_a_batch_has_a_line() {
    let (clock, written) = (FakeClock::new(), Written::default());
    let session = session(&clock, |it| it.audit(written.log()));
    let say = |id: &str| ToolCall::new("say", r#"{"text":"a"}"#).id(id);
    session.call_batch_blocking([say("c1"), say("c2")]);
    let cancel = Cancel::new();
    cancel.cancel();
    session.call_batch_blocking(Batch::new([say("c3")]).cancel(cancel));
    let told: Vec<Value> = written
        .lines()
        .iter()
        .map(|line| {
            json!([
                line["call"],
                line["status"],
                line["error"],
                line["repeated"]
            ])
        })
        .collect();
    assert_eq!(
        told,
        [
            json!(["c1", "ok", null, null]),
            json!(["c2", "ok", null, true]),
            json!(["c3", "blocked", "not_started", null]),
        ]
    );
}

#[test]
fn calls_of_a_batch_that_is_dropped_have_a_line_too() {
    let (clock, written) = (FakeClock::new(), Written::default());
    let session = session(&clock, |it| it.audit(written.log()));
    let hang = |id: &str| ToolCall::new("hang", "{}").id(id);
    let batch = Batch::new([hang("c1"), hang("c2"), hang("c3")])
        .run_repeats()
        .at_most(1);
    let mut under_way = Driven::of(async { session.call_batch(batch).await.remove(0) });
    assert!(under_way.poll().is_none());
    drop(under_way);
    let mut told: Vec<Value> = written
        .lines()
        .iter()
        .map(|line| json!([line["call"], line["status"], line["error"]]))
        .collect();
    told.sort_by_key(Value::to_string);
    assert_eq!(
        told,
        [
            json!(["c1", "cancelled", null]),
            json!(["c2", "blocked", "not_started"]),
            json!(["c3", "blocked", "not_started"]),
        ]
    );
}
