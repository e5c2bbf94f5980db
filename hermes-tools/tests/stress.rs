//! Ten thousand calls at once, of a hundred tools, while the registry changes: every call has its
//! answer, and nothing is left.

#![cfg(all(feature = "host", feature = "link"))]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use hermes_tools::dispatch::stuck_functions;
use hermes_tools::{
    Batch, CallResult, Cancel, Effect, ErrorKind, Parallel, RuntimeTool, Selection, Session,
    ToolCall, ToolRegistry, tool, tools,
};
use serde_json::json;

const TOOLS: usize = 100;
const CALLS: usize = 10_000;
const BATCHES: usize = 20;

/// What is under way in the tools.
#[derive(Default)]
struct Count {
    running: AtomicUsize,
    entered: AtomicUsize,
}

struct Inside<'a>(&'a Count);

impl<'a> Inside<'a> {
    fn enter(count: &'a Count) -> Self {
        count.running.fetch_add(1, Ordering::SeqCst);
        count.entered.fetch_add(1, Ordering::SeqCst);
        Self(count)
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Panic on a thread.
#[tool(toolset = "stress", effect = "read")]
fn panic_on_a_thread(#[ctx] count: Arc<Count>) -> String {
    let _inside = Inside::enter(&count);
    panic!("on a thread")
}

/// Work on a thread until it is told to end.
#[tool(toolset = "stress", effect = "read", timeout = "1ms")]
fn work_until_told(#[ctx] count: Arc<Count>, #[ctx] cancel: Cancel) -> String {
    let _inside = Inside::enter(&count);
    while !cancel.is_cancelled() {
        std::thread::yield_now();
    }
    "told".to_owned()
}

/// Hold a lock.
#[tool(toolset = "stress", effect = "write")]
async fn hold(
    #[ctx] count: Arc<Count>,
    /// Which.
    #[arg(lock)]
    lock: u32,
) -> String {
    let _inside = Inside::enter(&count);
    std::future::ready(()).await;
    lock.to_string()
}

/// Tools of the run time that answer, panic, wait for ever or fail, by their number.
fn runtime_tool(number: usize, count: &Arc<Count>) -> RuntimeTool {
    let count = Arc::clone(count);
    let schema = json!({"type": "object", "properties": {"id": {"type": "integer"}}});
    let tool = RuntimeTool::new(format!("tool_{number}"), "stress", "Do.", schema)
        .effect(Effect::Read)
        .timeout(Duration::from_millis(5));
    let tool = if number % 10 == 3 {
        tool.parallel(Parallel::Never)
    } else {
        tool
    };
    tool.handler(move |_, arguments| {
        let count = Arc::clone(&count);
        Box::pin(async move {
            let _inside = Inside::enter(&count);
            match number % 5 {
                0 => panic!("tool {number}"),
                1 => std::future::pending().await,
                2 => Err(hermes_tools::ToolError::failed("no")),
                _ => Ok(hermes_tools::Content::text(arguments.to_json()).into()),
            }
        })
    })
}

fn name(number: usize) -> String {
    match number % TOOLS {
        97 => "panic_on_a_thread".to_owned(),
        98 => "work_until_told".to_owned(),
        99 => "hold".to_owned(),
        number => format!("tool_{number}"),
    }
}

/// A thread that takes tools out of the registry and puts them in again until it is told to stop.
fn keep_changing(
    registry: &Arc<ToolRegistry>,
    count: &Arc<Count>,
    stop: &Arc<AtomicBool>,
) -> JoinHandle<()> {
    let (registry, count, stop) = (Arc::clone(registry), Arc::clone(count), Arc::clone(stop));
    std::thread::spawn(move || {
        let mut generation = registry.generation();
        while !stop.load(Ordering::SeqCst) {
            for number in [7, 8, 11] {
                registry.deregister(&format!("tool_{number}"));
                registry.register(runtime_tool(number, &count));
            }
            assert!(registry.generation() > generation);
            generation = registry.generation();
            std::thread::yield_now();
        }
    })
}

#[test]
fn ten_thousand_calls_at_once_have_one_answer_each_and_leave_nothing() {
    let count: Arc<Count> = Arc::default();
    let registry = ToolRegistry::of(tools![panic_on_a_thread, work_until_told, hold]).unwrap();
    for number in 0..97 {
        registry.register(runtime_tool(number, &count));
    }
    let registry = Arc::new(registry);
    let names: Vec<String> = (0..TOOLS).map(name).collect();
    let session = Session::builder(
        Arc::clone(&registry),
        Selection::of(names.iter().map(String::as_str)),
    )
    .shared_state(Arc::clone(&count))
    .build()
    .unwrap();

    // The panics are meant.
    std::panic::set_hook(Box::new(|_| {}));
    let stop = Arc::new(AtomicBool::new(false));
    let changes = keep_changing(&registry, &count, &stop);
    let batches: Vec<_> = (0..BATCHES)
        .map(|batch| {
            let session = session.clone();
            std::thread::spawn(move || {
                let cancel = Cancel::new();
                let calls = (0..CALLS / BATCHES).map(|place| {
                    let number = batch * (CALLS / BATCHES) + place;
                    let arguments = match name(number).as_str() {
                        "hold" => json!({"lock": number % 7}),
                        "panic_on_a_thread" | "work_until_told" => json!({}),
                        _ => json!({"id": number}),
                    };
                    // Some are cancelled, some have damaged arguments.
                    let text = match number % 53 {
                        0 => "{\"id\": ".to_owned(),
                        _ => arguments.to_string(),
                    };
                    let call = ToolCall::new(name(number), text).id(number.to_string());
                    if number.is_multiple_of(31) {
                        call.cancel(cancel.clone())
                    } else {
                        call
                    }
                });
                let heard = Arc::new(AtomicUsize::new(0));
                let listener = Arc::clone(&heard);
                let giver = cancel.clone();
                let calls =
                    Batch::new(calls)
                        .run_repeats()
                        .at_most(CALLS)
                        .on_answer(move |event| {
                            if listener.fetch_add(1, Ordering::SeqCst) == 200 {
                                giver.cancel();
                            }
                            assert_eq!(event.total, CALLS / BATCHES);
                        });
                let results = session.call_batch_blocking(calls);
                assert_eq!(heard.load(Ordering::SeqCst), CALLS / BATCHES);
                results
            })
        })
        .collect();
    let mut kinds: BTreeMap<&'static str, usize> = BTreeMap::new();
    for (batch, thread) in batches.into_iter().enumerate() {
        let results: Vec<CallResult> = thread.join().unwrap();
        for (place, result) in results.iter().enumerate() {
            let number = batch * (CALLS / BATCHES) + place;
            assert_eq!(result.id.as_deref(), Some(&*number.to_string()));
            let kind = match &result.outcome {
                Ok(_) => "ok",
                Err(error) => error.code(),
            };
            *kinds.entry(kind).or_default() += 1;
        }
    }
    stop.store(true, Ordering::SeqCst);
    changes.join().unwrap();
    drop(std::panic::take_hook());

    assert_eq!(kinds.values().sum::<usize>(), CALLS);
    for kind in [
        "ok",
        ErrorKind::Panicked.code(),
        ErrorKind::Timeout.code(),
        ErrorKind::Cancelled.code(),
        ErrorKind::Failed.code(),
        ErrorKind::TruncatedArguments.code(),
    ] {
        assert!(kinds.contains_key(kind), "{kind}: {kinds:?}");
    }
    println!(
        "{kinds:?}, {} entered",
        count.entered.load(Ordering::SeqCst)
    );
    // What goes on in threads sees its sign, and then nothing is left.
    while stuck_functions() > 0 || count.running.load(Ordering::SeqCst) > 0 {
        std::thread::yield_now();
    }
    let state = Arc::downgrade(&count);
    drop((session, registry, count));
    assert_eq!(state.strong_count(), 0, "a call is left");
}
