//! A panic in a tool as the error of its call.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::output::{CallFuture, ErrorKind, Output, ToolError};
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
                failed: Some(error(tool, &*panic)),
            },
        }
    }
}

impl Future for CatchPanic<'_> {
    type Output = Result<Output, ToolError>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if let Some(error) = this.failed.take() {
            return Poll::Ready(Err(error));
        }
        let Some(call) = &mut this.call else {
            return Poll::Pending;
        };
        match catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(task))) {
            Ok(polled) => polled,
            Err(panic) => {
                let error = error(this.tool, &*panic);
                // Dropping the remains may panic again.
                let remains = this.call.take();
                let _ = catch_unwind(AssertUnwindSafe(|| drop(remains)));
                Poll::Ready(Err(error))
            }
        }
    }
}

impl Drop for CatchPanic<'_> {
    fn drop(&mut self) {
        // A call that is dropped because it is late or cancelled may panic as it goes.
        let call = self.call.take();
        let _ = catch_unwind(AssertUnwindSafe(|| drop(call)));
    }
}

/// The text of the panic is told once, in the message: it is often what a person needs to see.
fn error(tool: &Tool, panic: &(dyn Any + Send)) -> ToolError {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let message = match text {
        Some(text) => format!("`{}` panicked: {text}", tool.name()),
        None => format!("`{}` panicked", tool.name()),
    };
    ToolError::new(ErrorKind::Panicked, message)
        .with_help("this is a fault of the tool; use another way")
}
