//! The selected tools of one generation of the registry.

use rustc_hash::FxHashSet;

use crate::effect::Effect;
use crate::registry::{ByName, Tool, ToolRegistry};
use crate::selection::Selection;

/// The selected tools of one generation of the registry.
pub(crate) struct View {
    pub(super) generation: u64,
    pub(super) tools: Vec<Tool>,
    by_name: FxHashSet<ByName>,
}

impl View {
    #[expect(
        clippy::mutable_key_type,
        reason = "what changes inside a tool is a text made late; its name never changes"
    )]
    pub(super) fn of(
        registry: &ToolRegistry,
        selection: &Selection,
        bound: Option<Effect>,
    ) -> Self {
        let snapshot = registry.snapshot();
        let tools: Vec<Tool> = snapshot
            .tools()
            .iter()
            .filter(|tool| selection.admits(tool.name(), tool.toolset(), tool.declared_effect()))
            .filter(|tool| bound.is_none_or(|most| tool.fits_effect(most)))
            .cloned()
            .collect();
        let by_name = tools.iter().cloned().map(ByName).collect();
        Self {
            generation: snapshot.generation(),
            tools,
            by_name,
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<Tool> {
        self.by_name.get(name).map(|tool| tool.0.clone())
    }

    /// That of the registry when the view was made.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// The selected tools, sorted by name.
    pub(crate) fn tools(&self) -> &[Tool] {
        &self.tools
    }
}
