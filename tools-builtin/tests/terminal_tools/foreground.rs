use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use hermes_tools::context::{Executor, JobFuture};
use hermes_tools::{Cancel, ToolCall};
use serde_json::json;
use tools_builtin::TerminalOptions;

use crate::fixture::{Fixture, is_alive, read, text, until};

#[test]
fn output_and_exit_code_come_back() {
    let fixture = Fixture::new();
    let cwd = fixture.place("ws").display().to_string();
    assert_eq!(
        fixture.run("echo out; echo err >&2; exit 3"),
        json!({"output": "out\nerr\n", "exit_code": 3, "cwd": cwd})
    );
    assert_eq!(
        fixture.run("grep nothing /dev/null"),
        json!({
            "output": "", "exit_code": 1, "cwd": cwd,
            "exit_code_meaning": "nothing matched; this is not an error",
        })
    );
    assert_eq!(
        fixture.run("kill -9 $$"),
        json!({"output": "", "exit_code": 137, "exit_code_meaning": "ended by SIGKILL", "cwd": cwd})
    );
}

#[test]
fn folder_and_exported_variables_stay() {
    let fixture = Fixture::new();
    fixture.run(
        "mkdir -p 'a b' && cd 'a b' && export GREETING='it'\"'\"'s\n\"$1\"' && hidden=1; exit 2",
    );
    let folder = fixture.place("ws/a b").display().to_string();
    assert_eq!(
        fixture.output("pwd; echo \"$GREETING|$hidden|$#\""),
        format!("{folder}\nit's\n\"$1\"||0\n")
    );
    fixture.run("unset GREETING; set -e; cd ..; false; echo never");
    assert_eq!(
        fixture.output("echo \"${GREETING-unset}\"; basename \"$PWD\""),
        "unset\nws\n"
    );
    assert_eq!(
        fixture.call(
            "terminal",
            json!({"command": "basename \"$PWD\"", "workdir": "a b"})
        )["output"],
        "a b\n"
    );
}

#[test]
fn a_variable_that_no_program_takes_is_left_out_and_told_of() {
    let fixture = Fixture::new();
    let ran = fixture.run("export BIG=$(head -c 3000000 /dev/zero | tr '\\0' x) SMALL=1");
    assert_eq!(
        ran["notes"],
        json!([
            "`BIG` is too long for a variable of the next command, and was not kept; use a file"
        ])
    );
    let after = fixture.run("echo \"${BIG-none} $SMALL\"; export PATH=/nonexistent");
    assert_eq!(
        (&after["output"], after.get("notes")),
        (&json!("none 1\n"), None)
    );
    assert_eq!(fixture.output("echo still; unset PATH"), "still\n");
    assert_eq!(fixture.output("echo on"), "on\n");
}

#[test]
fn a_folder_that_is_gone_is_told_of() {
    let fixture = Fixture::new();
    fixture.run("mkdir d && cd d && rm -rf ../d");
    let ws = fixture.place("ws").display().to_string();
    let after = fixture.run("echo still");
    assert_eq!(after["output"], "still\n");
    assert_eq!(
        after["notes"],
        json!([format!(
            "the working folder was gone; the command ran in `{ws}`"
        )])
    );
    assert_eq!(fixture.run("echo again").get("notes"), None);
}

#[test]
fn a_working_folder_outside_is_refused() {
    let fixture = Fixture::new();
    let outside = fixture.place("outside").display().to_string();
    let result = fixture.try_call(
        "terminal",
        &json!({"command": "touch x", "workdir": outside}),
    );
    assert_eq!(read(result).unwrap_err().code(), "outside_workspace");
    assert!(!fixture.place("outside/x").exists());
}

