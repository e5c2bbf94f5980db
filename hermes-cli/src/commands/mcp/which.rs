//! Which servers a command is about.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::error::CliError;
use crate::servers::{self, Written};
use crate::session::FileArgs;

/// Options that say where servers are written down.
#[derive(Debug, Args)]
pub(super) struct Which {
    #[command(flatten)]
    pub(super) files: FileArgs,

    /// Folder whose `.mcp.json` counts too, once it is trusted [default: the current folder]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    workspace: Option<PathBuf>,
}

impl Which {
    pub(super) fn folder(&self) -> Option<PathBuf> {
        servers::workspace_folder(self.workspace.as_deref())
    }

    /// All servers that are written down.
    pub(super) fn all(&self) -> Result<Vec<Written>, CliError> {
        let config = self.files.config()?;
        self.files.servers(&config, self.folder().as_deref())
    }

    /// The server of a name.
    pub(super) fn one(&self, name: &str) -> Result<Written, CliError> {
        let all = self.all()?;
        let known = all.iter().map(|it| it.spec.name().to_owned()).collect();
        let mut named = all.into_iter().filter(|it| it.spec.name() == name);
        named.next().ok_or_else(|| CliError::UnknownServer {
            name: name.to_owned(),
            known,
        })
    }
}
