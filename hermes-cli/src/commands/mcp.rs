//! `hermes mcp`: the tools of a session for a client of the Model Context Protocol.

use clap::Args;
use hermes_mcp::Server;

use crate::approval::ApprovalArgs;
use crate::cli::{CliCommand, Ended};
use crate::exit::Exit;
use crate::session::SessionArgs;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Mcp {
    #[command(flatten)]
    approval: ApprovalArgs,

    #[command(flatten)]
    session: SessionArgs,
}

const EXAMPLES: &str = "\
The client starts this command and talks to it over the standard input and output; it ends with the input.
What needs consent is asked through the client, and refused where the client cannot ask.

As an entry of a client's `mcpServers`:
  {\"hermes\": {\"command\": \"hermes\", \"args\": [\"mcp\", \"--toolset\", \"file\", \"--workspace\", \"/path/to/project\"]}}";

impl CliCommand for Mcp {
    const NAME: &'static str = "mcp";
    const ABOUT: &'static str = "Serve the tools of a session to an MCP client, over stdio";

    fn run(self, _json: bool) -> Ended {
        let session = self
            .session
            .session_with(|builder| self.approval.apply_for_client(builder))?;
        Server::new(session)
            .named("hermes", env!("CARGO_PKG_VERSION"))
            .serve_stdio()?;
        Ok(Exit::Success)
    }
}