#[test]
fn what_stands_at_the_end_of_a_command_cannot_swallow_anything() {
    let fixture = Fixture::new();
    for (command, output, code) in [
        ("cat > f.txt <<'EOF'\nhello\nEOF", "", 0),
        ("cat f.txt", "hello\n", 0),
        ("echo hi # note", "hi\n", 0),
        ("true;", "", 0),
    ] {
        let ran = fixture.run(command);
        assert_eq!(
            (&ran["output"], &ran["exit_code"]),
            (&json!(output), &json!(code)),
            "{command}"
        );
    }
    assert!(fixture.output("cat <<EOF\nopen").contains("open"));
    assert!(["hi\n", "hi \\\n"].contains(&&*fixture.output("echo hi \\")));
    for command in ["echo 'open quote", "if true; then"] {
        assert_ne!(fixture.run(command)["exit_code"], 0, "{command}");
    }
    assert_eq!(fixture.output("ls"), "f.txt\n");
}

#[test]
fn a_child_that_holds_the_pipe_does_not_hold_the_answer() {
    let fixture = Fixture::new();
    let ran = fixture.run("sleep 300 & echo $! > first; echo started");
    assert_eq!(
        (&ran["output"], &ran["exit_code"]),
        (&json!("started\n"), &json!(0))
    );
    let ran = fixture.run("(sleep 300; echo late) & echo $! > second; echo now; exit 3");
    assert_eq!(
        (&ran["output"], &ran["exit_code"]),
        (&json!("now\n"), &json!(3))
    );
    // They sleep for five minutes, and end with the session.
    let children = [fixture.output("cat first"), fixture.output("cat second")];
    assert!(children.iter().all(|child| is_alive(child)));
    let folder = fixture.end();
    assert!(!children.iter().any(|child| is_alive(child)));
    drop(folder);
}

#[test]
fn what_a_process_substitution_prints_is_not_lost() {
    let fixture = Fixture::new();
    let ran = fixture.run("exec > >(tee out.log) 2>&1; echo hi; exit 5");
    assert_eq!(
        (&ran["output"], &ran["exit_code"]),
        (&json!("hi\n"), &json!(5))
    );
}

#[test]
fn a_command_ends_with_its_time_and_so_does_all_it_started() {
    let fixture = Fixture::timed(TerminalOptions::new().grace(Duration::from_millis(100)));
    let pids = fixture.place("ws/pids");
    let ran = fixture.run_until(
        "trap '' TERM; setsid bash -c \"trap '' TERM; sleep 300 & echo \\$! >> pids; wait\" & \
         echo waiting; sleep 300 & echo $! >> pids; wait; wait; sleep 300",
        || std::fs::read_to_string(&pids).is_ok_and(|pids| pids.lines().count() == 2),
    );
    assert_eq!(
        (&ran["output"], &ran["exit_code"]),
        (&json!("waiting\n"), &json!(124))
    );
    assert_eq!(
        ran["notes"],
        json!([
            "the command was ended after 17 seconds, with everything it had started; use a longer \
             `timeout`, or `background` for what goes on"
        ])
    );
    let pids = fixture.output("cat pids");
    assert_eq!(pids.lines().count(), 2);
    assert!(pids.lines().all(|pid| !is_alive(pid)), "{pids}");
}

/// Time that jumps over whatever is shorter than this, and stands still before what is not.
const CALL: Duration = Duration::from_secs(100);

struct Jumps(Instant);

impl Executor for Jumps {
    fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) -> JobFuture<'_> {
        job();
        Box::pin(std::future::ready(Ok(())))
    }

    fn now(&self) -> Instant {
        self.0
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        if time < CALL {
            return Box::pin(std::future::ready(()));
        }
        Box::pin(std::future::pending())
    }
}

#[test]
fn a_call_that_is_shorter_than_its_command_may_be_says_whose_time_was_up() {
    let fixture = Fixture::with_time(Jumps(Instant::now()));
    for (timeout, note) in [
        (
            600,
            "the command was ended since the time of its call was up, with everything it had started; do less at \
             once, or use `background` for what goes on",
        ),
        (
            2,
            "the command was ended after 2 seconds, with everything it had started; use a longer `timeout`, or \
             `background` for what goes on",
        ),
    ] {
        let arguments = json!({"command": "sleep 300", "timeout": timeout});
        let call = ToolCall::new("terminal", arguments.to_string()).timeout(CALL);
        let ran = read(fixture.session().call_blocking_with(call)).unwrap();
        assert_eq!(
            (&ran["exit_code"], &ran["notes"]),
            (&json!(124), &json!([note]))
        );
    }
}

