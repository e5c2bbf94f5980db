//! Running the calls of a batch.

use std::collections::BTreeSet;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt as _};

use super::facts::Depth;
use super::plan::{self, Plan};
use super::settle::{Settled, settle};
use super::{Answered, Batch, repeat};
use crate::context::Cancel;
use crate::dispatch::{self, CallIds, Limits, Rewritten, tell};
use crate::output::{ErrorKind, ToolError};
use crate::panics;
use crate::session::{CallResult, Inner, ToolCall};

type Running<'a> = FuturesUnordered<Pin<Box<dyn Future<Output = (usize, CallResult)> + Send + 'a>>>;

/// Why no further call starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    Cancelled,
    Late(Duration),
}

/// Answers every call of a batch, in order.
pub(super) async fn run(session: &Inner, batch: Batch) -> Vec<CallResult> {
    let state = State::new(&batch);
    let signs: Vec<Cancel> = batch
        .calls
        .iter()
        .map(|call| call.cancel.either(&batch.cancel).either(&state.late))
        .collect();
    let at_most = batch.at_most.unwrap_or(session.bounds().at_most);
    let mut results = {
        let mut work = pin!(state.work(session, &batch, &signs, at_most));
        let mut sign = pin!(batch.cancel.cancelled());
        let mut alarm = batch
            .limit
            .map(|limit| session.context().executor.sleep(limit));
        poll_fn(|task| {
            // Looked at before the work, so that nothing starts behind them.
            if sign.as_mut().poll(task).is_ready() {
                state.stop(Stop::Cancelled);
            }
            if let (Some(timer), Some(limit)) = (&mut alarm, batch.limit)
                && timer.as_mut().poll(task).is_ready()
            {
                alarm = None;
                state.stop(Stop::Late(limit));
            }
            work.as_mut().poll(task)
        })
        .await
    };
    session.fit_turn(&mut results);
    results
}

/// What the work and what stops it share.
struct State<'a> {
    batch: &'a Batch,
    /// Given when the time of the batch is up.
    late: Cancel,
    stopped: std::sync::OnceLock<Stop>,
}

impl<'a> State<'a> {
    fn new(batch: &'a Batch) -> Self {
        Self {
            batch,
            late: match batch.limit {
                Some(_) => Cancel::new(),
                None => Cancel::never(),
            },
            stopped: std::sync::OnceLock::new(),
        }
    }

    /// No further call starts; those that run are told.
    fn stop(&self, why: Stop) {
        if self.stopped.set(why).is_ok() && why != Stop::Cancelled {
            self.late.cancel();
        }
    }

    /// Whether no further call starts. The user may cancel while the work is polled.
    fn is_stopped(&self) -> bool {
        if self.batch.cancel.is_cancelled() {
            self.stop(Stop::Cancelled);
        }
        self.stopped.get().is_some()
    }

    async fn work(
        &self,
        session: &Inner,
        batch: &Batch,
        signs: &[Cancel],
        at_most: usize,
    ) -> Vec<CallResult> {
        let total = batch.calls.len();
        let mut answers: Vec<Option<CallResult>> = (0..total).map(|_| None).collect();
        let mut answered = 0;
        let mut unstarted = Unstarted::of(session, batch);
        // A call alone has nothing to wait for, so it is not even looked at.
        let (plan, mut settled) = match total {
            0 | 1 => (None, Vec::new()),
            _ => match self.plan(session, at_most).await {
                Some((plan, settled)) => (Some(plan), settled),
                None => (None, Vec::new()),
            },
        };
        let mut queue = Queue::new(plan.as_ref(), total);
        let mut running: Running<'_> = FuturesUnordered::new();
        loop {
            while running.len() < at_most && !self.is_stopped() {
                let Some(place) = queue.next() else { break };
                unstarted.starts(place);
                let call = &batch.calls[place];
                let repeated = plan.as_ref().and_then(|plan| plan.calls()[place].repeats);
                if let Some(first) = repeated
                    && let Some(answer) = &answers[first]
                {
                    let answer = repeat::answer(call, first, answer);
                    tell::of_not_run(session, &answer, &ids(call), true);
                    queue.ended(place);
                    self.take(place, answer, &mut answers, &mut answered);
                    continue;
                }
                let sign = &signs[place];
                let settled = settled.get_mut(place).map(std::mem::take);
                let rewritten = settled.and_then(|settled| settled.rewritten);
                running.push(Box::pin(async move {
                    (place, answer(session, call, sign, rewritten).await)
                }));
            }
            let Some((place, answer)) = running.next().await else {
                break;
            };
            queue.ended(place);
            let answer = self.judged(answer, &batch.calls[place]);
            self.take(place, answer, &mut answers, &mut answered);
        }
        let why = self.stopped.get().copied().unwrap_or(Stop::Cancelled);
        for place in 0..total {
            if answers[place].is_none() {
                unstarted.starts(place);
                let call = &batch.calls[place];
                let answer = not_started(call, why);
                tell::of_not_run(session, &answer, &ids(call), false);
                self.take(place, answer, &mut answers, &mut answered);
            }
        }
        answers.into_iter().flatten().collect()
    }

