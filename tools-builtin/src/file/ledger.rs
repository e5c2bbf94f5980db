//! A tool's side of a change: what speaks against it before, what is noted after it.

use hermes_tools::workspace::{PathFacts, Replaced, WorkspacePath};
use hermes_tools::{ErrorKind, FromToolContext, Kept, ToolContext, ToolError, Workspace};

use super::history::FileHistory;
use super::options::StaleMode;
use super::warning::{Concern, Warning};

/// What a tool that changes files takes from its session.
#[derive(Debug, Clone)]
pub(crate) struct Ledger {
    workspace: Workspace,
    history: Kept<FileHistory>,
    mode: StaleMode,
}

impl<'a> FromToolContext<'a> for Ledger {
    fn from_context(cx: &'a ToolContext) -> Result<Self, ToolError> {
        Ok(Self {
            workspace: FromToolContext::from_context(cx)?,
            history: FromToolContext::from_context(cx)?,
            mode: cx.state().get().copied().unwrap_or_default(),
        })
    }
}

impl Ledger {
    /// That of a session that has done nothing yet.
    #[cfg(test)]
    pub(crate) fn new(workspace: Workspace) -> Self {
        Self {
            workspace,
            history: Kept::from(std::sync::Arc::default()),
            mode: StaleMode::default(),
        }
    }

    /// What speaks against changing a file as it stands now. `whole` says that all of it is replaced,
    /// also what was never seen.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Conflict`] when someone else has changed the file and the session refuses that.
    pub(crate) fn before(
        &self,
        path: &WorkspacePath,
        now: &PathFacts,
        whole: bool,
    ) -> Result<Vec<Warning>, ToolError> {
        let mut warnings = self.history.concerns(&self.workspace, path, now, whole);
        let stale = warnings.iter().find(|warning| warning.is_stale());
        if let (Some(warning), StaleMode::Refuse) = (stale, self.mode) {
            return Err(ToolError::new(
                ErrorKind::Conflict,
                format!("{}: nothing was written", warning.message()),
            )
            .with_help("read the file again, then send the change again"));
        }
        if now.names > 1 {
            warnings.push(Warning::new(
                Concern::HardLink,
                format!(
                    "`{}` had {} names (hard links): the others keep the old contents",
                    path.display(),
                    now.names
                ),
            ));
        }
        Ok(warnings)
    }

    /// Notes a change, and says in its warnings where the old contents are.
    pub(crate) fn after(
        &self,
        path: &WorkspacePath,
        replaced: &Replaced,
        warnings: &mut [Warning],
    ) {
        self.history.wrote(&self.workspace, path, &replaced.facts);
        if let Some(checkpoint) = &replaced.checkpoint {
            for warning in warnings
                .iter_mut()
                .filter(|warning| warning.loses_something())
            {
                warning.kept_in(checkpoint);
            }
        }
    }
}
