use std::time::Duration;

use serde_json::{Value, json};
use tools_builtin::{Notice, TerminalOptions};

use crate::fixture::{Fixture, is_alive, read, text, until};

fn act(fixture: &Fixture, action: &str, id: &str) -> Value {
    fixture.call("process", json!({"action": action, "session_id": id}))
}

#[test]
fn a_process_is_written_to_read_and_waited_for() {
    let fixture = Fixture::new();
    let id = fixture.start("cat");
    fixture.call(
        "process",
        json!({"action": "submit", "session_id": id, "data": "hello"}),
    );
    fixture.prints(&id, "hello");
    assert_eq!(act(&fixture, "poll", &id)["status"], "running");
    act(&fixture, "close", &id);
    let ended = act(&fixture, "wait", &id);
    assert_eq!(
        (
            &ended["status"],
            &ended["exit_code"],
            &ended["output_preview"]
        ),
        (&json!("exited"), &json!(0), &json!("hello\n"))
    );
    fixture.refused(
        "process",
        json!({"action": "write", "session_id": id, "data": "more\n"}),
        "failed",
        &format!(
            "process `{id}` has exited with code 0; read its output with the action `log`, or start it again"
        ),
    );
    assert_eq!(act(&fixture, "kill", &id)["status"], "already_exited");
    for unknown in ["no-such-id", "../../etc/passwd"] {
        fixture.refused(
            "process",
            json!({"action": "log", "session_id": unknown}),
            "not_found",
            &format!("no process has the id `{unknown}`; use one of these: `{id}`"),
        );
    }
}

#[test]
fn pages_of_a_log_reach_every_line() {
    let fixture = Fixture::new();
    let id = fixture.start("for i in $(seq 0 499); do echo line $i; done");
    act(&fixture, "wait", &id);
    let page = |arguments: Value| {
        let mut all = json!({"action": "log", "session_id": id});
        all.as_object_mut()
            .unwrap()
            .extend(arguments.as_object().unwrap().clone());
        fixture.call("process", all)
    };
    let newest = page(json!({}));
    assert_eq!(newest["lines"].as_array().unwrap().len(), 200);
    assert_eq!(
        (&newest["lines"][0], &newest["total_lines"]),
        (&json!("line 300"), &json!(500))
    );
    let first = page(json!({"offset": 0, "limit": 2}));
    assert_eq!(first["lines"], json!(["line 0", "line 1"]));
    assert_eq!(first["next_offset"], 2);
    assert_eq!(page(json!({"offset": 499}))["lines"], json!(["line 499"]));
    assert_eq!(page(json!({"offset": 9_999}))["lines"], json!([]));
}

#[test]
fn a_kill_ends_the_whole_tree() {
    let fixture = Fixture::with(
        TerminalOptions::new().grace(Duration::from_millis(100)),
        &[],
    );
    let id = fixture.start(
        "trap '' TERM; sleep 300 & echo $! >> pids; setsid bash -c \"trap '' TERM; echo \\$\\$ >> pids; sleep 300\" & \
         wait; wait; sleep 300",
    );
    let pids = fixture.place("ws/pids");
    let read_pids = || std::fs::read_to_string(&pids).unwrap_or_default();
    until("two children", || read_pids().lines().count() == 2);
    assert_eq!(act(&fixture, "kill", &id)["status"], "killed");
    assert!(
        read_pids().lines().all(|pid| !is_alive(pid)),
        "{}",
        read_pids()
    );
    assert_eq!(act(&fixture, "poll", &id)["status"], "killed");
}

#[test]
fn a_wait_ends_with_its_time() {
    let fixture = Fixture::new();
    let id = fixture.start("sleep 300");
    let waited = fixture.call(
        "process",
        json!({"action": "wait", "session_id": id, "timeout": 1}),
    );
    assert_eq!(
        (&waited["status"], &waited["note"]),
        (&json!("timeout"), &json!("it still runs after 1 second"))
    );
}

