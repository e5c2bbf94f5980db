//! What a host may set of the file tools, beside [`LintMode`](super::LintMode).

/// What a session does about a change of a file that someone else changed since it was read.
///
/// A host puts it into the session; a session without it warns.
///
/// ```
/// # use hermes_tools::{Selection, Session, ToolRegistry, Workspace, workspace::Confined};
/// use tools_builtin::StaleMode;
///
/// # hermes_tools::link!(tools_builtin);
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// let notes = folder.path().join("notes.md");
/// std::fs::write(&notes, "start")?;
/// let session = Session::builder(ToolRegistry::linked()?, Selection::of(["read_file", "write_file"]))
///     .workspace(Workspace::new(Confined::open(folder.path())?))
///     .state(StaleMode::Refuse)
///     .build()?;
/// session.call_blocking("read_file", r#"{"path": "notes.md"}"#).outcome?;
/// std::fs::write(&notes, "theirs, and longer")?;
/// let result = session.call_blocking("write_file", r#"{"path": "notes.md", "content": "mine"}"#);
/// assert_eq!(result.outcome.unwrap_err().code(), "conflict");
/// assert_eq!(std::fs::read_to_string(notes)?, "theirs, and longer");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StaleMode {
    /// The file is written, and the result warns and says in which checkpoint the other's text is, where
    /// the workspace has a journal.
    #[default]
    Warn,
    /// The change is refused until the file is read again.
    Refuse,
}