    /// The plan; none when the batch is stopped on the way, and nothing will start.
    async fn plan(&self, session: &Inner, at_most: usize) -> Option<(Plan, Vec<Settled>)> {
        let mut plan = pin!(async {
            let settled = settle(session, self.batch, at_most).await;
            let plan = plan::plan(session, self.batch, &settled, at_most, Depth::Order).await;
            (plan, settled)
        });
        poll_fn(|task| match self.stopped.get() {
            Some(_) => Poll::Ready(None),
            None => plan.as_mut().poll(task).map(Some),
        })
        .await
    }

    /// Tells a call that ran out of the batch's time from one that was cancelled.
    fn judged(&self, mut answer: CallResult, call: &ToolCall) -> CallResult {
        let by_user = call.cancel.is_cancelled() || self.batch.cancel.is_cancelled();
        if let (Err(error), Some(Stop::Late(limit))) = (&answer.outcome, self.stopped.get())
            && error.kind() == ErrorKind::Cancelled
            && !by_user
        {
            let message = format!(
                "`{}` was still running when the {} s of its batch were up",
                answer.tool,
                limit.as_secs_f64()
            );
            answer.outcome = Err(ToolError::new(ErrorKind::Timeout, message)
                .with_help("ask for less at once, or make fewer calls in one answer"));
        }
        answer
    }

    fn take(
        &self,
        index: usize,
        answer: CallResult,
        answers: &mut [Option<CallResult>],
        answered: &mut usize,
    ) {
        *answered += 1;
        if let Some(listener) = &self.batch.listener {
            let event = Answered {
                index,
                answered: *answered,
                total: answers.len(),
                result: &answer,
            };
            // Whoever listens cannot change what happens.
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| listener(event))) {
                panics::told(panic);
            }
        }
        answers[index] = Some(answer);
    }
}

async fn answer(
    session: &Inner,
    call: &ToolCall,
    sign: &Cancel,
    rewritten: Option<Box<Rewritten>>,
) -> CallResult {
    let limits = Limits {
        id: call.id.clone(),
        cancel: sign,
        timeout: call.timeout,
        progress: call.progress.clone(),
        log: call.log.clone(),
        by_host: call.by_host,
        turn: call.turn.clone(),
        request: call.request.clone(),
        unhooked: call.unhooked,
        cut: call.cut,
        rewritten,
    };
    dispatch::call(session, &call.name, &call.arguments, limits).await
}

/// The ids of a call.
pub(super) fn ids(call: &ToolCall) -> CallIds {
    CallIds {
        call: call.id.clone(),
        turn: call.turn.clone(),
        request: call.request.clone(),
    }
}

/// A word of its own: such a call has done nothing, so it may be sent again.
fn not_started(call: &ToolCall, why: Stop) -> CallResult {
    let (why, help) = match why {
        Stop::Cancelled => (
            "the user cancelled before its turn".to_owned(),
            "do not repeat it unless the user asks",
        ),
        Stop::Late(limit) => (
            format!("the {} s of its batch were up", limit.as_secs_f64()),
            "send it again, with fewer calls in one answer",
        ),
    };
    let message = format!("`{}` was not started: {why}", call.name);
    let error = ToolError::new(ErrorKind::NotStarted, message).with_help(help);
    CallResult {
        id: call.id.clone(),
        ..CallResult::new(
            call.name.clone().into(),
            Err(crate::output::bound_error(error)),
            Vec::new(),
        )
    }
}

/// The calls of a batch of which nothing is told yet. When the batch is dropped before its end, they are told
/// as not started.
struct Unstarted<'a> {
    session: &'a Inner,
    batch: &'a Batch,
    waiting: Vec<bool>,
}

impl<'a> Unstarted<'a> {
    fn of(session: &'a Inner, batch: &'a Batch) -> Self {
        Self {
            session,
            batch,
            waiting: vec![true; batch.calls.len()],
        }
    }

    /// A call starts, or has its answer without that.
    fn starts(&mut self, place: usize) {
        self.waiting[place] = false;
    }
}

impl Drop for Unstarted<'_> {
    fn drop(&mut self) {
        for (call, waiting) in self.batch.calls.iter().zip(&self.waiting) {
            if *waiting {
                let answer = not_started(call, Stop::Cancelled);
                tell::of_not_run(self.session, &answer, &ids(call), false);
            }
        }
    }
}

/// The calls that wait, and those whose turn has come.
struct Queue {
    /// For each call how many it still waits for.
    waits: Vec<usize>,
    /// For each call which wait for it.
    behind: Vec<Vec<usize>>,
    ready: BTreeSet<usize>,
}

impl Queue {
    fn new(plan: Option<&Plan>, total: usize) -> Self {
        let mut queue = Self {
            waits: vec![0; total],
            behind: vec![Vec::new(); total],
            ready: BTreeSet::new(),
        };
        for place in 0..total {
            let before = plan.map_or(&[][..], |plan| plan.waits_for(place));
            queue.waits[place] = before.len();
            for earlier in before {
                queue.behind[*earlier].push(place);
            }
            if before.is_empty() {
                queue.ready.insert(place);
            }
        }
        queue
    }

    /// The first call whose turn has come.
    fn next(&mut self) -> Option<usize> {
        self.ready.pop_first()
    }

    fn ended(&mut self, place: usize) {
        for later in std::mem::take(&mut self.behind[place]) {
            self.waits[later] -= 1;
            if self.waits[later] == 0 {
                self.ready.insert(later);
            }
        }
    }
}
