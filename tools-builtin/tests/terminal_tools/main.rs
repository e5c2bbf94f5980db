//! The toolset `terminal` through a session, with real processes in a folder of their own.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(
    clippy::needless_pass_by_value,
    reason = "`json!` stands where it is used"
)]

mod background;
#[cfg(target_os = "linux")]
mod bubblewrap;
#[cfg(target_os = "linux")]
mod escapes;
mod fixture;
mod foreground;
mod input;
#[cfg(target_os = "linux")]
mod isolation;
#[cfg(target_os = "linux")]
mod leftovers;
mod load;
mod overflow;
mod prompts;
mod state;

hermes_tools::link!(tools_builtin);
