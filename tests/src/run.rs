//! Running the lines of one vector file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};

use crate::exceptions::Exceptions;
use crate::line::{Line, Outcome};

/// Names the folder that the vectors are read from instead of `tests/vectors`.
const FOLDER: &str = "HERMES_VECTORS_DIR";

/// One file of vectors, and the kinds of lines that can be run.
#[derive(Debug)]
pub struct VectorFile {
    name: &'static str,
    kinds: BTreeSet<&'static str>,
    /// Whether kinds are labels, which choose nothing.
    any_kind: bool,
    pending: BTreeSet<&'static str>,
}

/// What came of the lines of a file.
#[derive(Debug, Default)]
struct Report {
    total: usize,
    passed: usize,
    /// Lines that fail and are known to.
    excused: usize,
    /// Kinds that nothing implements yet, with the number of their lines.
    pending: BTreeMap<String, usize>,
    /// One text per line that fails, and per fault of the files.
    misses: Vec<String>,
}

impl VectorFile {
    /// The file of this name, without `.jsonl`.
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            kinds: BTreeSet::new(),
            any_kind: false,
            pending: BTreeSet::new(),
        }
    }

    /// Kinds of lines that are run. A line of a kind that is named nowhere is an error.
    #[must_use]
    pub fn kinds(mut self, kinds: impl IntoIterator<Item = &'static str>) -> Self {
        self.kinds.extend(kinds);
        self
    }

    /// Lines of every kind are run: the kinds only say which lines are alike.
    #[must_use]
    pub fn any_kind(mut self) -> Self {
        self.any_kind = true;
        self
    }

    /// Kinds of lines that nothing implements yet. They are counted and printed, and never pass.
    #[must_use]
    pub fn pending(mut self, kinds: impl IntoIterator<Item = &'static str>) -> Self {
        self.pending.extend(kinds);
        self
    }

    /// Runs every line of the file and prints how many passed.
    ///
    /// `answer` gives the outcome of a line, or why there is none. A panic is a miss of that line.
    ///
    /// A file that the folder of `HERMES_VECTORS_DIR` does not hold is skipped, with a note.
    ///
    /// # Panics
    ///
    /// A line fails that is not listed in `exceptions.txt`, a listed one passes, or a file cannot
    /// be read.
    pub fn run(self, answer: impl Fn(&Line) -> Result<Outcome, String>) {
        let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
        let given = std::env::var_os(FOLDER).map(PathBuf::from);
        let folder = given.as_ref().unwrap_or(&ours);
        assert!(
            folder.is_dir(),
            "{FOLDER} is no folder: {}",
            folder.display()
        );

        let path = folder.join(self.name).with_extension("jsonl");
        let lines = match fs::read_to_string(&path) {
            Ok(lines) => lines,
            Err(error) if error.kind() == ErrorKind::NotFound && given.is_some() => {
                print(&format!(
                    "{}: skipped, not in {}",
                    self.name,
                    folder.display()
                ));
                return;
            }
            Err(error) => panic!("{}: {error}", path.display()),
        };
        let exceptions = fs::read_to_string(ours.join("exceptions.txt"))
            .map_err(|error| format!("exceptions.txt: {error}"))
            .and_then(|text| Exceptions::parse(&text, self.name));
        let report = match exceptions {
            Ok(exceptions) => self.check(&lines, &exceptions, given.is_none(), answer),
            Err(error) => panic!("{error}"),
        };
        print(&format!("{}: {report}", self.name));
        assert!(
            report.misses.is_empty(),
            "{}\n{}",
            self.name,
            report.misses.join("\n")
        );
    }

    /// Runs lines. `complete` says that they hold every line that an exception may name.
    fn check(
        &self,
        lines: &str,
        exceptions: &Exceptions,
        complete: bool,
        answer: impl Fn(&Line) -> Result<Outcome, String>,
    ) -> Report {
        let mut report = Report::default();
        let mut seen = BTreeSet::new();
        for (index, text) in lines.lines().enumerate() {
            report.total += 1;
            let line: Line = match serde_json::from_str(text) {
                Ok(line) => line,
                Err(error) => {
                    report
                        .misses
                        .push(format!("{}.jsonl:{}: {error}", self.name, index + 1));
                    continue;
                }
            };
            if !seen.insert(line.id.clone()) {
                report
                    .misses
                    .push(format!("{}: the id stands there twice", line.id));
            } else if self.pending.contains(&*line.kind) {
                *report.pending.entry(line.kind.clone()).or_default() += 1;
            } else if self.any_kind || self.kinds.contains(&*line.kind) {
                report.judge(&line, exceptions, &answer);
            } else {
                report
                    .misses
                    .push(format!("{}: unknown kind `{}`", line.id, line.kind));
            }
        }
        if report.total == 0 {
            report.misses.push("the file has no lines".to_owned());
        }
        for id in exceptions
            .ids()
            .filter(|id| complete && !seen.contains(*id))
        {
            report.misses.push(format!(
                "{id}: exceptions.txt lists a line that does not exist"
            ));
        }
        report
    }
}

