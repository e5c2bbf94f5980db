//! One line of a batch.

use std::borrow::Cow;

use hermes_tools::ToolCall;
use serde::Deserialize;
use serde_json::value::RawValue;

/// What a call looks like, for lines that are none.
pub(super) const HELP: &str =
    r#"write such as {"id": 1, "name": "read_file", "arguments": {"path": "README.md"}}"#;

/// A call as a line holds it.
#[derive(Debug)]
pub(super) struct Line<'a> {
    id: Option<&'a RawValue>,
    name: Cow<'a, str>,
    /// A JSON text, mostly an object.
    arguments: Cow<'a, str>,
    finish_reason: Option<Cow<'a, str>>,
}

// Keys are closed: a misspelt `arguments` must not become a call without any.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    tool: Option<Cow<'a, str>>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    finish_reason: Option<Cow<'a, str>>,
}

impl<'a> Line<'a> {
    /// Reads a line, or says what is wrong with it.
    pub(super) fn parse(line: &'a [u8]) -> Result<Self, String> {
        let line = str::from_utf8(line)
            .map_err(|_| "it is not UTF-8".to_owned())?
            .trim();
        // A list would be taken for the values of the keys in their order.
        if !line.starts_with('{') {
            return Err("it is no JSON object".to_owned());
        }
        let keys: Keys<'_> = serde_json::from_str(line).map_err(|error| problem(&error))?;
        let name = match (keys.name, keys.tool) {
            (Some(name), None) | (None, Some(name)) => name,
            (None, None) => return Err("it has no `name`".to_owned()),
            (Some(_), Some(_)) => return Err("it has both `name` and `tool`".to_owned()),
        };
        let arguments = match keys.arguments.map(RawValue::get) {
            None => Cow::Borrowed("{}"),
            Some(text) if text.starts_with('"') => {
                serde_json::from_str(text).map_err(|error| problem(&error))?
            }
            Some(json) => Cow::Borrowed(json),
        };
        Ok(Self {
            id: keys.id,
            name,
            arguments,
            finish_reason: keys.finish_reason,
        })
    }

    /// The id as it was sent.
    pub(super) fn id(&self) -> Option<&'a RawValue> {
        self.id
    }

    /// The call.
    pub(super) fn to_call(&self) -> ToolCall {
        let mut call = ToolCall::new(&*self.name, &*self.arguments);
        if let Some(reason) = &self.finish_reason {
            call = call.finish_reason(reason);
        }
        match self.id {
            // A text is an id without its quotes.
            Some(id) => match serde_json::from_str::<String>(id.get()) {
                Ok(text) => call.id(text),
                Err(_) => call.id(id.get()),
            },
            None => call,
        }
    }
}

/// What the parser says, with the column alone: it only ever sees one line.
fn problem(error: &serde_json::Error) -> String {
    error.to_string().replace("at line 1 column", "at column")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<(Option<String>, String, String), String> {
        let line = Line::parse(line.as_bytes())?;
        let id = line.id().map(|id| id.get().to_owned());
        Ok((id, line.name.into_owned(), line.arguments.into_owned()))
    }

    #[test]
    fn arguments_may_be_an_object_or_text_or_absent() {
        let call = |id: Option<&str>, arguments: &str| {
            Ok((id.map(str::to_owned), "t".to_owned(), arguments.to_owned()))
        };
        assert_eq!(
            parse(r#"{"id": 7, "name": "t", "arguments": {"n": 1.50}}"#),
            call(Some("7"), r#"{"n": 1.50}"#)
        );
        assert_eq!(
            parse(r#"{"id":"a","tool":"t","arguments":"{\"n\":1}"}"#),
            call(Some("\"a\""), r#"{"n":1}"#)
        );
        assert_eq!(parse(r#" {"name":"t"} "#), call(None, "{}"));
    }

    #[test]
    fn what_is_no_call_says_why() {
        for (line, why) in [
            ("read_file", "it is no JSON object"),
            (r#"[1,"t"]"#, "it is no JSON object"),
            ("{}", "it has no `name`"),
            (
                r#"{"name":"t","tool":"t"}"#,
                "it has both `name` and `tool`",
            ),
            (r#"{"name":"t""#, "EOF while parsing an object at column 11"),
            (
                r#"{"name":"t","args":{}}"#,
                "unknown field `args`, expected one of `id`, `name`, `tool`, `arguments`, `finish_reason` at column 18",
            ),
        ] {
            assert_eq!(parse(line), Err(why.to_owned()), "{line}");
        }
        assert_eq!(
            Line::parse(b"{\"name\":\"\xff\"}").unwrap_err(),
            "it is not UTF-8"
        );
    }
}
