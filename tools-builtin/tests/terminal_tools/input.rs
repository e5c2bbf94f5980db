//! What commands read.

use serde_json::{Value, json};

use crate::fixture::{Fixture, read, text};

fn with_input(fixture: &Fixture, command: &str, input: &str) -> Value {
    fixture.call(
        "terminal",
        json!({"command": command, "input": input, "timeout": 60}),
    )
}

#[test]
fn a_command_reads_what_it_is_given_and_then_the_end() {
    let fixture = Fixture::new();
    for (command, input, output) in [
        ("cat", "one\ntwo", "one\ntwo"),
        (
            "read -r a; read -r b; echo \"$b $a\"; read -r c; echo \"$?\"",
            "x\ny\n",
            "y x\n1\n",
        ),
        ("cat; cat", "", ""),
        ("sh", "echo from the input", "from the input\n"),
    ] {
        let ran = with_input(&fixture, command, input);
        assert_eq!(
            (&ran["output"], &ran["exit_code"]),
            (&json!(output), &json!(0)),
            "{command}"
        );
    }
}

#[test]
fn input_that_is_longer_than_a_pipe_arrives_and_need_not_be_read() {
    let fixture = Fixture::new();
    let long = "echo line\n".repeat(10_000);
    assert_eq!(
        text(&with_input(&fixture, "wc -c", &long)["output"]).trim(),
        "100000"
    );
    assert_eq!(with_input(&fixture, "head -c 4", &long)["output"], "echo");
    assert_eq!(
        with_input(&fixture, "echo unread", &long)["output"],
        "unread\n"
    );
}

#[test]
fn a_terminal_in_the_foreground_takes_input_and_never_waits_for_more() {
    let fixture = Fixture::new();
    let run = |command: &str, input: Value| {
        let arguments = json!({"command": command, "pty": true, "timeout": 60, "input": input});
        let ran = fixture.call("terminal", arguments);
        assert_ne!(ran["exit_code"], 124, "{ran}");
        text(&ran["output"])
    };
    assert_eq!(
        run("test -t 0 && test -t 1 && echo both", Value::Null),
        "both\n"
    );
    assert!(run("read -r x; echo \"got:$x\"", json!("hello\n")).ends_with("got:hello\n"));
    assert!(run("read -r x; echo \"got:$x\"", json!("no end")).ends_with("got:no end\n"));
    assert_eq!(run("read -r x; echo \"got:$x\"", Value::Null), "got:\n");
    assert_eq!(run("cat; cat; echo over", Value::Null), "over\n");
    // What was typed before is thrown away, as programs do that ask for a password.
    assert_eq!(
        run(
            "stty -echo; read -r -t 0.2 x; read -r y; echo \"got:$y\"",
            Value::Null
        ),
        "got:\n"
    );
    if std::process::Command::new("python3")
        .arg("-V")
        .output()
        .is_ok()
    {
        let asked = run(
            "python3 -c 'import getpass; getpass.getpass()' 2>&1 | tail -n 1",
            Value::Null,
        );
        assert!(asked.contains("EOFError"), "{asked}");
    } else {
        println!("left out, since there is no python3: a question for a password");
    }
}

#[test]
fn what_is_given_to_a_shell_passes_the_guard() {
    let fixture = Fixture::new();
    let arguments = json!({"command": "bash", "input": "rm -rf /\n"});
    let error = read(fixture.try_call("terminal", &arguments)).unwrap_err();
    assert_eq!(error.code(), "command_blocked");
}

#[test]
fn input_in_the_background_goes_before_what_is_written() {
    let fixture = Fixture::new();
    let started = fixture.call(
        "terminal",
        json!({"command": "cat", "background": true, "input": "first\n"}),
    );
    let id = text(&started["session_id"]);
    let act = |action: &str, data: Option<&str>| {
        fixture.call(
            "process",
            json!({"action": action, "session_id": id, "data": data}),
        )
    };
    act("submit", Some("second"));
    act("close", None);
    assert_eq!(act("wait", None)["output_preview"], "first\nsecond\n");
}

#[test]
fn more_than_a_pipe_holds_can_be_written_at_once() {
    let fixture = Fixture::new();
    let id = fixture.start("sleep 0.2; wc -c");
    let long = "echo line\n".repeat(10_000);
    fixture.call(
        "process",
        json!({"action": "write", "session_id": id, "data": long}),
    );
    fixture.call("process", json!({"action": "close", "session_id": id}));
    let ended = fixture.call("process", json!({"action": "wait", "session_id": id}));
    assert_eq!(text(&ended["output_preview"]).trim(), "100000");
    let closed = read(fixture.try_call(
        "process",
        &json!({"action": "write", "session_id": fixture.start("exec 0<&-; sleep 300"), "data": long}),
    ));
    assert!(closed.is_ok());
}
