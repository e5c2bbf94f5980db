//! One writer at a time for each place of a file, within this process.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::FileIdentity;

/// Where a file is, whatever path leads there: a folder and a name in it.
///
/// A place has several spellings, one from each folder above it. A folder that is made later adds
/// some and takes none away, so two calls that make it together still meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathPlace {
    spellings: BTreeSet<Spelling>,
}

/// A folder, and the names from it on.
type Spelling = (FileIdentity, OsString);

impl PathPlace {
    /// The name in the nearest folder that is there, and further spellings from those above it.
    pub fn new(spellings: impl IntoIterator<Item = (FileIdentity, OsString)>) -> Self {
        Self {
            spellings: spellings.into_iter().collect(),
        }
    }

    /// Several places as one, for a lock that holds them all.
    pub(super) fn joined(places: impl IntoIterator<Item = Self>) -> Self {
        Self::new(places.into_iter().flat_map(|place| place.spellings))
    }

    /// Whether both are the same place: they share a spelling.
    pub fn is_same(&self, other: &Self) -> bool {
        !self.spellings.is_disjoint(&other.spellings)
    }
}

/// The right to change what stands at a place, held until it is dropped.
///
/// Who reads a file to write it back takes it before the read. Other processes do not see it; for
/// them there is [`replace_unchanged`](super::WorkspacePath::replace_unchanged).
#[derive(Debug)]
#[must_use = "the lock ends when it is dropped"]
pub struct PathLock {
    place: PathPlace,
}

/// The places that are locked. What is not is not in it, so it stays as small as the work at hand.
static HELD: Mutex<BTreeSet<Spelling>> = Mutex::new(BTreeSet::new());

/// Told of every place that becomes free.
static FREED: Condvar = Condvar::new();

impl PathLock {
    /// Waits until nobody else holds the place.
    pub(super) fn take(place: PathPlace) -> Self {
        let mut held = FREED
            .wait_while(held(), |held| !held.is_disjoint(&place.spellings))
            .unwrap_or_else(PoisonError::into_inner);
        held.extend(place.spellings.iter().cloned());
        Self { place }
    }

    /// The place that is held.
    pub fn place(&self) -> &PathPlace {
        &self.place
    }
}

impl Drop for PathLock {
    fn drop(&mut self) {
        let mut held = held();
        for spelling in &self.place.spellings {
            held.remove(spelling);
        }
        drop(held);
        FREED.notify_all();
    }
}

fn held() -> MutexGuard<'static, BTreeSet<Spelling>> {
    // A set is whole after a panic of whoever looked at it.
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    use super::*;

    fn place(inode: u64) -> PathPlace {
        let device = u64::MAX;
        PathPlace::new([(FileIdentity { device, inode }, "name".into())])
    }

    fn is_held(place: &PathPlace) -> bool {
        !held().is_disjoint(&place.spellings)
    }

    #[test]
    fn a_place_has_one_holder_and_is_forgotten_afterwards() {
        let inside = AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let lock = PathLock::take(place(1));
                    assert_eq!(lock.place(), &place(1));
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                    thread::yield_now();
                    inside.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert!(!is_held(&place(1)));
    }

    #[test]
    fn several_places_are_taken_together() {
        let both = || PathPlace::joined([place(5), place(6)]);
        let lock = PathLock::take(both());
        assert!(is_held(&place(5)) && is_held(&place(6)));
        drop(lock);
        assert!(!is_held(&both()));
    }

    #[test]
    fn other_places_are_free() {
        let _first = PathLock::take(place(2));
        let _second = PathLock::take(place(3));
        assert!(is_held(&place(2)) && is_held(&place(3)) && !is_held(&place(4)));
    }
}
