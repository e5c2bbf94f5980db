//! Much output and many processes: small here, in full where `HERMES_SLOW_TESTS` is set.

use serde_json::json;

use crate::fixture::{Fixture, alone};

fn is_slow() -> bool {
    std::env::var_os("HERMES_SLOW_TESTS").is_some_and(|value| value == "1")
}

/// Other tests need memory meanwhile; so this one runs in a process of its own.
#[test]
fn output_of_any_length_is_bounded() {
    if alone("load::output_of_any_length_is_bounded", "exec \"$@\"") {
        return;
    }
    let bytes: u64 = if is_slow() { 1 << 30 } else { 8 << 20 };
    let fixture = Fixture::new();
    let before = peak_memory();
    let ran = fixture.run(&format!(
        "yes abcdefgh | head -c {bytes}; echo; echo END_MARK; exit 7"
    ));
    let output = ran["output"].as_str().unwrap();
    assert_eq!(ran["exit_code"], 7);
    assert!(output.starts_with("abcdefgh\n") && output.ends_with("END_MARK\n"));
    assert!(output.chars().count() <= 50_000);
    // One line break and the mark behind what was asked for.
    let total = bytes + 1 + 9;
    assert!(
        output.contains(&format!(" of {total} characters left out")),
        "{total}"
    );
    assert!(peak_memory() - before < 64 << 20);
}

#[test]
fn many_processes_run_at_once() {
    let count = if is_slow() { 200 } else { 20 };
    let options = tools_builtin::TerminalOptions::new().processes(count);
    let fixture = Fixture::with(options, &[]);
    let ids: Vec<String> = (0..count)
        .map(|number| fixture.start(&format!("echo number {number}; cat")))
        .collect();
    for (number, id) in ids.iter().enumerate() {
        fixture.prints(id, &format!("number {number}"));
    }
    let listed = fixture.call("process", json!({"action": "list"}));
    assert_eq!(listed["processes"].as_array().unwrap().len(), count);
    fixture.end();
}

#[test]
fn a_storm_of_forks_ends_with_its_command() {
    let count = if is_slow() { 400 } else { 40 };
    let fixture = Fixture::timed(tools_builtin::TerminalOptions::new());
    let all = fixture.place("ws/all");
    let ran = fixture.run_until(
        &format!("for i in $(seq {count}); do (trap '' TERM; exec sleep 300) & done; > all; wait"),
        || all.exists(),
    );
    assert_eq!(ran["exit_code"], 124);
    // Other tests have commands of their own meanwhile.
    let left = fixture.output(
        "grep -l HERMES_TERMINAL=${HERMES_TERMINAL%.*}. /proc/[0-9]*/environ 2>/dev/null | wc -l",
    );
    // The shell itself, and what it runs to count.
    assert!(left.trim().parse::<usize>().unwrap() <= 5, "{left}");
}

/// The most memory that this process has had, in bytes.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or_default() * 1024
}

/// Calls of one session wait for nothing but the thread that starts them, and answer each for itself.
#[test]
fn many_calls_of_a_session_at_once_are_all_answered() {
    let fixture = Fixture::new();
    std::thread::scope(|scope| {
        let calls: Vec<_> = (0..100)
            .map(|number| {
                let fixture = &fixture;
                scope.spawn(move || {
                    fixture.run(&format!("echo number {number}; exit {}", number % 50))
                })
            })
            .collect();
        for (number, call) in calls.into_iter().enumerate() {
            let ran = call.join().unwrap();
            assert_eq!(
                (&ran["output"], &ran["exit_code"]),
                (&json!(format!("number {number}\n")), &json!(number % 50))
            );
        }
    });
    assert_eq!(fixture.output("echo on"), "on\n");
}

#[test]
fn a_time_outside_its_bounds_is_refused_before_anything_runs() {
    let fixture = Fixture::new();
    for timeout in [json!(0), json!(-1), json!(601), json!(1e30), json!("soon")] {
        let arguments = json!({"command": "touch ran", "timeout": timeout});
        let error = crate::fixture::read(fixture.try_call("terminal", &arguments)).unwrap_err();
        assert_eq!(error.code(), "invalid_arguments", "{arguments}");
    }
    assert!(!fixture.place("ws/ran").exists());
}
