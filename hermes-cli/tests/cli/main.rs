//! The built `hermes` on folders of its own.

#![expect(
    clippy::unwrap_used,
    reason = "the helpers of tests fail by panicking, as tests do"
)]

mod bad_input;
mod batch;
mod call;
mod command_line;
mod folder;
mod listing;
mod toolset_checks;
