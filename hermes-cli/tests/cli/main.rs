//! The built `hermes` on folders of its own.

mod bad_input;
mod batch;
mod call;
mod command_line;
mod folder;
mod listing;
