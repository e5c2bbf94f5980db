//! `hermes mcp`: the tools of a session for a client of the Model Context Protocol, and what servers of
//! others offer.

mod serve;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand, ValueHint};
use hermes_mcp::{ServerSpec, ServerState, ServerStatus, probe};
use serde::Serialize;

use crate::cli::{CliCommand, Ended};
use crate::error::CliError;
use crate::exit::Exit;
use crate::json;
use crate::terminal::{self, Cell, Look, Table, one_line, styles};

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
    /// Start the servers of a file, and show how they are and how many tools they offer
    List(Which),
    /// Start one server of a file, and show its tools
    Test {
        /// Name of the server
        name: String,

        #[command(flatten)]
        which: Which,
    },
}

#[derive(Debug, Args)]
struct Which {
    /// File with the servers under `mcpServers`, as clients keep it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    servers: PathBuf,
}

const EXAMPLES: &str = "\
The client starts this command and talks to it over the standard input and output; it ends with the input.
What needs consent is asked through the client, and refused where the client cannot ask.

As an entry of a client's `mcpServers`:
  {\"hermes\": {\"command\": \"hermes\", \"args\": [\"mcp\", \"--toolset\", \"file\", \"--workspace\", \"/path/to/project\"]}}";

/// How long servers may take before they are shown as they are.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Debug, Serialize)]
struct Shown<'a> {
    /// Whether every server can be used.
    ok: bool,
    servers: Vec<One<'a>>,
}

#[derive(Debug, Serialize)]
struct One<'a> {
    name: &'a str,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    tools: &'a [Box<str>],
    refused: Vec<Refused<'a>>,
}

#[derive(Debug, Serialize)]
struct Refused<'a> {
    name: &'a str,
    why: &'a str,
}

impl CliCommand for Mcp {
    const NAME: &'static str = "mcp";
    const ABOUT: &'static str = "Serve the tools of a session to MCP clients, over stdio or HTTP; look at servers of others";

    fn run(self, json: bool) -> Ended {
        match self.action {
            None => self.serve.run(),
            Some(Action::List(which)) => show(read(&which.servers)?, false, json),
            Some(Action::Test { name, which }) => {
                let (chosen, others): (Vec<_>, Vec<_>) = read(&which.servers)?
                    .into_iter()
                    .partition(|spec| spec.name() == name);
                if chosen.is_empty() {
                    let known = others.iter().map(|spec| spec.name().to_owned()).collect();
                    return Err(CliError::UnknownServer { name, known });
                }
                show(chosen, true, json)
            }
        }
    }
}

fn read(file: &Path) -> Result<Vec<ServerSpec>, CliError> {
    let text = fs::read_to_string(file).map_err(|source| CliError::Input {
        name: format!("`{}`", file.display()),
        source,
    })?;
    Ok(ServerSpec::from_json(&text)?)
}

fn show(specs: Vec<ServerSpec>, each: bool, json: bool) -> Ended {
    let servers = probe(specs, |name| std::env::var(name).ok(), PATIENCE);
    let servers = servers.map_err(hermes_mcp::ServeError::Runtime)?;
    let ok = servers.iter().all(|it| it.state == ServerState::Ready);
    let text = if json {
        let servers = servers.iter().map(One::of).collect();
        json::text(&Shown { ok, servers })
    } else {
        table(&servers, each).render(Look::of_stdout())
    };
    terminal::print(&text)?;
    Ok(if ok { Exit::Success } else { Exit::CallFailed })
}

/// A word for what a server does, and why.
fn state(status: &ServerStatus) -> (&'static str, Option<&str>) {
    match &status.state {
        ServerState::Ready => ("ready", None),
        ServerState::Waiting(why) | ServerState::Failed(why) => ("failed", Some(why)),
        _ => ("starting", None),
    }
}

impl<'a> One<'a> {
    fn of(status: &'a ServerStatus) -> Self {
        let (state, why) = state(status);
        let refused = |(name, why): &'a (Box<str>, String)| Refused { name, why };
        Self {
            name: &status.name,
            state,
            why,
            tools: &status.tools,
            refused: status.refused.iter().map(refused).collect(),
        }
    }
}

/// One row a server, one for each tool that is left out, and where `each`, one for each tool.
fn table(servers: &[ServerStatus], each: bool) -> Table {
    let mut table = Table::new(["SERVER", "STATE", "TOOLS"]);
    for status in servers {
        let (word, why) = state(status);
        let style = match status.state {
            ServerState::Ready => styles::GOOD,
            _ => styles::DANGER,
        };
        let word = match why {
            Some(why) => format!("{word}: {}", one_line(why)),
            None => word.to_owned(),
        };
        table.row([
            Cell::new(&*status.name, styles::NAME),
            Cell::new(word, style),
            Cell::plain(status.tools.len().to_string()),
        ]);
        for tool in status.tools.iter().filter(|_| each) {
            table.row([Cell::plain(""), Cell::plain(&**tool), Cell::plain("")]);
        }
        for (name, why) in &status.refused {
            let left_out = format!("left out: `{}`: {}", one_line(name), one_line(why));
            table.row([
                Cell::plain(""),
                Cell::new(left_out, styles::CAREFUL),
                Cell::plain(""),
            ]);
        }
    }
    table
}
