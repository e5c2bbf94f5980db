//! Arguments as JSON Lines: a call a line in, a result a line out.

use std::collections::HashMap;
use std::rc::Rc;

use super::node::write_string;
use super::parse::parse;
use super::{ArgumentError, Decoded, Issue, JsonSchema, Node, RawArguments, Repair};

/// Decodes lines `{"id"?, "schema"?, "raw", "finish_reason"?}`.
///
/// A result is `{"id"?, "ok": true, "arguments", "repairs"}` or
/// `{"id"?, "ok": false, "error": {"kind", "issues", "text"}}`, on one line. A repair is
/// `{"path", "what", "before", "after"}`, an issue `{"path", "problem", "expected"?, "got"?,
/// "nearest"?}`. The kind is `malformed_arguments`, `truncated`, `invalid_arguments`, or `bad_line`
/// for a line that is no such object.
///
/// ```
/// use hermes_tools::args::LineDecoder;
///
/// let mut decoder = LineDecoder::default();
/// assert_eq!(
///     decoder.decode(r#"{"id": 7, "schema": {"properties": {"n": {"type": "integer"}}}, "raw": "{'n': 5"}"#),
///     concat!(
///         r#"{"id":7,"ok":true,"arguments":{"n":5},"repairs":["#,
///         r#"{"path":"","what":"single quotes made double","before":"line 1, column 2","after":""},"#,
///         r#"{"path":"","what":"missing closing bracket added","before":"line 1, column 8","after":""}]}"#,
///     ),
/// );
/// ```
#[derive(Debug, Default)]
pub struct LineDecoder {
    /// For lines without a schema of their own.
    schema: Option<Rc<JsonSchema>>,
    /// The schemas of the last lines, by their text. Lines of one tool tend to follow each other.
    known: HashMap<String, Rc<JsonSchema>>,
}

/// So many schemas are kept compiled.
const MAX_KNOWN: usize = 64;

impl LineDecoder {
    /// A decoder for lines that have no schema of their own, such as those of one tool.
    pub fn with_schema(schema: JsonSchema) -> Self {
        Self {
            schema: Some(Rc::new(schema)),
            known: HashMap::new(),
        }
    }

    /// The result of one line, without a line break.
    pub fn decode(&mut self, line: &str) -> String {
        let fields = match parse(line) {
            Ok((line @ Node::Object(_), _)) => line,
            Ok(_) => return bad_line(None, "the line is no object"),
            Err(error) => return bad_line(None, &format!("the line is not JSON: {error}")),
        };
        let id = fields.get("id");
        let Some(schema) = self.schema(fields.get("schema")) else {
            return bad_line(id, "the line has no `schema`");
        };
        let Some(raw) = fields.get("raw").and_then(Node::as_str) else {
            return bad_line(id, "the line has no text under `raw`");
        };
        let mut arguments = RawArguments::new(raw);
        match fields.get("finish_reason") {
            None | Some(Node::Null) => {}
            Some(Node::String(reason)) => arguments = arguments.finish_reason(reason),
            Some(_) => return bad_line(id, "`finish_reason` is no text"),
        }
        match schema.decode(arguments) {
            Ok(decoded) => success(id, &decoded),
            Err(error) => failure(id, &error, &schema.example()),
        }
    }

    fn schema(&mut self, own: Option<&Node>) -> Option<Rc<JsonSchema>> {
        let Some(own) = own else {
            return self.schema.clone();
        };
        let text = own.to_json();
        if let Some(schema) = self.known.get(&text) {
            return Some(Rc::clone(schema));
        }
        if self.known.len() == MAX_KNOWN {
            self.known.clear();
        }
        let schema = Rc::new(JsonSchema::from_node(own));
        self.known.insert(text, Rc::clone(&schema));
        Some(schema)
    }
}

fn start(id: Option<&Node>, ok: bool) -> String {
    let id = id.map_or_else(String::new, |id| format!("\"id\":{},", id.to_json()));
    format!("{{{id}\"ok\":{ok},")
}

fn success(id: Option<&Node>, decoded: &Decoded) -> String {
    let mut line = start(id, true);
    line.push_str("\"arguments\":");
    decoded.arguments.write(&mut line);
    line.push_str(",\"repairs\":[");
    for (
        index,
        Repair {
            path,
            what,
            before,
            after,
        },
    ) in decoded.repairs.iter().enumerate()
    {
        line.push_str(if index > 0 { ",{" } else { "{" });
        entries(
            &mut line,
            &[
                ("path", path),
                ("what", what),
                ("before", before),
                ("after", after),
            ],
        );
        line.push('}');
    }
    line.push_str("]}");
    line
}

