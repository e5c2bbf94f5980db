//! The tools that the tests serve.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hermes_tools::{
    Content, Json, Progress, RuntimeTool, Selection, Session, SessionBuilder, ToolError,
    ToolRegistry, tool, tools,
};
use serde::Serialize;
use tokio::sync::Notify;

/// What the tests know of calls that run.
#[derive(Debug, Default)]
pub(crate) struct Running {
    pub(crate) begun: AtomicUsize,
    pub(crate) ended: AtomicUsize,
    pub(crate) changed: Notify,
}

impl Running {
    /// Waits until this many calls have ended.
    pub(crate) async fn all_ended(&self, calls: usize) {
        self.until(|it| it.ended.load(Ordering::SeqCst) == calls)
            .await;
    }

    /// Waits until this many calls have begun.
    pub(crate) async fn all_begun(&self, calls: usize) {
        self.until(|it| it.begun.load(Ordering::SeqCst) == calls)
            .await;
    }

    async fn until(&self, holds: impl Fn(&Self) -> bool) {
        loop {
            let changed = self.changed.notified();
            if holds(self) {
                return;
            }
            changed.await;
        }
    }
}

struct Ends<'a>(&'a Running);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::SeqCst);
        self.0.changed.notify_waiters();
    }
}

#[derive(Debug, Serialize, hermes_tools::ToolParam)]
pub(crate) struct Sum {
    /// The sum.
    total: i64,
}

/// Add two whole numbers.
#[tool(toolset = "test", title = "Addition", effect = "read", inline)]
fn add(
    /// First summand.
    a: i64,
    /// Second summand.
    b: i64,
) -> Json<Sum> {
    Json(Sum { total: a + b })
}

/// The number itself.
#[tool(toolset = "test", effect = "read", inline)]
fn same(
    /// A large one.
    number: i128,
) -> String {
    number.to_string()
}

/// Say hello.
#[tool(toolset = "test", effect = "read", inline)]
fn ping_now() -> &'static str {
    "pong"
}

/// Answer with many numbers.
#[tool(toolset = "test", effect = "read", inline, max_result = 200)]
fn many(
    /// How many.
    count: i64,
) -> Json<Many> {
    Json(Many {
        numbers: (0..count).collect(),
    })
}

#[derive(Debug, Serialize, hermes_tools::ToolParam)]
pub(crate) struct Many {
    /// The numbers.
    numbers: Vec<i64>,
}

/// Wait for ever, and say so.
#[tool(toolset = "test", effect = "read")]
async fn slow(#[ctx] running: &Running, #[ctx] progress: Progress) -> String {
    let _ends = Ends(running);
    progress.report(1.0, Some(3.0), "begun");
    progress.report(1.0, Some(3.0), "not further");
    progress.report(2.0, Some(3.0), "");
    running.begun.fetch_add(1, Ordering::SeqCst);
    running.changed.notify_waiters();
    std::future::pending().await
}

/// Tell how far it has come, and be done.
#[tool(toolset = "test", effect = "read", inline)]
fn steps(#[ctx] progress: Progress) -> &'static str {
    progress.report(5.0, Some(9.0), "half way");
    progress.report(9.0, Some(9.0), "done");
    "all steps"
}

/// Fail.
#[tool(toolset = "test", effect = "read", inline)]
fn boom() -> Result<String, ToolError> {
    panic!("no luck");
}

/// A picture and a file.
#[tool(toolset = "test", effect = "read", inline)]
fn picture() -> Vec<Content> {
    vec![
        Content::text("look:"),
        Content::image("image/png", [1, 2, 3]),
        Content::audio("audio/wav", [4, 5, 6]),
        Content::link("https://example.org/report"),
        Content::file("a.csv", "text/csv", *b"1,2"),
    ]
}

/// A picture of nine megabytes.
#[tool(toolset = "test", effect = "read", inline)]
fn photograph() -> Content {
    Content::image("image/png", vec![7; 9_000_000])
}

/// Remove something.
#[tool(toolset = "test", effect = "destructive", inline)]
fn remove(
    /// What.
    what: String,
) -> String {
    format!("removed {what}")
}

/// The session of the tests before anything is set.
pub(crate) fn builder(registry: Arc<ToolRegistry>) -> SessionBuilder {
    let names = registry.snapshot();
    let names = names.tools().iter().map(|tool| tool.name().to_owned());
    let selection = Selection::of(names.collect::<Vec<_>>().iter().map(String::as_str));
    Session::builder(registry, selection)
}

pub(crate) fn registry() -> Arc<ToolRegistry> {
    let tools = tools![
        add, boom, many, photograph, picture, ping_now, remove, same, slow, steps
    ];
    Arc::new(ToolRegistry::of(tools).unwrap())
}

/// A session with all tools, and what it knows of calls that run.
pub(crate) fn session() -> (Session, Arc<Running>) {
    let running: Arc<Running> = Arc::default();
    let session = builder(registry())
        .shared_state(Arc::clone(&running))
        .build()
        .unwrap();
    (session, running)
}

/// A tool of the run time.
pub(crate) fn made(name: &str) -> RuntimeTool {
    RuntimeTool::new(
        name,
        "made",
        "Do something.",
        serde_json::json!({"type": "object"}),
    )
    .effect(hermes_tools::Effect::Read)
    .answering(|_| "made".to_owned())
}
