//! `hermes completions`: scripts that complete the command line in a shell.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::error::CliError;
use crate::exit::Exit;
use crate::terminal;

/// Print the completion script of a shell
///
/// For bash: `hermes completions bash > ~/.local/share/bash-completion/completions/hermes`
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// Shell to complete in
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self) -> Result<Exit, CliError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "hermes", &mut script);
        terminal::print(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Success)
    }
}
