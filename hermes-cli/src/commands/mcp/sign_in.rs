//! Signing in to servers.

use std::time::Duration;

use clap::Args;
use hermes_mcp::{Login, login};

use super::which::Which;
use crate::cli::Ended;
use crate::error::CliError;
use crate::exit::Exit;
use crate::servers;
use crate::terminal;

#[derive(Debug, Args)]
pub(super) struct LogIn {
    /// Name of the server
    name: String,

    /// Name that the authorization server knows this program by, where it registers none by itself
    #[arg(long, value_name = "ID")]
    client_id: Option<String>,

    /// Variable of the environment that holds the secret of that name
    #[arg(long, value_name = "VARIABLE", requires = "client_id")]
    client_secret_env: Option<String>,

    /// Sign in without a person: the name and its secret stand for themselves (OAuth client credentials)
    #[arg(long, requires = "client_secret_env")]
    client_credentials: bool,

    /// Permission to ask for, beside those of an earlier sign-in; without this, what the server says (repeatable)
    #[arg(long, value_name = "SCOPE")]
    scope: Vec<String>,

    /// Port of this machine that the browser comes back to [default: any]
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    port: u16,

    #[command(flatten)]
    which: Which,
}

#[derive(Debug, Args)]
pub(super) struct LogOut {
    /// Name of the server
    name: String,

    #[command(flatten)]
    which: Which,
}

/// How long a person may take to sign in.
const PATIENCE: Duration = Duration::from_mins(5);

/// How long the server may take to refuse us.
const LOOK: Duration = Duration::from_secs(20);

impl LogIn {
    pub(super) fn run(self, json: bool) -> Ended {
        let one = self.which.one(&self.name)?;
        let tokens = servers::tokens().ok_or(CliError::NoState)?;
        let client_secret = match &self.client_secret_env {
            Some(name) => Some(std::env::var(name).map_err(|_| CliError::Argument {
                problem: format!("the variable `{name}` is not set"),
                help: "set it to the secret of the client",
            })?),
            None => None,
        };
        // What the server says when it refuses us tells where to sign in.
        let folder = self.which.folder();
        let looked = servers::progress("asking the server", || {
            let setup = servers::setup(folder.as_deref());
            setup.probe(vec![one.spec.clone()], LOOK)
        });
        let mut status = looked.map_err(hermes_mcp::ServeError::Runtime)?;
        let settings = Login {
            client_id: self.client_id,
            client_secret,
            metadata_url: None,
            scopes: self.scope,
            unattended: self.client_credentials,
            challenge: status.pop().and_then(|it| it.challenge),
            port: self.port,
        };
        let signing_in = login(
            &one.spec,
            |name| std::env::var(name).ok(),
            &tokens,
            settings,
            PATIENCE,
            |page| terminal::report_note(&format!("open this page in a browser: {page}")),
        );
        servers::runtime()?.block_on(signing_in)?;
        if json {
            terminal::print("{\"ok\":true}")?;
        } else {
            terminal::report_note(&format!("signed in to `{}`", self.name));
        }
        Ok(Exit::Success)
    }
}

impl LogOut {
    pub(super) fn run(self, json: bool) -> Ended {
        let one = self.which.one(&self.name)?;
        let tokens = servers::tokens().ok_or(CliError::NoState)?;
        let there = match one.spec.url() {
            Some(url) => tokens
                .forget(&self.name, url)
                .map_err(|source| CliError::Input {
                    name: "or remove the tokens".to_owned(),
                    source,
                })?,
            None => false,
        };
        if json {
            terminal::print(&format!("{{\"ok\":true,\"was_signed_in\":{there}}}"))?;
        } else if !there {
            terminal::report_note(&format!("nobody was signed in to `{}`", self.name));
        }
        Ok(Exit::Success)
    }
}
