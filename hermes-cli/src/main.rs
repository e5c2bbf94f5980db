//! `hermes`: list, inspect and call tools from a shell.

mod answer;
mod approval;
mod arguments;
mod cli;
mod code;
mod commands;
mod error;
mod exit;
mod interrupt;
mod isolation;
mod json;
mod live;
mod plan;
mod schema;
mod servers;
mod session;
mod terminal;
mod tool;

use std::ffi::OsString;
use std::process::ExitCode;

use crate::error::CliError;
use crate::exit::Exit;

hermes_tools::link!(tools_builtin, hermes_toolsets);

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    let (ended, json) = match cli::run(&words) {
        Ok(ended) => ended,
        // Help and the version come this way too.
        Err(error) if !cli::ask_for_json(&words) => error.exit(),
        Err(error) if let Some(told) = cli::told(&error) => {
            (terminal::print(&told).map(|()| Exit::Success), true)
        }
        Err(error) => (Err(cli::usage(&words, &error)), true),
    };
    ended.unwrap_or_else(|error| report(&error, json)).into()
}

fn report(error: &CliError, json: bool) -> Exit {
    let exit = error.exit();
    if exit == Exit::Success {
        return exit;
    }
    if !json || matches!(error, CliError::Output(_)) {
        terminal::report_error(&error.line());
    } else if let Err(lost) = terminal::print(&error.json()) {
        return report(&lost, json);
    }
    exit
}
