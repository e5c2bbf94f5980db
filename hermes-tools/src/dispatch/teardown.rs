//! Waiting for a call that has its answer and still cleans up.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use super::panic::CatchPanic;
use crate::context::ToolContext;
use crate::effect::Effect;
use crate::output::Output;
use crate::registry::Tool;

/// Tells the tool that it is to end, and waits for that, but no longer than it asked for. What one that only
/// reads gives back then is what it has found until the sign, and is its answer. What another one gives back
/// comes too late and is dropped: that it was stopped is what has to be told of it.
pub(super) async fn wait(
    tool: &Tool,
    cx: &ToolContext,
    call: &mut CatchPanic<'_>,
    grace: Duration,
) -> Option<Output> {
    cx.stop();
    let mut alarm = cx.executor().sleep(grace);
    let last = poll_fn(|task| {
        if let Poll::Ready(last) = Pin::new(&mut *call).poll(task) {
            return Poll::Ready(last.ok());
        }
        alarm.as_mut().poll(task).map(|()| None)
    })
    .await;
    last.filter(|_| tool.declared_effect() == Effect::Read)
}
