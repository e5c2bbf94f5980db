//! What stands around calls: hooks, approvals, loops, limits, traces, the audit log.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod approvals;
mod hooks;
mod limits;
mod log;
mod loops;
mod refusals;
mod tools;
mod traces;

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use hermes_tools::testing::FakeClock;
use hermes_tools::{CallResult, Selection, Session, SessionBuilder, Tool, ToolRegistry};

/// A session of all tools of these tests, on a clock that stands still.
fn session(clock: &FakeClock, configure: impl FnOnce(SessionBuilder) -> SessionBuilder) -> Session {
    session_with(clock, |_| {}, configure)
}

/// The same with tools of the run time.
fn session_with(
    clock: &FakeClock,
    register: impl FnOnce(&ToolRegistry),
    configure: impl FnOnce(SessionBuilder) -> SessionBuilder,
) -> Session {
    let registry = ToolRegistry::of(tools::ALL).unwrap();
    register(&registry);
    let selection = Selection::of(registry.snapshot().tools().iter().map(Tool::name));
    let builder = Session::builder(registry, selection).executor(clock.clone());
    configure(builder).build().unwrap()
}

/// A call under way, driven by hand.
struct Driven<'a>(Pin<Box<dyn Future<Output = CallResult> + Send + 'a>>);

impl<'a> Driven<'a> {
    fn of(call: impl Future<Output = CallResult> + Send + 'a) -> Self {
        Self(Box::pin(call))
    }

    /// The answer, when there is one by now.
    fn poll(&mut self) -> Option<CallResult> {
        match self
            .0
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(result) => Some(result),
            Poll::Pending => None,
        }
    }

    /// The answer, which must be there.
    fn ready(mut self) -> CallResult {
        self.poll().expect("the call still waits")
    }
}

/// The answer of a call that waits for nothing.
fn call(session: &Session, name: &str, arguments: &str) -> CallResult {
    Driven::of(session.call(name, arguments)).ready()
}

/// The code of the error of a call.
fn code(result: &CallResult) -> &'static str {
    result.outcome.as_ref().unwrap_err().code()
}

/// Lines that several closures write.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

impl Lines {
    fn push(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}
