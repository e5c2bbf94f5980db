//! The built-in tool pack of hermes-tools: one module and one cargo feature for each toolset.
//!
//! | feature | toolset | tools |
//! |---|---|---|
//! | `file` (default) | `file` | `read_file`, `write_file`, `patch`, `search_files` |
//! | `terminal` (default, Unix) | `terminal` | `terminal`, `process` |
//!
//! A binary links the pack and calls its tools in a session:
//!
//! ```
//! use hermes_tools::{Selection, Session, ToolRegistry, Workspace, workspace::Confined};
//!
//! hermes_tools::link!(tools_builtin);
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("notes.txt"), "milk\nbread\n")?;
//! let session = Session::builder(ToolRegistry::linked()?, Selection::of(["read_file"]))
//!     .workspace(Workspace::new(Confined::open(folder.path())?))
//!     .build()?;
//! let result = session.call_blocking("read_file", r#"{"path": "notes.txt"}"#);
//! assert_eq!(
//!     result.outcome?.text(),
//!     r#"{"content":"1|milk\n2|bread","total_lines":2,"file_size":11,"truncated":false}"#,
//! );
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "file")]
mod file;
#[cfg(all(feature = "terminal", unix))]
mod terminal;

#[cfg(feature = "unstable-edit")]
#[doc(hidden)]
pub use file::edit;
#[cfg(feature = "file")]
pub use file::{LintMode, StaleMode};
#[cfg(all(feature = "terminal", unix))]
pub use terminal::{
    Confinement, Control, End, Environment, EnvironmentFuture, Isolation, Job, Lasts, Notice,
    Overflow, Running, Stop, TerminalOptions, bubblewrap, confinement, end_commands,
};

hermes_tools::pack!();
