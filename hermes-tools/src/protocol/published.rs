//! A value that readers take whole while a writer makes the next one.

use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use super::sync::{ArcSwap, AtomicU64, Mutex, MutexGuard};

/// A pointer to an immutable value, and what only writers need to know.
///
/// Readers never wait. Writers wait for each other, so that each starts from what the one before has
/// left. The version of a value grows with every change, and is told without looking at the value.
pub(crate) struct Published<S, W> {
    current: ArcSwap<S>,
    version: AtomicU64,
    version_of: fn(&S) -> u64,
    writer: Mutex<W>,
}

impl<S, W> Published<S, W> {
    pub(crate) fn new(first: S, version_of: fn(&S) -> u64, writer: W) -> Self {
        Self {
            version: AtomicU64::new(version_of(&first)),
            version_of,
            current: ArcSwap::from_pointee(first),
            writer: Mutex::new(writer),
        }
    }

    /// The value as it is now, to be kept.
    pub(crate) fn current(&self) -> Arc<S> {
        self.current.load_full()
    }

    /// The version of the value as it is now, or of the one before while a change is made. Whoever looks
    /// at the value afterwards sees that version or a later one.
    #[inline]
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
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
            let version = (self.version_of)(&next);
            self.current.store(Arc::new(next));
            // Told behind the value and under the lock: it never runs ahead, and never back.
            self.version.store(version, Ordering::Release);
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
