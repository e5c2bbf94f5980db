//! The values that were asked for last.

use std::fmt;
use std::sync::{Arc, PoisonError};

use super::sync::{Mutex, MutexGuard};

/// At most `KEPT` values by what they were made of; the least recently used one goes first.
pub(crate) struct Recent<K, V, const KEPT: usize> {
    /// The most recently used one last.
    kept: Mutex<Vec<(K, Arc<V>)>>,
}

impl<K: PartialEq, V, const KEPT: usize> Recent<K, V, KEPT> {
    /// The value of a key: the one that is kept, or one made now. Who asks for the same value
    /// meanwhile waits for it and shares it.
    pub(crate) fn get(&self, key: K, make: impl FnOnce(&K) -> V) -> Arc<V> {
        let mut kept = self.kept();
        if let Some(place) = kept.iter().position(|(known, _)| *known == key) {
            let hit = kept.remove(place);
            let value = Arc::clone(&hit.1);
            kept.push(hit);
            return value;
        }
        let value = Arc::new(make(&key));
        let oldest = (kept.len() == KEPT).then(|| kept.remove(0));
        kept.push((key, Arc::clone(&value)));
        drop(kept);
        // A key may hold the last handle on a tool, whose closures may do anything when they go.
        drop(oldest);
        value
    }

    fn kept(&self) -> MutexGuard<'_, Vec<(K, Arc<V>)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K, V, const KEPT: usize> Default for Recent<K, V, KEPT> {
    fn default() -> Self {
        Self {
            kept: Mutex::new(Vec::new()),
        }
    }
}

impl<K: PartialEq, V, const KEPT: usize> fmt::Debug for Recent<K, V, KEPT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recent")
            .field("kept", &self.kept().len())
            .finish()
    }
}
