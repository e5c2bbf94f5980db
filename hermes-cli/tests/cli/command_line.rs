//! Help, completions, wrong options, and outputs that cannot be written.

use std::process::Stdio;

use crate::folder::{Folder, Ran};

#[test]
fn the_help_lists_commands_and_exit_codes() {
    let ran = Folder::new().run(&["--help"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    for command in [
        "tools",
        "toolsets",
        "show",
        "definitions",
        "call",
        "batch",
        "completions",
    ] {
        assert!(ran.stdout.contains(&format!("\n  {command} ")), "{command}");
    }
    let (_, codes) = ran.stdout.split_once("Exit codes:\n").unwrap();
    let codes: Vec<&str> = codes
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(codes, ["0", "1", "2", "3", "130"]);
}

#[test]
fn every_command_and_option_is_documented() {
    let folder = Folder::new();
    let overview = folder.run(&["--help"]).stdout;
    for command in [
        "tools",
        "toolsets",
        "show",
        "definitions",
        "call",
        "batch",
        "completions",
    ] {
        let help = folder.run(&[command, "-h"]);
        assert_eq!((help.code, help.stderr.as_str()), (0, ""));
        let mut lines = help.stdout.lines();
        let listed = overview
            .lines()
            .filter_map(|line| line.trim().strip_prefix(command));
        let about = lines.next().unwrap();
        assert!(
            listed.map(str::trim).any(|listed| listed == about),
            "`{command}`: {about}"
        );
        for option in lines.filter(|line| line.trim_start().starts_with('-')) {
            let parts = option
                .trim()
                .split("  ")
                .filter(|part| !part.is_empty())
                .count();
            assert_eq!(parts, 2, "`{command}`: {option}");
        }
    }
}

#[test]
fn nothing_to_do_is_a_wrong_use() {
    let ran = Folder::new().run(&[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("Usage: hermes"), "{ran:?}");
}

#[test]
fn wrong_options_are_told_in_both_ways() {
    let folder = Folder::new();
    let ran = folder.run(&["tools", "--al"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(
        ran.stderr
            .starts_with("error: unexpected argument '--al' found\n"),
        "{ran:?}"
    );
    let ran = folder.run(&["tools", "--al", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (2, ""));
    assert_eq!(
        ran.stdout,
        "{\"ok\":false,\"error\":{\"code\":\"usage\",\"message\":\"unexpected argument '--al' found\",\
         \"help\":\"a similar argument exists: '--all'; see `hermes tools --help`\"}}\n"
    );
    let ran = folder.run(&["--version", "--json"]);
    assert_eq!(ran.json()["version"], env!("CARGO_PKG_VERSION"));
    let ran = folder.run(&["call", "--help", "--json"]);
    let help = ran.json()["help"].as_str().unwrap().to_owned();
    assert!(help.contains("Usage: hermes call"), "{help}");
    let ran = folder.run(&["completions", "bash", "--json"]);
    assert_eq!(ran.json()["shell"], "bash");
    assert!(ran.json()["script"].as_str().unwrap().contains("_hermes()"));
    for words in [
        &["tools", "--all", "--toolset", "file"][..],
        &["tool"],
        &["call", "read_file", "--timeout", "0"],
        &["call", "read_file", "--timeout", "soon"],
        &["completions", "dos"],
    ] {
        assert_eq!(folder.run(words).code, 2, "{words:?}");
    }
}

#[test]
fn completions_know_every_command_and_its_options() {
    let folder = Folder::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = folder.run(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{shell}");
        for word in ["definitions", "workspace", "toolset"] {
            assert!(ran.stdout.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let folder = Folder::new();
    let call = "{\"name\": \"read_file\", \"arguments\": {\"path\": \"notes.txt\"}}\n";
    std::fs::write(folder.workspace().join("calls.jsonl"), call.repeat(3)).unwrap();
    for words in [
        &["tools"][..],
        &["toolsets", "--json"],
        &["call", "read_file", "path=notes.txt"],
        &["batch", "calls.jsonl"],
        &["completions", "bash"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = folder.command(words);
        let child = command
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(ran, Ran::wrote(""), "{words:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_takes_nothing_is_an_error_of_its_own() {
    let folder = Folder::new();
    for words in [
        &["tools"][..],
        &["tools", "--json"],
        &["toolsets", "fiel", "--json"],
    ] {
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let mut command = folder.command(words);
        let child = command.stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(ran.code, 3, "{words:?}");
        assert!(
            ran.stderr
                .starts_with("error: cannot write to the standard output: "),
            "{ran:?}"
        );
        assert_eq!(ran.stderr.lines().count(), 1);
    }
}
