//! The way of one call through the glue of its tool.
//!
//! What `#[tool]` writes for a tool are closures: they say where its arguments go, how its function is
//! called and what becomes of the result. The future that joins them is here, so that the compiler
//! checks it once; a future of every tool's own took half of the time of checking a pack.

use std::future::Future;

use crate::__private::{prepare, prepare_whole};
use crate::args::RawArguments;
use crate::context::ToolContext;
use crate::entry::ToolEntry;
use crate::output::{CallFuture, Output, ToolError};
use crate::param::{Slot, ToolParam};

/// Decodes the arguments into places, starts the function with them, and makes its result an output.
///
/// The places are a tuple, which `slots` lends to decoding and `start` takes apart. No bound is put on
/// the types in it: a type that is no parameter is reported where the closures name it, and only there.
pub fn call<'cx, P, S, F, R, O, const N: usize>(
    cx: &'cx ToolContext,
    entry: &'static ToolEntry,
    arguments: RawArguments<'cx>,
    mut places: P,
    slots: S,
    start: F,
    finish: O,
) -> CallFuture<'cx>
where
    P: Send + 'cx,
    S: Fn(&mut P) -> [&mut dyn Slot; N] + Send + 'cx,
    F: FnOnce(P) -> Result<R, ToolError> + Send + 'cx,
    R: Future + Send + 'cx,
    O: FnOnce(R::Output) -> Result<Output, ToolError> + Send + 'cx,
{
    Box::pin(async move {
        prepare(cx, entry, arguments, slots(&mut places)).await?;
        finish(start(places)?.await)
    })
}

/// [`call`] for a tool whose one parameter is all of the arguments.
pub fn call_whole<'cx, T, F, R, O>(
    cx: &'cx ToolContext,
    entry: &'static ToolEntry,
    arguments: RawArguments<'cx>,
    start: F,
    finish: O,
) -> CallFuture<'cx>
where
    T: ToolParam,
    F: FnOnce(T) -> Result<R, ToolError> + Send + 'cx,
    R: Future + Send + 'cx,
    O: FnOnce(R::Output) -> Result<Output, ToolError> + Send + 'cx,
{
    Box::pin(async move {
        let value = prepare_whole(cx, entry, arguments).await?;
        finish(start(value)?.await)
    })
}

/// The value of a parameter without a default.
///
/// # Panics
///
/// The place is empty. Decoding refuses a call rather than leave such a place empty.
pub fn filled<T>(place: Option<T>) -> T {
    match place {
        Some(value) => value,
        None => empty(),
    }
}

#[cold]
#[inline(never)]
fn empty() -> ! {
    panic!("decoding fills what has no default")
}
