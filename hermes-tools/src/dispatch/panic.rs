//! A panic in a tool as the error of its call.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::output::{CallFuture, ErrorKind, Output, ToolError};
use crate::panics;
use crate::registry::Tool;

/// A call whose panics are errors. The process goes on; what the tool left half done is its own.
pub(super) struct CatchPanic<'a> {
    tool: &'a Tool,
    // `None` once it has panicked: such a future must not be polled, and its remains are dropped.
    call: Option<CallFuture<'a>>,
    failed: Option<ToolError>,
}

impl<'a> CatchPanic<'a> {
    pub(super) fn new(tool: &'a Tool, start: impl FnOnce() -> CallFuture<'a>) -> Self {
        match catch_unwind(AssertUnwindSafe(start)) {
            Ok(call) => Self {
                tool,
                call: Some(call),
                failed: None,
            },
            Err(panic) => Self {
                tool,
                call: None,
                failed: Some(error(tool, panic)),
            },
        }
    }
}

impl<'a> CatchPanic<'a> {
    /// A call that has its answer before it began.
    #[cold]
    pub(super) fn failed(tool: &'a Tool, error: ToolError) -> Self {
        Self {
            tool,
            call: None,
            failed: Some(error),
        }
    }

    /// Whether it has given its answer, or has none to give.
    pub(super) fn is_over(&self) -> bool {
        self.call.is_none()
    }
}

impl Future for CatchPanic<'_> {
    type Output = Result<Output, ToolError>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if let Some(error) = this.failed.take() {
            return Poll::Ready(Err(error));
        }
        let mut answer = Poll::Pending;
        let polled = catch_unwind(AssertUnwindSafe(|| {
            if let Some(call) = &mut this.call {
                answer = call.as_mut().poll(task);
            }
            if answer.is_ready() {
                // It must not be polled again, and may panic as it goes.
                drop(this.call.take());
            }
        }));
        let Err(panic) = polled else { return answer };
        if answer.is_ready() {
            panics::told(panic);
            return answer;
        }
        let error = error(this.tool, panic);
        discard(this.call.take());
        Poll::Ready(Err(error))
    }
}

impl Drop for CatchPanic<'_> {
    fn drop(&mut self) {
        if self.call.is_some() {
            discard(self.call.take());
        }
    }
}

/// The text of the panic is told once, in the message: it is often what a person needs to see.
fn error(tool: &Tool, panic: Box<dyn Any + Send>) -> ToolError {
    let message = match panics::told(panic) {
        Some(text) => format!("`{}` panicked: {text}", tool.name()),
        None => format!("`{}` panicked", tool.name()),
    };
    ToolError::new(ErrorKind::Panicked, message)
        .with_help("this is a fault of the tool; use another way")
}

/// Drops what is left of a call, which may panic as it goes.
fn discard(call: Option<CallFuture<'_>>) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(call))) {
        panics::told(panic);
    }
}
