//! What a panic said.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The text of a panic, when it has one. The payload ends here, also one that panics as it is dropped.
pub(crate) fn told(panic: Box<dyn Any + Send>) -> Option<String> {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    // What the drop of a payload says is of no use to anybody, and its own payload may be alike.
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(again);
    }
    text
}
