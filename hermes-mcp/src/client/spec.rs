//! Which servers are used, and how.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use hermes_tools::Effect;
use hermes_tools::registry::ServerFilter;
use serde::Deserialize;

/// A server that is started by a command.
#[derive(Debug, Clone)]
pub struct ServerSpec {
    pub(super) name: Box<str>,
    pub(super) command: String,
    pub(super) args: Vec<String>,
    pub(super) env: BTreeMap<String, String>,
    pub(super) cwd: Option<PathBuf>,
    pub(super) filter: ServerFilter,
    pub(super) effects: BTreeMap<String, Effect>,
    pub(super) trusted: bool,
    pub(super) start: Duration,
    pub(super) timeout: Duration,
}

/// Why a list of servers cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// The text is not what clients keep under `mcpServers`.
    #[error(
        "the servers cannot be read: {0}; write {{\"mcpServers\": {{\"NAME\": {{\"command\": \"...\"}}}}}}"
    )]
    Syntax(#[from] serde_json::Error),
    /// A name that cannot be part of a toolset's name.
    #[error("`{0}` cannot be the name of a server; use ASCII letters, digits, `_` and `-`")]
    Name(String),
    /// A server without a command.
    #[error(
        "the server `{0}` has no `command`, and others than those that a command starts cannot be used; remove it, or start a bridge to it"
    )]
    NoCommand(String),
    /// An effect that does not exist.
    #[error(
        "`{effect}` is no effect of a tool of `{server}`; use `read`, `write` or `destructive`"
    )]
    Effect {
        /// The server.
        server: String,
        /// What was written.
        effect: String,
    },
}

/// How long a server may take until it has listed its tools, and a call when nothing else is said.
const START: Duration = Duration::from_secs(30);
const CALL: Duration = Duration::from_mins(2);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    mcp_servers: BTreeMap<String, Entry>,
}

/// An entry as clients write it. What else they put there is theirs.
#[derive(Deserialize)]
struct Entry {
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    cwd: Option<PathBuf>,
    #[serde(default)]
    disabled: bool,
    #[serde(default)]
    include: Vec<Box<str>>,
    #[serde(default)]
    exclude: Vec<Box<str>>,
    #[serde(default)]
    effects: BTreeMap<String, String>,
    #[serde(default)]
    trusted: bool,
}

