//! Who of the sessions that share a workspace has written which file last.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use hermes_tools::workspace::PathFacts;

use super::bounded::Bounded;
use super::same_file;

/// Files that are remembered.
const FILES: usize = 4_096;

/// The writers of a workspace.
#[derive(Debug)]
pub(super) struct Writers {
    count: AtomicU64,
    last: Mutex<Bounded<String, (u64, PathFacts)>>,
}

impl Default for Writers {
    fn default() -> Self {
        Self {
            count: AtomicU64::new(0),
            last: Mutex::new(Bounded::new(FILES)),
        }
    }
}

impl Writers {
    /// A number for one more session.
    pub(super) fn join(&self) -> u64 {
        self.count.fetch_add(1, Ordering::Relaxed)
    }

    /// Notes a write.
    pub(super) fn wrote(&self, path: String, writer: u64, facts: PathFacts) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.insert(path, (writer, facts));
    }

    /// Whether what stands at a path is what another session wrote.
    pub(super) fn has_other(&self, path: &str, writer: u64, now: &PathFacts) -> bool {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.get(&path.to_owned())
            .is_some_and(|(other, facts)| *other != writer && same_file(facts, now))
    }
}