fn failure(id: Option<&Node>, error: &ArgumentError, example: &str) -> String {
    let mut line = start(id, false);
    line.push_str("\"error\":{");
    entries(&mut line, &[("kind", error.code())]);
    line.push_str(",\"issues\":[");
    for (index, issue) in error.issues().iter().enumerate() {
        line.push_str(if index > 0 { ",{" } else { "{" });
        write_issue(&mut line, issue);
        line.push('}');
    }
    line.push_str("],");
    entries(
        &mut line,
        &[("text", &format!("{error}; {}", error.help(example)))],
    );
    line.push_str("}}");
    line
}

fn write_issue(line: &mut String, issue: &Issue) {
    entries(line, &[("path", &issue.path), ("problem", &issue.problem)]);
    let facts = [
        ("expected", &issue.expected),
        ("got", &issue.got),
        ("nearest", &issue.nearest),
    ];
    for (name, fact) in facts {
        if let Some(fact) = fact {
            line.push(',');
            entries(line, &[(name, fact)]);
        }
    }
}

fn bad_line(id: Option<&Node>, problem: &str) -> String {
    let mut line = start(id, false);
    line.push_str("\"error\":{\"kind\":\"bad_line\",\"issues\":[],");
    entries(&mut line, &[("text", problem)]);
    line.push_str("}}");
    line
}

fn entries(line: &mut String, entries: &[(&str, &str)]) {
    for (index, (key, value)) in entries.iter().enumerate() {
        if index > 0 {
            line.push(',');
        }
        write_string(key, line);
        line.push(':');
        write_string(value, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str =
        r#"{"properties":{"n":{"type":"integer"},"mode":{"enum":["a","bee"]}},"required":["n"]}"#;

    fn decode(rest: &str) -> String {
        LineDecoder::default().decode(&format!("{{\"schema\":{SCHEMA},{rest}}}"))
    }

    #[test]
    fn a_misfit_tells_all_of_its_issues() {
        assert_eq!(
            decode(r#""id":"x","raw":"{\"n\":\"one\",\"mode\":\"bea\"}""#),
            concat!(
                r#"{"id":"x","ok":false,"error":{"kind":"invalid_arguments","issues":["#,
                r#"{"path":"n","problem":"expected a whole number, got \"one\"","#,
                r#""expected":"a whole number","got":"\"one\""},"#,
                r#"{"path":"mode","problem":"expected one of \"a\", \"bee\", got \"bea\"","#,
                r#""expected":"one of \"a\", \"bee\"","got":"\"bea\"","nearest":"\"bee\""}],"#,
                r#""text":"`n`: expected a whole number, got \"one\"; `mode`: expected one of "#,
                r#"\"a\", \"bee\", got \"bea\"; did you mean \"bee\"?; "#,
                r#"send arguments such as {\"n\":1}"}}"#,
            )
        );
    }

    #[test]
    fn a_cut_text_has_a_kind_of_its_own() {
        for rest in [
            r#""raw":"{\"n\":""#,
            r#""raw":"{\"n\":1","finish_reason":"length""#,
            r#""raw":"","finish_reason":"max_tokens""#,
        ] {
            let line = decode(rest);
            assert!(line.starts_with(r#"{"ok":false,"error":{"kind":"truncated","issues":[],"#));
        }
        assert_eq!(
            decode(r#""raw":"{\"n\":1}","finish_reason":"length""#),
            r#"{"ok":true,"arguments":{"n":1},"repairs":[]}"#
        );
    }

    #[test]
    fn a_line_that_makes_no_sense_is_answered_too() {
        for (line, text) in [
            (
                "nonsense",
                "the line is not JSON: expected a value at line 1, column 1",
            ),
            ("[]", "the line is no object"),
            (r#"{"raw":"{}"}"#, "the line has no `schema`"),
            (
                r#"{"schema":{},"raw":{}}"#,
                "the line has no text under `raw`",
            ),
            (
                r#"{"schema":{},"raw":"{}","finish_reason":1}"#,
                "`finish_reason` is no text",
            ),
        ] {
            let expected = format!(
                "{{\"ok\":false,\"error\":{{\"kind\":\"bad_line\",\"issues\":[],\"text\":\"{text}\"}}}}"
            );
            assert_eq!(LineDecoder::default().decode(line), expected);
        }
        let mut typed = LineDecoder::with_schema(JsonSchema::parse(SCHEMA).unwrap());
        assert_eq!(
            typed.decode(r#"{"id":null,"raw":"{\"n\":1}"}"#),
            r#"{"id":null,"ok":true,"arguments":{"n":1},"repairs":[]}"#
        );
    }
}
