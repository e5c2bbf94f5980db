//! `hermes mcp` as a server: over the standard input and output, or over HTTP.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::{Args, ValueHint};
use hermes_mcp::{Client, Http, Server};
use hermes_tools::{Session, WeakSession};

use crate::approval::ApprovalArgs;
use crate::cli::Ended;
use crate::error::CliError;
use crate::exit::Exit;
use crate::isolation::CommandArgs;
use crate::servers::{Asked, Need};
use crate::session::SessionArgs;
use crate::terminal;

/// Options of the server.
#[derive(Debug, Args)]
pub(super) struct Serve {
    #[command(flatten)]
    http: HttpArgs,

    #[command(flatten)]
    served: Served,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "HTTP")]
struct HttpArgs {
    /// Serve this address and port over HTTP, at the path `/mcp`, each client with a session of its own
    #[arg(long, value_name = "ADDR")]
    http: Option<SocketAddr>,

    /// File with the token that clients must bring [default: `$HERMES_MCP_TOKEN`, or none on a loopback address]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "http")]
    token_file: Option<PathBuf>,

    /// Name by which clients may call this machine, beside those of loopback (repeatable)
    #[arg(long, value_name = "HOST", requires = "http")]
    allow_host: Vec<String>,

    /// Web page that may ask, such as `https://app.example.org:443` (repeatable)
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    allow_origin: Vec<String>,
}

/// What is served.
#[derive(Debug, Args)]
struct Served {
    #[command(flatten)]
    approval: ApprovalArgs,

    #[command(flatten)]
    commands: CommandArgs,

    #[command(flatten)]
    session: SessionArgs,
}

/// The variable with the token.
const TOKEN: &str = "HERMES_MCP_TOKEN";

impl Serve {
    pub(super) fn run(mut self) -> Ended {
        self.served.session.commands = self.served.commands.clone();
        self.served.session.need = Need::Soon;
        self.served.session.asked = Asked::Client;
        self.served.session.warn()?;
        let Some(address) = self.http.http else {
            let session = self.served.session()?;
            let served = server(session.clone()).serve_stdio();
            // A call that outlives the connection holds the session, and the process does not wait for it.
            crate::interrupt::end_commands(&session);
            served?;
            return Ok(Exit::Success);
        };
        let http = self.http;
        let served = self.served;
        // What is wrong with the options is told now, and not to the first client.
        served.session()?;
        let open: Arc<Mutex<Vec<WeakSession>>> = Arc::default();
        let begun = Arc::clone(&open);
        let mut site = Http::new(move || {
            let session = served.session()?;
            let mut open = begun.lock().unwrap_or_else(PoisonError::into_inner);
            open.retain(|session| session.upgrade().is_some());
            open.push(session.downgrade());
            Ok(server(session))
        });
        if let Some(token) = token(http.token_file.as_deref())? {
            site = site.token(token);
        }
        site = http.allow_host.into_iter().fold(site, Http::allow_host);
        site = http.allow_origin.into_iter().fold(site, Http::allow_origin);
        let ended = site.serve_at(address, |address| {
            terminal::report_note(&format!("serving http://{address}/mcp"));
        });
        // As over stdio, for the clients that are still there.
        let open = open.lock().unwrap_or_else(PoisonError::into_inner);
        for session in open.iter().filter_map(WeakSession::upgrade) {
            crate::interrupt::end_commands(&session);
        }
        ended?;
        Ok(Exit::Success)
    }
}

impl Served {
    fn session(&self) -> Result<Session, CliError> {
        self.session.session_of_client(|builder| {
            self.approval.apply_for_client(builder).counterpart(Client)
        })
    }
}

fn server(session: Session) -> Server {
    Server::new(session).named("hermes", env!("CARGO_PKG_VERSION"))
}

/// The token of the file, or of the environment.
fn token(file: Option<&Path>) -> Result<Option<String>, CliError> {
    let Some(file) = file else {
        let token = std::env::var(TOKEN).ok();
        return Ok(token.filter(|token| !token.is_empty()));
    };
    let text = fs::read_to_string(file).map_err(|source| CliError::Input {
        name: format!("`{}`", file.display()),
        source,
    })?;
    Ok(Some(text.trim().to_owned()))
}
