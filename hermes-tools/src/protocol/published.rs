//! A value that readers take whole while a writer makes the next one.

use std::fmt;
use std::sync::{Arc, PoisonError};

use super::sync::{ArcSwap, Mutex, MutexGuard};

/// A pointer to an immutable value, and what only writers need to know.
///
/// Readers never wait. Writers wait for each other, so that each starts from what the one before has
/// left.
pub(crate) struct Published<S, W> {
    current: ArcSwap<S>,
    writer: Mutex<W>,
}

impl<S, W> Published<S, W> {
    pub(crate) fn new(first: S, writer: W) -> Self {
        Self {
            current: ArcSwap::from_pointee(first),
            writer: Mutex::new(writer),
        }
    }

    /// The value as it is now, to be kept.
    pub(crate) fn current(&self) -> Arc<S> {
        self.current.load_full()
    }

    /// Looks at the value as it is now.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&S) -> T) -> T {
        look(&self.current.load())
    }

    /// Makes the next value of the one that is there, if there is to be one.
    ///
    /// Steps that fail or panic publish nothing.
    pub(crate) fn change<T, E>(
        &self,
        steps: impl FnOnce(&Arc<S>, &mut W) -> Result<(Option<S>, T), E>,
    ) -> Result<T, E> {
        // Dropped behind the lock: with the last value go the parts that only it had, and what their
        // destructors do is not ours to say.
        let before;
        let mut writer = self.writer();
        before = self.current.load_full();
        let (next, done) = steps(&before, &mut writer)?;
        if let Some(next) = next {
            self.current.store(Arc::new(next));
        }
        drop(writer);
        Ok(done)
    }

    pub(crate) fn writer(&self) -> MutexGuard<'_, W> {
        // A writer that panicked published nothing, so the lock's poison says nothing.
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: fmt::Debug, W> fmt::Debug for Published<S, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.look(|current| current.fmt(f))
    }
}
