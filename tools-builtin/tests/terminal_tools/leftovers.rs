use std::fs;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use hermes_tools::ToolCall;

use serde_json::json;

use crate::fixture::{Fixture, is_alive, text, until};

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

/// A process without the mark, the group and the parents of its command still prints where that did.
#[test]
fn what_wiped_its_environment_does_not_outlive_its_time_or_its_session() {
    let options = tools_builtin::TerminalOptions::new();
    let fixture = Fixture::timed(options.grace(std::time::Duration::from_millis(100)));
    fixture.run("unset HERMES_TERMINAL; sleep 300 & echo $! >> pids; (setsid env -i sleep 300 & echo $! >> pids)");
    let timed = fixture.place("ws/timed");
    let timed = || fs::read_to_string(&timed).unwrap_or_default();
    let command = "(setsid env -i sleep 300 & echo $! >> timed); sleep 300";
    let ran = fixture.run_until(command, || timed().ends_with('\n'));
    assert_eq!(ran["exit_code"], 124);
    let timed = timed();
    assert!(!is_alive(&timed));
    let pids = fs::read_to_string(fixture.place("ws/pids")).unwrap();
    assert_eq!(pids.lines().filter(|pid| is_alive(pid)).count(), 2);
    let base = fixture.end();
    assert!(pids.lines().all(|pid| !is_alive(pid)), "{pids}");
    drop(base);
}

/// Nothing of a process tells of its command any more: group, parents, environment and output are others.
/// The domain that the kernel put it in is the same.
#[test]
fn what_cut_every_tie_does_not_outlive_its_session() {
    if tools_builtin::confinement() == tools_builtin::Confinement::None {
        println!("left out, since this kernel does not confine: ties that are cut");
        return;
    }
    let fixture = Fixture::new();
    let daemon =
        "(setsid env -i sh -c 'echo $$ >> PIDS; exec sleep 300' < /dev/null > /dev/null 2>&1 &)";
    let pids = fixture.place("ws/pids");
    let cut = daemon.replace("PIDS", &pids.display().to_string());
    fixture.run(&cut);
    fixture.start(&format!("{cut}; exec sleep 300"));
    let read = || fs::read_to_string(&pids).unwrap_or_default();
    until("two daemons", || read().lines().count() == 2);
    // A command that is to go on goes on, also one that cut its ties itself.
    let kept = fixture.place("ws/kept");
    let detached = daemon.replace("PIDS", &kept.display().to_string());
    fixture.call("terminal", json!({"command": detached, "detach": true}));
    let detached = || fs::read_to_string(&kept).unwrap_or_default();
    until("the detached one", || detached().ends_with('\n'));
    // So does another session's.
    let other = fixture.second_session();
    let theirs = fixture.place("ws/theirs");
    let command = daemon.replace("PIDS", &theirs.display().to_string());
    let arguments = json!({"command": command}).to_string();
    let ran = other.call_blocking_with(ToolCall::new("terminal", arguments));
    ran.outcome.unwrap();
    let of_other = || fs::read_to_string(&theirs).unwrap_or_default();
    until("the other's", || of_other().ends_with('\n'));
    let base = fixture.end();
    assert!(read().lines().all(|pid| !is_alive(pid)), "{}", read());
    assert!(is_alive(&detached()) && is_alive(&of_other()));
    drop(other);
    assert!(is_alive(&detached()) && !is_alive(&of_other()));
    let kill = ["-9", &*detached()].map(|it| it.trim().to_owned());
    Command::new("kill").args(kill).status().unwrap();
    until("its end", || !is_alive(&detached()));
    drop(base);
}

