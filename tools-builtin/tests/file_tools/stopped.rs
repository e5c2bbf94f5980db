//! A search that is stopped tells what it had found.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use hermes_tools::context::{Executor, JobFuture};
use hermes_tools::workspace::Confined;
use hermes_tools::{Cancel, ToolCall, Workspace};
use serde_json::{Value, json};

use crate::fixture::{Fixture, session};

/// Files, of which each has one match.
const FILES: usize = 500;

/// Runs functions on threads, and waits for ever: how fast the machine is makes no difference.
struct Patient;

/// A function that runs, until it has ended.
#[derive(Default)]
struct Running {
    ended: bool,
    waker: Option<Waker>,
}

impl Executor for Patient {
    fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) -> JobFuture<'_> {
        let running: Arc<Mutex<Running>> = Arc::default();
        let shared = Arc::clone(&running);
        thread::spawn(move || {
            job();
            let mut running = shared.lock().unwrap();
            running.ended = true;
            if let Some(waker) = running.waker.take() {
                waker.wake();
            }
        });
        Box::pin(poll_fn(move |task| {
            let mut running = running.lock().unwrap();
            running.waker = Some(task.waker().clone());
            if running.ended {
                return Poll::Ready(Ok(()));
            }
            Poll::Pending
        }))
    }

    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, _: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(std::future::pending())
    }
}

/// What a search answers that is cancelled as soon as it tells of its first find.
fn cancelled_at_its_first_find(fixture: &Fixture, arguments: &Value) -> Value {
    let workspace = Workspace::new(Confined::open(fixture.path("")).unwrap());
    let session = session().workspace(workspace).executor(Patient);
    let cancel = Cancel::new();
    let sign = cancel.clone();
    let call = ToolCall::new("search_files", arguments.to_string())
        .cancel(cancel)
        .on_progress(move |_| sign.cancel());
    let result = session.build().unwrap().call_blocking_with(call);
    let output = result.outcome.unwrap();
    serde_json::from_str(output.json().unwrap()).unwrap()
}

#[test]
fn a_search_that_is_cancelled_answers_with_what_it_has_found() {
    let names: Vec<String> = (0..FILES)
        .map(|number| format!("{number:03}.txt"))
        .collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "an apple\n")).collect();
    let fixture = Fixture::new(&files);
    for (arguments, list) in [
        (
            json!({"pattern": "apple", "output_mode": "files_only"}),
            "files",
        ),
        (
            json!({"pattern": "apple", "output_mode": "count"}),
            "counts",
        ),
        (json!({"pattern": "*.txt", "target": "files"}), "files"),
    ] {
        let found = cancelled_at_its_first_find(&fixture, &arguments);
        // Each thread ends with the file that it has in hand.
        let total = found["total_count"].as_u64().unwrap();
        assert!((1..=8).contains(&total), "{found}");
        assert_eq!(
            found[list].as_array().unwrap().len() as u64,
            total,
            "{found}"
        );
        assert_eq!(found["incomplete"], true);
        assert_eq!(
            found["hint"],
            "the search was cancelled: results and totals cover what was searched until then; do not repeat it \
             unless the user asks"
        );
    }
}
