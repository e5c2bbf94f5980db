//! Calls through the tool search.

use std::future::Future;
use std::pin::Pin;

use super::Limits;
use super::admit::unless_cancelled;
use crate::args::RawArguments;
use crate::context::Cancel;
use crate::names::fold;
use crate::output::{ErrorKind, ToolError, bound_error};
use crate::search::{self, Bridged};
use crate::session::{CallResult, Inner};

/// What the call of a name that is no tool of the session comes to.
pub(super) enum Found {
    /// It is answered here.
    Answer(CallResult),
    /// It is the call of another tool, with these arguments.
    Call(String, String),
}

/// Answers the call of a name that is no tool of the session: by the tool search, when the session
/// offers it under this name, or else with the error.
///
/// The call of another tool starts at the beginning, with the real name: whatever judges calls
/// sees that.
pub(super) fn call<'a>(
    session: &'a Inner,
    name: &'a str,
    arguments: &'a str,
    limits: Limits<'a>,
    error: ToolError,
) -> Pin<Box<dyn Future<Output = CallResult> + Send + 'a>> {
    Box::pin(async move {
        match find(session, name, limits.raw(arguments), limits.cancel, error).await {
            Found::Answer(result) => result,
            Found::Call(tool, inner) => super::call(session, &tool, &inner, limits).await,
        }
    })
}

/// Looks what the call of a name that is no tool of the session comes to.
pub(super) async fn find(
    session: &Inner,
    name: &str,
    arguments: RawArguments<'_>,
    cancel: &Cancel,
    error: ToolError,
) -> Found {
    let failed = |tool, error| Found::Answer(CallResult::failed(tool, bound_error(error)));
    let Some(bridge) = bridge_of(name).filter(|_| error.kind() == ErrorKind::UnknownTool) else {
        return failed(name.to_owned().into(), error);
    };
    let Some(offer) = unless_cancelled(cancel, session.offer()).await else {
        let error = ToolError::new(
            ErrorKind::Cancelled,
            format!("the call of `{bridge}` was cancelled by the user"),
        );
        return failed(bridge.into(), error);
    };
    if offer.deferred.is_empty() {
        return failed(name.to_owned().into(), error);
    }
    let told = session.told();
    let settings = &told.offering.search;
    let find = |question: &str, limit| told.catalogue.search(&offer.deferred, question, limit);
    let cx = session.check_context();
    match search::answer(bridge, arguments, &offer.deferred, settings, &cx, find) {
        Ok(Bridged::Answer(output)) => {
            Found::Answer(CallResult::new(bridge.into(), Ok(output), Vec::new()))
        }
        Ok(Bridged::Call(tool, inner)) => Found::Call(tool, inner),
        Err(error) => failed(bridge.into(), error),
    }
}

/// Whether a name may be that of a bridge tool.
pub(super) fn is_bridge(name: &str) -> bool {
    bridge_of(name).is_some()
}

/// The bridge tool that a name means, in whatever spelling.
fn bridge_of(name: &str) -> Option<&'static str> {
    let wanted = fold(name);
    let all = [search::SEARCH, search::DESCRIBE, search::CALL];
    all.into_iter().find(|bridge| fold(bridge) == wanted)
}
