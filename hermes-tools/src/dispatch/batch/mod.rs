//! The calls of one answer of a model: planned by what they touch, run side by side where nothing
//! speaks against it, answered in order.
//!
//! 0. Hooks that change arguments hear all calls (`settle`).
//! 1. Every call is decoded and looked at without being run (`facts`). What cannot be decoded, or is
//!    no tool of the session, runs alone and gets its error in its turn.
//! 2. A call waits for those before it that it conflicts with, and for no others (`plan`).
//! 3. At most so many run at a time (`run`). What it started is decoded again when its turn comes: an
//!    earlier call may have changed what its paths lead to.
//! 4. All results together are brought within the budget of the turn.

mod facts;
mod index;
mod plan;
mod repeat;
mod run;
mod segments;
mod settle;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

pub use self::plan::{Plan, PlannedCall};
pub use self::segments::{Segment, SegmentKind};

use super::runtime;
use crate::context::Cancel;
use crate::session::{CallResult, Session, ToolCall};

/// Calls that a model made in one answer, and how they are run.
///
/// ```
/// use hermes_tools::{Batch, Selection, Session, ToolCall, ToolRegistry, tool};
///
/// /// Double a number.
/// #[tool(toolset = "numbers", effect = "read", inline)]
/// fn double(
///     /// The number.
///     number: i32,
/// ) -> String {
///     number.saturating_mul(2).to_string()
/// }
///
/// let session = Session::builder(ToolRegistry::linked()?, Selection::of(["double"])).build()?;
/// let calls = [
///     ToolCall::new("double", r#"{"number": 1}"#).id("call_1"),
///     ToolCall::new("double", r#"{"number": "#).id("call_2"),
///     ToolCall::new("double", r#"{"number": 3}"#).id("call_3"),
/// ];
/// let results = session.call_batch_blocking(Batch::new(calls).at_most(4));
/// let codes: Vec<_> = results
///     .iter()
///     .map(|result| result.outcome.as_ref().map_or_else(|error| error.code(), |_| "ok"))
///     .collect();
/// assert_eq!(codes, ["ok", "truncated", "ok"]);
/// assert_eq!(results[2].id.as_deref(), Some("call_3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Batch {
    pub(super) calls: Vec<ToolCall>,
    at_most: Option<usize>,
    limit: Option<Duration>,
    cancel: Cancel,
    listener: Option<Arc<Listener>>,
    run_repeats: bool,
}

type Listener = dyn Fn(Answered<'_>) + Send + Sync;

/// A call of a batch has its answer.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Answered<'a> {
    /// The place of the call in the batch, from 0.
    pub index: usize,
    /// How many calls have their answers.
    pub answered: usize,
    /// How many calls there are.
    pub total: usize,
    /// The answer. The budget of the turn may still shorten it.
    pub result: &'a CallResult,
}

/// How many calls of a batch run at a time when nobody says.
pub const AT_MOST: usize = 8;

impl Batch {
    /// These calls, in the order in which the model made them.
    pub fn new(calls: impl IntoIterator<Item = ToolCall>) -> Self {
        Self {
            calls: calls.into_iter().collect(),
            cancel: Cancel::never(),
            ..Self::default()
        }
    }

    /// Sets how many calls run at a time, at least one, in place of the session's setting.
    #[must_use]
    pub fn at_most(mut self, calls: usize) -> Self {
        self.at_most = Some(calls.max(1));
        self
    }

    /// Sets how long the whole batch may take. What runs then is answered as timed out, what has not
    /// begun as not started.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets what cancels the whole batch. What runs then is answered as cancelled, what has not begun as
    /// not started.
    #[must_use]
    pub fn cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// Listens to answers as they come, in whatever order. It is called where the batch is polled; a
    /// panic in it is dropped.
    #[must_use]
    pub fn on_answer(mut self, listener: impl Fn(Answered<'_>) + Send + Sync + 'static) -> Self {
        self.listener = Some(Arc::new(listener));
        self
    }

    /// Runs exact repeats too. Without this a call that repeats an earlier one of the batch, word for word
    /// and with nothing changed between them, is not run: its answer points to the first one's.
    #[must_use]
    pub fn run_repeats(mut self) -> Self {
        self.run_repeats = true;
        self
    }

    /// The calls.
    pub fn calls(&self) -> &[ToolCall] {
        &self.calls
    }
}

impl<I: IntoIterator<Item = ToolCall>> From<I> for Batch {
    fn from(calls: I) -> Self {
        Self::new(calls)
    }
}

/// Batches.
impl Session {
    /// Makes the calls of one answer of a model, side by side where they do not conflict.
    ///
    /// The answers come in the order of the calls, exactly one for each, whatever happens: also for calls
    /// that are cancelled, late, refused or never started, and for several of one id.
    pub async fn call_batch(&self, batch: impl Into<Batch>) -> Vec<CallResult> {
        run::run(self.inner(), batch.into()).await
    }

    /// [`call_batch`](Self::call_batch), waiting for the answers, from any thread, inside or outside a
    /// runtime.
    pub fn call_batch_blocking(&self, batch: impl Into<Batch>) -> Vec<CallResult> {
        runtime::block_on(self.call_batch(batch))
    }

    /// What a batch would do: its calls decoded, judged and put in order. Nothing runs, and nobody is
    /// asked for consent.
    pub async fn plan(&self, batch: &Batch) -> Plan {
        let at_most = batch.at_most.unwrap_or(self.inner().bounds().at_most);
        plan::plan(self.inner(), batch, &[], at_most, facts::Depth::Shown).await
    }

    /// [`plan`](Self::plan), waiting for it.
    pub fn plan_blocking(&self, batch: &Batch) -> Plan {
        runtime::block_on(self.plan(batch))
    }
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch")
            .field("calls", &self.calls)
            .field("at_most", &self.at_most)
            .field("time_limit", &self.limit)
            .finish_non_exhaustive()
    }
}
