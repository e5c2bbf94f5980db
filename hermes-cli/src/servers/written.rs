//! Which servers are written down: in the configuration, in files of clients, in the workspace.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use hermes_mcp::{ServerSpec, SpecError};
use hermes_tools::registry::ServerFilter;
use hermes_toolsets::{Config, McpApproval, McpServer, McpTransport, McpWay};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::place::state_file;
use crate::error::CliError;
use crate::terminal;

/// The file of a workspace that names servers.
const WORKSPACE_FILE: &str = ".mcp.json";

/// The largest file of servers that is read, in bytes.
const MAX_FILE: u64 = 1024 * 1024;

/// A server that is written down.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub(crate) spec: ServerSpec,
    pub(crate) source: Source,
    /// Every call of its tools is asked about.
    pub(crate) always_asked: bool,
    /// How long it may take until it has listed its tools.
    pub(crate) start: Duration,
    /// Whether the operator has said so.
    pub(crate) start_is_said: bool,
}

/// Where a server is written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// In the configuration.
    Config,
    /// In a file of a client.
    File(PathBuf),
}

/// The limit of a start when nothing else is said.
const START: Duration = Duration::from_secs(30);

/// All servers, those of the configuration first. A name that was there before counts for nothing, and is
/// told.
///
/// # Errors
///
/// A file that was named cannot be read, or a server in it cannot be used.
pub(crate) fn written(
    config: &Config,
    files: &[PathBuf],
    workspace: Option<&Path>,
) -> Result<Vec<Written>, CliError> {
    let mut all: Vec<Written> = Vec::new();
    for server in config.mcp_servers() {
        let written = of_config(server);
        all.push(written.map_err(|error| of_file(config, server, error))?);
    }
    let mut add = |path: &Path, text: &str| -> Result<(), CliError> {
        for spec in ServerSpec::from_json(text)? {
            let name = spec.name();
            if all.iter().any(|it| it.spec.name() == name) {
                terminal::report_warning(&format!(
                    "the server `{name}` of `{}` is passed over: there is one of that name before it",
                    path.display()
                ));
                continue;
            }
            all.push(Written {
                spec,
                source: Source::File(path.to_owned()),
                always_asked: false,
                start: START,
                start_is_said: false,
            });
        }
        Ok(())
    };
    for path in files {
        add(path, &read(path)?)?;
    }
    if let Some((path, text)) = workspace.and_then(trusted) {
        add(&path, &text)?;
    }
    Ok(all)
}

/// An error with its place in the file.
fn of_file(config: &Config, server: &McpServer, error: SpecError) -> CliError {
    match error {
        SpecError::Url { url, why, .. } => {
            let found = format!("`{url}`: {why}");
            let expected = "the address of a server, such as `https://example.org/mcp`";
            config.wrong_server(server, expected, found).into()
        }
        other => other.into(),
    }
}

fn of_config(server: &McpServer) -> Result<Written, SpecError> {
    let mut spec = match &server.way {
        McpWay::Command {
            command,
            args,
            env,
            cwd,
        } => {
            let mut spec = ServerSpec::new(&server.name, command)?.args(args);
            for (name, value) in env {
                spec = spec.env(name, value);
            }
            match cwd {
                Some(folder) => spec.cwd(folder),
                None => spec,
            }
        }
        McpWay::Url {
            url,
            headers,
            transport,
        } => {
            let mut spec = ServerSpec::remote(&server.name, url)?;
            for (name, value) in headers {
                spec = spec.header(name, value);
            }
            match transport {
                Some(McpTransport::Http) => spec.streamable(),
                Some(McpTransport::Sse) => spec.legacy_sse(),
                None => spec,
            }
        }
    };
    for (tool, effect) in &server.effects {
        spec = spec.effect(&**tool, *effect);
    }
    spec = spec.filter(ServerFilter {
        include: server.include.clone(),
        exclude: server.exclude.clone(),
    });
    if server.trusted {
        spec = spec.trusted();
    }
    if server.approval == McpApproval::Never {
        spec = spec.unpinned();
    }
    if let Some(limit) = server.timeout {
        spec = spec.timeout(limit);
    }
    let start = server.start_timeout.unwrap_or(START);
    Ok(Written {
        spec: spec.start_within(start),
        source: Source::Config,
        always_asked: server.approval == McpApproval::Always,
        start,
        start_is_said: server.start_timeout.is_some(),
    })
}

fn read(path: &Path) -> Result<String, CliError> {
    fs::read_to_string(path).map_err(|source| CliError::Input {
        name: format!("`{}`", path.display()),
        source,
    })
}

/// Files of workspaces that a person has looked at, each with the digest of what stood there.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Trusted {
    files: BTreeMap<PathBuf, String>,
}

/// The file of the workspace, where a person trusts what stands in it now. Whoever writes a repository could
/// have any command started otherwise.
fn trusted(workspace: &Path) -> Option<(PathBuf, String)> {
    let path = workspace.join(WORKSPACE_FILE);
    // Whoever wrote the repository could have put a pipe there that never ends.
    let facts = fs::metadata(&path).ok()?;
    if !facts.is_file() || facts.len() > MAX_FILE {
        return None;
    }
    let text = fs::read_to_string(&path).ok()?;
    let path = fs::canonicalize(&path).ok()?;
    let known = store()
        .and_then(|store| load(&store).ok())
        .unwrap_or_default();
    if known.files.get(&path) == Some(&digest(&text)) {
        return Some((path, text));
    }
    let new = if known.files.contains_key(&path) {
        "has changed since it was trusted"
    } else {
        "is not trusted"
    };
    terminal::report_warning(&format!(
        "the `{WORKSPACE_FILE}` of the workspace {new}, so its servers are not used; `hermes mcp trust` shows them"
    ));
    None
}

/// What stands in the file of a workspace, and what makes it trusted.
///
/// # Errors
///
/// There is no such file, or what is known cannot be kept.
pub(crate) fn trust(
    workspace: &Path,
    agreed: impl FnOnce(&Path, &str) -> Result<bool, CliError>,
) -> Result<bool, CliError> {
    let path = workspace.join(WORKSPACE_FILE);
    if fs::metadata(&path).is_ok_and(|facts| !facts.is_file()) {
        return Err(CliError::Input {
            name: format!("`{}`", path.display()),
            source: io::Error::new(ErrorKind::InvalidInput, "it is no file"),
        });
    }
    let text = read(&path)?;
    // What cannot be used is said before anybody is asked.
    ServerSpec::from_json(&text)?;
    if !agreed(&path, &text)? {
        return Ok(false);
    }
    let kept = || -> io::Result<()> {
        let path = fs::canonicalize(&path)?;
        let store = store().ok_or(ErrorKind::NotFound)?;
        let mut known = load(&store)?;
        known.files.insert(path, digest(&text));
        let folder = store.parent().ok_or(ErrorKind::NotFound)?;
        fs::create_dir_all(folder)?;
        let new = store.with_extension("new");
        fs::write(&new, serde_json::to_vec_pretty(&known)?)?;
        fs::rename(&new, &store)
    };
    kept().map_err(|source| CliError::Input {
        name: "what is known of trusted files".to_owned(),
        source,
    })?;
    Ok(true)
}

fn store() -> Option<PathBuf> {
    state_file("trusted.json")
}

fn load(store: &Path) -> io::Result<Trusted> {
    match fs::read(store) {
        Ok(text) => Ok(serde_json::from_slice(&text)?),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Trusted::default()),
        Err(error) => Err(error),
    }
}

fn digest(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
