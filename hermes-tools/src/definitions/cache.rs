//! The last definitions that were made.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::Definitions;
use crate::registry::Tool;
use crate::search::Offering;

/// How many are kept. The value is that of hermes-agent.
const KEPT: usize = 8;

/// Definitions by what they were made of; the least recently used ones go first.
///
/// It belongs to a registry, so that sessions which see the same tools share one text.
#[derive(Default)]
pub(crate) struct DefinitionsCache {
    /// The most recently used one last.
    kept: Mutex<Vec<(Key, Arc<Definitions>)>>,
}

/// What definitions are made of.
#[derive(Clone, PartialEq)]
pub(crate) struct Key {
    /// The registry's.
    pub(crate) generation: u64,
    /// How the provider wants them.
    pub(crate) dialect: &'static str,
    pub(crate) offering: Arc<Offering>,
    /// The selected tools that are available, sorted by name.
    pub(crate) tools: Vec<SameTool>,
}

/// A tool that equals itself alone.
#[derive(Clone)]
pub(crate) struct SameTool(pub(crate) Tool);

impl PartialEq for SameTool {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(&other.0)
    }
}

impl DefinitionsCache {
    /// The definitions of a key: those that are kept, or made now.
    pub(crate) fn get(&self, key: Key, make: impl FnOnce(&Key) -> Definitions) -> Arc<Definitions> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = kept.iter().position(|(known, _)| *known == key) {
            let hit = kept.remove(place);
            let definitions = Arc::clone(&hit.1);
            kept.push(hit);
            return definitions;
        }
        let definitions = Arc::new(make(&key));
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((key, Arc::clone(&definitions)));
        definitions
    }
}

impl fmt::Debug for DefinitionsCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_struct("DefinitionsCache")
            .field("kept", &kept.len())
            .finish()
    }
}
