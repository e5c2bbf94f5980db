//! `hermes completions`: scripts that complete the command line in a shell.

use std::borrow::Cow;

use clap::Args;
use clap_complete::Shell;
use serde::Serialize;

use crate::cli::{self, CliCommand, Ended};
use crate::exit::Exit;
use crate::json;
use crate::terminal;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Completions {
    /// Shell to complete in
    shell: Shell,
}

/// A script as programs read it.
#[derive(Debug, Serialize)]
struct Script<'s> {
    shell: String,
    script: Cow<'s, str>,
}

const EXAMPLE: &str = "\
Example:
  hermes completions bash > ~/.local/share/bash-completion/completions/hermes";

impl CliCommand for Completions {
    const NAME: &'static str = "completions";
    const ABOUT: &'static str = "Print the completion script of a shell";

    fn run(self, json: bool) -> Ended {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut cli::command(), "hermes", &mut script);
        let script = String::from_utf8_lossy(&script);
        if json {
            let shell = self.shell.to_string();
            terminal::print(&json::text(&Script { shell, script }))?;
        } else {
            terminal::print(&script)?;
        }
        Ok(Exit::Success)
    }
}