#[test]
fn the_end_and_watched_lines_are_told_once() {
    let heard = std::sync::Arc::new(std::sync::Mutex::new(Vec::<Notice>::new()));
    let listener = std::sync::Arc::clone(&heard);
    let options = TerminalOptions::new().on_notice(move |notice| {
        listener.lock().unwrap().push(notice.clone());
    });
    let fixture = Fixture::with(options, &[]);
    let started = fixture.call(
        "terminal",
        json!({
            "command": "echo starting; echo server ready; exit 4", "background": true,
            "notify_on_complete": true, "watch_patterns": ["ready"],
        }),
    );
    let id = text(&started["session_id"]);
    assert_eq!(started.get("hint"), None);
    until("two notices", || heard.lock().unwrap().len() == 2);
    let told = fixture.run("true");
    let expected = json!([
        {"event": "matched", "session_id": id, "pattern": "ready", "line": "server ready"},
        {"event": "completed", "session_id": id, "exit_code": 4, "output": "starting\nserver ready\n"},
    ]);
    assert_eq!(told["notices"], expected);
    assert_eq!(fixture.run("true").get("notices"), None);
}

#[test]
fn an_end_that_was_waited_for_is_not_told_again() {
    let fixture = Fixture::new();
    let started = fixture.call(
        "terminal",
        json!({"command": "true", "background": true, "notify_on_complete": true}),
    );
    act(&fixture, "wait", &text(&started["session_id"]));
    assert_eq!(fixture.run("true").get("notices"), None);
}

#[test]
fn a_session_has_a_bound_on_processes() {
    let fixture = Fixture::with(TerminalOptions::new().processes(2), &[]);
    let first = fixture.start("sleep 300");
    fixture.start("sleep 300");
    fixture.refused(
        "terminal",
        json!({"command": "sleep 300", "background": true}),
        "rate_limited",
        "the session has 2 processes in the background, which is all it may have; end one with `process` \
         and the action `kill`, or wait for one",
    );
    act(&fixture, "kill", &first);
    fixture.start("sleep 300");
}

#[test]
fn a_process_belongs_to_the_session_that_started_it() {
    let fixture = Fixture::new();
    let id = fixture.start("echo $$ > pid; exec sleep 300");
    let pid = fixture.place("ws/pid");
    let known = || std::fs::read_to_string(&pid).unwrap_or_default();
    until("the process", || known().ends_with('\n'));
    let other = fixture.second_session();
    let call = |action: &str| {
        let arguments = json!({"action": action, "session_id": id}).to_string();
        read(other.call_blocking_with(hermes_tools::ToolCall::new("process", arguments)))
    };
    for action in ["poll", "log", "kill"] {
        let error = call(action).unwrap_err();
        assert_eq!(
            (error.code(), &*error.to_string()),
            (
                "not_found",
                &*format!(
                    "no process has the id `{id}`; no process was started in the background; start one with \
                     `terminal`"
                )
            )
        );
    }
    drop(other);
    assert!(is_alive(&known()));
}

#[test]
fn of_a_long_log_the_newest_is_kept() {
    let fixture = Fixture::new();
    let id = fixture.start("seq 1 60000");
    act(&fixture, "wait", &id);
    let log = act(&fixture, "log", &id);
    assert_eq!(
        (&log["total_lines"], &log["lines"][199]),
        (&json!(60_000), &json!("60000"))
    );
    let first = fixture.call(
        "process",
        json!({"action": "log", "session_id": id, "offset": 0, "limit": 1}),
    );
    // 200,000 bytes are kept, of six for each line: 33,333 lines, and a part that is not shown.
    assert_eq!(first["lines"], json!(["26668"]), "{first}");
}

