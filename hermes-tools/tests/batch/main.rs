//! The calls of one answer of a model: their order, their answers, what stops them.

#![cfg(all(feature = "host", feature = "link", feature = "testing"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod answers;
mod held;
mod order;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use hermes_tools::workspace::Confined;
use hermes_tools::{
    CallResult, Cancel, Selection, Session, SessionBuilder, Tool, ToolCall, ToolError,
    ToolRegistry, Workspace, tool, tools,
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

    fn wait_for_notes(&self, text: &str, count: usize) {
        let notes = self.notes.lock().unwrap();
        let enough =
            |notes: &Vec<String>| notes.iter().filter(|note| *note == text).count() >= count;
        drop(
            self.changed
                .wait_while(notes, |notes| !enough(notes))
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

/// Look at many things until it is told to end.
#[tool(toolset = "test", effect = "read", teardown = "5s", timeout = "1s")]
async fn survey(#[ctx] cancel: Cancel, #[ctx] stage: &Stage) -> String {
    stage.note("begins");
    cancel.cancelled().await;
    "found so far".to_owned()
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
        survey,
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
