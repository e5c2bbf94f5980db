use serde_json::json;

use crate::fixture::Fixture;

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
