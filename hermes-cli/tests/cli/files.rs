//! What the file tools do about odd changes, by the command line and by `hermes.toml`.

use std::fs;

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
