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

hermes_tools::link!(tools_builtin, hermes_toolsets);

fn main() -> ExitCode {
    let (json, ended) = match Cli::try_parse() {
        Ok(cli) => (cli.json, cli.run()),
        // Help and the version come this way too.
        Err(error) if !error.use_stderr() || !wants_json() => error.exit(),
        Err(error) => (true, Err(CliError::command_line(&error))),
    };
    let exit = ended.unwrap_or_else(|error| end(&error, json));
    exit.into()
}