impl ServerSpec {
    /// A server that this command starts. Its tools become the toolset `mcp-NAME`.
    ///
    /// # Errors
    ///
    /// [`SpecError::Name`].
    pub fn new(name: &str, command: impl Into<String>) -> Result<Self, SpecError> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if name.is_empty() || name.len() > 40 || !name.bytes().all(fits) {
            return Err(SpecError::Name(name.to_owned()));
        }
        Ok(Self {
            name: name.into(),
            command: command.into(),
            args: Vec::new(),
            env: BTreeMap::new(),
            cwd: None,
            filter: ServerFilter::default(),
            effects: BTreeMap::new(),
            trusted: false,
            start: START,
            timeout: CALL,
        })
    }

    /// The servers of a client's configuration, the object under `mcpServers`, those that are
    /// `disabled` left out.
    ///
    /// Beside `command`, `args`, `env` and `cwd` an entry may say which tools are taken (`include`,
    /// `exclude`), what they do (`effects`, such as `{"search": "read"}`), and that the server is
    /// `trusted`, so that its results are not marked. Other keys are passed over.
    ///
    /// ```
    /// let text = r#"{"mcpServers": {"notes": {"command": "notes-server", "effects": {"find": "read"}}}}"#;
    /// let servers = hermes_mcp::ServerSpec::from_json(text)?;
    /// assert_eq!(servers[0].name(), "notes");
    /// # Ok::<(), hermes_mcp::SpecError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The text is not of that form, or a server in it cannot be used.
    pub fn from_json(text: &str) -> Result<Vec<Self>, SpecError> {
        let file: File = serde_json::from_str(text)?;
        let used = file.mcp_servers.into_iter().filter(|(_, it)| !it.disabled);
        used.map(|(name, entry)| Self::of_entry(&name, entry))
            .collect()
    }

    fn of_entry(name: &str, entry: Entry) -> Result<Self, SpecError> {
        let Some(command) = entry.command else {
            return Err(SpecError::NoCommand(name.to_owned()));
        };
        let mut spec = Self::new(name, command)?;
        for (tool, effect) in entry.effects {
            let known = [Effect::Read, Effect::Write, Effect::Destructive];
            let Some(known) = known.into_iter().find(|it| it.as_str() == effect) else {
                let server = name.to_owned();
                return Err(SpecError::Effect { server, effect });
            };
            spec.effects.insert(tool, known);
        }
        spec.args = entry.args;
        spec.env = entry.env;
        spec.cwd = entry.cwd;
        spec.filter = ServerFilter {
            include: entry.include,
            exclude: entry.exclude,
        };
        spec.trusted = entry.trusted;
        Ok(spec)
    }

    /// Sets the arguments of the command.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.args = args.into_iter().map(Into::into).collect();
        self
    }

    /// Sets a variable of the environment of the server.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.env.insert(name.into(), value.into());
        self
    }

    /// Sets which tools are taken, by the server's own names.
    #[must_use]
    pub fn filter(mut self, filter: ServerFilter) -> Self {
        self.filter = filter;
        self
    }

    /// Says what a tool does. One of which nothing is said counts as destructive; what the server says
    /// of it makes it no milder.
    #[must_use]
    pub fn effect(mut self, tool: impl Into<String>, effect: Effect) -> Self {
        self.effects.insert(tool.into(), effect);
        self
    }

    /// Says that results hold nothing that strangers wrote, so that they are not marked.
    #[must_use]
    pub fn trusted(mut self) -> Self {
        self.trusted = true;
        self
    }

    /// Sets how long the server may take until it has listed its tools; 30 seconds without this.
    #[must_use]
    pub fn start_within(mut self, limit: Duration) -> Self {
        self.start = limit;
        self
    }

    /// Sets how long a call may take; two minutes without this.
    #[must_use]
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = limit;
        self
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        ServerSpec::from_json(text).unwrap_err().to_string()
    }

    #[test]
    fn a_client_s_file_is_read_and_what_is_disabled_is_left_out() {
        let text = r#"{"theme": "dark", "mcpServers": {
            "b": {"type": "stdio", "command": "b", "args": ["-x"], "env": {"K": "v"}, "alwaysAllow": []},
            "a": {"command": "a", "disabled": true},
            "c": {"command": "c", "exclude": ["rm"], "effects": {"ls": "read"}, "trusted": true}}}"#;
        let specs = ServerSpec::from_json(text).unwrap();
        assert_eq!(specs.len(), 2);
        assert_eq!((specs[0].name(), specs[0].args[0].as_str()), ("b", "-x"));
        assert_eq!(specs[0].env["K"], "v");
        assert!(!specs[0].trusted && specs[1].trusted);
        assert!(specs[1].filter.takes("ls") && !specs[1].filter.takes("rm"));
        assert_eq!(specs[1].effects["ls"], Effect::Read);
    }

    #[test]
    fn what_cannot_be_used_is_refused_with_what_to_write() {
        assert_eq!(
            refused(r#"{"mcpServers": {"far": {"url": "https://example.org/mcp"}}}"#),
            "the server `far` has no `command`, and others than those that a command starts cannot be used; \
             remove it, or start a bridge to it"
        );
        assert_eq!(
            refused(r#"{"mcpServers": {"a b": {"command": "x"}}}"#),
            "`a b` cannot be the name of a server; use ASCII letters, digits, `_` and `-`"
        );
        assert_eq!(
            refused(r#"{"mcpServers": {"a": {"command": "x", "effects": {"t": "none"}}}}"#),
            "`none` is no effect of a tool of `a`; use `read`, `write` or `destructive`"
        );
        assert!(refused("[]").starts_with("the servers cannot be read: "));
    }
}