#[test]
fn a_terminal_takes_keys() {
    let fixture = Fixture::new();
    let start = |command: &str| {
        let started = fixture.call(
            "terminal",
            json!({"command": command, "background": true, "pty": true}),
        );
        text(&started["session_id"])
    };
    let write = |id: &str, data: &str| {
        fixture.call(
            "process",
            json!({"action": "write", "session_id": id, "data": data}),
        );
    };
    let first = start("test -t 0 && echo terminal; cat");
    fixture.prints(&first, "terminal");
    write(&first, "hello\n");
    fixture.prints(&first, "hello");
    write(&first, "\u{4}");
    let ended = act(&fixture, "wait", &first);
    assert_eq!(
        (&ended["status"], &ended["exit_code"]),
        (&json!("exited"), &json!(0))
    );
    // What comes back a second time comes from the program, which has its signals by then: a shell that has
    // only just made a process for it would lose the key.
    let second = start("cat; echo never");
    write(&second, "hello\n");
    until("the program", || {
        let log = act(&fixture, "log", &second)["lines"].to_string();
        log.matches("hello").count() == 2
    });
    write(&second, "\u{3}");
    assert_eq!(act(&fixture, "wait", &second)["exit_code"], 130);
}

#[test]
fn what_needs_an_argument_says_so() {
    let fixture = Fixture::new();
    fixture.refused(
        "process",
        json!({"action": "poll"}),
        "invalid_arguments",
        "the action `poll` needs `session_id`; send the call again with `session_id`",
    );
    assert_eq!(
        fixture.call("process", json!({"action": "list"})),
        json!({"processes": []})
    );
}

#[test]
fn what_is_written_to_a_shell_passes_the_guard() {
    let fixture = Fixture::new();
    let id = fixture.start("bash");
    let arguments = json!({"action": "write", "session_id": id, "data": "rm -rf /\n"});
    let error = read(fixture.try_call("process", &arguments)).unwrap_err();
    assert_eq!(error.code(), "command_blocked");
}

#[test]
fn what_a_shell_put_aside_goes_on_behind_its_answer_and_ends_with_the_session() {
    let fixture = Fixture::new();
    for command in [
        "setsid sleep 300 >/dev/null 2>&1 < /dev/null & disown; echo $! >> pids; echo ok",
        "nohup sleep 300 >/dev/null 2>&1 & echo $! >> pids; echo ok",
        "(sleep 300 & echo $! >> pids); echo ok",
        "exec 1>&- 2>&-; sleep 300 & echo $! >> pids",
    ] {
        assert_eq!(fixture.run(command)["exit_code"], 0, "{command}");
    }
    let pids = fixture.output("cat pids");
    assert_eq!(pids.lines().filter(|pid| is_alive(pid)).count(), 4);
    let base = fixture.end();
    assert!(pids.lines().all(|pid| !is_alive(pid)), "{pids}");
    drop(base);
}

/// The wrapper ends, and with it the work that it had begun.
#[test]
fn a_kill_ends_what_the_wrapper_had_begun() {
    let fixture = Fixture::with(
        TerminalOptions::new().grace(Duration::from_millis(100)),
        &[],
    );
    let wrapped = fixture.start(
        "bash -c 'sleep 300 & echo $! >> pids; sleep 300 & echo $! >> pids; wait; sleep 300'",
    );
    let orphaned = fixture.start("(sleep 300 & echo $! >> pids) ; exit 0");
    let pids = fixture.place("ws/pids");
    let read_pids = || std::fs::read_to_string(&pids).unwrap_or_default();
    until("three children", || read_pids().lines().count() == 3);
    assert_eq!(act(&fixture, "kill", &wrapped)["status"], "killed");
    assert_eq!(read_pids().lines().filter(|pid| is_alive(pid)).count(), 1);
    act(&fixture, "wait", &orphaned);
    let killed = act(&fixture, "kill", &orphaned);
    assert_eq!(
        (&killed["status"], &killed["note"]),
        (
            &json!("already_exited"),
            &json!("what it had left running was ended")
        )
    );
    assert!(!read_pids().lines().any(is_alive));
    assert_eq!(act(&fixture, "kill", &orphaned).get("note"), None);
}
