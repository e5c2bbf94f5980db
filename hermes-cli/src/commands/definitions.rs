//! `hermes definitions`: what a model is told.

use clap::Args;

use crate::error::CliError;
use crate::exit::Exit;
use crate::session::SessionArgs;
use crate::terminal;

/// Print the definitions that a model is given, as one JSON array
///
/// The bytes are the same every time for the same tools, on a terminal or not.
#[derive(Debug, Args)]
pub(crate) struct Definitions {
    #[command(flatten)]
    session: SessionArgs,
}

impl Definitions {
    pub(crate) fn run(self) -> Result<Exit, CliError> {
        terminal::print(&self.session.session()?.definitions())?;
        Ok(Exit::Success)
    }
}
