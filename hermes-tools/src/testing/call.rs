//! One call of a tool, without a session.

use std::any::Any;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use crate::args::{RawArguments, Repair};
use crate::context::{Cancel, Executor, SessionContext, SessionFacts, ToolContext, Workspace};
use crate::effect::Effect;
use crate::entry::ToolEntry;
use crate::output::{Output, ToolError};

/// A call to be made, with what its session would supply.
#[derive(Debug)]
#[must_use = "nothing is called before `run`"]
pub struct Call {
    entry: &'static ToolEntry,
    arguments: String,
    session: SessionContext,
    cancel: Cancel,
}

/// What came of a call.
#[derive(Debug)]
#[non_exhaustive]
pub struct Called {
    /// What the tool gave back.
    pub outcome: Result<Output, ToolError>,
    /// What had to be changed in the arguments before they fitted.
    pub repairs: Vec<Repair>,
}

impl Call {
    /// A call of a tool with arguments as a model would send them.
    pub fn of(entry: &'static ToolEntry, arguments: impl Into<String>) -> Self {
        Self {
            entry,
            arguments: arguments.into(),
            session: SessionContext::default(),
            cancel: Cancel::never(),
        }
    }

    /// Puts a value into the session, for `#[ctx]` parameters of its type.
    pub fn state<T: Any + Send + Sync>(mut self, value: impl Into<Arc<T>>) -> Self {
        self.session.state.insert(value.into());
        self
    }

    /// Sets the folder in which files are read and written.
    pub fn workspace(mut self, workspace: Workspace) -> Self {
        self.session.workspace = Some(workspace);
        self
    }

    /// Sets the session's facts.
    pub fn facts(mut self, facts: SessionFacts) -> Self {
        self.session.facts = facts;
        self
    }

    /// Bounds what the call may do.
    pub fn max_effect(mut self, most: Effect) -> Self {
        self.session.max_effect = Some(most);
        self
    }

    /// Sets where plain functions run and how time passes, such as a [`FakeClock`](super::FakeClock).
    /// Without it plain functions run in place, and no time passes.
    pub fn executor(mut self, executor: impl Executor + 'static) -> Self {
        self.session.executor = Arc::new(executor);
        self
    }

    /// Sets what cancels the call.
    pub fn cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// Makes the call and waits for its end on this thread. A panic of the tool goes on here.
    pub fn run(self) -> Called {
        let cx =
            ToolContext::new(self.entry.name(), Arc::new(self.session)).with_cancel(self.cancel);
        let arguments = RawArguments::new(&self.arguments);
        let outcome = block_on(self.entry.call(&cx, arguments));
        Called {
            outcome,
            repairs: cx.repairs().to_vec(),
        }
    }

    /// Makes the call and takes the text that the model would get: that of the output, or the error
    /// as JSON.
    pub fn text(self) -> String {
        match self.run().outcome {
            Ok(output) => output.text().into_owned(),
            Err(error) => error.to_json(),
        }
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut task = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut task) {
            return output;
        }
        thread::park();
    }
}
