//! Answers to calls, for programs and for people.

use hermes_tools::args::{Issue, Repair};
use hermes_tools::{CallResult, Content, Output, ToolError};
use serde::Serialize;
use serde::ser::{SerializeSeq, Serializer};
use serde_json::value::RawValue;

use crate::json;

/// The answer to one call as a JSON object. The order of the fields is that of the output.
#[derive(Debug, Serialize)]
pub(crate) struct Answer<'a> {
    /// As it was sent, whatever its type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<&'a RawValue>,
    /// Line of a batch, for a call that was sent without an id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u64>,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<ResultValue<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorBody<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repairs: Option<Vec<RepairBody<'a>>>,
    /// What the model should know beside the result.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
}

/// JSON results as they are, texts as strings, several parts as a list.
#[derive(Debug)]
struct ResultValue<'a>(&'a Output);

struct Part<'a>(&'a Content);

#[derive(Debug, Serialize)]
pub(crate) struct ErrorBody<'a> {
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    issues: Vec<IssueBody<'a>>,
}

#[derive(Debug, Serialize)]
struct IssueBody<'a> {
    path: &'a str,
    problem: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

#[derive(Debug, Serialize)]
pub(crate) struct RepairBody<'a> {
    path: &'a str,
    what: &'a str,
    before: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    after: &'a str,
}

impl<'a> Answer<'a> {
    /// The answer of a tool, or of the session in its place.
    pub(crate) fn of(result: &'a CallResult) -> Self {
        let empty = Self {
            notes: &result.notes,
            ..Self::empty(Some(&result.tool))
        };
        let repairs = || result.repairs.iter().map(RepairBody::of).collect();
        match &result.outcome {
            Ok(output) => Self {
                ok: true,
                result: Some(ResultValue(output)),
                repairs: Some(repairs()),
                ..empty
            },
            Err(error) => Self {
                error: Some(ErrorBody::of(error)),
                repairs: (!result.repairs.is_empty()).then(repairs),
                ..empty
            },
        }
    }

    /// The answer to something that is no call.
    pub(crate) fn refusal(code: &'static str, message: &'a str, help: &'a str) -> Self {
        let error = ErrorBody {
            code,
            message,
            help: Some(help),
            issues: Vec::new(),
        };
        Self {
            error: Some(error),
            ..Self::empty(None)
        }
    }

    const fn empty(tool: Option<&'a str>) -> Self {
        Self {
            id: None,
            line: None,
            ok: false,
            tool,
            result: None,
            error: None,
            repairs: None,
            notes: &[],
        }
    }
}

impl<'a> ErrorBody<'a> {
    pub(crate) fn of(error: &'a ToolError) -> Self {
        Self {
            code: error.code(),
            message: error.message(),
            help: error.help(),
            issues: error.issues().iter().map(IssueBody::of).collect(),
        }
    }
}

impl<'a> IssueBody<'a> {
    fn of(issue: &'a Issue) -> Self {
        Self {
            path: &issue.path,
            problem: &issue.problem,
            hint: issue.hint.as_deref(),
        }
    }
}

impl<'a> RepairBody<'a> {
    pub(crate) fn of(repair: &'a Repair) -> Self {
        Self {
            path: &repair.path,
            what: repair.what,
            before: &repair.before,
            after: &repair.after,
        }
    }
}

impl Serialize for ResultValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let count = self.0.parts().count();
        let mut parts = self.0.parts().map(Part);
        match (count, parts.next()) {
            (1, Some(only)) => only.serialize(serializer),
            (_, first) => {
                let mut list = serializer.serialize_seq(Some(count))?;
                first
                    .into_iter()
                    .chain(parts)
                    .try_for_each(|part| list.serialize_element(&part))?;
                list.end()
            }
        }
    }
}

impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Content::Json(json) = self.0
            && let Ok(value) = serde_json::from_str::<&RawValue>(json)
        {
            return value.serialize(serializer);
        }
        self.0.as_text().serialize(serializer)
    }
}

/// A result for people: texts as they are, JSON laid out over lines.
pub(crate) fn readable(output: &Output) -> String {
    let parts: Vec<String> = output
        .parts()
        .map(|part| match part {
            Content::Json(json) => json::readable(json),
            other => other.as_text().to_owned(),
        })
        .collect();
    parts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_results_keep_their_digits_and_several_parts_are_a_list() {
        let json = Content::Json("{\"b\":1.50,\"a\":12345678901234567890123}".to_owned());
        let text = Content::Text("two\nlines".into());
        let one = Output::from(json.clone());
        assert_eq!(
            json::text(&ResultValue(&one)),
            "{\"b\":1.50,\"a\":12345678901234567890123}"
        );
        let several = Output::new(vec![text, json]);
        assert_eq!(
            json::text(&ResultValue(&several)),
            "[\"two\\nlines\",{\"b\":1.50,\"a\":12345678901234567890123}]"
        );
        assert_eq!(
            readable(&several),
            "two\nlines\n{\n  \"b\": 1.50,\n  \"a\": 12345678901234567890123\n}"
        );
    }
}
