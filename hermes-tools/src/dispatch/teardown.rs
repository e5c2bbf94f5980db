//! Waiting for a call that has its answer and still cleans up.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use super::panic::CatchPanic;
use crate::context::ToolContext;

/// Tells the tool that it is to end, and waits for that, but no longer than it asked for. What it gives
/// back then comes too late and is dropped.
pub(super) async fn wait(cx: &ToolContext, call: &mut CatchPanic<'_>, grace: Duration) {
    cx.stop();
    let mut alarm = cx.executor().sleep(grace);
    poll_fn(|task| {
        if Pin::new(&mut *call).poll(task).is_ready() {
            return Poll::Ready(());
        }
        alarm.as_mut().poll(task)
    })
    .await;
}
