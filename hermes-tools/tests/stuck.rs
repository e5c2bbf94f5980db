//! Plain functions that go on behind the end of their calls. In a program of its own, since the bound
//! is that of the process.

#![cfg(all(feature = "host", feature = "link"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use hermes_tools::dispatch::stuck_functions;
use hermes_tools::{Cancel, ErrorKind, Selection, Session, ToolCall, ToolRegistry, tool, tools};

/// Lets all that wait go at once.
#[derive(Default)]
struct Latch {
    begun: AtomicUsize,
    open: Mutex<bool>,
    opened: Condvar,
}

/// Wait for the latch, whatever happens to the call.
#[tool(toolset = "test", effect = "read")]
fn stay(#[ctx] latch: Arc<Latch>) -> &'static str {
    latch.begun.fetch_add(1, Ordering::SeqCst);
    let open = latch.open.lock().unwrap();
    drop(latch.opened.wait_while(open, |open| !*open).unwrap());
    "let go"
}

/// End at once.
#[tool(toolset = "test", effect = "read")]
fn pass() -> &'static str {
    "passed"
}

#[test]
fn functions_that_were_given_up_do_not_fill_the_threads_for_ever() {
    let latch: Arc<Latch> = Arc::default();
    let registry = ToolRegistry::of(tools![stay, pass]).unwrap();
    let session = Session::builder(registry, Selection::of(["stay", "pass"]))
        .shared_state(Arc::clone(&latch))
        .stuck_functions(3)
        .build()
        .unwrap();
    for count in 1..=3 {
        let cancel = Cancel::new();
        let call = ToolCall::new("stay", "{}").cancel(cancel.clone());
        let given_up = {
            let session = session.clone();
            std::thread::spawn(move || session.call_blocking_with(call))
        };
        while latch.begun.load(Ordering::SeqCst) < count {
            std::thread::yield_now();
        }
        cancel.cancel();
        let error = given_up.join().unwrap().outcome.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Cancelled);
        assert_eq!(stuck_functions(), count);
    }

    let error = session.call_blocking("pass", "{}").outcome.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy);
    assert!(error.kind().is_transient());
    assert_eq!(
        error.to_string(),
        "`pass` was not started: 3 earlier calls were given up and still run; wait until some of \
         them have ended, or go on without this tool"
    );

    *latch.open.lock().unwrap() = true;
    latch.opened.notify_all();
    while stuck_functions() > 0 {
        std::thread::yield_now();
    }
    let passed = session.call_blocking("pass", "{}").outcome.unwrap();
    assert_eq!(passed.text(), "passed");
}
