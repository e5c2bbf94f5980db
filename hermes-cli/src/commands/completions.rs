//! `hermes completions`: scripts that complete the command line in a shell.

use clap::Args;
use clap_complete::Shell;

use crate::cli::{self, CliCommand, Ended};
use crate::exit::Exit;
use crate::terminal;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Completions {
    /// Shell to complete in
    shell: Shell,
}

const EXAMPLE: &str = "\
Example:
  hermes completions bash > ~/.local/share/bash-completion/completions/hermes";

impl CliCommand for Completions {
    const NAME: &'static str = "completions";
    const ABOUT: &'static str = "Print the completion script of a shell";

    fn run(self, _json: bool) -> Ended {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut cli::command(), "hermes", &mut script);
        terminal::print(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Success)
    }
}
