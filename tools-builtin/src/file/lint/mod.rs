//! What a parser says of a file after an edit.
//!
//! The text is parsed in this process, by a parser of the whole grammar, and nothing is run. What an
//! edit broke is told apart from what was broken before. A file whose language is not known, one
//! that is larger than [`LARGEST`] or nested deeper than its parser goes is not judged.

mod compare;
#[cfg(any(feature = "lint-python", feature = "lint-rust"))]
mod deep;
mod json;
mod language;
#[cfg(feature = "lint-python")]
mod python;
#[cfg(feature = "lint-rust")]
mod rust;
mod toml;
#[cfg(feature = "lint-yaml")]
mod yaml;

use std::fmt::Write as _;

use hermes_tools::{ErrorKind, ToolError};
use serde::Serialize;

use self::language::Language;
use super::text::BOM;

/// Largest text that is parsed, in bytes.
const LARGEST: usize = 4 << 20;

/// Problems of each kind that are told.
const SHOWN: usize = 10;

/// Characters of a message that are told.
const MESSAGE: usize = 200;

/// What a session does about an edit after which a file does not parse.
///
/// A host puts it into the session; a session without it warns.
///
/// ```
/// # use hermes_tools::{Selection, Session, ToolRegistry, Workspace, workspace::Confined};
/// use tools_builtin::LintMode;
///
/// # hermes_tools::link!(tools_builtin);
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.json"), "[1]")?;
/// let session = Session::builder(ToolRegistry::linked()?, Selection::of(["patch"]))
///     .workspace(Workspace::new(Confined::open(folder.path())?))
///     .state(LintMode::Refuse)
///     .build()?;
/// let edit = r#"{"path": "a.json", "old_string": "1]", "new_string": "1,"}"#;
/// let result = session.call_blocking("patch", edit);
/// assert_eq!(result.outcome.unwrap_err().code(), "does_not_parse");
/// assert_eq!(std::fs::read_to_string(folder.path().join("a.json"))?, "[1]");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LintMode {
    /// The file is written, and the result says what is wrong with it.
    #[default]
    Warn,
    /// An edit that brings a new problem is refused, and the old file stays.
    Refuse,
}

/// A place where a text does not follow the grammar of its language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Problem {
    /// Line, counted from 1.
    pub(super) line: usize,
    /// Column in characters, counted from 1.
    pub(super) column: usize,
    /// What the parser says.
    pub(super) message: String,
}

/// What a result says of a file whose language is known.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Lint {
    language: &'static str,
    /// Whether the file follows the grammar.
    parses: bool,
    /// What the edit broke, at most ten problems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    new_problems: Vec<Problem>,
    /// What was broken before, at most ten problems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    earlier_problems: Vec<Problem>,
}

/// Parses the new text of a file. `old` is its text before the edit, if there was one.
///
/// None for a file that is not judged.
pub(super) fn lint(path: &str, old: Option<&str>, new: &str) -> Option<Lint> {
    let language = Language::of(path)?;
    let judge = |text: &str| match text.len() {
        ..=LARGEST => language.problems(text).map(first_of_each_line),
        _ => None,
    };
    let new = new.strip_prefix(BOM).unwrap_or(new);
    let problems = judge(new)?;
    let (new_problems, earlier_problems) = match old {
        Some(old) if !problems.is_empty() => {
            let old = old.strip_prefix(BOM).unwrap_or(old);
            compare::apart(problems, new, old, &judge)
        }
        _ => (problems, Vec::new()),
    };
    Some(Lint {
        language: language.name(),
        parses: new_problems.is_empty() && earlier_problems.is_empty(),
        new_problems: told(new_problems),
        earlier_problems: told(earlier_problems),
    })
}

/// A parser that goes on after a problem often stumbles over the rest of the line too.
fn first_of_each_line(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.dedup_by_key(|problem| problem.line);
    problems
}

/// The problems that are told, with messages of a bounded length.
fn told(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.truncate(SHOWN);
    for problem in &mut problems {
        if let Some((cut, _)) = problem.message.char_indices().nth(MESSAGE) {
            problem.message.truncate(cut);
            problem.message.push_str(" ...");
        }
    }
    problems
}

impl Lint {
    /// The refusal of an edit that brings a new problem, in a session that wants none.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::DoesNotParse`], with the problems.
    pub(super) fn enforce(
        lint: Option<&Self>,
        mode: LintMode,
        path: &str,
    ) -> Result<(), ToolError> {
        let Some(lint) = lint.filter(|lint| !lint.new_problems.is_empty()) else {
            return Ok(());
        };
        match mode {
            LintMode::Warn => Ok(()),
            LintMode::Refuse => Err(ToolError::new(
                ErrorKind::DoesNotParse,
                format!(
                    "`{path}` would not parse as {}: {}",
                    lint.language,
                    lint.places()
                ),
            )
            .with_help("nothing was written; correct the text and send it again")),
        }
    }

    fn places(&self) -> String {
        let mut places = String::new();
        for (index, problem) in self.new_problems.iter().enumerate() {
            if index > 0 {
                places.push_str("; ");
            }
            // Writing to a `String` cannot fail.
            let _ = write!(
                places,
                "line {}, column {}: {}",
                problem.line, problem.column, problem.message
            );
        }
        places
    }
}

impl Problem {
    /// A problem at a byte of a text.
    fn at(text: &str, offset: usize, message: impl Into<String>) -> Self {
        let before = &text[..text.floor_char_boundary(offset)];
        let start = memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |newline| newline + 1);
        Self {
            line: memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1,
            column: before[start..].chars().count() + 1,
            message: message.into(),
        }
    }
}

#[cfg(test)]
mod tests;
