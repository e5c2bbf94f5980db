//! One connection to a server: the handshake, its tools, calls.

use std::collections::HashSet;
use std::sync::Arc;

use hermes_tools::args::{ForeignArguments, Node};
use hermes_tools::output::redact::redact;
use hermes_tools::{Effect, ErrorKind, Output, RuntimeTool, ToolError};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, JsonObject, ListToolsRequest,
    PaginatedRequestParams, ServerResult,
};
use rmcp::service::{Peer, RoleClient, ServiceError};
use serde_json::Value;
use tokio::sync::watch;

use super::answer;
use super::host::Host;
use super::process::Log;
use super::questions::Questions;
use super::spec::ServerSpec;
use super::wire;
use crate::open::ask;

/// What the calls of a server have to do with its connection.
pub(super) struct Line {
    /// Where they find it.
    pub(super) peer: watch::Sender<Option<Peer<RoleClient>>>,
    /// What a call was told by a server that wants a sign-in, or a further one.
    pub(super) challenge: watch::Sender<Option<Challenge>>,
    /// What the last process of the server wrote to its standard error.
    pub(super) log: watch::Sender<Option<Arc<Log>>>,
    /// What answers questions of the server.
    pub(super) questions: Questions,
}

/// What a server says that wants a sign-in.
#[derive(Debug, Clone)]
pub(super) struct Challenge {
    /// Its header `WWW-Authenticate`.
    pub(super) text: String,
    /// Whether it answers nothing at all without one.
    pub(super) shut: bool,
}

impl Line {
    pub(super) fn new(host: Arc<dyn Host>) -> Self {
        Self {
            questions: Questions::new(host),
            peer: watch::channel(None).0,
            challenge: watch::channel(None).0,
            log: watch::channel(None).0,
        }
    }

    /// The end of that, as the end of a sentence; empty where it wrote nothing.
    async fn wrote(&self) -> String {
        let log = self.log.borrow().clone();
        match log {
            Some(log) => wrote(&log.text(TOLD).await),
            None => String::new(),
        }
    }
}

/// How much of the standard error a call is told, in bytes.
const TOLD: usize = 1_000;

/// What a server wrote to its standard error, as the end of a sentence. A model may read it.
pub(super) fn wrote(log: &str) -> String {
    match log.trim() {
        "" => String::new(),
        log => format!("; it wrote: {}", redact(log)),
    }
}

/// Pages of a list that are asked for at most.
const MAX_PAGES: usize = 1_000;

/// The tools that a server lists, as it wrote them, so that one that is damaged is damaged alone.
pub(super) struct Listed {
    pub(super) tools: Vec<Value>,
    /// Why there may be more.
    pub(super) incomplete: Option<String>,
}

/// All tools that a server lists, page by page.
pub(super) async fn list(peer: &Peer<RoleClient>) -> Result<Listed, ServiceError> {
    let mut tools = Vec::new();
    let mut cursor = None;
    let mut seen = HashSet::new();
    for _ in 0..MAX_PAGES {
        let params = PaginatedRequestParams::default().with_cursor(cursor.take());
        let request = ListToolsRequest {
            params: Some(params),
            ..ListToolsRequest::default()
        };
        let answered = ask(peer, ClientRequest::ListToolsRequest(request)).await?;
        let mut page = value(&answered);
        if let Some(Value::Array(listed)) = page.get_mut("tools").map(Value::take) {
            tools.extend(listed);
        }
        match page.get("nextCursor").and_then(Value::as_str) {
            // A page that is asked for again would come again.
            Some(next) if !seen.insert(next.to_owned()) => {
                let incomplete = Some("its list of tools goes in circles".to_owned());
                return Ok(Listed { tools, incomplete });
            }
            Some(next) => cursor = Some(next.to_owned()),
            None => {
                let incomplete = None;
                return Ok(Listed { tools, incomplete });
            }
        }
    }
    let incomplete = Some(format!(
        "its list of tools has more than {MAX_PAGES} pages, and no more were read"
    ));
    Ok(Listed { tools, incomplete })
}

/// A result as the server wrote it, also when it is not what the SDK expects.
fn value(result: &ServerResult) -> Value {
    // What was read from JSON can be written as such.
    serde_json::to_value(result).unwrap_or_default()
}

/// A listed tool as one of ours.
///
/// # Errors
///
/// Its name, if it has one, and why it cannot be used.
pub(super) fn tool(
    spec: &Arc<ServerSpec>,
    listed: &Value,
    line: &Arc<Line>,
) -> Result<RuntimeTool, (Box<str>, String)> {
    let text = |key: &str| listed.get(key).and_then(Value::as_str);
    let Some(name) = text("name").filter(|name| !name.is_empty()) else {
        return Err(("".into(), "it has no name".to_owned()));
    };
    let Some(schema) = listed.get("inputSchema").filter(|it| it.is_object()) else {
        return Err((name.into(), "its `inputSchema` is no object".to_owned()));
    };
    let definition = Node::Object(vec![
        (
            "description".to_owned(),
            text("description").unwrap_or_default().into(),
        ),
        ("parameters".to_owned(), schema.into()),
    ]);
    let mut tool = RuntimeTool::of_server(&spec.name, name, definition).timeout(spec.timeout);
    if let Some(title) = text("title") {
        tool = tool.title(title);
    }
    if let Some(effect) = spec.effects.get(name) {
        tool = tool.effect(*effect);
    }
    if let Some(claimed) = claimed(listed) {
        tool = tool.claims(claimed);
    }
    if spec.trusted {
        tool = tool.trusted();
    }
    let (spec, raw, line) = (Arc::clone(spec), Arc::<str>::from(name), Arc::clone(line));
    Ok(tool.handler(move |_, arguments| {
        let (spec, raw, line) = (Arc::clone(&spec), Arc::clone(&raw), Arc::clone(&line));
        Box::pin(async move { call(&spec, &raw, &line, arguments).await })
    }))
}

