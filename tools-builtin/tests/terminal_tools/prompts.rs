use serde_json::json;

use crate::fixture::Fixture;
#[cfg(target_os = "linux")]
use crate::fixture::alone;

#[test]
fn nobody_answers_and_nothing_waits() {
    let fixture = Fixture::new();
    assert_eq!(fixture.output("read -r x; echo \"got:$x\""), "got:\n");
    assert_eq!(fixture.run("cat")["exit_code"], 0);
    assert!(
        !fixture
            .output("sh -c 'read x </dev/tty'; echo rc=$?")
            .contains("rc=0")
    );
    assert!(
        fixture
            .output("git -c credential.helper= ls-remote https://127.0.0.1:9/x.git; echo rc=$?")
            .contains("rc=")
    );
}

#[test]
fn only_named_variables_of_the_host_reach_a_command() {
    let secrets = [
        ("ACME_API_KEY", "k1"),
        ("DATABASE_URL", "postgres://h/db?pw=k2"),
        ("SLACK_WEBHOOK", "w"),
        ("MY_FLAG", "1"),
    ];
    let options = tools_builtin::TerminalOptions::new().pass_through("MY_FLAG");
    let fixture = Fixture::with(options, &secrets);
    let listed = fixture.output("env | sort");
    for (name, _) in &secrets[..3] {
        assert!(!listed.contains(name), "{listed}");
    }
    assert!(
        listed.contains("LANG=C.UTF-8\n") && listed.contains("MY_FLAG=1\n"),
        "{listed}"
    );
    // The process of a test has no such variables, so that of the host cannot give any away here.
    assert_eq!(
        fixture.call("terminal", json!({"command": "echo ${ACME_API_KEY-none}"}))["output"],
        "none\n"
    );
}

/// Programs that read a line from wherever they can get one.
#[test]
fn a_program_that_asks_gets_no_answer_and_the_host_stays_as_it_is() {
    let fixture = Fixture::new();
    if std::process::Command::new("python3")
        .arg("-V")
        .output()
        .is_ok()
    {
        assert!(
            fixture
                .output("python3 -c 'input()' 2>/dev/null; echo rc=$?")
                .ends_with("rc=1\n")
        );
        assert_eq!(fixture.run("python3")["exit_code"], 0);
    } else {
        println!("left out, since there is no python3: a program that asks");
    }
    let ran = fixture.call(
        "terminal",
        json!({"command": "ssh -o StrictHostKeyChecking=ask nobody@127.0.0.1 -p 9 true; sudo true; su -c true; echo over", "timeout": 60}),
    );
    assert!(ran["output"].as_str().unwrap().ends_with("over\n"), "{ran}");
}

/// A shell that puts a host into the background has it ignore the interrupt key, and `nohup` the end of the
/// terminal; commands know nothing of that. It takes a process of its own to be ignorant so.
#[test]
#[cfg(target_os = "linux")]
fn what_the_host_ignores_its_commands_do_not() {
    if alone(
        "prompts::what_the_host_ignores_its_commands_do_not",
        "trap '' HUP INT QUIT TERM; exec \"$@\"",
    ) {
        return;
    }
    let knows = std::process::Command::new("env")
        .args(["--default-signal=INT", "true"])
        .output();
    if !knows.is_ok_and(|it| it.status.success()) {
        println!("left out, since `env` here knows no signals: what the host ignores");
        return;
    }
    let fixture = Fixture::new();
    for (signal, code) in [("HUP", 129), ("INT", 130), ("QUIT", 131), ("TERM", 143)] {
        let command = format!("sh -c 'kill -{signal} $$; exit 7'");
        assert_eq!(fixture.run(&command)["exit_code"], code, "{command}");
    }
    let trapped = fixture.output("trap 'echo heard' INT; kill -INT $$; echo on");
    assert_eq!(trapped, "heard\non\n");
}
