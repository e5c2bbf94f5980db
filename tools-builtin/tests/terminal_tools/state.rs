//! What a shell leaves to the next one, however it ends.

use tools_builtin::TerminalOptions;

use crate::fixture::Fixture;

/// Runs a command in a session of its own, and says its output, its exit code, and which folder and
/// variable the next command has.
fn left_by(command: &str) -> (String, i64, String) {
    let fixture = Fixture::new();
    let ran = fixture.run(&format!("mkdir -p sub; {command}"));
    let output = ran["output"].as_str().unwrap().to_owned();
    let code = ran["exit_code"].as_i64().unwrap();
    let left = fixture.output("echo \"${PWD##*/} ${KEPT-none}\"");
    (output, code, left)
}

#[test]
fn a_trap_of_its_own_does_not_take_the_state_away() {
    for (command, output, code) in [
        ("trap 'echo bye' EXIT; cd sub; export KEPT=1", "bye\n", 0),
        (
            "trap 'echo bye' EXIT; cd sub; export KEPT=1; exit 3",
            "bye\n",
            3,
        ),
        (
            "trap 'echo bye $?' EXIT; cd sub; export KEPT=1; false; exit",
            "bye 1\n",
            1,
        ),
        (
            "set -eu; trap 'echo bye' EXIT; cd sub; export KEPT=1; false; echo no",
            "bye\n",
            1,
        ),
        (
            "set -o pipefail -e; trap 'echo bye' 0; cd sub; export KEPT=1; false | true; echo no",
            "bye\n",
            1,
        ),
        (
            "f() { trap \"echo $1\" EXIT; cd sub; export KEPT=1; exit 4; }; f bye",
            "bye\n",
            4,
        ),
        (
            "cd sub; export KEPT=1; trap 'echo bye' EXIT; exec 2> /dev/null; echo ${NONE:?}",
            "bye\n",
            127,
        ),
        (
            "trap 'echo bye' EXIT; cd sub; export KEPT=1; eval 'exit 5'",
            "bye\n",
            5,
        ),
        (
            "trap 'echo bye' EXIT; trap - EXIT; cd sub; export KEPT=1; exit 6",
            "",
            6,
        ),
        // A subshell keeps nothing, though it has the shell's traps here.
        (
            "set -eE; exec 2> /dev/null; cd sub; export KEPT=1; trap 'echo bye' EXIT; \
             (cd /; false) & wait $! || true; set -u; echo $NONE",
            "bye\n",
            1,
        ),
        (
            "set -C; trap 'echo bye' EXIT; cd sub; export KEPT=1; exit 7",
            "bye\n",
            7,
        ),
        (
            "set -x; trap 'echo bye' EXIT; cd sub; export KEPT=1; set +x; exit 8",
            "++ trap 'echo bye' EXIT\n++ cd sub\n++ export KEPT=1\n++ KEPT=1\n++ set +x\nbye\n",
            8,
        ),
    ] {
        let left = left_by(command);
        assert_eq!(
            left,
            (output.to_owned(), code, "sub 1\n".to_owned()),
            "{command}"
        );
    }
}

#[test]
fn every_other_end_leaves_the_state_too() {
    for (command, output, code) in [
        ("cd sub; export KEPT=1; exec echo bye", "bye\n", 0),
        (
            "cd sub && export KEPT=1 && exec sh -c 'cd /; exit 3'",
            "",
            3,
        ),
        (
            "cd sub; exec 3> file; echo text >&3; exec 3>&-; cat file; export KEPT=1",
            "text\n",
            0,
        ),
        (
            "cd sub; export KEPT=1; exec > /dev/null; echo unseen; exit 4",
            "",
            4,
        ),
        (
            "cd sub; export KEPT=1; set -e; f() { false; }; f; echo no",
            "",
            1,
        ),
        (
            "cd sub; export KEPT=1; set -u; exec 2> /dev/null; echo $NONE; echo no",
            "",
            127,
        ),
        (
            "cd sub; export KEPT=1; (cd /; export KEPT=2; exit 5) || (exec sh -c 'exit 6')",
            "",
            6,
        ),
        (
            "cd sub; export KEPT=1; x=$(cd /; trap 'echo bye' EXIT; exit 7); echo $? $x",
            "7 bye\n",
            0,
        ),
        ("cd sub; export KEPT=1; { cd /; exit 8; } & wait $!", "", 8),
        ("cd sub; export KEPT=1; exec 2> /dev/null\n)", "", 2),
    ] {
        let left = left_by(command);
        assert_eq!(
            left,
            (output.to_owned(), code, "sub 1\n".to_owned()),
            "{command}"
        );
    }
}

