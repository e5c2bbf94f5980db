//! Taking parts of the context by type.

use std::any::Any;
use std::sync::Arc;

use super::need::short;
use super::{Cancel, Deadline, Log, Progress, SessionFacts, StateNeed, ToolContext, Workspace};
use crate::output::{ErrorKind, ToolError};

/// A type that a `#[ctx]` parameter can have.
///
/// `&ToolContext`, `&Workspace`, `&SessionFacts`, `Workspace`, `SessionFacts`, `Cancel`, `Progress`,
/// `Log`, `Deadline`, [`Sampling`](crate::counterpart::Sampling),
/// [`Questions`](crate::counterpart::Questions), and for every type `T` of which the host put a value into the session `&T` and
/// `Arc<T>`; `Option` of each where the tool can do without.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not available from the tool context",
    label = "no session supplies this",
    note = "a `#[ctx]` parameter is `&Workspace`, `Cancel`, `&ToolContext`, or `&T` or `Arc<T>` of \
            a value that the host put into the session"
)]
pub trait FromToolContext<'a>: Sized {
    /// What the session must hold for it, if it is not in every session.
    const NEED: Option<StateNeed> = None;

    /// Takes it from the context.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::AgentLoop`] when the session does not have it.
    fn from_context(cx: &'a ToolContext) -> Result<Self, ToolError>;
}

impl<'a, T: Any + Send + Sync> FromToolContext<'a> for &'a T {
    const NEED: Option<StateNeed> = Some(StateNeed::of::<T>());

    fn from_context(cx: &'a ToolContext) -> Result<Self, ToolError> {
        let own: [Option<&'a (dyn Any + Send + Sync)>; 3] = [
            Some(cx),
            Some(cx.facts()),
            cx.workspace().map(|workspace| workspace as _),
        ];
        own.into_iter()
            .flatten()
            .find_map(|value| value.downcast_ref())
            .or_else(|| cx.state().get())
            .ok_or_else(|| missing::<T>(cx))
    }
}

impl<'a, T: Any + Send + Sync> FromToolContext<'a> for Arc<T> {
    const NEED: Option<StateNeed> = Some(StateNeed::of::<T>());

    fn from_context(cx: &'a ToolContext) -> Result<Self, ToolError> {
        cx.state().get_shared().ok_or_else(|| missing::<T>(cx))
    }
}

impl<'a> FromToolContext<'a> for Workspace {
    const NEED: Option<StateNeed> = Some(StateNeed::of::<Self>());

    fn from_context(cx: &'a ToolContext) -> Result<Self, ToolError> {
        cx.workspace().cloned().ok_or_else(|| missing::<Self>(cx))
    }
}

impl<'a> FromToolContext<'a> for SessionFacts {
    fn from_context(cx: &'a ToolContext) -> Result<Self, ToolError> {
        Ok(cx.facts().clone())
    }
}

impl<'a> FromToolContext<'a> for Cancel {
    fn from_context(cx: &'a ToolContext) -> Result<Self, ToolError> {
        Ok(cx.cancel().clone())
    }
}

impl<'a> FromToolContext<'a> for Progress {
    fn from_context(cx: &'a ToolContext) -> Result<Self, ToolError> {
        Ok(cx.progress().clone())
    }
}

impl<'a> FromToolContext<'a> for Log {
    fn from_context(cx: &'a ToolContext) -> Result<Self, ToolError> {
        Ok(cx.log().clone())
    }
}

impl<'a> FromToolContext<'a> for Deadline {
    fn from_context(cx: &'a ToolContext) -> Result<Self, ToolError> {
        Ok(cx.deadline())
    }
}

impl<'a, T: FromToolContext<'a>> FromToolContext<'a> for Option<T> {
    fn from_context(cx: &'a ToolContext) -> Result<Self, ToolError> {
        match T::from_context(cx) {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.kind() == ErrorKind::AgentLoop => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn missing<T>(cx: &ToolContext) -> ToolError {
    missing_state(cx.tool(), short(std::any::type_name::<T>()))
}

/// The answer to a call that the agent loop must handle.
pub(crate) fn missing_state(tool: &str, name: &str) -> ToolError {
    ToolError::new(
        ErrorKind::AgentLoop,
        format!("`{tool}` must be handled by the agent loop: this session has no `{name}`"),
    )
    .with_help("use another tool, or ask the user to run it in a session that has one")
}
