//! Commands in a sandbox of bubblewrap.

use std::fs;
use std::time::Duration;

use serde_json::json;
use tools_builtin::{Isolation, TerminalOptions, bubblewrap};

use crate::fixture::{Fixture, is_alive, text, until};

/// A session in sandboxes; without one where there can be none, which is said.
fn fixture(test: &str) -> Option<Fixture> {
    match bubblewrap() {
        Ok(_) => {
            let options = TerminalOptions::new().isolation(Isolation::Bubblewrap);
            Some(Fixture::timed(options.grace(Duration::from_millis(100))))
        }
        Err(why) => {
            println!("left out, since {why}: {test}");
            None
        }
    }
}

#[test]
fn a_sandbox_that_cannot_be_is_a_refusal() {
    for (program, why) in [
        (
            "/nonexistent",
            "`bwrap` is not installed; install the package `bubblewrap`",
        ),
        (
            "/bin/false",
            "`bwrap` cannot make a sandbox here (it says nothing); it needs user namespaces",
        ),
    ] {
        let options = TerminalOptions::new().isolation(Isolation::Bubblewrap);
        let fixture = Fixture::with(options.bubblewrap(program), &[]);
        fixture.refused(
            "terminal",
            json!({"command": "touch ran"}),
            "unavailable",
            &format!(
                "no command can run: isolation by bubblewrap is asked for, and {why}; use another tool, and \
                 tell the user"
            ),
        );
        assert!(!fixture.place("ws/ran").exists());
    }
}

#[test]
fn a_sandbox_writes_below_the_workspace_only_and_reads_no_credentials() {
    let Some(fixture) =
        fixture("a_sandbox_writes_below_the_workspace_only_and_reads_no_credentials")
    else {
        return;
    };
    let outside = fixture.place("outside").display().to_string();
    let ran = fixture.run(&format!("echo x > '{outside}/x'"));
    assert_ne!(ran["exit_code"], 0);
    assert!(!fixture.place("outside/x").exists());
    assert!(
        ran["notes"][0]
            .as_str()
            .unwrap()
            .starts_with("isolation may have refused to write `"),
        "{ran}"
    );
    assert_eq!(
        fixture.run("echo x > in && mv in \"$TMPDIR/moved\" && echo x > /dev/null")["exit_code"],
        0
    );
    // Also those that appear when the session has begun.
    fs::create_dir(fixture.place("home/.ssh")).unwrap();
    fs::write(fixture.place("home/.ssh/id"), "secret key").unwrap();
    fs::write(fixture.place("home/.netrc"), "secret word").unwrap();
    fs::write(fixture.place("home/notes"), "plain").unwrap();
    for file in ["~/.ssh/id", "~/.netrc"] {
        let ran = fixture.run(&format!("cat {file}"));
        assert_ne!(ran["exit_code"], 0, "{ran}");
        assert!(!text(&ran["output"]).contains("secret"), "{ran}");
    }
    assert_eq!(fixture.output("cat ~/notes"), "plain");
    assert_ne!(
        fixture.run("mount -o remount,rw / || umount -l /dev/shm")["exit_code"],
        0
    );
}

#[test]
fn a_sandbox_sees_no_process_but_its_own() {
    let Some(fixture) = fixture("a_sandbox_sees_no_process_but_its_own") else {
        return;
    };
    let own = std::process::id();
    let seen = fixture.output("ls -d /proc/[0-9]* | wc -l");
    assert!(seen.trim().parse::<usize>().unwrap() < 8, "{seen}");
    assert_ne!(fixture.run(&format!("kill -0 {own}"))["exit_code"], 0);
    assert_eq!(
        fixture.output("tr '\\0' '\\n' < /proc/$PPID/environ | grep -c CARGO_MANIFEST_DIR"),
        "0\n"
    );
}

#[test]
fn a_shell_in_a_sandbox_is_like_any_other() {
    let Some(fixture) = fixture("a_shell_in_a_sandbox_is_like_any_other") else {
        return;
    };
    fixture.run("mkdir d; cd d; export GREETING=hello; exit 4");
    let folder = fixture.place("ws/d").display().to_string();
    assert_eq!(
        fixture.output("pwd; echo $GREETING"),
        format!("{folder}\nhello\n")
    );
    assert_eq!(fixture.run("exit 3")["exit_code"], 3);
    assert_eq!(fixture.run("kill -9 $$")["exit_code"], 137);
    let terminal = json!({"command": "test -t 0 && test -t 1 && echo both", "pty": true});
    assert_eq!(fixture.call("terminal", terminal)["output"], "both\n");
    let given = json!({"command": "cat", "input": "given"});
    assert_eq!(fixture.call("terminal", given)["output"], "given");
}

#[test]
fn nothing_of_a_sandbox_outlives_its_time_or_its_session() {
    let Some(fixture) = fixture("nothing_of_a_sandbox_outlives_its_time_or_its_session") else {
        return;
    };
    let started = fixture.run("(trap '' TERM; sleep 298.25) & echo started");
    assert_eq!(started["output"], "started\n");
    let alive = |seconds: &str| {
        let all = fs::read_dir("/proc").unwrap().flatten();
        all.filter_map(|it| it.file_name().into_string().ok())
            .any(|id| {
                let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
                line == format!("sleep\0{seconds}\0").as_bytes() && is_alive(&id)
            })
    };
    until("what goes on", || alive("298.25"));
    let command = "(setsid env -i sleep 297.25 &) ; trap '' TERM; sleep 297.25";
    let ran = fixture.run_until(command, || alive("297.25"));
    assert_eq!(ran["exit_code"], 124);
    until("the end of what was started", || !alive("297.25"));
    assert!(alive("298.25"));
    let folder = fixture.end();
    until("the end of the session's", || !alive("298.25"));
    drop(folder);
}