#[test]
fn a_host_that_panics_leaves_nothing() {
    let fixture = Fixture::new();
    fixture.start("trap '' TERM; echo $$ > pid; sleep 300; sleep 300");
    let pid = fixture.place("ws/pid");
    until("the command", || {
        fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n'))
    });
    let known = fs::read_to_string(&pid).unwrap();
    let host = std::thread::spawn(move || {
        let _session = fixture;
        panic!("a fault of the host");
    });
    assert!(host.join().is_err());
    assert!(!is_alive(&known));
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

#[test]
fn a_detached_command_goes_on_when_its_session_and_the_next_have_ended() {
    let fixture = Fixture::new();
    let arguments =
        json!({"command": "echo started; echo $$ > pid; exec sleep 300", "detach": true});
    let started = fixture.call("terminal", arguments);
    let log = text(&started["output_file"]);
    let pid = fixture.place("ws/pid");
    let read = || fs::read_to_string(&pid).unwrap_or_default();
    until("the command", || read().ends_with('\n'));
    let id = text(&started["session_id"]);
    let polled = fixture.call("process", json!({"action": "poll", "session_id": id}));
    assert_eq!(
        (&polled["status"], text(&polled["output_file"])),
        (&json!("running"), log.clone())
    );
    let bound = fixture.start("echo $$ > bound; exec sleep 300");
    let other = || fs::read_to_string(fixture.place("ws/bound")).unwrap_or_default();
    until("the other", || other().ends_with('\n'));
    assert_ne!(bound, id);
    let other = other();
    let second = fixture.second_session();
    let base = fixture.end();
    assert!(is_alive(&read()) && !is_alive(&other));
    let ran = second.call_blocking_with(ToolCall::new("terminal", r#"{"command": "true"}"#));
    ran.outcome.unwrap();
    drop(second);
    assert!(is_alive(&read()));
    assert_eq!(fs::read_to_string(log).unwrap(), "started\n");
    Command::new("kill")
        .args(["-9", read().trim()])
        .status()
        .unwrap();
    until("its end", || !is_alive(&read()));
    drop(base);
}

#[test]
fn a_detached_command_can_be_killed_and_may_be_forbidden() {
    let fixture = Fixture::new();
    let arguments =
        json!({"command": "echo $$ > pid; setsid sleep 300; sleep 300", "detach": true});
    let started = fixture.call("terminal", arguments);
    let pid = fixture.place("ws/pid");
    until("the command", || pid.exists());
    let kill = json!({"action": "kill", "session_id": started["session_id"]});
    assert_eq!(fixture.call("process", kill)["status"], "killed");
    assert!(!is_alive(&fs::read_to_string(&pid).unwrap()));
    fixture.refused(
        "terminal",
        json!({"command": "sleep 300", "detach": true, "pty": true}),
        "invalid_arguments",
        "a detached command has neither a terminal nor an input; leave out `pty` and `input`, or use \
         `background` without `detach`",
    );
    let fixture = Fixture::with(tools_builtin::TerminalOptions::new().detach(false), &[]);
    fixture.refused(
        "terminal",
        json!({"command": "sleep 300", "detach": true}),
        "effect_not_allowed",
        "commands may not be detached here; use `background`; it ends with the session",
    );
}

/// The number of a process that is gone may belong to another one by now.
#[test]
fn a_number_that_was_used_again_is_nobody_of_ours() {
    let fixture = Fixture::new();
    fixture.run("true");
    let user = rustix::process::geteuid().as_raw();
    let all = fixture.place(&format!("tmp/hermes-terminal-{user}"));
    let mut unrelated = Command::new("sleep").arg("300").spawn().unwrap();
    // A session of that number began with the system.
    let left = all.join(format!("{}-1-0123456789abcdef", unrelated.id()));
    fs::create_dir(&left).unwrap();
    let second = fixture.second_session();
    let ran = second.call_blocking_with(ToolCall::new("terminal", r#"{"command": "true"}"#));
    ran.outcome.unwrap();
    assert!(!left.exists() && is_alive(&unrelated.id().to_string()));
    unrelated.kill().unwrap();
    unrelated.wait().unwrap();
}

#[test]
fn a_host_can_end_all_commands_and_go_on() {
    let fixture = Fixture::new();
    fixture.start("echo $$ >> pids; sleep 300");
    fixture.run("sleep 300 & echo $! >> pids");
    let pids = fixture.place("ws/pids");
    until("both", || {
        fs::read_to_string(&pids)
            .unwrap_or_default()
            .lines()
            .count()
            == 2
    });
    tools_builtin::end_commands(fixture.session().memory());
    let known = fs::read_to_string(&pids).unwrap();
    assert!(known.lines().all(|pid| !is_alive(pid)), "{known}");
    assert_eq!(fixture.output("echo on"), "on\n");
}
