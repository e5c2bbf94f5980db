//! The command line.

use clap::{Parser, Subcommand};

use crate::commands::{batch, call, completions, definitions, show, tools, toolsets};
use crate::error::CliError;
use crate::exit::Exit;

/// List, inspect and call the tools of an AI agent
#[derive(Debug, Parser)]
#[command(name = "hermes", version, after_help = EXIT_CODES, disable_help_subcommand = true)]
pub(crate) struct Cli {
    /// Print JSON, errors included
    #[arg(long, global = true, display_order = 100)]
    pub(crate) json: bool,

    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    all went well
  1    the call failed, or a call of the batch did
  2    what was asked for cannot be done: an option, a name, an unreadable file
  3    the program cannot work: two tools of one name, the output cannot be written
  130  interrupted by Ctrl-C";

#[derive(Debug, Subcommand)]
enum Command {
    Tools(tools::Tools),
    Toolsets(toolsets::ToolsetsCommand),
    Show(show::Show),
    Definitions(definitions::Definitions),
    Call(call::Call),
    Batch(batch::Batch),
    Completions(completions::Completions),
}

impl Cli {
    /// Does what was asked for.
    pub(crate) fn run(self) -> Result<Exit, CliError> {
        let json = self.json;
        match self.command {
            Command::Tools(command) => command.run(json),
            Command::Toolsets(command) => command.run(json),
            Command::Show(command) => command.run(json),
            Command::Definitions(command) => command.run(),
            Command::Call(command) => command.run(json),
            Command::Batch(command) => command.run(),
            Command::Completions(command) => command.run(),
        }
    }
}

/// Whether a command line that could not be read asks for JSON.
pub(crate) fn wants_json() -> bool {
    std::env::args_os()
        .skip(1)
        .take_while(|word| word != "--")
        .any(|word| word == "--json")
}

/// What clap has to say, without its usage.
pub(crate) fn message_of(error: &clap::Error) -> String {
    let text = error.to_string();
    let message = text.split("\n\nUsage:").next().unwrap_or(&text);
    let message = message.strip_prefix("error: ").unwrap_or(message);
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}
