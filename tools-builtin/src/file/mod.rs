//! Toolset `file`: reading, writing, editing and searching the files of the session's workspace.
//!
//! Every path of a call is resolved by the workspace to one handle; the same handle is looked at,
//! read and written. No tool here opens a path by its text. Each takes the workspace, and is
//! unavailable in a session that has none.

mod change;
mod diff;
mod display;
#[cfg(feature = "documents")]
mod document;
#[cfg(feature = "unstable-edit")]
pub mod edit;
mod format;
mod history;
mod ledger;
mod line_end;
mod lines;
mod lint;
mod nearest;
mod notebook;
mod options;
mod page;
mod patch;
mod read;
mod replace;
mod search;
mod shown;
mod stream;
mod text;
mod v4a;
mod warning;
mod write;

pub use self::lint::LintMode;
pub use self::options::StaleMode;
