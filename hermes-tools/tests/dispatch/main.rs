//! The way of a call, from the name a model sends to the text it gets back.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod blocking;
mod panics;

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hermes_tools::context::{Executor, Inline, JobFuture};
use hermes_tools::{
    Availability, Cancel, CheckContext, Content, Deadline, ErrorKind, Json, Progress, Selection,
    Session, SessionFacts, SessionSource, Tool, ToolCall, ToolContext, ToolError, ToolRegistry,
    Why, tool, tools,
};

/// Say a text again.
#[tool(toolset = "test", effect = "read")]
async fn echo(
    /// The text.
    text: String,
    /// How often.
    #[arg(default = 1, min = 1, max = 3)]
    times: usize,
) -> String {
    text.repeat(times)
}

/// Say which thread this is.
#[tool(toolset = "test", effect = "read")]
fn thread_name() -> String {
    std::thread::current().name().unwrap_or_default().to_owned()
}

/// Say which thread this is, without leaving it.
#[tool(toolset = "test", effect = "read", inline)]
fn inline_thread_name() -> String {
    std::thread::current().name().unwrap_or_default().to_owned()
}

/// Panic at once.
#[tool(toolset = "test")]
async fn panic_async(
    /// What to say.
    text: String,
) -> String {
    panic!("{text}")
}

/// Panic on a thread of its own.
#[tool(toolset = "test")]
fn panic_blocking() -> String {
    panic!("on purpose")
}

/// Never answer.
#[tool(toolset = "test", timeout = "30s")]
async fn hang() -> String {
    std::future::pending().await
}

/// Wait until the call is cancelled.
#[tool(toolset = "test")]
async fn wait_for_cancel(#[ctx] cancel: Cancel) -> String {
    cancel.cancelled().await;
    "cancelled".to_owned()
}

/// Work on another thread until the call has ended, then tell.
#[tool(toolset = "test", timeout = "20ms")]
fn work_on(#[ctx] cancel: Cancel, #[ctx] ended: Option<Arc<Mutex<mpsc::Sender<bool>>>>) -> String {
    while !cancel.is_cancelled() {
        std::thread::yield_now();
    }
    ended
        .unwrap()
        .lock()
        .unwrap()
        .send(cancel.is_cancelled())
        .unwrap();
    "nobody hears this".to_owned()
}

/// Say many lines.
#[tool(toolset = "test", max_result = 200)]
async fn many_lines() -> Vec<Content> {
    let lines: String = (0..1_000).map(|line| format!("line {line}\n")).collect();
    vec![
        Content::Text(lines.clone().into()),
        Content::Text(lines.into()),
    ]
}

/// Fail with an error of the standard library.
#[tool(toolset = "test")]
async fn fail() -> Result<Json<u8>, std::num::ParseIntError> {
    "x".parse().map(Json)
}

/// Fail with an error that says what to do.
#[tool(toolset = "test")]
async fn fail_with_help() -> Result<String, ToolError> {
    Err(ToolError::new(ErrorKind::NotFound, "no such note").with_help("call `list_notes`"))
}

/// Count calls.
#[tool(toolset = "test")]
async fn count(#[ctx] counter: &AtomicUsize) -> Json<usize> {
    Json(counter.fetch_add(1, Ordering::SeqCst) + 1)
}

/// Count calls, or have the agent loop count them.
#[tool(toolset = "test", agent_loop)]
async fn count_in_loop(#[ctx] counter: &AtomicUsize) -> Json<usize> {
    Json(counter.fetch_add(1, Ordering::SeqCst) + 1)
}

/// Count to three.
#[tool(toolset = "test", timeout = "2s")]
async fn count_to_three(
    #[ctx] cx: &ToolContext,
    #[ctx] progress: Progress,
    #[ctx] deadline: Deadline,
) -> String {
    for step in 1..=3 {
        progress.report(f64::from(step), Some(3.0), &format!("step {step}"));
    }
    format!("{:?}", deadline.remaining(cx.executor().now()))
}

/// Say how long the call may take.
#[tool(toolset = "test", effect = "read")]
async fn time_left(#[ctx] cx: &ToolContext, #[ctx] deadline: Deadline) -> String {
    format!("{:?}", deadline.remaining(cx.executor().now()))
}

/// Say who calls.
#[tool(toolset = "test")]
async fn who(#[ctx] cx: &ToolContext) -> String {
    format!(
        "{} {} {}",
        cx.tool(),
        cx.call_id().unwrap_or("-"),
        cx.facts().source()
    )
}

/// Needs a variable and a desktop.
#[tool(toolset = "test", check = on_desktop, requires_env = ["REGION", "TOKEN"])]
async fn picky() -> &'static str {
    "here"
}

