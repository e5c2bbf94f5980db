//! The built `hermes` on folders of its own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod bad_input;
mod batch;
mod call;
mod checkpoints;
mod command_line;
#[cfg(unix)]
mod commands;
mod configuration;
mod decode;
mod files;
mod folder;
mod kill;
mod listing;
mod mcp;
mod mcp_http;
#[cfg(unix)]
mod own;
mod questions;
mod run;
mod server_faults;
mod servers;
mod sign_in;
mod toolset_checks;
