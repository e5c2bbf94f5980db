//! `run`.

use crate::folder::Folder;

#[test]
fn a_command_runs_in_the_workspace_and_its_code_is_ours() {
    let folder = Folder::new();
    let ran = folder.run(&["run", "echo out; echo err >&2; exit 3"]);
    assert_eq!(
        (ran.code, &*ran.stdout, &*ran.stderr),
        (3, "out\nerr\n", "")
    );
    let ran = folder.run(&["run", "printf", "%s|", "a b", "$HOME"]);
    assert_eq!((ran.code, &*ran.stdout), (0, "a b|$HOME|"));
}

#[test]
fn what_an_exit_code_means_is_told_beside_the_output() {
    let ran = Folder::new().run(&["run", "grep", "nothing", "/dev/null"]);
    assert_eq!(
        (ran.code, &*ran.stdout, &*ran.stderr),
        (1, "", "note: nothing matched; this is not an error\n")
    );
}

#[test]
fn a_command_that_the_guard_blocks_does_not_run() {
    let ran = Folder::new().run(&["run", "rm -rf /"]);
    assert_eq!((ran.code, &*ran.stdout), (1, ""));
    assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
}

#[test]
fn json_has_the_whole_answer() {
    let ran = Folder::new().run(&["run", "--json", "echo out"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stdout.contains("\"output\":\"out\\n\",\"exit_code\":0"),
        "{}",
        ran.stdout
    );
}