impl Report {
    fn judge(
        &mut self,
        line: &Line,
        exceptions: &Exceptions,
        answer: impl Fn(&Line) -> Result<Outcome, String>,
    ) {
        let got = match panic::catch_unwind(AssertUnwindSafe(|| answer(line))) {
            Ok(outcome) => outcome.and_then(|outcome| Ok((passes(line, &outcome)?, outcome))),
            Err(panic) => Err(format!("panicked: {}", panic_text(&*panic))),
        };
        let excuse = exceptions.reason(&line.id);
        match got {
            Ok((true, _)) if excuse.is_none() => self.passed += 1,
            Ok((true, _)) => {
                self.misses.push(format!(
                    "{}: passes, take it out of exceptions.txt",
                    line.id
                ));
            }
            _ if excuse.is_some() => self.excused += 1,
            Ok((false, outcome)) => self.misses.push(miss(line, &outcome.to_string())),
            Err(error) => self.misses.push(miss(line, &error)),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.passed, self.total)?;
        if self.excused > 0 {
            write!(f, ", known to fail: {}", self.excused)?;
        }
        let mut lead = ", not yet implemented:";
        for (kind, count) in &self.pending {
            write!(f, "{lead} {kind} {count}")?;
            lead = ",";
        }
        Ok(())
    }
}

fn passes(line: &Line, outcome: &Outcome) -> Result<bool, String> {
    match outcome {
        Outcome::Answer(answer) => line.accepts(answer),
        Outcome::Judged { passed, .. } => Ok(*passed),
    }
}

fn miss(line: &Line, got: &str) -> String {
    format!(
        "{}\n  expected: {}\n       got: {got}",
        line.id,
        line.expected_text()
    )
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text,
        _ => "not with a text",
    }
}

/// Prints past the capture of the test runner, which shows what is printed only for failed tests.
fn print(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &str, exceptions: &str, complete: bool) -> Report {
        let exceptions = Exceptions::parse(exceptions, "f").unwrap();
        let file = VectorFile::new("f")
            .kinds(["upper", "judged"])
            .pending(["later"]);
        file.check(lines, &exceptions, complete, |line| {
            let text: String = line.input()?;
            assert!(text != "boom", "no {text}");
            match &*line.kind {
                "judged" => Ok(Outcome::Judged {
                    passed: text == "yes",
                    got: text,
                }),
                _ => Outcome::value(&text.to_uppercase()),
            }
        })
    }

    #[test]
    fn right_and_accepted_answers_pass() {
        let report = check(
            r#"{"id": "a", "kind": "upper", "input": "x", "expected": "X"}
{"id": "b", "kind": "upper", "input": "x", "expected": "?", "accept": ["!", "X"], "why": "w"}
{"id": "c", "kind": "judged", "input": "yes", "expected": null, "reference": 1}"#,
            "",
            true,
        );
        assert_eq!(report.misses, Vec::<String>::new());
        assert_eq!(report.to_string(), "3/3");
    }

    #[test]
    fn misses_show_what_was_expected_and_what_came() {
        let report = check(
            r#"{"id": "a", "kind": "upper", "input": "x", "expected": "Y"}
{"id": "b", "kind": "upper", "input": "boom", "expected": "X"}
{"id": "c", "kind": "judged", "input": "no", "expected": null}"#,
            "",
            true,
        );
        assert_eq!(
            report.misses,
            [
                "a\n  expected: \"Y\"\n       got: \"X\"",
                "b\n  expected: \"X\"\n       got: panicked: no boom",
                "c\n  expected: null\n       got: no",
            ]
        );
        assert_eq!(report.to_string(), "0/3");
    }

    #[test]
    fn faults_of_a_file_are_misses() {
        let report = check(
            r#"{"id": "a", "kind": "upper", "input": "x", "expected": "X", "extra": 1}
{"id": "b", "kind": "other", "input": "x", "expected": "X"}
{"id": "c", "kind": "upper", "input": "x", "expected": "X"}
{"id": "c", "kind": "upper", "input": "x", "expected": "X"}
{"id": "d", "kind": "upper", "input": 5, "expected": "X"}"#,
            "",
            true,
        );
        assert_eq!(report.to_string(), "1/5");
        assert!(report.misses[0].starts_with("f.jsonl:1: unknown field `extra`"));
        assert_eq!(report.misses[1], "b: unknown kind `other`");
        assert_eq!(report.misses[2], "c: the id stands there twice");
        assert!(report.misses[3].contains("got: input: invalid type: integer `5`"));
        assert_eq!(check("", "", true).misses, ["the file has no lines"]);
    }

    #[test]
    fn kinds_that_are_labels_may_be_new() {
        let lines = r#"{"id": "a", "kind": "other", "input": "x", "expected": "X"}"#;
        let exceptions = Exceptions::parse("", "f").unwrap();
        let answer = |line: &Line| Outcome::value(&line.input::<String>()?.to_uppercase());
        let report = |file: VectorFile| file.check(lines, &exceptions, true, answer).to_string();
        assert_eq!(report(VectorFile::new("f")), "0/1");
        assert_eq!(report(VectorFile::new("f").any_kind()), "1/1");
    }

    #[test]
    fn pending_kinds_are_counted_and_do_not_pass() {
        let report = check(
            r#"{"id": "a", "kind": "later", "input": "x", "expected": "X"}
{"id": "b", "kind": "upper", "input": "x", "expected": "X"}"#,
            "",
            true,
        );
        assert_eq!(report.misses, Vec::<String>::new());
        assert_eq!(report.to_string(), "1/2, not yet implemented: later 1");
    }

    #[test]
    fn only_failing_lines_may_be_excused() {
        let lines = r#"{"id": "a", "kind": "upper", "input": "x", "expected": "Y"}
{"id": "b", "kind": "upper", "input": "x", "expected": "X"}"#;
        let report = check(lines, "f a why\nf b why\nf c why\ng d why", true);
        assert_eq!(
            report.misses,
            [
                "b: passes, take it out of exceptions.txt",
                "c: exceptions.txt lists a line that does not exist",
            ]
        );
        assert_eq!(report.to_string(), "0/2, known to fail: 1");
        assert_eq!(
            check(lines, "f a why\nf c why", false).misses,
            Vec::<String>::new()
        );
    }
}
