//! The three bridge tools.

use std::sync::Arc;

use serde_json::{Value, json};

use super::offer::described;
use super::{CALL, DESCRIBE, SEARCH, ToolSearch};
use crate::args::{ForeignArguments, Node, RawArguments, render_string};
use crate::availability::CheckContext;
use crate::names;
use crate::output::{Content, ErrorKind, Output, ToolError};
use crate::registry::Tool;
use crate::schema::dialect::Dialect;
use crate::schema::foreign::{self, ForeignTool};

/// What a call of a bridge tool means.
#[derive(Debug)]
pub(crate) enum Bridged {
    /// It is answered here.
    Answer(Output),
    /// The call of another tool, with these arguments as JSON text.
    Call(String, String),
}

/// Characters of a description that a search shows. The value is that of hermes-agent.
const SHOWN: usize = 400;

/// Tells a model of the bridge, with the number of tools behind it.
pub(super) fn definitions(
    deferred: usize,
    settings: &ToolSearch,
    dialect: Option<Dialect>,
) -> Vec<(Box<str>, Arc<str>)> {
    let (most, usual) = (settings.max_limit, settings.default_limit);
    let name =
        r#""name":{"type":"string","description":"Name of the tool, as tool_search gave it."}"#;
    let all = [
        (
            SEARCH,
            format!(
                "Find tools by what they do: {deferred} more tools are available than are \
                 defined here. Then read the definition of one with tool_describe and use it with \
                 tool_call."
            ),
            format!(
                r#"{{"type":"object","properties":{{"query":{{"type":"string","description":"What the tool should do, or its name."}},"limit":{{"type":"integer","description":"How many tools to show.","default":{usual},"minimum":1,"maximum":{most}}}}},"required":["query"],"additionalProperties":false}}"#
            ),
        ),
        (
            DESCRIBE,
            "Show the definition of a tool that tool_search found: its parameters above all."
                .to_owned(),
            format!(
                r#"{{"type":"object","properties":{{{name}}},"required":["name"],"additionalProperties":false}}"#
            ),
        ),
        (
            CALL,
            "Call a tool that tool_search found.".to_owned(),
            format!(
                r#"{{"type":"object","properties":{{{name},"arguments":{{"type":"object","description":"The arguments of that tool, as its definition asks for them."}}}},"required":["name"],"additionalProperties":false}}"#
            ),
        ),
    ];
    let spelled = |(name, description, parameters): (&str, String, String)| {
        let text = in_form(name, &description, &parameters, dialect);
        (name.into(), text.into())
    };
    all.into_iter().map(spelled).collect()
}

/// A bridge tool in the form of a dialect. What that form cannot say of it, the answers of the bridge do.
fn in_form(name: &str, description: &str, parameters: &str, dialect: Option<Dialect>) -> String {
    if let Some((node, dialect)) = Node::from_json(parameters).zip(dialect) {
        let tool = ForeignTool {
            name,
            description,
            parameters: &(&node).into(),
        };
        if let Ok((text, _)) = foreign::annotated(tool, &node, dialect, None) {
            return text;
        }
    }
    format!(
        "{{\"name\":\"{name}\",\"description\":{},\"parameters\":{parameters}}}",
        render_string(description)
    )
}

/// What the call of a bridge tool means for the deferred tools of a session.
///
/// `find` looks a question up among them. Nothing outside of them is searched, shown or named.
pub(crate) fn answer(
    name: &str,
    arguments: RawArguments<'_>,
    deferred: &[Tool],
    settings: &ToolSearch,
    cx: &CheckContext<'_>,
    find: impl FnOnce(&str, usize) -> Vec<Tool>,
) -> Result<Bridged, ToolError> {
    let arguments = ForeignArguments::read(arguments)
        .map_err(|error| ToolError::arguments(name, &error, example(name).to_owned()))?;
    match name {
        SEARCH => search(&arguments, deferred.len(), settings, find),
        DESCRIBE => {
            let tool = named(&arguments, name)?;
            let found = deferred.iter().find(|it| it.name() == tool);
            let tool = found.ok_or_else(|| not_deferred(&tool, deferred))?;
            Ok(Bridged::Answer(Content::Json(described(tool, cx)).into()))
        }
        _ => {
            let tool = named(&arguments, name)?;
            if super::is_bridge(&tool) {
                let error = invalid(format!("`{CALL}` cannot call `{tool}`"));
                return Err(error.with_help(format!("call `{tool}` itself")));
            }
            Ok(Bridged::Call(tool, inner_arguments(&arguments)?))
        }
    }
}

