//! What tools keep between the calls of a session, by type.

use std::any::{Any, TypeId};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{FromToolContext, ToolContext};
use crate::output::ToolError;

/// Values that tools keep, each made when it is asked for first.
#[derive(Default)]
pub struct Memory {
    values: Mutex<Vec<(TypeId, Arc<dyn Any + Send + Sync>)>>,
    calls: AtomicU64,
    compactions: AtomicU64,
}

impl Memory {
    /// The value of a type.
    pub fn get<T: Default + Any + Send + Sync>(&self) -> Arc<T> {
        let id = TypeId::of::<T>();
        // What is in the list is whole, also after a panic of whoever made a value.
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = values.iter().find(|(kept, _)| *kept == id);
        if let Some(value) = kept.and_then(|(_, value)| Arc::clone(value).downcast().ok()) {
            return value;
        }
        let value = Arc::new(T::default());
        values.push((id, Arc::clone(&value) as _));
        value
    }

    /// Counts a call of the session, and gives its number.
    #[cfg(feature = "host")]
    pub(crate) fn count_call(&self) -> u64 {
        self.calls.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// How many calls the session has had.
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// Notes that what the model has seen until now is gone from its context.
    pub fn note_compaction(&self) {
        self.compactions.fetch_add(1, Ordering::Relaxed);
    }

    /// How often the model's context was compacted. What it was shown before the last time it has
    /// not any more.
    pub fn compactions(&self) -> u64 {
        self.compactions.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory")
            .field("calls", &self.calls())
            .field("compactions", &self.compactions())
            .finish_non_exhaustive()
    }
}

/// A value that a tool keeps for the session, as a `#[ctx]` parameter. It is made when it is asked for
/// first, so that a session need not supply it.
///
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering};
///
/// use hermes_tools::{Kept, tool};
///
/// /// Count the calls of the session.
/// #[tool(toolset = "demo", effect = "read", inline)]
/// fn count(#[ctx] calls: Kept<AtomicU32>) -> String {
///     (calls.fetch_add(1, Ordering::Relaxed) + 1).to_string()
/// }
/// ```
#[derive(Debug)]
pub struct Kept<T>(Arc<T>);

impl<T> Deref for Kept<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> From<Arc<T>> for Kept<T> {
    fn from(value: Arc<T>) -> Self {
        Self(value)
    }
}

impl<'a, T: Default + Any + Send + Sync> FromToolContext<'a> for Kept<T> {
    fn from_context(cx: &'a ToolContext) -> Result<Self, ToolError> {
        Ok(Self(cx.memory().get()))
    }
}

/// Which call of its session this is, as a `#[ctx]` parameter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CallNumber {
    /// The number of the call among those of the session, from 1; 0 outside a session.
    pub call: u64,
    /// How often the model's context had been compacted before it.
    pub compactions: u64,
}

impl<'a> FromToolContext<'a> for CallNumber {
    fn from_context(cx: &'a ToolContext) -> Result<Self, ToolError> {
        Ok(cx.number())
    }
}

/// Calls of the session whose results the model did not get whole, as a [`Kept`] `#[ctx]` parameter:
/// results that were cut or stored elsewhere, and calls that were answered before their tool had ended.
/// A tool that remembers what the model has seen asks it first.
#[derive(Debug, Default)]
pub struct NotShown(Mutex<Unseen>);

#[derive(Debug, Default)]
struct Unseen {
    calls: BTreeSet<u64>,
    /// Up to this call it is not known any more.
    forgotten: u64,
}

/// Calls that are remembered; the oldest go first.
#[cfg(feature = "host")]
const UNSEEN: usize = 4_096;

impl NotShown {
    /// Whether the model may lack some of the result of this call. Of calls long ago that is so when it
    /// cannot be said any more.
    pub fn contains(&self, call: u64) -> bool {
        let unseen = self.unseen();
        call != 0 && call <= unseen.forgotten || unseen.calls.contains(&call)
    }

    /// Notes a call whose result was not shown whole; 0 is none.
    #[cfg(feature = "host")]
    pub(crate) fn note(&self, call: u64) {
        if call == 0 {
            return;
        }
        let mut unseen = self.unseen();
        unseen.calls.insert(call);
        if unseen.calls.len() > UNSEEN
            && let Some(oldest) = unseen.calls.pop_first()
        {
            unseen.forgotten = unseen.forgotten.max(oldest);
        }
    }

    fn unseen(&self) -> MutexGuard<'_, Unseen> {
        // What is noted is whole after every step.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "host")]
    #[test]
    fn what_was_not_shown_is_never_taken_for_seen() {
        let unseen = NotShown::default();
        for call in 1..=4_096 {
            unseen.note(call * 2);
        }
        assert_eq!(
            [1, 2, 3, 4].map(|call| unseen.contains(call)),
            [false, true, false, true]
        );
        unseen.note(4_097 * 2);
        // The oldest is forgotten, and with it all before it.
        assert_eq!(
            [1, 2, 3, 4].map(|call| unseen.contains(call)),
            [true, true, false, true]
        );
    }

    #[test]
    fn a_value_is_made_once_for_each_type() {
        let memory = Memory::default();
        memory.get::<AtomicU64>().store(7, Ordering::Relaxed);
        assert_eq!(memory.get::<AtomicU64>().load(Ordering::Relaxed), 7);
        assert_eq!(*memory.get::<String>(), "");
    }

    #[test]
    fn compactions_are_counted() {
        let memory = Memory::default();
        memory.note_compaction();
        assert_eq!((memory.calls(), memory.compactions()), (0, 1));
    }
}
