//! All vectors, one module per file of them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod ansi_strip;
mod canonicalize;
mod coerce;
mod command_safety;
mod files;
mod json;
mod loop_guardrails;
mod output_truncation;
mod parallel_decision;
mod redaction;
mod registry_ops;
mod repair_arguments;
mod result_budget;
mod sanitize_error;
mod schema_sanitize;
mod surrogates;
#[cfg(unix)]
mod terminal;
mod tool_search;
mod toolset_resolution;
mod url_safety;

use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Waits for a future that is ready at once.
fn wait<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("nothing here waits"),
    }
}
