//! The toolset `file` through a session: what a model sends, what it gets, what is on the disk.

// Links, modes and named pipes are made here as Unix has them.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(
    clippy::needless_pass_by_value,
    reason = "`json!` stands where it is used"
)]

mod batches;
mod cases;
mod fixture;
mod formats;
mod history;
mod names;
mod odd;
mod patch;
mod patch_files;
mod paths;
mod race;
mod read;
mod reported;
mod search;
mod stopped;
mod walk;
mod write;

hermes_tools::link!(tools_builtin);
