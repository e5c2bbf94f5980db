//! Which calls wait for which, and which are not run again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hermes_tools::dispatch::PlannedCall;
use hermes_tools::{
    Batch, CallResult, Cancel, Content, Effect, ErrorKind, Output, Selection, Session, ToolCall,
    ToolEntry, ToolError, ToolRegistry,
};

use crate::{call, codes, said, session};

#[test]
fn a_call_waits_for_those_that_it_conflicts_with_and_for_no_others() {
    let (session, stage) = session(|builder| builder);
    // The hanging call keeps no later one from running, for they do not meet.
    let cancel = Cancel::new();
    let batch = Batch::new([
        call("hang", "{}", "c1").cancel(cancel.clone()),
        call("put", r#"{"path": "a"}"#, "c2"),
        call("put", r#"{"path": "a/b"}"#, "c3"),
        call("put", r#"{"path": "ab"}"#, "c4"),
        call("change", "{}", "c5"),
        call("put", r#"{"path": "c"}"#, "c6"),
    ]);
    let run = std::thread::spawn(move || session.call_batch_blocking(batch));
    stage.wait_for_note("put ab");
    cancel.cancel();
    assert_eq!(
        codes(&run.join().unwrap()),
        ["cancelled", "ok", "ok", "ok", "ok", "ok"]
    );
    let notes = stage.notes();
    let place = |text: &str| notes.iter().position(|note| note == text).unwrap();
    assert!(place("put a") < place("put a/b"));
    assert!(place("put ab") < place("change") && place("put a/b") < place("change"));
    assert_eq!(notes.last().unwrap(), "put c");
}

#[test]
fn at_most_so_many_run_at_a_time() {
    for (at_most, most) in [(None, 8), (Some(3), 3), (Some(100), 20)] {
        let (session, stage) = session(|builder| builder);
        let calls =
            (0..20).map(|number| ToolCall::new("step", format!(r#"{{"name": "{number}"}}"#)));
        let batch = Batch::new(calls);
        let results = session.call_batch_blocking(match at_most {
            Some(calls) => batch.at_most(calls),
            None => batch,
        });
        assert_eq!(stage.most.load(Ordering::SeqCst), most);
        for (number, result) in results.into_iter().enumerate() {
            assert_eq!(result.outcome.unwrap().text(), number.to_string());
        }
    }
}

#[test]
fn a_dry_run_asks_no_hooks_so_what_they_may_change_stands_alone_in_its_plan() {
    let (session, stage) = session(|builder| {
        builder.rewrite("one place", |call, arguments| {
            if call.name().starts_with("put") {
                arguments.set("path", "same");
            }
        })
    });
    let calls = || {
        [
            call("put", r#"{"path": "a"}"#, "c1"),
            call("put", r#"{"path": "b"}"#, "c2"),
            said("c3"),
            said("c4"),
        ]
    };
    let plan = session.plan_blocking(&Batch::new(calls()));
    let waits: Vec<&[usize]> = (0..4).map(|call| plan.waits_for(call)).collect();
    assert_eq!(waits, [&[][..], &[0], &[1], &[1]]);
    session.call_batch_blocking(calls());
    assert_eq!(stage.notes(), ["put same", "put same"]);
    // What the host makes without hooks is as it says.
    let plan = session.plan_blocking(&Batch::new(calls().map(ToolCall::without_hooks)));
    assert!(plan.is_all_parallel());
}

#[test]
fn a_repeat_is_not_run_unless_something_was_changed_between() {
    let (session, stage) = session(|builder| builder);
    let look = |id: &str| call("look", r#"{"at": "x"}"#, id);
    let calls = || {
        [
            look("c1"),
            call("look", r#"{ "at" : "x" }"#, "c2"),
            call("change", "{}", "c3"),
            look("c4"),
            call("look", r#"{"at": "y"}"#, "c5"),
            look("c6"),
        ]
    };
    let results = session.call_batch_blocking(calls());
    assert_eq!(stage.notes(), ["look x", "change", "look x", "look y"]);
    let texts: Vec<String> = results.iter().map(CallResult::model_text).collect();
    assert_eq!(
        texts,
        [
            "x",
            "[the same call as `c1`, run once; its result stands there]",
            "changed",
            "x",
            "y",
            "[the same call as `c4`, run once; its result stands there]",
        ]
    );
    let plan = session.plan_blocking(&Batch::new(calls()));
    let repeats: Vec<Option<usize>> = plan.calls().iter().map(PlannedCall::repeats).collect();
    assert_eq!(repeats, [None, Some(0), None, None, None, Some(3)]);

    session.call_batch_blocking(Batch::new(calls()).run_repeats());
    assert_eq!(stage.notes().len(), 4 + 6);
}

#[test]
fn what_may_change_anything_ends_repeats_whatever_it_names() {
    let (session, stage) = session(|builder| builder);
    let look = |id: &str| call("look", r#"{"at": "x"}"#, id);
    for (change, arguments) in [
        ("put", r#"{"path": "a"}"#),
        ("put_safely", "{}"),
        ("use_device", r#"{"device": 1, "what": "x"}"#),
    ] {
        let calls = [
            look("c1"),
            call(change, arguments, "c2"),
            look("c3"),
            look("c4"),
        ];
        let results = session.call_batch_blocking(calls);
        let texts: Vec<String> = results.iter().map(CallResult::model_text).collect();
        assert_eq!(texts[2], "x", "{change}");
        assert_eq!(
            texts[3], "[the same call as `c3`, run once; its result stands there]",
            "{change}"
        );
    }
    let looks = stage
        .notes()
        .iter()
        .filter(|note| *note == "look x")
        .count();
    assert_eq!(looks, 6);
    // What was written is written; only what stands between the two counts.
    let put = |id: &str, path: &str| call("put", &format!(r#"{{"path": "{path}"}}"#), id);
    let plan = session.plan_blocking(&Batch::new([
        put("c1", "a"),
        put("c2", "a"),
        put("c3", "b"),
        put("c4", "a"),
    ]));
    let repeats: Vec<Option<usize>> = plan.calls().iter().map(PlannedCall::repeats).collect();
    assert_eq!(repeats, [None, Some(0), None, None]);
}

#[test]
fn a_repeat_of_a_failure_is_that_failure() {
    let (session, _) = session(|builder| builder);
    let results =
        session.call_batch_blocking([ToolCall::new("fails", "{}"), ToolCall::new("fails", "{}")]);
    assert_eq!(
        results[1].outcome.as_ref().unwrap_err().message(),
        "the same call as call 1 of this answer, which gave: it cannot be done"
    );
}

static RUNS: AtomicUsize = AtomicUsize::new(0);

/// A tool by hand, whose call asks no gate.
static BY_HAND: ToolEntry = ToolEntry::new("by_handtestRun at once.", [7, 4], &[], |_, _| {
    RUNS.fetch_add(1, Ordering::SeqCst);
    Box::pin(async { Ok(Output::from(Content::text("ran"))) })
});

#[test]
fn a_plan_starts_no_call_that_it_could_not_stop() {
    let registry = ToolRegistry::of(&[&BY_HAND]).unwrap();
    let session = Session::builder(registry, Selection::of(["by_hand"]))
        .build()
        .unwrap();
    let by_hand = |id: &str, arguments: &str| call("by_hand", arguments, id);
    let batch = Batch::new([by_hand("c1", "{}"), by_hand("c2", "[1]")]);
    let plan = session.plan_blocking(&batch);
    assert_eq!(RUNS.load(Ordering::SeqCst), 0);
    let [first, second] = plan.calls() else {
        panic!("{}", plan.calls().len());
    };
    assert_eq!(first.effect(), Some(Effect::Destructive));
    assert!(first.footprint().is_alone() && first.refusal().is_none());
    assert_eq!(
        second.refusal().map(ToolError::kind),
        Some(ErrorKind::InvalidArguments)
    );
    assert_eq!(plan.waits_for(1), [0]);
    let results = session
        .call_batch_blocking(Batch::new([by_hand("c1", "{}"), by_hand("c2", "{}")]).run_repeats());
    assert_eq!(codes(&results), ["ok", "ok"]);
    assert_eq!(RUNS.load(Ordering::SeqCst), 2);
}

#[test]
fn what_hooks_have_made_of_the_arguments_decides_what_runs_side_by_side() {
    // Both write at once where the hook leaves them apart, and one after the other where it does not.
    for (meet, expected) in [
        (false, ["stubborn begins", "stubborn begins"]),
        (true, ["stubborn begins", "put same"]),
    ] {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let (session, stage) = session(move |builder| {
            builder.rewrite("places", move |_, arguments| {
                count.fetch_add(1, Ordering::SeqCst);
                if meet {
                    arguments.set("path", "same");
                }
            })
        });
        let second = if meet { "put" } else { "put_stubbornly" };
        let calls = [
            call("put_stubbornly", r#"{"path": "a"}"#, "c1"),
            call(second, r#"{"path": "b"}"#, "c2"),
        ];
        let batch = {
            let session = session.clone();
            std::thread::spawn(move || session.call_batch_blocking(calls))
        };
        if meet {
            stage.wait_for_note("stubborn begins");
        } else {
            stage.wait_for_notes("stubborn begins", 2);
        }
        stage.open();
        assert_eq!(codes(&batch.join().unwrap()), ["ok", "ok"]);
        let mut notes = stage.notes();
        notes.retain(|note| note != "stubborn ends");
        assert_eq!(notes, expected);
        assert_eq!(asked.load(Ordering::SeqCst), 2, "each call is heard once");
    }
}

#[test]
fn a_call_that_a_rewriting_hook_refuses_is_refused_alone_and_calls_that_it_makes_equal_both_run() {
    let (session, stage) = session(|builder| {
        builder.rewrite("places", |call, arguments| {
            if call.arguments().text("path") == Some("forbidden") {
                return Err("not there".into());
            }
            if call.name() == "put" {
                arguments.set("path", "same");
            }
            Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
        })
    });
    let put = |id: &str, path: &str| call("put", &format!(r#"{{"path": "{path}"}}"#), id);
    let results = session.call_batch_blocking([
        put("c1", "a"),
        put("c2", "forbidden"),
        put("c3", "b"),
        put("c4", "b"),
    ]);
    assert_eq!(codes(&results), ["ok", "hook_failed", "ok", "ok"]);
    // The last is the one before it, word for word and after the hook.
    assert_eq!(stage.notes(), ["put same", "put same"]);
    assert_eq!(
        results[3].model_text(),
        "[the same call as `c3`, run once; its result stands there]"
    );
}
