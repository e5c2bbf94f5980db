//! The arguments that calls of a batch will have: hooks may change them, and with them what the calls touch.

use super::Batch;
use super::run::ids;
use crate::args::RawArguments;
use crate::dispatch::watched::rewrite;
use crate::dispatch::{Rewritten, admit, join};
use crate::session::{Inner, ToolCall};

/// A call whose hooks were asked, unless they have nothing to say of it.
#[derive(Default)]
pub(super) struct Settled {
    /// What they answered; for the call when its turn comes.
    pub(super) rewritten: Option<Box<Rewritten>>,
    /// Its arguments, when they are others now.
    arguments: Option<String>,
}

impl Settled {
    /// The arguments that the call will have.
    pub(super) fn arguments<'a>(&'a self, call: &'a ToolCall) -> &'a str {
        self.arguments.as_deref().unwrap_or(&call.arguments)
    }

    /// Whether hooks have still to be asked, so that the arguments are not known.
    pub(super) fn is_open(&self, session: &Inner, call: &ToolCall) -> bool {
        self.rewritten.is_none() && may_be_rewritten(session, call)
    }
}

/// Asks the hooks about all calls before the first one runs, so many at a time. A call that is no call of a
/// tool of the session is left as it is.
pub(super) async fn settle(session: &Inner, batch: &Batch, at_most: usize) -> Vec<Settled> {
    let mut settled = Vec::with_capacity(batch.calls.len());
    for calls in batch.calls.chunks(at_most.max(1)) {
        settled.extend(join(calls.iter().map(|call| one(session, call))).await);
    }
    settled
}

async fn one(session: &Inner, call: &ToolCall) -> Settled {
    if !may_be_rewritten(session, call) {
        return Settled::default();
    }
    let admitted = admit::admit(session, &call.name, call.by_host, &call.cancel).await;
    let Ok(tool) = admitted else {
        return Settled::default();
    };
    let raw = RawArguments::new(&call.arguments).cut(call.cut);
    let rewritten = rewrite(session, &tool, raw, ids(call)).await;
    Settled {
        arguments: rewritten.arguments(),
        rewritten: Some(Box::new(rewritten)),
    }
}

fn may_be_rewritten(session: &Inner, call: &ToolCall) -> bool {
    !call.unhooked && session.watch().hooks.rewrites()
}
