//! Questions that are put to a person at a terminal.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdout};

use pty_process::blocking::Pty;
use serde_json::{Value, json};

use crate::folder::Folder;

/// What every question ends with.
const ASKS: &str = "allow it? `y`es, `a`lways in this run, or `n`o and why: ";

/// A run of `hermes` at a terminal.
struct Person {
    child: Child,
    terminal: Pty,
    answers: BufReader<ChildStdout>,
    /// All that the terminal has shown.
    shown: String,
}

impl Person {
    fn at(folder: &Folder, words: &[&str]) -> Self {
        Self::who_typed(folder, words, "")
    }

    /// One who typed a line before the run began.
    fn who_typed(folder: &Folder, words: &[&str], typed: &str) -> Self {
        let (mut child, terminal) = folder.at_terminal_behind(words, typed);
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self {
            child,
            terminal,
            answers,
            shown: String::new(),
        }
    }

    /// Reads what the terminal shows until so many questions stand there.
    fn sees_questions(&mut self, count: usize) {
        while self.questions() < count {
            assert!(self.reads(), "no question comes: {}", self.shown);
        }
        assert_eq!(self.questions(), count, "{}", self.shown);
    }

    fn questions(&self) -> usize {
        self.shown.matches(ASKS).count()
    }

    /// Reads once; false when the program has closed its terminal.
    fn reads(&mut self) -> bool {
        let mut bytes = [0; 4096];
        // The end of a terminal is an error on Linux.
        let count = self.terminal.read(&mut bytes).unwrap_or(0);
        self.shown
            .push_str(&String::from_utf8_lossy(&bytes[..count]));
        count > 0
    }

    fn types(&mut self, keys: &str) {
        self.terminal.write_all(keys.as_bytes()).unwrap();
    }

    /// The next answer.
    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Waits for the end. The exit code, and all that the terminal has shown.
    fn leaves(mut self) -> (i32, String) {
        while self.reads() {}
        (self.child.wait().unwrap().code().unwrap(), self.shown)
    }
}

const WRITE: [&str; 7] = [
    "call",
    "write_file",
    "path=a.txt",
    "content=x",
    "--ask",
    "write",
    "--json",
];

fn batch(folder: &Folder, calls: &[Value]) -> [&'static str; 4] {
    let lines: Vec<String> = calls.iter().map(Value::to_string).collect();
    fs::write(folder.workspace().join("calls.jsonl"), lines.join("\n")).unwrap();
    ["batch", "calls.jsonl", "--ask", "write"]
}

fn write(id: &str) -> Value {
    json!({"id": id, "name": "write_file", "arguments": {"path": format!("{id}.txt"), "content": "x"}})
}

fn outcome(answer: &Value) -> (&str, &str) {
    let code = answer["error"]["code"].as_str().unwrap_or("ok");
    (answer["id"].as_str().unwrap_or_default(), code)
}

#[test]
fn a_yes_at_the_terminal_lets_the_call_run() {
    let folder = Folder::new();
    let mut person = Person::at(&folder, &WRITE);
    person.sees_questions(1);
    assert!(
        person.shown.contains(
            "`write_file` {\"path\":\"a.txt\",\"content\":\"x\"}\r\n  \
             the effect of this call is write\r\n"
        ),
        "{}",
        person.shown
    );
    assert!(!folder.workspace().join("a.txt").exists());
    person.types("y\n");
    assert_eq!(person.answer()["ok"], true);
    assert_eq!(person.leaves().0, 0);
    assert_eq!(
        fs::read_to_string(folder.workspace().join("a.txt")).unwrap(),
        "x"
    );
}

#[test]
fn a_no_the_end_of_input_and_silence_let_nothing_run() {
    let silence = [WRITE.as_slice(), &["--ask-timeout", "0.2"]].concat();
    for (words, keys, message) in [
        (
            WRITE.as_slice(),
            "n keep it\n",
            "this call of `write_file` was not allowed: keep it",
        ),
        // Ctrl-D.
        (&WRITE, "\u{4}", "this call of `write_file` was not allowed"),
        (
            &WRITE,
            "what\nis\nthis\n",
            "this call of `write_file` was not allowed",
        ),
        (&silence, "", ""),
    ] {
        let folder = Folder::new();
        let mut person = Person::at(&folder, words);
        // On a busy machine the time of a question may be up before it stands there.
        if !keys.is_empty() {
            person.sees_questions(1);
            person.types(keys);
        }
        let answer = person.answer();
        assert_eq!(answer["error"]["code"], "approval_denied");
        if !message.is_empty() {
            assert_eq!(answer["error"]["message"], message);
        }
        assert_eq!(person.leaves().0, 1);
        assert!(!folder.workspace().join("a.txt").exists());
    }
}

