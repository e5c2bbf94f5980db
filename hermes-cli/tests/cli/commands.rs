//! Commands that tools run: how they are confined, and that none of them outlives the program.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::folder::{Folder, Ran};

/// Waits until something holds.
#[track_caller]
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_mins(5);
    while !holds() {
        assert!(Instant::now() < end, "never came: {what}");
        std::thread::yield_now();
    }
}

/// Whether a process runs, by its number in a file of the workspace.
#[cfg(target_os = "linux")]
fn is_alive(folder: &Folder, file: &str) -> bool {
    let number = fs::read_to_string(folder.workspace().join(file)).unwrap();
    let stat = fs::read_to_string(format!("/proc/{}/stat", number.trim())).unwrap_or_default();
    let state = stat.rsplit(") ").next().unwrap_or_default();
    !state.is_empty() && !state.starts_with(['Z', 'X'])
}

/// A program with a command that tells its number, and does not want to end, in the file `pid`.
#[cfg(target_os = "linux")]
fn started(folder: &Folder, words: &[&str], call: &str) -> Child {
    let mut child = folder
        .command(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    if !call.is_empty() {
        writeln!(child.stdin.as_mut().unwrap(), "{call}").unwrap();
    }
    let pid = folder.workspace().join("pid");
    until("the command", || {
        fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n'))
    });
    child
}

fn signal(child: &Child, signal: &str) {
    let number = child.id().to_string();
    let sent = Command::new("kill").args([signal, &number]).status();
    assert!(sent.unwrap().success());
}

const STUBBORN: &str = "trap '' TERM HUP INT; echo $$ > pid; sleep 300; sleep 300";

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_is_told_to_end_ends_its_command_first() {
    for how in ["-TERM", "-HUP", "-INT"] {
        let folder = Folder::new();
        let child = started(&folder, &["run", STUBBORN], "");
        signal(&child, how);
        let ran: Ran = child.wait_with_output().unwrap().into();
        assert_eq!(ran.code, 130, "{how}: {}", ran.stderr);
        assert!(!is_alive(&folder, "pid"), "{how}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_is_told_to_end_between_calls_ends_its_commands_first() {
    let folder = Folder::new();
    let arguments = json!({"command": STUBBORN, "background": true});
    let call = json!({"name": "terminal", "arguments": arguments}).to_string();
    let mut child = started(&folder, &["batch", "-"], &call);
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(answers.next().unwrap().unwrap().contains("session_id"));
    signal(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!is_alive(&folder, "pid"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_that_is_told_to_end_or_loses_its_client_ends_its_commands_first() {
    for how in ["-TERM", "-HUP", "close"] {
        let folder = Folder::new();
        let arguments = json!({"command": STUBBORN, "background": true});
        let messages = [
            json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": "terminal", "arguments": arguments}}),
        ];
        let lines: Vec<String> = messages.iter().map(Value::to_string).collect();
        let mut child = started(
            &folder,
            &["mcp", "--toolset", "terminal"],
            &lines.join("\n"),
        );
        let input = child.stdin.take();
        if how == "close" {
            drop(input);
        } else {
            signal(&child, how);
        }
        child.wait().unwrap();
        assert!(!is_alive(&folder, "pid"), "{how}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_killed_program_left_is_ended_at_the_next_start() {
    let folder = Folder::new();
    let command = "setsid sleep 300 & echo $! > pid; disown; sleep 300";
    let arguments = json!({"command": command, "background": true});
    let call = json!({"name": "terminal", "arguments": arguments}).to_string();
    let mut child = started(&folder, &["batch", "-"], &call);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_alive(&folder, "pid"));
    assert_eq!(folder.run(&["run", "echo on"]), Ran::wrote("on\n"));
    assert!(!is_alive(&folder, "pid"));
}

#[test]
fn isolation_is_switched_off_by_the_option_and_with_a_warning() {
    let folder = Folder::new();
    // No temporary folder, where commands may always write.
    let outside = tempfile::tempdir_in("/var/tmp").unwrap();
    let file = outside.path().join("file");
    let command = format!("echo x > '{}'", file.display());
    let ran = folder.run(&["run", "--isolation", "off", &command]);
    let warning = "warning: isolation is off: commands may write wherever you may, and read every secret of yours\n";
    assert_eq!((ran.code, &*ran.stderr), (0, warning));
    assert!(file.exists());
    let arguments = format!("command={command}");
    let ran = folder.run(&["call", "--isolation", "off", "terminal", &arguments]);
    assert_eq!((ran.code, &*ran.stderr), (0, warning));
    let ran = folder.run(&["run", "--isolation", "none", "true"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr
            .contains("[possible values: auto, landlock, bubblewrap, off]"),
        "{}",
        ran.stderr
    );
}

#[test]
fn the_configuration_says_how_commands_run() {
    let folder = Folder::new();
    let outside = tempfile::tempdir_in("/var/tmp").unwrap();
    let path = outside.path().display();
    let write = |text: &str| fs::write(folder.workspace().join("hermes.toml"), text).unwrap();
    let run = |command: &str| {
        let mut run = folder.command(&["run", "--config", "hermes.toml", command]);
        let ran: Ran = run
            .env("MY_FLAG", "1")
            .env("OTHER", "2")
            .output()
            .unwrap()
            .into();
        ran
    };
    write(&format!(
        "[terminal]\nenv_passthrough = [\"MY_FLAG\"]\nwritable = [\"{path}\"]\n"
    ));
    assert_eq!(run("echo \"$MY_FLAG $OTHER\""), Ran::wrote("1 \n"));
    assert_eq!(run(&format!("echo x > {path}/a")), Ran::wrote(""));
    write("[terminal]\nisolation = \"off\"\n");
    let ran = run(&format!("echo x > {path}/b"));
    assert_eq!(
        (
            ran.code,
            ran.stderr.starts_with("warning: isolation is off: ")
        ),
        (0, true)
    );
    // The option goes before it.
    let ran = folder.run(&[
        "run",
        "--config",
        "hermes.toml",
        "--isolation",
        "auto",
        "true",
    ]);
    assert_eq!(ran, Ran::wrote(""));
    write("[terminal]\nisolation = \"of\"\n");
    let ran = run("true");
    assert_eq!(
        (ran.code, &*ran.stderr),
        (
            2,
            "error: hermes.toml:2:13: expected `auto`, `landlock`, `bubblewrap` or `off`, found `of`\n"
        )
    );
    write("[terminal]\ndetach = false\n");
    let ran = folder.run(&[
        "call",
        "--config",
        "hermes.toml",
        "terminal",
        "command=true",
        "detach:=true",
    ]);
    assert_eq!(
        (
            ran.code,
            ran.stderr
                .starts_with("error: commands may not be detached here")
        ),
        (1, true)
    );
}

#[test]
fn the_doctor_tells_what_confines_commands_and_what_was_asked_for() {
    let folder = Folder::new();
    let told = |words: &[&str]| {
        let words = [
            &["doctor", "--json", "--selected", "--toolset", "terminal"],
            words,
        ]
        .concat();
        folder.run(&words).json()
    };
    let found = told(&[]);
    assert_eq!(
        (&found["isolation_asked"], &found["isolation_works"]),
        (&json!("auto"), &json!(true))
    );
    assert_eq!(told(&["--isolation", "off"])["isolation_asked"], "off");
    let boxed = told(&["--isolation", "bubblewrap"]);
    assert_eq!(boxed["isolation_works"], boxed["bubblewrap"]["available"]);
    assert_eq!(boxed["ok"], boxed["bubblewrap"]["available"]);
    assert_eq!(found["finds_every_process"], found["isolation"] == "full");
    assert_eq!(told(&["--isolation", "off"])["finds_every_process"], false);
    let text = folder.run(&["doctor", "--isolation", "off"]).stdout;
    assert!(
        text.contains(
            "\nisolation of commands: off, as asked for: commands may write wherever you may (`off`)\n\
             processes: one that hides where it comes from may outlive its session\n"
        ),
        "{text}"
    );
}

#[test]
fn a_long_output_is_printed_whole_and_kept_for_programs() {
    let folder = Folder::new();
    let ran = folder.run(&["run", "seq 1 30000"]);
    let whole: String = (1..=30_000).map(|row| format!("{row}\n")).collect();
    assert!(ran == Ran::wrote(&whole));
    let told = folder.run(&["run", "--json", "seq 1 30000"]).json();
    let file = told["result"]["full_output"].as_str().unwrap();
    assert!(fs::read_to_string(file).unwrap() == whole);
}

/// What a person sees at a terminal: output while it comes, and how long it takes meanwhile.
#[cfg(target_os = "linux")]
#[test]
fn a_person_at_a_terminal_sees_output_while_it_comes_and_that_time_passes() {
    use std::io::Read as _;
    let folder = Folder::new();
    let (mut pty, pts) = pty_process::blocking::open().unwrap();
    pty.resize(pty_process::Size::new(24, 80)).unwrap();
    let command = "echo first; until [ -e go ]; do sleep 0.01; done; printf last; exit 7";
    let program = folder.command(&["run", command]);
    let mut child = pty_process::blocking::Command::new(program.get_program())
        .args(program.get_args())
        .current_dir(folder.workspace())
        .env("XDG_STATE_HOME", folder.workspace().join("state"))
        .env("TERM", "xterm")
        .spawn(pts)
        .unwrap();
    let mut seen = String::new();
    let mut buffer = [0; 4096];
    // The end of a terminal is an error.
    while let Ok(length @ 1..) = pty.read(&mut buffer) {
        seen.push_str(&String::from_utf8_lossy(&buffer[..length]));
        // It waits for this: what it printed, and the clock behind it, were seen while it ran.
        let clock = seen
            .split_once("first\r\n")
            .is_some_and(|(_, rest)| rest.contains("0s"));
        if clock {
            fs::write(folder.workspace().join("go"), "").unwrap();
        }
    }
    assert_eq!(child.wait().unwrap().code(), Some(7));
    let (_, end) = seen.split_once("first\r\n").unwrap();
    assert!(end.ends_with("last"), "{seen:?}");
}
