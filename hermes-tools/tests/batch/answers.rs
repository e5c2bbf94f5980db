//! Every call has its answer, whatever stops it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use hermes_tools::testing::FakeClock;
use hermes_tools::{Batch, CallResult, Cancel};

use crate::{call, codes, ids, said, session};

#[test]
fn every_call_has_one_answer_in_order_whatever_happens_to_it() {
    let (session, _) = session(|builder| builder);
    let calls = || {
        [
            said("c1"),
            call("fails", "{}", "c2"),
            call("panics", "{}", "c3"),
            call("unknown_tool", "{}", "c4"),
            call("echo", r#"{"text": "#, "c5"),
            said("c6"),
            said("c6"),
        ]
    };
    let results = session.call_batch_blocking(calls());
    assert_eq!(ids(&results), ["c1", "c2", "c3", "c4", "c5", "c6", "c6"]);
    assert_eq!(
        codes(&results),
        [
            "ok",
            "failed",
            "panicked",
            "unknown_tool",
            "truncated",
            "ok",
            "ok"
        ]
    );
    assert!(results.iter().all(|result| !result.model_text().is_empty()));
    assert_eq!(
        results[6].model_text(),
        "[the same call as `c6`, run once; its result stands there]"
    );

    // Cancelled before it begins.
    let cancel = Cancel::new();
    cancel.cancel();
    let results = session.call_batch_blocking(Batch::new(calls()).cancel(cancel));
    assert_eq!(ids(&results), ["c1", "c2", "c3", "c4", "c5", "c6", "c6"]);
    assert_eq!(codes(&results), ["not_started"; 7]);
    assert_eq!(session.call_batch_blocking([]).len(), 0);
}

#[test]
fn a_cancelled_batch_tells_what_ran_from_what_did_not_begin() {
    let (session, stage) = session(|builder| builder);
    let cancel = Cancel::new();
    let batch = Batch::new([
        call("fails", "{}", "c1"),
        call("hang", "{}", "c2"),
        call("look", r#"{"at": "c3"}"#, "c3"),
        call("change", "{}", "c4"),
        said("c5"),
    ])
    .cancel(cancel.clone());
    let run = std::thread::spawn(move || session.call_batch_blocking(batch));
    stage.wait_for_note("hangs");
    stage.wait_for_note("look c3");
    cancel.cancel();
    let results = run.join().unwrap();
    assert_eq!(
        codes(&results),
        ["failed", "cancelled", "ok", "not_started", "not_started"]
    );
    assert_eq!(
        results[1].outcome.as_ref().unwrap_err().message(),
        "the call of `hang` was cancelled by the user"
    );
    assert_eq!(
        results[3].outcome.as_ref().unwrap_err().to_string(),
        "`change` was not started: the user cancelled before its turn; do not repeat it unless \
         the user asks"
    );
    assert_eq!(stage.notes(), ["hangs", "look c3"]);
}

#[test]
fn a_batch_whose_time_is_up_tells_late_calls_from_those_that_did_not_begin() {
    let clock = FakeClock::new();
    let (session, stage) = session(|builder| builder.executor(clock.clone()));
    let batch = Batch::new([call("hang", "{}", "c1"), said("c2")])
        .at_most(1)
        .time_limit(Duration::from_millis(500));
    let run = std::thread::spawn(move || session.call_batch_blocking(batch));
    stage.wait_for_note("hangs");
    clock.advance(Duration::from_millis(500));
    let results = run.join().unwrap();
    let errors: Vec<String> = results
        .into_iter()
        .map(|result| result.outcome.unwrap_err().to_string())
        .collect();
    assert_eq!(
        errors,
        [
            "`hang` was still running when the 0.5 s of its batch were up; ask for less at once, \
             or make fewer calls in one answer",
            "`echo` was not started: the 0.5 s of its batch were up; send it again, with fewer \
             calls in one answer",
        ]
    );
}

#[test]
fn one_call_is_cancelled_without_the_others() {
    let (session, stage) = session(|builder| builder);
    let cancel = Cancel::new();
    let batch = Batch::new([
        call("hang", "{}", "c1").cancel(cancel.clone()),
        said("c2"),
        call("change", "{}", "c3"),
    ]);
    let run = std::thread::spawn(move || session.call_batch_blocking(batch));
    stage.wait_for_note("hangs");
    cancel.cancel();
    assert_eq!(codes(&run.join().unwrap()), ["cancelled", "ok", "ok"]);
}

#[test]
fn answers_are_told_as_they_come() {
    let (session, _) = session(|builder| builder);
    let told: Arc<Mutex<Vec<(usize, usize, usize)>>> = Arc::default();
    let heard = Arc::clone(&told);
    let batch = Batch::new([
        call("step", r#"{"name": "slow"}"#, "c1"),
        said("c2"),
        said("c2"),
    ])
    .on_answer(move |event| {
        heard
            .lock()
            .unwrap()
            .push((event.index, event.answered, event.total));
        assert_ne!(event.index, 1, "whoever listens may panic");
    });
    assert_eq!(codes(&session.call_batch_blocking(batch)), ["ok"; 3]);
    assert_eq!(
        *told
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .as_slice(),
        [(1, 1, 3), (2, 2, 3), (0, 3, 3)]
    );
}

#[test]
fn the_forms_that_wait_work_wherever_they_are_called() {
    let (session, _) = session(|builder| builder);
    let batch = |mark: usize| {
        Batch::new((0..4).map(|number| {
            let text = format!("{mark} {number}");
            call("echo", &format!(r#"{{"text": "{text}"}}"#), &text)
        }))
    };
    let answers = |results: Vec<CallResult>| -> Vec<String> {
        results.iter().map(CallResult::model_text).collect()
    };
    let wanted = |mark: usize| -> Vec<String> { (0..4).map(|n| format!("{mark} {n}")).collect() };
    // In no runtime.
    assert_eq!(answers(session.call_batch_blocking(batch(0))), wanted(0));
    // Inside runtimes of the host, of one thread and of several.
    for mut builder in [
        tokio::runtime::Builder::new_current_thread(),
        tokio::runtime::Builder::new_multi_thread(),
    ] {
        let runtime = builder.build().unwrap();
        let inside = runtime.block_on(async { session.call_batch_blocking(batch(1)) });
        assert_eq!(answers(inside), wanted(1));
        let outcome = runtime.block_on(session.call_batch(batch(2)));
        assert_eq!(answers(outcome), wanted(2));
    }
    // From many threads at once.
    std::thread::scope(|scope| {
        for mark in 0..32 {
            let session = &session;
            scope.spawn(move || {
                let results = session.call_batch_blocking(batch(mark));
                assert_eq!(answers(results), wanted(mark));
            });
        }
    });
}