#[test]
fn what_was_typed_before_the_question_is_no_answer_to_it() {
    let folder = Folder::new();
    let mut person = Person::who_typed(&folder, &WRITE, "y\n");
    person.sees_questions(1);
    person.types("n\n");
    assert_eq!(person.answer()["error"]["code"], "approval_denied");
    assert_eq!(person.leaves().0, 1);
}

#[test]
fn a_question_in_a_batch_is_put_once_and_holds_up_no_other_call() {
    let folder = Folder::new();
    let read =
        json!({"id": "r", "name": "read_file", "arguments": {"path": "notes.txt", "limit": 1}});
    let words = batch(&folder, &[read, write("w")]);
    let mut person = Person::at(&folder, &words);
    person.sees_questions(1);
    // The other call has its answer while the question stands.
    let answer = person.answer();
    assert_eq!(outcome(&answer), ("r", "ok"));
    assert_eq!(answer["result"]["content"], "1|first");
    person.types("y\n");
    assert_eq!(outcome(&person.answer()), ("w", "ok"));
    let (code, shown) = person.leaves();
    assert_eq!((code, shown.matches(ASKS).count()), (0, 1), "{shown}");
}

#[test]
fn questions_of_a_batch_come_one_after_the_other() {
    let folder = Folder::new();
    let words = batch(&folder, &[write("a"), write("b"), write("c")]);
    let mut person = Person::at(&folder, &words);
    for (count, keys) in [(1, "y\n"), (2, "n\n"), (3, "yes\n")] {
        person.sees_questions(count);
        person.types(keys);
    }
    let answers = [person.answer(), person.answer(), person.answer()];
    // Which of them is asked about first is nobody's promise.
    let mut codes: Vec<&str> = answers.iter().map(|answer| outcome(answer).1).collect();
    codes.sort_unstable();
    assert_eq!(codes, ["approval_denied", "ok", "ok"]);
    assert_eq!(person.leaves().0, 1);
    let written = ["a", "b", "c"]
        .iter()
        .filter(|id| folder.workspace().join(format!("{id}.txt")).exists())
        .count();
    assert_eq!(written, 2);
}

#[test]
fn always_answers_the_other_questions_of_the_run_too() {
    let folder = Folder::new();
    let words = batch(&folder, &[write("a"), write("b"), write("c")]);
    let mut person = Person::at(&folder, &words);
    person.sees_questions(1);
    person.types("a\n");
    for id in ["a", "b", "c"] {
        assert_eq!(outcome(&person.answer()), (id, "ok"));
    }
    let (code, shown) = person.leaves();
    assert_eq!((code, shown.matches(ASKS).count()), (0, 1), "{shown}");
}

#[test]
fn a_batch_that_nobody_attends_is_refused_what_needs_consent_and_nothing_else() {
    let folder = Folder::new();
    let read = json!({"id": "r", "name": "read_file", "arguments": {"path": "notes.txt"}});
    let words = batch(&folder, &[read, write("w")]);
    let outcomes = |words: &[&str]| {
        let ran = folder.run(words);
        let answers = ran
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        let answers: Vec<Value> = answers.collect();
        let outcomes = answers.iter().map(outcome);
        let outcomes: Vec<(String, String)> = outcomes
            .map(|(id, code)| (id.to_owned(), code.to_owned()))
            .collect();
        (ran.code, outcomes)
    };
    let said = |codes: [&str; 2]| {
        ["r", "w"]
            .iter()
            .zip(codes)
            .map(|(id, code)| ((*id).to_owned(), code.to_owned()))
            .collect::<Vec<_>>()
    };
    assert_eq!(outcomes(&words), (1, said(["ok", "approval_required"])));
    assert!(!folder.workspace().join("w.txt").exists());
    let willing = [words.as_slice(), &["--yes"]].concat();
    assert_eq!(outcomes(&willing), (0, said(["ok", "ok"])));
    assert!(folder.workspace().join("w.txt").exists());
}
