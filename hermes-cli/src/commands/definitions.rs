//! `hermes definitions`: what a model is told.

use clap::Args;

use crate::cli::{CliCommand, Ended};
use crate::exit::Exit;
use crate::session::SessionArgs;
use crate::terminal;

#[derive(Debug, Args)]
pub(crate) struct Definitions {
    #[command(flatten)]
    session: SessionArgs,
}

impl CliCommand for Definitions {
    const NAME: &'static str = "definitions";
    const ABOUT: &'static str = "Print the definitions that a model is given, as one JSON array";

    fn run(self, _json: bool) -> Ended {
        terminal::print(&self.session.session()?.definitions())?;
        Ok(Exit::Success)
    }
}
