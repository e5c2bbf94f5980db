//! The checkpoint that is being made.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use super::record::{self, KeptFile};
use crate::workspace::PathFacts;

/// A turn: its checkpoint, once it has changed something.
#[derive(Debug, Default)]
pub(super) struct Turn {
    label: String,
    begun: Option<(Arc<str>, File)>,
    /// What stands at the places whose contents before are kept.
    known: HashMap<(String, String), PathFacts>,
}

impl Turn {
    pub(super) fn new(label: String) -> Self {
        Self {
            label,
            ..Self::default()
        }
    }

    pub(super) fn is_begun(&self) -> bool {
        self.begun.is_some()
    }

    /// The checkpoint, when what stands at a place is what this turn put there or has kept.
    pub(super) fn has(&self, root: &str, path: &str, now: &PathFacts) -> Option<Arc<str>> {
        let (id, _) = self.begun.as_ref()?;
        let known = self.known.get(&(root.to_owned(), path.to_owned()))?;
        (known == now).then(|| Arc::clone(id))
    }

    /// Notes a file as it is before a change.
    pub(super) fn note(
        &mut self,
        turns: &Path,
        file: &KeptFile,
        facts: &PathFacts,
    ) -> io::Result<Arc<str>> {
        if self.begun.is_none() {
            let (id, file) = record::begin(turns, &self.label, SystemTime::now())?;
            self.begun = Some((id.into(), file));
        }
        let Some((id, lines)) = &mut self.begun else {
            return Err(io::ErrorKind::NotFound.into());
        };
        record::write(lines, file)?;
        self.known
            .insert((file.root.clone(), file.path.clone()), *facts);
        Ok(Arc::clone(id))
    }

    /// Notes what stands at a place after this turn has changed it.
    pub(super) fn changed(&mut self, root: &str, path: &str, facts: &PathFacts) {
        self.known
            .insert((root.to_owned(), path.to_owned()), *facts);
    }
}