/// What the server says that a tool does.
fn claimed(listed: &Value) -> Option<Effect> {
    let hints = listed.get("annotations")?;
    let hint = |key: &str| hints.get(key).and_then(Value::as_bool);
    match (hint("readOnlyHint"), hint("destructiveHint")) {
        (Some(true), _) => Some(Effect::Read),
        (_, Some(false)) => Some(Effect::Write),
        (_, Some(true)) => Some(Effect::Destructive),
        _ => None,
    }
}

/// Makes a call, once. The session bounds it in time, and when it is given up the server is told.
async fn call(
    spec: &ServerSpec,
    tool: &str,
    line: &Line,
    arguments: ForeignArguments,
) -> Result<Output, ToolError> {
    let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(exact(&arguments)?);
    let peer = connected(spec, line).await?;
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let answered = ask(&peer, request);
    match line.questions.beside(&spec.name, answered).await {
        Ok(result) => answer::read(&spec.name, &value(&result)),
        Err(ServiceError::McpError(error)) => {
            let done = if wire::is_too_long(&error) {
                "; the call was carried out"
            } else {
                ""
            };
            let text = format!(
                "the server `{}` refused the call: {}{done}",
                spec.name, error.message
            );
            Err(ToolError::failed(text))
        }
        Err(error) => Err(lost(spec, line, error).await),
    }
}

/// Arguments as the SDK takes them. Its tree has no room for every number; what it would change is not
/// sent.
fn exact(arguments: &ForeignArguments) -> Result<JsonObject, ToolError> {
    let text = arguments.to_json();
    let object = serde_json::from_str::<JsonObject>(&text).ok();
    let same = |object: &JsonObject| {
        let meant = text.parse::<Node>();
        meant.is_ok_and(|meant| meant.same(&Node::from(object.clone())))
    };
    object.filter(same).ok_or_else(|| {
        let text = "a number in the arguments has more digits than can be sent to a server";
        ToolError::new(ErrorKind::InvalidArguments, text)
            .with_help("send fewer digits, or the number as text where the tool takes text")
    })
}

/// The connection as it is now. A server that is being started again is waited for.
async fn connected(spec: &ServerSpec, line: &Line) -> Result<Peer<RoleClient>, ToolError> {
    let mut present = line.peer.subscribe();
    let open = |peer: &Option<Peer<RoleClient>>| {
        peer.as_ref()
            .is_some_and(|peer| !peer.is_transport_closed())
    };
    let found = tokio::time::timeout(spec.start, present.wait_for(open)).await;
    let found = found
        .ok()
        .and_then(Result::ok)
        .and_then(|peer| peer.clone());
    if let Some(peer) = found {
        return Ok(peer);
    }
    let wrote = line.wrote().await;
    let text = format!(
        "the server `{}` does not run now; nothing was done{wrote}",
        spec.name
    );
    Err(ToolError::new(ErrorKind::Unavailable, text))
}

/// The server was gone before it answered. Whether it did what it was asked nobody knows, so nothing
/// sends the call again by itself.
async fn lost(spec: &ServerSpec, line: &Line, error: ServiceError) -> ToolError {
    #[cfg(feature = "http-client")]
    if let Some(text) = error.auth_challenge() {
        let (text, shut) = (text.to_owned(), !super::http::is_scope(&error));
        line.challenge.send_replace(Some(Challenge { text, shut }));
    }
    #[cfg(feature = "http-client")]
    if let Some((why, true)) = super::http::why(&error) {
        let text = format!("the server `{}` took no call: {why}", spec.name);
        let name = &spec.name;
        let help = if error.auth_challenge().is_some() {
            let scopes = super::http::scopes(&error);
            format!("ask the user to sign in with `hermes mcp login {name}{scopes}`")
        } else {
            "nothing was done; try again later, or use another way".to_owned()
        };
        return ToolError::new(ErrorKind::Unavailable, text)
            .with_help(help)
            .because(error);
    }
    let wrote = line.wrote().await;
    let text = format!(
        "the server `{}` ended before it answered; the outcome is unknown: the call may have been carried out{wrote}",
        spec.name
    );
    ToolError::failed(text)
        .with_help("look at what has happened before you call it again")
        .because(error)
        .final_()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_words_of_a_server_hold_no_secret() {
        let log = "cannot sign in with API_KEY=sk-proj-abcdefghijklmnopqrstuvwx0123456789\n";
        let told = wrote(log);
        assert!(
            told.starts_with("; it wrote: cannot sign in with API_KEY="),
            "{told}"
        );
        assert!(!told.contains("abcdefghijklmnopqrstuvwx"), "{told}");
        assert_eq!(wrote(" \n"), "");
    }
}
