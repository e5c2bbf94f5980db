//! What definitions are made of, and the last ones that were made.

use std::sync::Arc;

use super::Definitions;
use crate::protocol::Recent;
use crate::registry::Tool;
use crate::schema::dialect::Dialect;
use crate::search::Offering;

/// How many definitions a registry keeps. The value is that of hermes-agent.
const KEPT: usize = 8;

/// Definitions by what they were made of. It belongs to a registry, so that sessions which see the
/// same tools share one text.
pub(crate) type DefinitionsCache = Recent<Key, Definitions, KEPT>;

/// What definitions are made of.
#[derive(Clone, PartialEq)]
pub(crate) struct Key {
    /// The registry's.
    pub(crate) generation: u64,
    /// How the provider wants them; `None`: as the tools say it themselves.
    pub(crate) dialect: Option<Dialect>,
    pub(crate) offering: Arc<Offering>,
    /// The selected tools that are available and told, sorted by name.
    pub(crate) visible: Vec<SameTool>,
    /// Those that are left to the tool search.
    pub(crate) deferred: Vec<SameTool>,
}

/// A tool that equals itself alone.
#[derive(Clone)]
pub(crate) struct SameTool(Tool);

impl SameTool {
    pub(crate) fn all(tools: &[Tool]) -> Vec<Self> {
        tools.iter().cloned().map(Self).collect()
    }
}

impl PartialEq for SameTool {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(&other.0)
    }
}
