//! What the file tools do about odd changes, by the command line and by `hermes.toml`.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::folder::Folder;

/// A file is read, changed by a command, and written.
const STALE: &str = r#"{"name": "read_file", "arguments": {"path": "notes.txt"}}
{"name": "terminal", "arguments": {"command": "echo theirs > notes.txt"}}
{"name": "write_file", "arguments": {"path": "notes.txt", "content": "mine\n"}}
"#;

/// A file that parsed is broken.
const BROKEN: [&str; 4] = ["call", "write_file", "path=a.json", "content={"];

/// The last answer of a batch with these options and this configuration.
fn last(options: &[&str], config: &str) -> (Value, String) {
    let folder = Folder::new();
    fs::write(folder.workspace().join("hermes.toml"), config).unwrap();
    let mut words = vec!["batch", "-", "--config", "hermes.toml"];
    words.extend(["--toolset", "file", "--toolset", "terminal"]);
    words.extend(options);
    let ran = folder.run_with(&words, STALE);
    let line = ran.stdout.lines().last().unwrap();
    let text = fs::read_to_string(folder.workspace().join("notes.txt")).unwrap();
    (serde_json::from_str(line).unwrap(), text)
}

#[test]
fn a_file_that_someone_changed_is_written_with_a_warning_or_not_at_all() {
    for (options, config) in [
        (&[][..], ""),
        (&["--stale", "warn"], "[files]\nstale = \"refuse\"\n"),
        (&[], "[files]\nstale = \"warn\"\n"),
    ] {
        let (answer, text) = last(options, config);
        assert_eq!(answer["ok"], json!(true), "{answer}");
        assert_eq!(answer["result"]["warnings"][0]["kind"], "stale");
        assert_eq!(text, "mine\n", "{config}");
    }
    for (options, config) in [
        (&["--stale", "refuse"][..], ""),
        (&["--stale=refuse"], "[files]\nstale = \"warn\"\n"),
        (&[], "[files]\nstale = \"refuse\"\n"),
    ] {
        let (answer, text) = last(options, config);
        assert_eq!(answer["error"]["code"], "conflict", "{answer}");
        assert_eq!(text, "theirs\n", "{config}");
    }
}

#[test]
fn a_change_that_breaks_a_file_is_made_with_a_word_or_not_at_all() {
    let run = |options: &[&str], config: &str| {
        let folder = Folder::new();
        fs::write(folder.workspace().join("a.json"), "{}").unwrap();
        fs::write(folder.workspace().join("hermes.toml"), config).unwrap();
        let mut words = BROKEN.to_vec();
        words.extend(["--config", "hermes.toml", "--json"]);
        words.extend(options);
        let ran = folder.run(&words);
        let text = fs::read_to_string(folder.workspace().join("a.json")).unwrap();
        (ran.code, ran.json(), text)
    };
    for (options, config) in [
        (&[][..], ""),
        (&["--lint", "warn"], "[files]\nlint = \"refuse\""),
    ] {
        let (code, answer, text) = run(options, config);
        assert_eq!((code, &*text), (0, "{"));
        assert_eq!(answer["result"]["lint"]["parses"], json!(false), "{answer}");
    }
    for (options, config) in [
        (&["--lint", "refuse"][..], ""),
        (&[], "files.lint = \"refuse\""),
    ] {
        let (code, answer, text) = run(options, config);
        assert_eq!((code, &*text), (1, "{}"));
        assert_eq!(answer["error"]["code"], "does_not_parse", "{answer}");
    }
}

/// A limit on the size of files ends a write as a full disk does: in the middle of the new file.
#[test]
fn a_write_that_finds_no_room_leaves_the_old_file_whole_and_nothing_else() {
    let folder = Folder::new();
    let large = "x".repeat(1 << 20);
    let calls = [
        json!({"name": "write_file", "arguments": {"path": "notes.txt", "content": large}}),
        json!({"name": "write_file", "arguments": {"path": "new/n.txt", "content": large}}),
        json!({"name": "patch", "arguments": {
            "path": "notes.txt", "old_string": "second", "new_string": large,
        }}),
        json!({"name": "patch", "arguments": {"patch": format!(
            "*** Update File: src/main.rs\n@@\n-fn main() {{}}\n+fn main() {{ }}\n\
             *** Add File: n.txt\n+{large}\n"
        )}}),
    ];
    let before = folder.files();
    let hermes = folder.command(&["batch", "-"]);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 256; exec \"$0\" \"$@\""])
        .arg(hermes.get_program())
        .args(hermes.get_args())
        .current_dir(folder.workspace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    for (name, value) in hermes.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    let mut child = limited.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for call in &calls {
        writeln!(input, "{call}").unwrap();
    }
    drop(input);
    let answers = child.wait_with_output().unwrap().stdout;
    let codes: Vec<String> = String::from_utf8(answers)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|answer| {
            answer["error"]["code"]
                .as_str()
                .unwrap_or("none")
                .to_owned()
        })
        .collect();
    assert_eq!(codes, ["io"; 4]);
    let after = folder.files();
    let of_workspace = |files: &BTreeMap<PathBuf, Vec<u8>>| -> BTreeMap<PathBuf, Vec<u8>> {
        let files = files.iter();
        let inside = files.filter(|(path, _)| path.starts_with(folder.workspace()));
        inside
            .map(|(path, bytes)| (path.clone(), bytes.clone()))
            .collect()
    };
    assert_eq!(of_workspace(&after), of_workspace(&before));
    assert!(!folder.workspace().join("new").exists());
}

#[test]
fn other_words_are_refused() {
    let folder = Folder::new();
    let mut words = BROKEN.to_vec();
    words.extend(["--lint", "maybe"]);
    let ran = folder.run(&words);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("expected `warn` or `refuse`"),
        "{}",
        ran.stderr
    );
    assert!(!folder.workspace().join("a.json").exists());
}
