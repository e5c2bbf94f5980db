//! What calls hold while they run and behind their end.

use std::sync::atomic::Ordering;
use std::time::Duration;

use hermes_tools::testing::FakeClock;
use hermes_tools::{Batch, Cancel, ErrorKind, ToolCall};

use crate::{call, codes, session};

#[test]
fn one_call_at_a_time_holds_a_lock_also_of_calls_that_are_in_no_batch() {
    let (session, stage) = session(|builder| builder);
    let threads: Vec<_> = (0..8)
        .map(|number| {
            let session = session.clone();
            std::thread::spawn(move || {
                let arguments = format!(r#"{{"device": 1, "what": "{number}"}}"#);
                session.call_blocking("use_device", &arguments).model_text()
            })
        })
        .collect();
    for (number, thread) in threads.into_iter().enumerate() {
        assert_eq!(thread.join().unwrap(), format!("1 {number}"));
    }
    assert_eq!(stage.most.load(Ordering::SeqCst), 1);

    // In a batch too, and another device is free.
    let device = |device: u32, what: u32| {
        ToolCall::new(
            "use_device",
            format!(r#"{{"device": {device}, "what": "{what}"}}"#),
        )
    };
    let plan = session.plan_blocking(&Batch::new([device(1, 0), device(2, 0), device(1, 1)]));
    assert_eq!((plan.waits_for(1), plan.waits_for(2)), (&[][..], &[0][..]));
}

#[test]
fn what_outlives_its_call_holds_its_paths_until_it_ends() {
    let (session, stage) = session(|builder| builder);
    let cancel = Cancel::new();
    let stubborn = {
        let call = call("put_stubbornly", r#"{"path": "a"}"#, "c1").cancel(cancel.clone());
        let session = session.clone();
        std::thread::spawn(move || session.call_blocking_with(call))
    };
    stage.wait_for_note("stubborn begins");
    cancel.cancel();
    let error = stubborn.join().unwrap().outcome.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);

    // One that does not meet it runs; one that does waits, and says for what when its time is up.
    let free = session.call_blocking("put", r#"{"path": "b"}"#);
    assert_eq!(free.outcome.unwrap().text(), "b");
    let late = call("put", r#"{"path": "a/x"}"#, "c2").timeout(Duration::from_millis(1));
    assert_eq!(
        session
            .call_blocking_with(late)
            .outcome
            .unwrap_err()
            .to_string(),
        "`put` did not begin within 0.001 s: an earlier call that was given up still holds what it \
         needs; go on with something else, and send it again later"
    );
    let waits = {
        let session = session.clone();
        std::thread::spawn(move || {
            session
                .call_blocking("put", r#"{"path": "a"}"#)
                .model_text()
        })
    };
    stage.open();
    assert_eq!(waits.join().unwrap(), "a");
    assert_eq!(
        stage.notes(),
        ["stubborn begins", "put b", "stubborn ends", "put a"]
    );
}

#[test]
fn what_runs_alone_and_outlives_its_call_holds_up_what_runs_alone_and_nothing_else() {
    let (session, stage) = session(|builder| builder);
    let given_up = Cancel::new();
    let stubborn = {
        let session = session.clone();
        let calls = [
            call("change_stubbornly", "{}", "c1").cancel(given_up.clone()),
            call("change", "{}", "c2").timeout(Duration::from_millis(1)),
            call("look", r#"{"at": "x"}"#, "c3"),
            call("put", r#"{"path": "a"}"#, "c4"),
        ];
        std::thread::spawn(move || session.call_batch_blocking(calls))
    };
    stage.wait_for_note("stubborn begins");
    given_up.cancel();
    let results = stubborn.join().unwrap();
    assert_eq!(codes(&results), ["cancelled", "timeout", "ok", "ok"]);
    assert_eq!(
        results[1].outcome.as_ref().unwrap_err().message(),
        "`change` did not begin within 0.001 s: an earlier call that was given up still holds what \
         it needs"
    );
    let waits = {
        let session = session.clone();
        std::thread::spawn(move || session.call_blocking("change", "{}").model_text())
    };
    stage.open();
    assert_eq!(waits.join().unwrap(), "changed");
    assert_eq!(
        stage.notes(),
        [
            "stubborn begins",
            "look x",
            "put a",
            "stubborn ends",
            "change"
        ]
    );
}

#[test]
fn a_tool_that_asks_for_it_may_clean_up_before_its_call_is_answered() {
    let clock = FakeClock::new();
    for (tool, told) in [
        ("tidy", &["begins", "tidied up"][..]),
        ("never_tidy", &["begins"][..]),
    ] {
        let (session, stage) = session(|builder| builder.executor(clock.clone()));
        let run = {
            let session = session.clone();
            std::thread::spawn(move || session.call_blocking(tool, "{}"))
        };
        stage.wait_for_note("begins");
        // Its limit, and then the time in which it may clean up.
        while !run.is_finished() {
            clock.advance(Duration::from_secs(1));
            std::thread::yield_now();
        }
        let error = run.join().unwrap().outcome.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Timeout);
        assert_eq!(error.message(), format!("`{tool}` took longer than 1 s"));
        assert_eq!(stage.notes(), told);
    }
}

#[test]
fn what_a_tool_that_only_reads_has_found_until_it_is_stopped_is_its_answer() {
    let clock = FakeClock::new();
    let (session, stage) = session(|builder| builder.executor(clock.clone()));
    let cancel = Cancel::new();
    let run = {
        let (session, cancel) = (session.clone(), cancel.clone());
        std::thread::spawn(move || {
            let call = ToolCall::new("survey", "{}").cancel(cancel);
            session.call_blocking_with(call).model_text()
        })
    };
    stage.wait_for_note("begins");
    cancel.cancel();
    assert_eq!(run.join().unwrap(), "found so far");
    // One that was cancelled before it began has found nothing.
    let call = ToolCall::new("survey", "{}").cancel(cancel);
    let error = session.call_blocking_with(call).outcome.unwrap_err();
    assert_eq!(error.code(), "cancelled");
}
