//! Waiting for several futures side by side.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

enum Part<F: Future> {
    Waits(Pin<Box<F>>),
    Done(F::Output),
    Taken,
}

/// The outputs of all futures, in their order.
pub(crate) async fn join<F: Future>(futures: impl IntoIterator<Item = F>) -> Vec<F::Output>
where
    F::Output: Unpin,
{
    let mut parts: Vec<Part<F>> = futures
        .into_iter()
        .map(|future| Part::Waits(Box::pin(future)))
        .collect();
    poll_fn(|task| {
        let mut ready = true;
        for part in &mut parts {
            if let Part::Waits(future) = part {
                match future.as_mut().poll(task) {
                    Poll::Ready(output) => *part = Part::Done(output),
                    Poll::Pending => ready = false,
                }
            }
        }
        if !ready {
            return Poll::Pending;
        }
        let outputs =
            parts
                .iter_mut()
                .filter_map(|part| match std::mem::replace(part, Part::Taken) {
                    Part::Done(output) => Some(output),
                    Part::Waits(_) | Part::Taken => None,
                });
        Poll::Ready(outputs.collect())
    })
    .await
}
