//! Which tool a name means, and whether it may be called.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use super::cancelled;
use crate::availability::Availability;
use crate::context::{Cancel, missing_state};
use crate::entry::Exposure;
use crate::names;
use crate::output::{ErrorKind, ToolError};
use crate::registry::Tool;
use crate::session::Inner;

/// The tool of a name, when it is in the session and available.
///
/// A name in another spelling means a tool when exactly one of the session answers to it; see
/// [`names::meant`]. A call that is cancelled while a check is asked ends at once; the check goes on for
/// others who wait for it.
pub(super) async fn admit(
    session: &Inner,
    name: &str,
    by_host: bool,
    cancel: &Cancel,
) -> Result<Tool, ToolError> {
    let tool = match session.tool(name) {
        Some(tool) => tool,
        None => by_spelling(session, name).ok_or_else(|| unknown(session, name))?,
    };
    if tool.declared_exposure() == Exposure::Hidden && !by_host {
        return Err(unknown(session, name));
    }
    // Other tools were looked at when the session was built.
    if tool.is_agent_loop()
        && let Some(need) = tool.missing_state(session.context())
    {
        return Err(missing_state(tool.name(), need.short_name()));
    }
    if !tool.has_checks() {
        return Ok(tool);
    }
    let Some(answer) = unless_cancelled(cancel, session.answer(&tool)).await else {
        return Err(cancelled(&tool));
    };
    match answer.availability {
        Availability::Available => Ok(tool),
        Availability::Unavailable { reason, remedy } => {
            let error = ToolError::new(
                ErrorKind::Unavailable,
                format!("`{}` is unavailable: {reason}", tool.name()),
            );
            Err(error.with_help(remedy.unwrap_or("use another tool".into())))
        }
    }
}

/// What a future comes to, or nothing when the sign is given before.
pub(super) async fn unless_cancelled<T>(
    cancel: &Cancel,
    future: impl Future<Output = T>,
) -> Option<T> {
    let mut future = pin!(future);
    // Most answers are kept: nothing is set up before it is known that this one is not.
    let first = poll_fn(|task| Poll::Ready(future.as_mut().poll(task))).await;
    if let Poll::Ready(output) = first {
        return Some(output);
    }
    let mut sign = pin!(cancel.cancelled());
    poll_fn(|task| match future.as_mut().poll(task) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => sign.as_mut().poll(task).map(|()| None),
    })
    .await
}

fn by_spelling(session: &Inner, name: &str) -> Option<Tool> {
    let view = session.view();
    let meant = names::meant(name, view.tools().iter().map(Tool::name))?;
    view.tools()
        .iter()
        .find(|tool| tool.name() == meant)
        .cloned()
}

#[cold]
fn unknown(session: &Inner, name: &str) -> ToolError {
    if name.trim().is_empty() {
        let error = ToolError::new(ErrorKind::UnknownTool, "the call names no tool");
        return error.with_help("send the name of a tool that you were told of");
    }
    let view = session.view();
    let names: Vec<&str> = view
        .tools()
        .iter()
        .filter(|tool| tool.declared_exposure() != Exposure::Hidden)
        .map(Tool::name)
        .collect();
    let shown: String = name.chars().take(80).collect();
    let message = if session.registry().get(name).is_some() {
        format!("the tool `{shown}` is not enabled in this session")
    } else if session.selects(name) {
        // Such as one of a server that has taken it back.
        format!("the tool `{shown}` is not available now")
    } else {
        format!("there is no tool `{shown}`")
    };
    let near = names::near(name, names.iter().copied());
    let help = if !near.is_empty() {
        format!("did you mean `{}`?", near.join("` or `"))
    } else if names.is_empty() {
        "this session has no tools; answer without one".to_owned()
    } else {
        let first = names
            .iter()
            .take(20)
            .copied()
            .collect::<Vec<_>>()
            .join(", ");
        let more = if names.len() > 20 { ", ..." } else { "" };
        format!("call one of: {first}{more}")
    };
    ToolError::new(ErrorKind::UnknownTool, message).with_help(help)
}
