//! `hermes mcp`: the tools of a session for a client of the Model Context Protocol, and what servers of
//! others offer.

mod edit;
mod look;
mod serve;
mod sign_in;
mod which;

use clap::{Args, Subcommand};

use crate::cli::{CliCommand, Ended};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
pub(crate) struct Mcp {
    #[command(subcommand)]
    action: Option<Action>,

    #[command(flatten)]
    serve: serve::Serve,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Start the servers, and show how they are and how many tools they offer
    List(look::List),
    /// Start one server, and show its tools
    Test(look::Test),
    /// Add a server to the configuration, after a look at its tools
    Add(edit::Add),
    /// Take a server out of the configuration
    Remove(edit::Remove),
    /// Take the tools of a server as they are now, where they have changed since they were approved
    Approve(look::Approve),
    /// Trust the `.mcp.json` of the workspace as it is now
    Trust(look::Trust),
    /// Sign in to a server at an address
    Login(sign_in::LogIn),
    /// Forget the sign-in to a server
    Logout(sign_in::LogOut),
}

const EXAMPLES: &str = "\
The client starts this command and talks to it over the standard input and output; it ends with the input.
What needs consent is asked through the client, and refused where the client cannot ask.

As an entry of a client's `mcpServers`:
  {\"hermes\": {\"command\": \"hermes\", \"args\": [\"mcp\", \"--toolset\", \"file\", \"--workspace\", \"/path/to/project\"]}}";

impl CliCommand for Mcp {
    const NAME: &'static str = "mcp";
    const ABOUT: &'static str = "Serve the tools of a session to MCP clients, over stdio or HTTP; look at servers of others";

    fn run(self, json: bool) -> Ended {
        match self.action {
            None => self.serve.run(),
            Some(Action::List(list)) => list.run(json),
            Some(Action::Test(test)) => test.run(json),
            Some(Action::Add(add)) => add.run(json),
            Some(Action::Remove(remove)) => remove.run(json),
            Some(Action::Approve(approve)) => approve.run(json),
            Some(Action::Trust(trust)) => trust.run(json),
            Some(Action::Login(login)) => login.run(json),
            Some(Action::Logout(logout)) => logout.run(json),
        }
    }
}