/// The words by which the state is kept are words of the command all the same.
#[test]
fn what_keeps_the_state_changes_no_meaning() {
    for (command, output) in [
        (
            "case exit in exit) echo one;; esac; [[ exec == exec ]] && echo two; for it in trap exit; do echo $it; done",
            "one\ntwo\ntrap\nexit\n",
        ),
        (
            "f() { trap 'echo returned' RETURN; echo in; }; f; echo out",
            "in\nreturned\nout\n",
        ),
        (
            "true | false; echo ${PIPESTATUS[*]} $?; false; echo $?",
            "0 1 1\n1\n",
        ),
        ("set -- a b; trap 'echo $1 $#' EXIT; exit", "a 2\n"),
        ("false || exit 0; echo no", ""),
        ("trap 'echo usr' USR1; kill -USR1 $$; echo on", "usr\non\n"),
        (
            "words=(exit exec trap); echo ${words[@]}",
            "exit exec trap\n",
        ),
    ] {
        let fixture = Fixture::new();
        assert_eq!(fixture.output(command), output, "{command}");
    }
}

/// Traps for what fails, for each step and for returns see the command's own steps only.
#[test]
fn traps_of_its_own_do_not_run_for_what_keeps_the_state() {
    for (command, output, code) in [
        ("trap 'echo failed' ERR; false", "failed\n", 1),
        ("set -e; trap 'echo failed' ERR; false", "failed\n", 1),
        ("set -eE; trap 'echo failed' ERR; false", "failed\n", 1),
        (
            "trap 'echo E >> log' ERR; grep -q zz /dev/null; cat log",
            "E\n",
            0,
        ),
        ("trap 'echo E' ERR; trap 'echo X' EXIT; false", "E\nX\n", 1),
        ("set -E; trap 'echo E' ERR; false; exit 3", "E\n", 3),
        ("trap 'echo dbg' DEBUG; true", "dbg\n", 0),
        ("trap 'echo dbg' DEBUG; false; exit 4", "dbg\ndbg\n", 4),
        ("set -o functrace; trap 'echo dbg' DEBUG; false", "dbg\n", 1),
        (
            "set -T; trap 'echo R' RETURN; f() { :; }; f; (exit 5)",
            "R\n",
            5,
        ),
        ("trap 'echo R' RETURN; true", "", 0),
    ] {
        let left = left_by(&format!("cd sub; export KEPT=1; {command}"));
        assert_eq!(
            left,
            (output.to_owned(), code, "sub 1\n".to_owned()),
            "{command}"
        );
    }
}

#[test]
fn a_shell_that_was_ended_by_force_leaves_what_there_was_before() {
    let grace = std::time::Duration::from_millis(100);
    let fixture = Fixture::timed(TerminalOptions::new().grace(grace));
    fixture.run("mkdir -p sub other; cd sub; export KEPT=1");
    fixture.run("cd ../other; export KEPT=2; kill -9 $$");
    assert_eq!(fixture.output("echo \"${PWD##*/} $KEPT\""), "sub 1\n");
    let ready = fixture.place("ws/other/ready");
    let ran = fixture.run_until(
        "trap '' TERM; cd ../other; export KEPT=3; > ready; sleep 300",
        || ready.exists(),
    );
    assert_eq!(ran["exit_code"], 124);
    // What was known when the trap was set.
    assert_eq!(fixture.output("echo \"${PWD##*/} $KEPT\""), "sub 1\n");
}
