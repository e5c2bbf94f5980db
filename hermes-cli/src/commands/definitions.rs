//! `hermes definitions`: what a model is told.

use clap::Args;
use hermes_tools::schema::dialect::Dialect;

use crate::cli::{CliCommand, Ended};
use crate::exit::Exit;
use crate::session::SessionArgs;
use crate::terminal;

#[derive(Debug, Args)]
pub(crate) struct Definitions {
    /// The form of a provider: common, openai, openai-strict, openai-responses,
    /// openai-responses-strict, anthropic, anthropic-strict, gemini or mcp
    ///
    /// What the form cannot express is told on the error output.
    #[arg(long, value_name = "NAME")]
    dialect: Option<Dialect>,

    #[command(flatten)]
    session: SessionArgs,
}

impl CliCommand for Definitions {
    const NAME: &'static str = "definitions";
    const ABOUT: &'static str = "Print the definitions that a model is given, as one JSON array";

    fn run(self, _json: bool) -> Ended {
        let session = self.session.session()?;
        let Some(dialect) = self.dialect else {
            terminal::print(&session.definitions())?;
            return Ok(Exit::Success);
        };
        let told = session.definitions_for(dialect);
        terminal::print(&told.json)?;
        for loss in &told.losses {
            terminal::report_note(&loss.to_string());
        }
        Ok(Exit::Success)
    }
}