fn on_desktop(cx: &CheckContext<'_>) -> Availability {
    match cx.facts().source() {
        SessionSource::Desktop => Availability::Available,
        _ => Availability::unavailable("this is no desktop session")
            .with_remedy("start the desktop application"),
    }
}

/// A session of these tools and nothing else.
fn session(
    configure: impl FnOnce(hermes_tools::SessionBuilder) -> hermes_tools::SessionBuilder,
) -> Session {
    let registry = ToolRegistry::of(tools![
        echo,
        thread_name,
        inline_thread_name,
        panic_async,
        panic_blocking,
        hang,
        wait_for_cancel,
        work_on,
        many_lines,
        fail,
        fail_with_help,
        count,
        count_to_three,
        time_left,
        who,
        picky
    ])
    .unwrap();
    let selection = Selection::of(registry.snapshot().tools().iter().map(Tool::name));
    configure(Session::builder(registry, selection).state(AtomicUsize::new(0)))
        .build()
        .unwrap()
}

fn text(session: &Session, name: &str, arguments: &str) -> String {
    session.call_blocking(name, arguments).model_text()
}

#[test]
fn a_call_is_decoded_run_and_answered() {
    let session = session(|builder| builder);
    assert_eq!(text(&session, "echo", r#"{"text":"ab","times":2}"#), "abab");
    assert_eq!(text(&session, "echo", r#"{"text":"ab"}"#), "ab");
    assert_eq!(
        text(&session, "echo", r#"{"text":"ab","times":"2"}"#),
        "abab\n[arguments changed: `times`: text to integer (\"2\" to 2)]"
    );
}

#[test]
fn bad_arguments_are_all_told_at_once_with_a_call_that_fits() {
    let session = session(|builder| builder);
    let result = session.call_blocking("echo", r#"{"txt":"ab","times":9}"#);
    let error = result.outcome.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArguments);
    assert_eq!(
        error.to_string(),
        "invalid arguments for `echo`: `txt`: no such parameter; did you mean `text`?; \
         `text`: missing; expected text; `times`: expected a whole number from 1 to 3, got 9; \
         send arguments such as {\"text\":\"...\"}"
    );
    assert_eq!(error.issues().len(), 3);
    for (arguments, kind) in [
        (r#"{"text":"#, ErrorKind::TruncatedArguments),
        (r#"{"text" "a"}"#, ErrorKind::MalformedArguments),
    ] {
        let result = session.call_blocking("echo", arguments);
        assert_eq!(result.outcome.unwrap_err().kind(), kind);
    }
}

#[test]
fn a_name_in_another_spelling_means_a_tool_when_exactly_one_answers() {
    let session = session(|builder| builder);
    for name in ["Echo", "ECHO", "echo_tool", "echo-tool", "EchoTool"] {
        let result = session.call_blocking(name, r#"{"text":"a"}"#);
        assert_eq!(result.tool, "echo");
        assert_eq!(result.outcome.unwrap().text(), "a", "{name}");
    }
    let error = session.call_blocking("ecko", "{}").outcome.unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no tool `ecko`; did you mean `echo`?"
    );
}

#[test]
fn a_tool_outside_the_selection_cannot_be_called() {
    let registry = ToolRegistry::of(tools![echo, fail]).unwrap();
    let session = Session::builder(registry, Selection::of(["fail"]))
        .build()
        .unwrap();
    let error = session
        .call_blocking("echo", r#"{"text":"a"}"#)
        .outcome
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownTool);
    assert_eq!(
        error.to_string(),
        "the tool `echo` is not enabled in this session; call one of: fail"
    );
    assert!(!session.definitions().contains("echo"));
}

#[test]
fn a_session_is_not_built_with_names_that_no_tool_has() {
    let registry = Arc::new(ToolRegistry::of(tools![echo, fail]).unwrap());
    let built = |selection| Session::builder(Arc::clone(&registry), selection).build();
    let error = built(Selection::of(["ecko", "fail", "teleport"])).unwrap_err();
    let unknown: Vec<_> = error
        .unknown
        .iter()
        .map(|unknown| (&*unknown.name, unknown.near.join(" ")))
        .collect();
    assert_eq!(
        unknown,
        [("ecko", "echo".to_owned()), ("teleport", String::new())]
    );
    assert_eq!(
        error.to_string(),
        "there is no tool `ecko`; did you mean `echo`?; there is no tool `teleport`; link its pack, or \
         say `SessionBuilder::tools_come_later`"
    );
    assert_eq!(built(Selection::of(["echo"])).unwrap().tools().len(), 1);
    // A toolset may name what only another pack has.
    let mut granted = Selection::of(["echo"]);
    let via = vec!["files".into()];
    granted.insert("read_file", Why::Toolset { via });
    assert_eq!(built(granted).unwrap().tools().len(), 1);
}

#[test]
fn tools_added_later_are_seen_when_they_are_selected() {
    let registry = Arc::new(ToolRegistry::of(&[]).unwrap());
    let session = Session::builder(Arc::clone(&registry), Selection::of(["echo"]))
        .tools_come_later()
        .build()
        .unwrap();
    assert_eq!(session.definitions().text(), "[]");
    assert_eq!(registry.add(tools![echo, fail]).unwrap(), 2);
    assert_eq!(text(&session, "echo", r#"{"text":"a"}"#), "a");
    assert_eq!(session.tools().len(), 1);
    let duplicate = registry.add(tools![fail]).unwrap_err().to_string();
    assert!(
        duplicate.starts_with("two tools are called `fail`: "),
        "{duplicate}"
    );
    assert_eq!(registry.generation(), 2);
}

#[test]
fn plain_functions_leave_the_callers_thread_unless_they_are_inline() {
    let session = session(|builder| builder);
    let here = std::thread::current().name().unwrap_or_default().to_owned();
    assert_eq!(text(&session, "thread_name", "{}"), "hermes-tools");
    assert_eq!(text(&session, "inline_thread_name", "{}"), here);
}

#[test]
fn a_panic_is_an_error_with_the_tools_name_and_the_process_goes_on() {
    let session = session(|builder| builder);
    for (name, arguments, message) in [
        ("panic_async", r#"{"text":"boom"}"#, "boom"),
        ("panic_blocking", "{}", "on purpose"),
    ] {
        let error = session.call_blocking(name, arguments).outcome.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Panicked);
        assert_eq!(error.message(), format!("`{name}` panicked: {message}"));
    }
    assert_eq!(text(&session, "echo", r#"{"text":"a"}"#), "a");
}

/// Time that passes when the test says so.
#[derive(Clone)]
struct FakeTime {
    now: Instant,
    asked: Arc<Mutex<Vec<Duration>>>,
}

impl FakeTime {
    fn stopped() -> Self {
        Self {
            now: Instant::now(),
            asked: Arc::default(),
        }
    }
}

impl Executor for FakeTime {
    fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) -> JobFuture<'_> {
        Inline.run_blocking(job)
    }

    fn now(&self) -> Instant {
        self.now
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        self.asked.lock().unwrap().push(time);
        Box::pin(std::future::ready(()))
    }
}

#[test]
fn a_late_call_is_dropped_after_its_own_limit() {
    let time = FakeTime::stopped();
    let session = session(|builder| {
        builder
            .executor(time.clone())
            .timeout(Duration::from_secs(7))
    });
    let error = session.call_blocking("hang", "{}").outcome.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert_eq!(error.message(), "`hang` took longer than 30 s");
    let call = ToolCall::new("hang", "{}").timeout(Duration::from_millis(1_500));
    let error = session.call_blocking_with(call).outcome.unwrap_err();
    assert_eq!(error.message(), "`hang` took longer than 1.5 s");
    session
        .call_blocking("wait_for_cancel", "{}")
        .outcome
        .unwrap_err();
    let asked = [
        Duration::from_secs(30),
        Duration::from_millis(1_500),
        Duration::from_secs(7),
    ];
    assert_eq!(*time.asked.lock().unwrap(), asked);
    // A call that is ready at once asks for no time at all.
    assert_eq!(text(&session, "echo", r#"{"text":"a"}"#), "a");
    assert_eq!(time.asked.lock().unwrap().len(), 3);
}

#[test]
fn a_cancelled_call_ends_and_one_cancelled_before_does_not_start() {
    let session = session(|builder| builder.state(AtomicUsize::new(0)));
    let cancel = Cancel::new();
    let (started, wait) = mpsc::channel();
    let call = ToolCall::new("hang", "{}").cancel(cancel.clone());
    let answered = std::thread::spawn({
        let session = session.clone();
        move || {
            started.send(()).unwrap();
            session.call_blocking_with(call)
        }
    });
    wait.recv().unwrap();
    cancel.cancel();
    let error = answered.join().unwrap().outcome.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the call of `hang` was cancelled by the user; do not repeat it unless the user asks"
    );

    let call = ToolCall::new("count", "{}").cancel(cancel);
    let error = session.call_blocking_with(call).outcome.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert_eq!(text(&session, "count", "{}"), "1");
}

#[test]
fn work_that_outlives_its_call_sees_that_nobody_waits() {
    let (sender, ended) = mpsc::channel::<bool>();
    let session = session(|builder| builder.state(Mutex::new(sender)));
    let error = session.call_blocking("work_on", "{}").outcome.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(ended.recv().unwrap());
}

#[test]
fn a_result_is_cut_to_the_tools_limit_over_all_its_parts() {
    let session = session(|builder| builder);
    let output = session.call_blocking("many_lines", "{}").outcome.unwrap();
    let text = output.text();
    assert!(text.starts_with("line 0\n"));
    assert!(
        text.contains("characters left out; ask for a smaller part"),
        "{text}"
    );
    assert!(text.chars().count() < 300, "{}", text.chars().count());
}

#[test]
fn errors_of_tools_reach_the_model_with_code_and_next_step() {
    let session = session(|builder| builder);
    assert_eq!(
        text(&session, "fail", "{}"),
        r#"{"error":"invalid digit found in string","code":"failed"}"#
    );
    assert_eq!(
        text(&session, "fail_with_help", "{}"),
        r#"{"error":"no such note","code":"not_found","help":"call `list_notes`"}"#
    );
}

#[test]
fn state_comes_by_type_and_its_absence_goes_to_the_agent_loop() {
    let with = session(|builder| builder.state(AtomicUsize::new(4)));
    assert_eq!(text(&with, "count", "{}"), "5");
    assert_eq!(text(&with, "count", "{}"), "6");
    let without = Session::builder(
        ToolRegistry::of(tools![count_in_loop]).unwrap(),
        Selection::of(["count_in_loop"]),
    );
    let without = without.build().unwrap();
    let error = without
        .call_blocking("count_in_loop", "no arguments are looked at")
        .outcome
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AgentLoop);
    assert_eq!(
        error.message(),
        "`count_in_loop` must be handled by the agent loop: this session has no `AtomicUsize`"
    );
}

#[test]
fn progress_is_heard_by_the_caller_and_the_deadline_is_the_tools_limit() {
    let session = session(|builder| builder.executor(FakeTime::stopped()));
    assert_eq!(text(&session, "count_to_three", "{}"), "Some(2s)");
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let call = ToolCall::new("count_to_three", "{}").on_progress({
        let heard = Arc::clone(&heard);
        move |event| {
            let total = event.total.unwrap();
            heard
                .lock()
                .unwrap()
                .push(format!("{}/{total} {}", event.done, event.message));
        }
    });
    assert!(session.call_blocking_with(call).outcome.is_ok());
    assert_eq!(
        *heard.lock().unwrap(),
        ["1/3 step 1", "2/3 step 2", "3/3 step 3"]
    );
}

#[test]
fn a_tool_that_says_nothing_has_the_limit_of_the_session_which_is_five_minutes_at_first() {
    let of_session = |limit: Option<u64>| {
        session(|builder| {
            let builder = builder.executor(FakeTime::stopped());
            match limit {
                Some(limit) => builder.timeout(Duration::from_secs(limit)),
                None => builder,
            }
        })
    };
    let at_first = of_session(None);
    assert_eq!(text(&at_first, "time_left", "{}"), "Some(300s)");
    assert_eq!(text(&of_session(Some(7)), "time_left", "{}"), "Some(7s)");
    let call = ToolCall::new("time_left", "{}").timeout(Duration::from_secs(9));
    assert_eq!(at_first.call_blocking_with(call).model_text(), "Some(9s)");
}

#[test]
fn the_context_knows_the_call_and_the_session() {
    let facts = SessionFacts::new(SessionSource::from_name("telegram"));
    let session = session(|builder| builder.facts(facts));
    let call = ToolCall::new("who", "{}").id("call_7");
    assert_eq!(
        session.call_blocking_with(call).model_text(),
        "who call_7 telegram"
    );
}

#[test]
fn an_unavailable_tool_says_why_and_what_helps_and_is_not_shown() {
    let plain = session(|builder| builder);
    let error = plain.call_blocking("picky", "{}").outcome.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`picky` is unavailable: environment variables not set: `REGION`, `TOKEN`; \
         set `REGION`, `TOKEN`"
    );
    assert!(!plain.definitions().contains("picky"));

    let environment = |_: &str| Some("set".to_owned());
    let cli = session(|builder| {
        builder.facts(SessionFacts::new(SessionSource::Cli).environment(environment))
    });
    let error = cli.call_blocking("picky", "{}").outcome.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`picky` is unavailable: this is no desktop session; start the desktop application"
    );
    let desktop = session(|builder| {
        builder.facts(SessionFacts::new(SessionSource::Desktop).environment(environment))
    });
    assert_eq!(text(&desktop, "picky", "{}"), "here");
    assert!(desktop.definitions().contains("picky"));
}

#[test]
fn definitions_are_the_same_bytes_every_time() {
    let session = session(|builder| builder);
    let definitions = session.definitions();
    assert_eq!(definitions, session.definitions());
    assert!(definitions.contains(
        "{\"name\":\"echo\",\"description\":\"Say a text again.\",\"parameters\":\
         {\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\",\"description\":\"The text.\"},\
         \"times\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":3,\"description\":\"How often.\",\"default\":1}},\
         \"required\":[\"text\"],\"additionalProperties\":false}}"
    ), "{definitions}");
}
