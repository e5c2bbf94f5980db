//! `run`.

use std::fs;

use crate::folder::{Folder, Ran};

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

#[test]
fn words_behind_a_whole_command_line_are_refused_and_options_before_it_are_ours() {
    let folder = Folder::new();
    let ran = folder.run(&["run", "echo hi 2>&1 | tail -n 20", "--timeout", "600"]);
    assert_eq!(
        (ran.code, &*ran.stdout, &*ran.stderr),
        (
            2,
            "",
            "error: `--timeout` stands behind a whole command line; put options before the command, and write a \
             command line as one word, with quotes inside it around a program whose name holds a space\n"
        )
    );
    let ran = folder.run(&["run", "--timeout", "600", "echo hi 2>&1 | tail -n 20"]);
    assert_eq!((ran.code, &*ran.stdout), (0, "hi\n"));
    // The words of a program are its own, also where they look like ours.
    let ran = folder.run(&["run", "echo", "--timeout", "a b"]);
    assert_eq!((ran.code, &*ran.stdout), (0, "--timeout a b\n"));
}

/// As in a pipe of a shell: what nobody reads is not worth being computed.
#[cfg(unix)]
#[test]
fn a_command_ends_when_nobody_takes_what_it_prints() {
    let folder = Folder::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = folder.command(&["run", "echo first; sleep 1000; echo never"]);
    let child = command
        .stdout(writer)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran, Ran::wrote(""));
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_takes_nothing_is_an_error() {
    let folder = Folder::new();
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = folder.command(&["run", "echo lost"]);
    let child = command
        .stdout(full)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 3);
    assert!(
        ran.stderr
            .starts_with("error: cannot write to the standard output: "),
        "{ran:?}"
    );
}

/// A home folder that is the workspace, with what `hermes` keeps in it.
#[test]
fn at_home_files_are_written_and_what_is_of_hermes_itself_is_kept() {
    let folder = Folder::new();
    let home = folder.workspace();
    let run = |words: &[&str]| {
        let mut command = folder.command(words);
        command.env("HOME", &home);
        for name in ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "HERMES_CHECKPOINTS"] {
            command.env_remove(name);
        }
        Ran::from(command.output().unwrap())
    };
    let ran = run(&["call", "write_file", "path=fresh", "content=1"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(fs::read_to_string(home.join("fresh")).unwrap(), "1");
    let tokens = home.join(".local/state/hermes/mcp/tokens");
    fs::create_dir_all(&tokens).unwrap();
    fs::write(tokens.join("notes.json"), "hush").unwrap();
    let shown = run(&[
        "call",
        "read_file",
        "path=.local/state/hermes/mcp/tokens/notes.json",
    ]);
    assert_eq!(shown.code, 1, "{shown:?}");
    let found = run(&["call", "search_files", "pattern=hush"]);
    let printed = run(&["run", "cat ~/.local/state/hermes/mcp/tokens/notes.json"]);
    for ran in [shown, found, printed] {
        assert!(!ran.stdout.contains("hush\""), "{ran:?}");
        assert!(!ran.stdout.contains("notes.json"), "{ran:?}");
    }
    for path in [
        ".config/hermes/hermes.toml",
        ".local/state/hermes/mcp/trusted.json",
    ] {
        let ran = run(&["call", "write_file", &format!("path={path}"), "content=x"]);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(!home.join(path).exists());
    }
}
