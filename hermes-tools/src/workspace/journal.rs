//! What keeps the old contents of files that a workspace changes.

use std::io;
use std::sync::Arc;

use super::{PathFacts, WorkspacePath};

/// Keeps what stands in a workspace before it is changed, for whoever wants it back.
///
/// Every change of every tool passes here, since it is the workspace that makes it.
pub trait Journal: Send + Sync + 'static {
    /// Keeps what stands at a path that is about to be changed, and tells in which checkpoint it is.
    /// Asked once more when something else stands there by the time of the change.
    ///
    /// # Errors
    ///
    /// It could not be kept; the path is then not changed.
    fn keep(&self, path: &WorkspacePath, now: &PathFacts) -> io::Result<Arc<str>>;

    /// Hears that a turn of the user begins, and what it is about. Without this it does not matter.
    fn begin_turn(&self, label: &str) {
        let _ = label;
    }

    /// Hears what stands at a path after a change of it.
    fn changed(&self, path: &WorkspacePath, facts: &PathFacts);
}
