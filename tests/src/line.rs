//! One case of a vector file.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// One line of a vector file. A field that is not listed here is an error, so that no part of a case
/// goes unseen.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Unique in its file.
    pub id: String,
    /// Group of like cases.
    pub kind: String,
    input: Option<Box<RawValue>>,
    expected: Box<RawValue>,
    #[serde(default)]
    accept: Vec<Box<RawValue>>,
    /// What the behaviour reference gives where it differs. For information only.
    pub reference: Option<Box<RawValue>>,
    /// What the line tests, or why the reference is not followed.
    pub why: Option<String>,
    /// Whether the reference was not run, being dangerous to the machine. For information only.
    #[serde(default)]
    pub reference_not_run: bool,
    files_before: Option<Box<RawValue>>,
    prelude: Option<Box<RawValue>>,
    call: Option<Box<RawValue>>,
    files_after: Option<Box<RawValue>>,
    config: Option<Box<RawValue>>,
}

/// The parts of a line about tools that work on files.
#[derive(Debug, Clone)]
pub struct FileCase {
    /// Where the tools may go.
    pub config: Value,
    /// Files to be made first, by path.
    pub files_before: Value,
    /// Steps before the call.
    pub prelude: Value,
    /// The call that is judged.
    pub call: Value,
    /// Files afterwards, by path.
    pub files_after: Value,
}

/// What became of a line.
#[derive(Debug)]
pub enum Outcome {
    /// An answer, to be compared with what the line expects.
    Answer(Value),
    /// Judged where it was made, by rules that equality does not cover.
    Judged {
        /// Whether it is what the line expects.
        passed: bool,
        /// The answer as it is shown when it is not.
        got: String,
    },
}

impl Line {
    /// The input as a type of the test. The type should deny unknown fields.
    ///
    /// # Errors
    ///
    /// The input does not fit the type, or the line has none.
    pub fn input<T: DeserializeOwned>(&self) -> Result<T, String> {
        let input = self.input.as_ref().ok_or("the line has no input")?;
        serde_json::from_str(input.get()).map_err(|error| format!("input: {error}"))
    }

    /// The parts of a line about tools that work on files. What is not there is null.
    ///
    /// # Errors
    ///
    /// A part does not parse.
    pub fn file_case(&self) -> Result<FileCase, String> {
        let part = |part: &Option<Box<RawValue>>| match part {
            Some(part) => serde_json::from_str(part.get()).map_err(|error| error.to_string()),
            None => Ok(Value::Null),
        };
        Ok(FileCase {
            config: part(&self.config)?,
            files_before: part(&self.files_before)?,
            prelude: part(&self.prelude)?,
            call: part(&self.call)?,
            files_after: part(&self.files_after)?,
        })
    }

    /// The expected answer as it is written.
    pub fn expected_text(&self) -> &str {
        self.expected.get()
    }

    /// The expected answer as a type of the test.
    ///
    /// # Errors
    ///
    /// The answer does not fit the type.
    pub fn expected<T: DeserializeOwned>(&self) -> Result<T, String> {
        serde_json::from_str(self.expected.get()).map_err(|error| format!("expected: {error}"))
    }

    /// The right answers as they are written: what is expected, and what else is accepted.
    pub fn right_texts(&self) -> impl Iterator<Item = &str> {
        let right = std::iter::once(&self.expected).chain(&self.accept);
        right.map(|right| right.get())
    }

    /// Whether an answer equals what is expected, or one of the other accepted answers.
    ///
    /// # Errors
    ///
    /// An expected value does not parse.
    pub(crate) fn accepts(&self, answer: &Value) -> Result<bool, String> {
        for right in std::iter::once(&self.expected).chain(&self.accept) {
            let right: Value =
                serde_json::from_str(right.get()).map_err(|error| format!("expected: {error}"))?;
            if right == *answer {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Outcome {
    /// An answer that can be written as JSON.
    ///
    /// # Errors
    ///
    /// It cannot.
    pub fn value(answer: &impl Serialize) -> Result<Self, String> {
        serde_json::to_value(answer)
            .map(Self::Answer)
            .map_err(|error| format!("answer: {error}"))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answer(answer) => write!(f, "{answer}"),
            Self::Judged { got, .. } => f.write_str(got),
        }
    }
}