fn search(
    arguments: &ForeignArguments,
    total: usize,
    settings: &ToolSearch,
    find: impl FnOnce(&str, usize) -> Vec<Tool>,
) -> Result<Bridged, ToolError> {
    let question = arguments.text("query").unwrap_or_default().trim();
    if question.is_empty() {
        let error = invalid("`query`: expected what the tool should do".to_owned());
        return Err(error.with_help(format!("send arguments such as {}", example(SEARCH))));
    }
    let asked: Option<Value> = arguments
        .get("limit")
        .and_then(|limit| serde_json::from_str(&limit.to_json()).ok());
    let found = find(question, settings.limit(asked.as_ref()));
    let matches: Vec<Value> = found.iter().map(hit).collect();
    let mut answer = json!({
        "query": question,
        "total_available": total,
        "matches": matches,
    });
    if found.is_empty() {
        answer["note"] = "no tool matches; try other words, or the name of a service".into();
    }
    Ok(Bridged::Answer(Content::Json(answer.to_string()).into()))
}

fn hit(tool: &Tool) -> Value {
    let source = match tool {
        _ if tool.toolset().starts_with("mcp-") => "mcp",
        _ if tool.plugin().is_some() => "plugin",
        _ => "other",
    };
    let description: String = tool.description().chars().take(SHOWN).collect();
    json!({
        "name": tool.name(),
        "source": source,
        "source_name": tool.toolset(),
        "description": description,
    })
}

fn named(arguments: &ForeignArguments, bridge: &str) -> Result<String, ToolError> {
    let name = arguments.text("name").unwrap_or_default().trim();
    if name.is_empty() {
        let error = invalid("`name`: missing: which tool is meant?".to_owned());
        return Err(error.with_help(format!("send arguments such as {}", example(bridge))));
    }
    Ok(name.to_owned())
}

/// The arguments for the real tool: under `arguments` or `parameters`, as an object or its text, or
/// beside the name, where weak models put them.
fn inner_arguments(outer: &ForeignArguments) -> Result<String, ToolError> {
    let beside: Vec<(String, Node)> = outer
        .iter()
        .filter(|(key, _)| !matches!(*key, "name" | "arguments" | "parameters"))
        .map(|(key, value)| (key.to_owned(), value.clone()))
        .collect();
    let given = outer.get("arguments").or_else(|| outer.get("parameters"));
    let mut inner = match given {
        None | Some(Node::Null) => Vec::new(),
        Some(Node::Object(entries)) => entries.clone(),
        Some(Node::String(text)) => {
            let inner = ForeignArguments::read(RawArguments::new(text))
                .map_err(|error| ToolError::arguments(CALL, &error, example(CALL).to_owned()))?;
            let copied = inner.iter();
            copied
                .map(|(key, value)| (key.to_owned(), value.clone()))
                .collect()
        }
        Some(other) => {
            let error = invalid(format!(
                "`arguments`: expected an object, got {}",
                other.describe()
            ));
            return Err(error.with_help(format!("send arguments such as {}", example(CALL))));
        }
    };
    for (key, value) in beside {
        if inner.iter().all(|(known, _)| *known != key) {
            inner.push((key, value));
        }
    }
    Ok(Node::Object(inner).to_json())
}

fn not_deferred(name: &str, deferred: &[Tool]) -> ToolError {
    let shown: String = name.chars().take(80).collect();
    let near = names::near(name, deferred.iter().map(Tool::name));
    let help = if near.is_empty() {
        format!("find names with `{SEARCH}`; tools that are defined need no description")
    } else {
        format!("did you mean `{}`?", near.join("` or `"))
    };
    ToolError::new(
        ErrorKind::UnknownTool,
        format!("`{SEARCH}` offers no tool `{shown}`"),
    )
    .with_help(help)
}

fn invalid(message: String) -> ToolError {
    ToolError::new(ErrorKind::InvalidArguments, message)
}

fn example(bridge: &str) -> &'static str {
    match bridge {
        SEARCH => r#"{"query":"create an issue"}"#,
        DESCRIBE => r#"{"name":"..."}"#,
        _ => r#"{"name":"...","arguments":{}}"#,
    }
}
