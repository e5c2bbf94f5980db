use std::fs;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use hermes_tools::ToolCall;

use crate::fixture::{Fixture, is_alive, until};

#[test]
fn nothing_outlives_a_session() {
    let fixture = Fixture::new();
    fixture.start("trap '' TERM; echo $$ >> pids; sleep 300; sleep 300");
    fixture.start("setsid bash -c 'echo $$ >> pids; sleep 300' & disown; sleep 300");
    let pids = fixture.place("ws/pids");
    let read = || fs::read_to_string(&pids).unwrap_or_default();
    until("two processes", || read().lines().count() == 2);
    let known = read();
    let base = fixture.end();
    assert!(known.lines().all(|pid| !is_alive(pid)), "{known}");
    drop(base);
}

/// What a session leaves behind that is killed is known by the mark in its environment, and by the
/// name of its folder, whose process is gone.
#[test]
fn what_a_killed_session_left_behind_is_ended_by_the_next() {
    let fixture = Fixture::new();
    let user = rustix::process::geteuid().as_raw();
    let all = fixture.place(&format!("tmp/hermes-terminal-{user}"));
    // The first command makes the folder as it is to be.
    fixture.run("true");
    let name = "4194303-1-0123456789abcdef";
    fs::create_dir(all.join(name)).unwrap();
    let mut command = Command::new("sleep");
    command.arg("300").process_group(0).stdin(Stdio::null());
    let mut marked = command
        .env("HERMES_TERMINAL", format!("{name}.7"))
        .spawn()
        .unwrap();
    let mut other = command
        .env("HERMES_TERMINAL", format!("{name}0.7"))
        .spawn()
        .unwrap();
    let second = fixture.second_session();
    let ran = second.call_blocking_with(ToolCall::new("terminal", r#"{"command": "true"}"#));
    ran.outcome.unwrap();
    assert_eq!(marked.wait().unwrap().code(), None);
    assert!(!all.join(name).exists());
    // Another one's mark is left alone.
    assert!(is_alive(&other.id().to_string()));
    other.kill().unwrap();
    other.wait().unwrap();
}
