//! A program that is killed while it writes: each file is the old one or the new one, and after the next
//! start nothing is left of what was on its way.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::json;

use crate::folder::Folder;

/// Writes and patches in each round.
const CALLS: usize = 1_000;

/// Rounds, each killed at another moment.
const ROUNDS: usize = 8;

/// A text in which every line says the same, so that a mixture of two is seen.
fn version(number: usize) -> String {
    format!("version {number}\n").repeat(500)
}

/// The calls of a round: writes that take turns with patches, on five files in two folders.
fn calls() -> String {
    let mut lines = String::new();
    for number in 0..CALLS {
        let path = format!("{}/f{}", ["d", "e"][number % 5 % 2], number % 5);
        let call = if number % 10 < 5 {
            json!({"name": "write_file", "arguments": {"path": path, "content": version(number)}})
        } else {
            // Five calls before, the file was written with that number.
            json!({"name": "patch", "arguments": {
                "path": path,
                "old_string": format!("version {}\n", number - 5),
                "new_string": format!("version {number}\n"),
                "replace_all": true,
            }})
        };
        lines.push_str(&call.to_string());
        lines.push('\n');
    }
    lines
}

#[test]
fn a_killed_writer_leaves_whole_files_and_nothing_else() {
    let folder = Folder::in_memory();
    let expected = ["data.bin", "notes.txt", "src"];
    for path in expected {
        let path = folder.workspace().join(path);
        let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
    }
    let calls = calls();
    let mut answered = 0;
    for round in 0..ROUNDS {
        let mut command = folder.command(&["batch", "-"]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let text = calls.clone();
        // The program may be gone before it has read all of it.
        let writer = std::thread::spawn(move || drop(input.write_all(text.as_bytes())));
        let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
        answered += answers
            .by_ref()
            .take(40 + round * 25)
            .map_while(Result::ok)
            .count();
        child.kill().unwrap();
        child.wait().unwrap();
        writer.join().unwrap();

        // The next start.
        folder.run(&["call", "read_file", "path=d/f0"]);
        for path in folder.files().into_keys() {
            let Ok(inside) = path.strip_prefix(folder.workspace()) else {
                continue;
            };
            let name = inside.to_str().unwrap();
            let known = ["d", "e"]
                .iter()
                .any(|folder| (0..5).any(|number| name == format!("{folder}/f{number}")));
            assert!(known, "round {round}: `{name}` was left");
            let text = fs::read_to_string(&path).unwrap();
            let first = text.lines().next().unwrap();
            assert_eq!(
                text,
                format!("{first}\n").repeat(500),
                "round {round}: `{name}` is mixed"
            );
        }
    }
    assert!(answered >= CALLS, "only {answered} calls were answered");
}
