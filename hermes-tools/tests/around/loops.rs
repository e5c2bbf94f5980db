//! Loops: what a session tells a model that goes in circles.

use hermes_tools::loops::{LoopSettings, Thresholds};
use hermes_tools::testing::FakeClock;
use hermes_tools::{Cancel, Effect, RuntimeTool, Session, SessionBuilder, ToolCall, ToolRegistry};
use serde_json::{Map, json};

use crate::{Driven, call, code, session, session_with};

fn notes(session: &Session, name: &str, arguments: &str) -> Vec<String> {
    call(session, name, arguments).notes
}

#[test]
fn a_call_that_fails_again_is_told_so_beside_its_error() {
    let session = session(&FakeClock::new(), |it| it);
    assert!(notes(&session, "broken", r#"{"what":"a"}"#).is_empty());
    let second = call(&session, "broken", r#"{ "what": "a" }"#);
    assert_eq!(
        second.model_text(),
        "{\"error\":\"no a\",\"code\":\"failed\",\"notes\":[\"`broken` has failed twice with these \
         arguments; change the arguments by what the error says, or use another way\"]}"
    );
    assert_eq!(
        notes(&session, "broken", r#"{"what":"b"}"#),
        ["`broken` has failed 3 times in a row; \
          read the errors again before the next call, or use another tool"]
    );
    session.begin_turn("next");
    assert!(notes(&session, "broken", r#"{"what":"a"}"#).is_empty());
}

#[test]
fn equal_calls_are_told_apart_by_their_decoded_arguments() {
    let session = session(&FakeClock::new(), |it| it);
    assert!(notes(&session, "broken", r#"{"what":"1"}"#).is_empty());
    // A whole number for a text is its digits, so this is the same call.
    assert_eq!(notes(&session, "broken", r#"{"what":1}"#).len(), 1);
}

#[test]
fn arguments_that_do_not_fit_are_a_failure_too() {
    let session = session(&FakeClock::new(), |it| it);
    assert!(notes(&session, "say", r#"{"txt":"a"}"#).is_empty());
    assert_eq!(notes(&session, "say", r#"{"txt":"a"}"#).len(), 1);
}

#[test]
fn an_answer_that_says_itself_that_it_failed_is_a_failure() {
    let session = session(&FakeClock::new(), |it| it);
    let fails = r#"{"command":"fails"}"#;
    assert!(notes(&session, "run_command", fails).is_empty());
    let second = call(&session, "run_command", fails);
    assert_eq!(second.notes.len(), 1);
    assert_eq!(second.outcome.unwrap().text(), "ran fails");
    // Words in the text of our own tools mean nothing.
    for _ in 0..3 {
        assert!(notes(&session, "run_command", r#"{"command":"Error"}"#).is_empty());
    }
}

#[test]
fn only_readers_that_say_so_are_watched_for_equal_answers() {
    let session = session(&FakeClock::new(), |it| it);
    assert!(notes(&session, "read_note", r#"{"name":"a"}"#).is_empty());
    assert_eq!(
        notes(&session, "read_note", r#"{"name":"a"}"#),
        [
            "`read_note` has given the same answer twice to these arguments; \
          use the answer you have, or ask for something else"
        ]
    );
    for _ in 0..5 {
        assert!(notes(&session, "say", r#"{"text":"a"}"#).is_empty());
    }
}

#[test]
fn the_text_of_foreign_tools_is_read_for_failure() {
    let register = |registry: &ToolRegistry| {
        let tool = |raw: &str, answer: &'static str| {
            RuntimeTool::of_server("srv", raw, Map::new()).answering(move |_| answer)
        };
        registry.register(tool("fails", r#"{"error": "no key"}"#));
        registry.register(tool("works", r#"{"error": null, "failed": 0}"#));
        let reads = tool("reads", "the same").effect(Effect::Read);
        registry.register(reads.idempotent());
    };
    let session = session_with(&FakeClock::new(), register, |it| it);
    let second = |name: &str| {
        notes(&session, name, "{}");
        notes(&session, name, "{}").len()
    };
    assert_eq!(second("mcp__srv__fails"), 1);
    assert_eq!(second("mcp__srv__works"), 0);
    assert_eq!(second("mcp__srv__reads"), 1);
}

#[test]
fn hard_stops_refuse_the_next_equal_call_and_say_that_the_turn_should_end() {
    let few = Thresholds {
        exact_failure: 2,
        same_tool_failure: 4,
        no_progress: 3,
    };
    let settings = LoopSettings::default().hard_stops(true).stop_after(few);
    let session = session(&FakeClock::new(), |it| it.loops(settings));
    for _ in 0..2 {
        assert_eq!(code(&call(&session, "broken", "{}")), "failed");
    }
    assert!(session.stop().is_none());
    let error = call(&session, "broken", "{}").outcome.unwrap_err();
    assert_eq!(error.code(), "repeated_exact_failure_block");
    assert_eq!(
        error.message(),
        "`broken` has failed twice with these arguments"
    );
    let stop = session.stop().unwrap();
    assert_eq!(stop.code.as_str(), "repeated_exact_failure_block");
    // Others of the same answer still run.
    assert_eq!(
        call(&session, "say", r#"{"text":"a"}"#)
            .outcome
            .unwrap()
            .text(),
        "a"
    );
    assert_eq!(code(&call(&session, "broken", r#"{"what":"b"}"#)), "failed");
    let fourth = call(&session, "broken", r#"{"what":"c"}"#);
    assert!(fourth.notes[0].ends_with("stop here and tell the user what does not work"));
    session.begin_turn("next");
    assert!(session.stop().is_none());
    for _ in 0..3 {
        assert!(
            call(&session, "read_note", r#"{"name":"a"}"#)
                .outcome
                .is_ok()
        );
    }
    assert_eq!(
        code(&call(&session, "read_note", r#"{"name":"a"}"#)),
        "idempotent_no_progress_block"
    );
}

#[test]
fn refused_and_cancelled_calls_count_nothing() {
    let clock = FakeClock::new();
    let session = session(&clock, |it| it.max_effect(Effect::Write));
    for _ in 0..3 {
        assert!(notes(&session, "no_such_tool", "{}").is_empty());
        assert!(notes(&session, "ask_user", "{}").is_empty());
        let cancel = Cancel::new();
        cancel.cancel();
        let cancelled = ToolCall::new("broken", "{}").cancel(cancel);
        let result = Driven::of(session.call_with(cancelled)).ready();
        assert!(result.notes.is_empty());
    }
    assert!(notes(&session, "broken", "{}").is_empty());
}

#[test]
fn a_host_may_leave_circles_alone() {
    let session = session(&FakeClock::new(), SessionBuilder::without_loops);
    for _ in 0..5 {
        assert!(notes(&session, "broken", "{}").is_empty());
    }
    let quiet = LoopSettings::from_config(&json!({"warnings_enabled": "off"}));
    let session = crate::session(&FakeClock::new(), |it| it.loops(quiet));
    for _ in 0..5 {
        assert!(notes(&session, "broken", "{}").is_empty());
    }
}
