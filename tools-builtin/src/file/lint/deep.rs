//! A stack on which a parser that calls itself may go deep.

use std::thread;

/// Bytes of the stack. They are taken as they are used.
const STACK: usize = 512 << 20;

/// Runs a parser on a stack of its own. A stack that cannot be had, or a parser that panics, says
/// nothing of the text.
pub(super) fn on_deep_stack<T: Send>(parse: impl FnOnce() -> Option<T> + Send) -> Option<T> {
    thread::scope(|scope| {
        let parser = thread::Builder::new().stack_size(STACK);
        parser.spawn_scoped(scope, parse).ok()?.join().ok()?
    })
}
