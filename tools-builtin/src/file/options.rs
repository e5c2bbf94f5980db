//! What a host may set of the file tools.

/// How the file tools of a session behave. A host puts it into the session as state; without it the
/// defaults hold.
///
/// ```
/// use hermes_tools::{Selection, Session, ToolRegistry};
/// use tools_builtin::{FileOptions, StalePolicy};
///
/// let options = FileOptions::default().stale(StalePolicy::Refuse);
/// let registry = ToolRegistry::linked()?;
/// let session = Session::builder(registry, Selection::of(["read_file"])).state(options).build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileOptions {
    /// What to do with a change of a file that someone else changed since it was read.
    pub stale: StalePolicy,
}

/// What to do with a change of a file that someone else changed since the session read it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StalePolicy {
    /// Write, warn, and keep what stood there in the checkpoint, where the workspace has a journal.
    #[default]
    Warn,
    /// Change nothing, until the file is read again.
    Refuse,
}

impl FileOptions {
    /// Sets what to do with a change of a file that someone else changed since it was read.
    #[must_use]
    pub fn stale(mut self, policy: StalePolicy) -> Self {
        self.stale = policy;
        self
    }
}
