//! Retries and limits of rate.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hermes_tools::testing::FakeClock;
use hermes_tools::{Cancel, RateLimit, Retries, Session, ToolCall};

use crate::tools::Failures;
use crate::{Driven, Lines, call, code, session};

fn failing(
    clock: &FakeClock,
    failures: &Arc<Failures>,
    retries: Retries,
    lines: &Lines,
) -> Session {
    let (before, after) = (lines.clone(), lines.clone());
    session(clock, |it| {
        it.retries(retries)
            .shared_state(Arc::clone(failures))
            .before("before", move |_| before.push("before"))
            .after("after", move |_, ended| after.push(ended.status.as_str()))
    })
}

fn failures(count: usize) -> Arc<Failures> {
    Arc::new(Failures(AtomicUsize::new(count)))
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_reader_that_fails_for_a_moment_is_called_again_unseen() {
    let (clock, lines, failures) = (FakeClock::new(), Lines::default(), failures(2));
    let session = failing(&clock, &failures, Retries::new(2).wait(SECOND), &lines);
    let mut flaky = Driven::of(session.call("flaky", "{}"));
    assert!(flaky.poll().is_none());
    clock.advance(SECOND);
    assert!(flaky.poll().is_none());
    clock.advance(SECOND);
    assert!(flaky.poll().is_none());
    clock.advance(SECOND);
    // The three seconds came out of the call's own thirty.
    assert_eq!(
        flaky.ready().outcome.unwrap().text(),
        "well, Some(27s) left"
    );
    assert_eq!(lines.take(), ["before", "ok"], "hooks come once");
}

#[test]
fn tries_are_bounded_by_number_and_by_the_budget_of_the_turn() {
    let (clock, lines, failures) = (FakeClock::new(), Lines::default(), failures(100));
    let retries = Retries::new(2).wait(Duration::ZERO).budget(3);
    let session = failing(&clock, &failures, retries, &lines);
    let tries = |session: &Session| {
        let before = failures.0.load(Ordering::SeqCst);
        assert_eq!(code(&call(session, "flaky", "{}")), "io");
        before - failures.0.load(Ordering::SeqCst)
    };
    assert_eq!(tries(&session), 3);
    assert_eq!(tries(&session), 2);
    assert_eq!(tries(&session), 1);
    session.begin_turn("next");
    assert_eq!(tries(&session), 3);
}

#[test]
fn what_changes_something_and_what_fails_for_good_are_not_tried_again() {
    let (clock, lines, failures) = (FakeClock::new(), Lines::default(), failures(1));
    let session = failing(
        &clock,
        &failures,
        Retries::new(2).wait(Duration::ZERO),
        &lines,
    );
    assert_eq!(code(&call(&session, "flaky_write", "{}")), "io");
    assert_eq!(code(&call(&session, "broken", "{}")), "failed");
    assert_eq!(lines.take(), ["before", "error", "before", "error"]);
}

#[test]
fn a_cancelled_call_is_not_tried_again_and_one_that_waits_can_be_cancelled() {
    let (clock, lines, failures) = (FakeClock::new(), Lines::default(), failures(1));
    let session = failing(&clock, &failures, Retries::new(2).wait(SECOND), &lines);
    let cancel = Cancel::new();
    let waiting = ToolCall::new("flaky", "{}").cancel(cancel.clone());
    let mut waiting = Driven::of(session.call_with(waiting));
    assert!(waiting.poll().is_none());
    cancel.cancel();
    assert_eq!(code(&waiting.ready()), "cancelled");
}

#[test]
fn a_tool_is_not_called_more_often_than_it_may_be() {
    let (clock, lines) = (FakeClock::new(), Lines::default());
    let after = lines.clone();
    let session = session(&clock, |it| {
        it.rate_limit("say", RateLimit::new(2, Duration::from_mins(1)))
            .after("after", move |_, ended| after.push(ended.status.as_str()))
    });
    let say = || call(&session, "say", r#"{"text":"a"}"#);
    assert!(say().outcome.is_ok() && say().outcome.is_ok());
    let error = say().outcome.unwrap_err();
    assert_eq!(error.code(), "rate_limited");
    assert_eq!(
        error.to_string(),
        "`say` was called too often; do something else, and call it again in 30 s"
    );
    assert!(call(&session, "keep", r#"{"text":"a"}"#).outcome.is_ok());
    clock.advance(Duration::from_secs(30));
    assert!(say().outcome.is_ok());
}
