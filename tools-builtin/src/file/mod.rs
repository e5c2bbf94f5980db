//! Toolset `file`: reading, writing, editing and searching the files of the session's workspace.
//!
//! Every path of a call is resolved by the workspace to one handle; the same handle is looked at,
//! read and written. No tool here opens a path by its text. Each takes the workspace, and is
//! unavailable in a session that has none.

mod diff;
mod line_end;
mod lint;
mod nearest;
mod page;
mod patch;
mod read;
mod replace;
mod search;
mod text;
mod write;

pub use self::lint::LintMode;