#[test]
fn a_cancelled_call_ends_its_command() {
    let fixture = Fixture::new();
    let cancel = Cancel::new();
    let arguments = json!({"command": "sleep 300 & echo $! > pid; mv pid ready; wait"});
    let call = ToolCall::new("terminal", arguments.to_string()).cancel(cancel.clone());
    let ready = fixture.place("ws/ready");
    let result = std::thread::scope(|scope| {
        let called = scope.spawn(|| fixture.session().call_blocking_with(call));
        until("the command", || ready.exists());
        cancel.cancel();
        called.join().unwrap()
    });
    match read(result) {
        Ok(answer) => assert_eq!(answer["exit_code"], 130),
        Err(error) => assert_eq!(error.code(), "cancelled"),
    }
    let child = std::fs::read_to_string(ready).unwrap();
    until("the end of the child", || !is_alive(&child));
    assert_eq!(fixture.output("echo on"), "on\n");
}

#[test]
fn output_is_shown_as_a_person_would_see_it() {
    let fixture = Fixture::new();
    for (command, output) in [
        ("printf 'abcdef\\rXY\\033[K\\n'", "XY\n"),
        ("printf '\\033]0;title\\007shown\\033[6n\\n'", "shown\n"),
        ("printf 'a\\bb\\a\\n'", "b\n"),
        (
            "for i in 1 2 3; do printf '\\033[2K\\033[1Gload %d%%' $i; done; echo done",
            "load 3%done\n",
        ),
        ("printf '\\377\\376a\\0b'", "\u{fffd}\u{fffd}ab"),
    ] {
        assert_eq!(fixture.output(command), output, "{command}");
    }
    let bar =
        fixture.output("for i in $(seq 1 20000); do printf '\\rstep %d of 20000' $i; done; echo");
    assert!(
        bar.contains("step 20000 of 20000") && bar.len() < 2_000,
        "{}",
        bar.len()
    );
}

#[test]
fn long_output_keeps_both_ends_and_one_mark() {
    let fixture = Fixture::with(TerminalOptions::new().output_limit(20_000), &[]);
    let output = fixture.output("for i in $(seq 1 60000); do echo \"row $i\"; done");
    assert!(output.starts_with("row 1\n") && output.ends_with("row 60000\n"));
    assert_eq!(output.matches("[... ").count(), 1);
    assert!(output.chars().count() <= 20_000);
    let total: usize = (1..=60_000).map(|row| format!("row {row}\n").len()).sum();
    assert!(output.contains(&format!(" of {total} characters left out")));
}

#[test]
fn secrets_in_output_are_masked_and_files_are_not_touched() {
    let fixture = Fixture::new();
    let key = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    fixture.run(&format!("printf '%s' '{key}' > key.txt"));
    assert!(!fixture.output("cat key.txt").contains(key));
    assert_eq!(
        std::fs::read_to_string(fixture.place("ws/key.txt")).unwrap(),
        key
    );
}

#[test]
fn a_command_with_nul_is_refused() {
    Fixture::new().refused(
        "terminal",
        json!({"command": "./a\0b.sh"}),
        "invalid_arguments",
        "`command` cannot hold a NUL character; send the command without it",
    );
}

#[test]
fn live_output_is_reported_line_by_line() {
    let fixture = Fixture::new();
    let heard = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let (listener, ready) = (std::sync::Arc::clone(&heard), fixture.place("ws/go"));
    let arguments =
        json!({"command": "echo first; until [ -e go ]; do sleep 0.01; done; echo last"});
    let call = ToolCall::new("terminal", arguments.to_string()).on_progress(
        move |event: hermes_tools::context::ProgressEvent<'_>| {
            listener.lock().unwrap().push_str(event.message);
            // The command waits for this: what it has printed was heard while it ran.
            std::fs::write(&ready, "").unwrap();
        },
    );
    let answer = read(fixture.session().call_blocking_with(call)).unwrap();
    assert_eq!(text(&answer["output"]), "first\nlast\n");
    assert_eq!(*heard.lock().unwrap(), "first\nlast\n");
}
