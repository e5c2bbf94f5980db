//! The calls of one answer of a model: their order, their answers, what stops them.

#![cfg(all(feature = "host", feature = "link", feature = "testing"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use hermes_tools::dispatch::PlannedCall;
use hermes_tools::testing::FakeClock;
use hermes_tools::workspace::Confined;
use hermes_tools::{
    Batch, CallResult, Cancel, ErrorKind, Selection, Session, SessionBuilder, Tool, ToolCall,
    ToolError, ToolRegistry, Workspace, tool, tools,
};

/// What a test holds back and lets go, and what tools have noted on their way.
#[derive(Default)]
struct Stage {
    open: Mutex<bool>,
    changed: Condvar,
    notes: Mutex<Vec<String>>,
    running: AtomicUsize,
    most: AtomicUsize,
}

impl Stage {
    fn note(&self, text: impl Into<String>) {
        self.notes.lock().unwrap().push(text.into());
        self.changed.notify_all();
    }

    fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap().clone()
    }

    fn wait_for_note(&self, text: &str) {
        let notes = self.notes.lock().unwrap();
        drop(
            self.changed
                .wait_while(notes, |notes| !notes.iter().any(|note| note == text))
                .unwrap(),
        );
    }

    fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.changed.notify_all();
    }

    fn wait_until_open(&self) {
        let open = self.open.lock().unwrap();
        drop(self.changed.wait_while(open, |open| !*open).unwrap());
    }
}

/// Say a text again.
#[tool(toolset = "test", effect = "read", inline)]
fn echo(
    /// The text.
    text: String,
) -> String {
    text
}

/// Fail.
#[tool(toolset = "test", effect = "read", inline)]
fn fails() -> Result<String, ToolError> {
    Err(ToolError::failed("it cannot be done"))
}

/// Panic.
#[tool(toolset = "test", effect = "read")]
fn panics() -> String {
    panic!("on purpose")
}

/// Never answer.
#[tool(toolset = "test", effect = "read")]
async fn hang(#[ctx] stage: &Stage) -> String {
    stage.note("hangs");
    std::future::pending().await
}

/// Note when it begins and when it ends.
#[tool(toolset = "test", effect = "read")]
async fn step(
    #[ctx] stage: Arc<Stage>,
    /// Its name.
    name: String,
) -> String {
    let running = stage.running.fetch_add(1, Ordering::SeqCst) + 1;
    stage.most.fetch_max(running, Ordering::SeqCst);
    let mut polls = 0;
    std::future::poll_fn(|task| {
        polls += 1;
        task.waker().wake_by_ref();
        if polls > 3 {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    })
    .await;
    stage.running.fetch_sub(1, Ordering::SeqCst);
    name
}

/// Write where the path is.
#[tool(toolset = "test", effect = "write")]
async fn put(
    #[ctx] stage: &Stage,
    /// Path.
    #[arg(role = "path", len = 1..)]
    path: String,
) -> String {
    stage.note(format!("put {path}"));
    path
}

/// Change something beside whatever runs.
#[tool(toolset = "test", effect = "write", parallel = "safe", inline)]
fn put_safely() -> &'static str {
    "put"
}

/// Write to a path until it is let go, whatever happens to the call.
#[tool(toolset = "test", effect = "write")]
fn put_stubbornly(
    #[ctx] stage: Arc<Stage>,
    /// Path.
    #[arg(role = "path", len = 1..)]
    path: String,
) -> String {
    stage.note("stubborn begins");
    stage.wait_until_open();
    stage.note("stubborn ends");
    path
}

/// Change anything until it is let go, whatever happens to the call.
#[tool(toolset = "test", effect = "write")]
fn change_stubbornly(#[ctx] stage: Arc<Stage>) -> &'static str {
    stage.note("stubborn begins");
    stage.wait_until_open();
    stage.note("stubborn ends");
    "changed"
}

/// Use a device that one call at a time may hold.
#[tool(toolset = "test", effect = "write")]
async fn use_device(
    #[ctx] stage: Arc<Stage>,
    /// The device.
    #[arg(lock)]
    device: u32,
    /// What for.
    what: String,
) -> String {
    let running = stage.running.fetch_add(1, Ordering::SeqCst) + 1;
    stage.most.fetch_max(running, Ordering::SeqCst);
    std::future::poll_fn({
        let mut polled = false;
        move |task: &mut std::task::Context<'_>| {
            task.waker().wake_by_ref();
            if std::mem::replace(&mut polled, true) {
                std::task::Poll::Ready(())
            } else {
                std::task::Poll::Pending
            }
        }
    })
    .await;
    stage.running.fetch_sub(1, Ordering::SeqCst);
    format!("{device} {what}")
}

/// Change something, nobody knows what.
#[tool(toolset = "test", effect = "destructive")]
async fn change(#[ctx] stage: &Stage) -> String {
    stage.note("change");
    "changed".to_owned()
}

/// Note how often it was called.
#[tool(toolset = "test", effect = "read", inline)]
fn look(
    #[ctx] stage: &Stage,
    /// What at.
    at: String,
) -> String {
    stage.note(format!("look {at}"));
    at
}

/// Clean up when it is told to end.
#[tool(toolset = "test", effect = "write", teardown = "5s", timeout = "1s")]
async fn tidy(#[ctx] cancel: Cancel, #[ctx] stage: &Stage) -> String {
    stage.note("begins");
    cancel.cancelled().await;
    stage.note("tidied up");
    "too late".to_owned()
}

/// Never end, whoever asks.
#[tool(toolset = "test", effect = "write", teardown = "5s", timeout = "1s")]
async fn never_tidy(#[ctx] stage: &Stage) -> String {
    stage.note("begins");
    std::future::pending().await
}

fn session(configure: impl FnOnce(SessionBuilder) -> SessionBuilder) -> (Session, Arc<Stage>) {
    let stage: Arc<Stage> = Arc::default();
    let registry = ToolRegistry::of(tools![
        echo,
        fails,
        panics,
        hang,
        step,
        put,
        put_safely,
        put_stubbornly,
        change_stubbornly,
        use_device,
        change,
        look,
        tidy,
        never_tidy
    ])
    .unwrap();
    let selection = Selection::of(registry.snapshot().tools().iter().map(Tool::name));
    // Nothing is made in it: the tools write where nobody looks.
    let workspace = Workspace::new(Confined::open(".").unwrap());
    let session = configure(Session::builder(registry, selection))
        .workspace(workspace)
        .shared_state(Arc::clone(&stage))
        .build()
        .unwrap();
    (session, stage)
}

fn call(name: &str, arguments: &str, id: &str) -> ToolCall {
    ToolCall::new(name, arguments).id(id)
}

fn said(id: &str) -> ToolCall {
    call("echo", &format!(r#"{{"text": "{id}"}}"#), id)
}

/// Code of each answer, `ok` where there is none.
fn codes(results: &[CallResult]) -> Vec<&'static str> {
    let code = |result: &CallResult| match &result.outcome {
        Ok(_) => "ok",
        Err(error) => error.code(),
    };
    results.iter().map(code).collect()
}

fn ids(results: &[CallResult]) -> Vec<&str> {
    let ids = results.iter().map(|result| result.id.as_deref());
    ids.map(Option::unwrap).collect()
}

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
fn calls_whose_arguments_hooks_may_change_run_alone_unless_they_only_read() {
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
