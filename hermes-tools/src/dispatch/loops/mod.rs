//! Loops of a model: the same call that fails again and again, a tool that never works, a question
//! asked again whose answer has not changed.
//!
//! What is counted holds for one turn of the user. A warning goes to the model beside the result;
//! hard stops, off unless a host turns them on, refuse the next equal call or end the turn. Outcomes
//! of our own tools are facts; only text that foreign tools answer is read for signs of failure
//! ([`is_failure`]).

mod call;
mod decision;
mod failure;
mod settings;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use self::call::ExactCall;
pub use self::decision::{Action, LoopCode, LoopDecision};
pub use self::failure::{ResultOf, is_failure, may_have_acted};
pub use self::settings::{LoopSettings, Thresholds};

use self::call::{Digest, digest_of_answer};

/// Watches the calls of a session for loops. Every method may be called from many threads.
///
/// ```
/// use hermes_tools::loops::{Action, ExactCall, LoopSettings, LoopWatch};
///
/// let watch = LoopWatch::new(LoopSettings::default());
/// let call = ExactCall::new("terminal", r#"{"command": "make"}"#);
/// assert_eq!(watch.after_failure(&call).action, Action::Allow);
/// let second = watch.after_failure(&call);
/// assert_eq!(second.code.as_str(), "repeated_exact_failure_warning");
/// assert_eq!(second.count, 2);
/// ```
#[derive(Debug, Default)]
pub struct LoopWatch {
    settings: LoopSettings,
    /// Whether anything is counted, so that a call of a turn without failures takes no lock.
    counting: AtomicBool,
    turn: Mutex<Turn>,
}

/// What was counted since the turn began.
#[derive(Debug, Default)]
struct Turn {
    calls: HashMap<Digest, Record>,
    failures: HashMap<Box<str>, u32>,
    stop: Option<LoopDecision>,
}

/// What is known of one exact call.
#[derive(Debug, Default, Clone, Copy)]
struct Record {
    failures: u32,
    /// The last answer of a repeatable call, and how often in a row it came.
    answer: Option<(Digest, u32)>,
}

/// So many exact calls are remembered in a turn. A host that never begins a new one must not fill its
/// memory; counting starts anew then, which can only let a call through.
const MOST_CALLS: usize = 4_096;

impl LoopWatch {
    /// A watch that has seen nothing.
    pub fn new(settings: LoopSettings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// Begins a turn of the user: nothing is counted any more, and nothing is stopped.
    pub fn new_turn(&self) {
        let mut turn = self.turn();
        *turn = Turn::default();
        self.counting.store(false, Ordering::Release);
    }

    /// The first block or halt of the turn. It ends the turn after the calls of the model's current
    /// answer.
    pub fn stop(&self) -> Option<LoopDecision> {
        if !self.is_counting() {
            return None;
        }
        self.turn().stop.clone()
    }

    /// Whether anything is counted in this turn.
    pub(crate) fn is_counting(&self) -> bool {
        self.counting.load(Ordering::Acquire)
    }

    /// Whether a call can be refused now.
    pub(crate) fn may_block(&self) -> bool {
        self.settings.hard_stops && self.is_counting()
    }

    /// Whether a call may be made. It is refused only where hard stops are on. A call that is refused
    /// counts nothing.
    pub fn before(&self, call: &ExactCall) -> LoopDecision {
        if !self.may_block() {
            return LoopDecision::allow();
        }
        let mut turn = self.turn();
        let Some(record) = turn.calls.get(&call.digest).copied() else {
            return LoopDecision::allow();
        };
        let stop = &self.settings.stop_after;
        let repeats = record.answer.map_or(0, |(_, repeats)| repeats);
        let decision = if record.failures >= stop.exact_failure {
            LoopDecision::new(LoopCode::ExactFailureBlock, record.failures, &call.tool)
        } else if repeats >= stop.no_progress {
            LoopDecision::new(LoopCode::NoProgressBlock, repeats, &call.tool)
        } else {
            return LoopDecision::allow();
        };
        turn.stop.get_or_insert_with(|| decision.clone());
        decision
    }

    /// Counts a call that failed.
    pub fn after_failure(&self, call: &ExactCall) -> LoopDecision {
        let mut turn = self.turn();
        self.counting.store(true, Ordering::Release);
        let record = turn.record(call.digest);
        record.answer = None;
        record.failures += 1;
        let exact = record.failures;
        let tool = turn.failures.entry(call.tool.clone()).or_default();
        *tool += 1;
        let tool = *tool;
        let Thresholds {
            exact_failure,
            same_tool_failure,
            ..
        } = self.settings.warn_after;
        if self.settings.hard_stops && tool >= self.settings.stop_after.same_tool_failure {
            let decision = LoopDecision::new(LoopCode::SameToolHalt, tool, &call.tool);
            turn.stop.get_or_insert_with(|| decision.clone());
            decision
        } else if self.settings.warnings && exact >= exact_failure {
            LoopDecision::new(LoopCode::ExactFailureWarning, exact, &call.tool)
        } else if self.settings.warnings && tool >= same_tool_failure {
            LoopDecision::new(LoopCode::SameToolWarning, tool, &call.tool)
        } else {
            LoopDecision::allow()
        }
    }

    /// Counts a call that went well. `answer` is the result of a repeatable call, one that should
    /// give something new each time it is made, and `None` for every other.
    pub fn after_success(&self, call: &ExactCall, answer: Option<&str>) -> LoopDecision {
        let mut turn = self.turn();
        turn.failures.remove(&call.tool);
        let Some(answer) = answer else {
            if let Some(record) = turn.calls.get_mut(&call.digest) {
                record.failures = 0;
            }
            return LoopDecision::allow();
        };
        self.counting.store(true, Ordering::Release);
        let answer = digest_of_answer(answer);
        let record = turn.record(call.digest);
        record.failures = 0;
        let repeats = match record.answer {
            Some((last, repeats)) if last == answer => repeats + 1,
            _ => 1,
        };
        record.answer = Some((answer, repeats));
        if self.settings.warnings && repeats >= self.settings.warn_after.no_progress {
            LoopDecision::new(LoopCode::NoProgressWarning, repeats, &call.tool)
        } else {
            LoopDecision::allow()
        }
    }

    fn turn(&self) -> MutexGuard<'_, Turn> {
        // Every change of the counts is whole; nothing in between can panic.
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    fn record(&mut self, call: Digest) -> &mut Record {
        if self.calls.len() >= MOST_CALLS && !self.calls.contains_key(&call) {
            self.calls.clear();
        }
        self.calls.entry(call).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_a_turn_without_end_is_bounded() {
        let watch = LoopWatch::default();
        for line in 0..3 * MOST_CALLS {
            let call = ExactCall::new("read_file", &format!(r#"{{"offset":{line}}}"#));
            watch.after_success(&call, Some("same"));
        }
        assert!(watch.turn().calls.len() <= MOST_CALLS);
    }

    #[test]
    fn calls_of_a_turn_without_failures_are_not_counted() {
        let watch = LoopWatch::default();
        let call = ExactCall::new("t", "{}");
        assert!(!watch.is_counting());
        watch.after_failure(&call);
        assert!(watch.is_counting());
        watch.new_turn();
        assert!(!watch.is_counting());
        assert_eq!(watch.after_failure(&call).action, Action::Allow);
    }
}
