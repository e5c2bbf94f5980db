//! `hermes`: list, inspect and call tools from a shell.

mod answer;
mod arguments;
mod cli;
mod commands;
mod error;
mod exit;
mod interrupt;
mod json;
mod schema;
mod session;
mod terminal;
mod tool;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::error::CliError;
use crate::exit::Exit;

hermes_tools::link!(tools_builtin, hermes_toolsets);

fn main() -> ExitCode {
    let (json, ended) = match Cli::try_parse() {
        Ok(cli) => (cli.json, cli.run()),
        // Help and the version come this way too.
        Err(error) if !error.use_stderr() || !cli::wants_json() => error.exit(),
        Err(error) => (true, Err(CliError::CommandLine(cli::message_of(&error)))),
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
