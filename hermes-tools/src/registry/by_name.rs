//! Searching a set of tools by name.

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};

use super::Tool;

/// A tool as the element of a set that is searched by name.
#[derive(Debug, Clone)]
pub(crate) struct ByName(pub(crate) Tool);

impl Borrow<str> for ByName {
    fn borrow(&self) -> &str {
        self.0.name()
    }
}

impl Hash for ByName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name().hash(state);
    }
}

impl PartialEq for ByName {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl Eq for ByName {}
