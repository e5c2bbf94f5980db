//! Which servers are used, and how.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use hermes_tools::Effect;
use hermes_tools::registry::ServerFilter;

/// A server, how it is reached, and what is taken of it.
#[derive(Debug, Clone)]
pub struct ServerSpec {
    pub(super) name: Box<str>,
    pub(super) way: Way,
    pub(super) filter: ServerFilter,
    pub(super) effects: BTreeMap<String, Effect>,
    pub(super) trusted: bool,
    pub(super) pinned: bool,
    pub(super) start: Duration,
    pub(super) timeout: Duration,
}

/// How a server is reached.
#[derive(Debug, Clone)]
pub(super) enum Way {
    Command(Program),
    Url(Remote),
}

/// A server that we start.
#[derive(Debug, Clone)]
pub(super) struct Program {
    pub(super) command: String,
    pub(super) args: Vec<String>,
    pub(super) env: BTreeMap<String, String>,
    pub(super) cwd: Option<PathBuf>,
}

/// A server that runs somewhere.
#[derive(Debug, Clone)]
pub(super) struct Remote {
    pub(super) url: String,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) protocol: Protocol,
}

/// How messages go over HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Protocol {
    /// Streamable HTTP, and where the server does not speak that, the older one.
    Either,
    /// Streamable HTTP, of the specification since 2025-03-26.
    Streamable,
    /// HTTP with SSE, of the specification of 2024-11-05.
    Sse,
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
    /// A server without a command and without an address, or with both.
    #[error("the server `{0}` needs either a `command` or a `url`")]
    NoCommand(String),
    /// A transport that does not exist.
    #[error("`{kind}` is no transport of the server `{server}`; use `stdio`, `http` or `sse`")]
    Kind {
        /// The server.
        server: String,
        /// What was written.
        kind: String,
    },
    /// An address that is none of the web.
    #[error("`{url}` cannot be the address of the server `{server}`: {why}")]
    Url {
        /// The server.
        server: String,
        /// What was written, without what may be secret in it.
        url: String,
        /// What is wrong with it.
        why: &'static str,
    },
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

impl ServerSpec {
    /// A server that this command starts. Its tools become the toolset `mcp-NAME`.
    ///
    /// # Errors
    ///
    /// [`SpecError::Name`].
    pub fn new(name: &str, command: impl Into<String>) -> Result<Self, SpecError> {
        let program = Program {
            command: command.into(),
            args: Vec::new(),
            env: BTreeMap::new(),
            cwd: None,
        };
        Self::of_way(name, Way::Command(program))
    }

    /// A server at this address, over streamable HTTP or, where it does not speak that, over the older
    /// HTTP with SSE.
    ///
    /// ```
    /// use hermes_mcp::ServerSpec;
    ///
    /// let issues = ServerSpec::remote("issues", "https://mcp.example.org/mcp")?
    ///     .header("Authorization", "Bearer ${ISSUES_TOKEN}");
    /// assert_eq!(issues.name(), "issues");
    /// # Ok::<(), hermes_mcp::SpecError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SpecError::Name`], and [`SpecError::Url`] for what is no address of `http` or `https`, or
    /// holds a password.
    pub fn remote(name: &str, url: impl Into<String>) -> Result<Self, SpecError> {
        let url = url.into();
        if let Err(why) = checked(&url) {
            let shown = url.split(['?', '#', '@']).next().unwrap_or_default();
            return Err(SpecError::Url {
                server: name.to_owned(),
                url: shown.chars().take(100).collect(),
                why,
            });
        }
        let remote = Remote {
            url,
            headers: BTreeMap::new(),
            protocol: Protocol::Either,
        };
        Self::of_way(name, Way::Url(remote))
    }

    fn of_way(name: &str, way: Way) -> Result<Self, SpecError> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if name.is_empty() || name.len() > 40 || !name.bytes().all(fits) {
            return Err(SpecError::Name(name.to_owned()));
        }
        Ok(Self {
            name: name.into(),
            way,
            filter: ServerFilter::default(),
            effects: BTreeMap::new(),
            trusted: false,
            pinned: true,
            start: START,
            timeout: CALL,
        })
    }

    /// Sets the arguments of the command. Here and in the other texts of an entry `${NAME}` stands for a
    /// variable of the environment, and `${NAME:-text}` for one that may be missing.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        if let Way::Command(program) = &mut self.way {
            program.args = args.into_iter().map(Into::into).collect();
        }
        self
    }

    /// Sets a variable of the environment of the server that the command starts.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        if let Way::Command(program) = &mut self.way {
            program.env.insert(name.into(), value.into());
        }
        self
    }

    /// Sets the folder in which the command starts.
    #[must_use]
    pub fn cwd(mut self, folder: impl Into<PathBuf>) -> Self {
        if let Way::Command(program) = &mut self.way {
            program.cwd = Some(folder.into());
        }
        self
    }

    /// Sets a header of every request to a server at an address.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        if let Way::Url(remote) = &mut self.way {
            remote.headers.insert(name.into(), value.into());
        }
        self
    }

    /// Says that a server at an address speaks streamable HTTP, so that nothing else is tried.
    #[must_use]
    pub fn streamable(mut self) -> Self {
        if let Way::Url(remote) = &mut self.way {
            remote.protocol = Protocol::Streamable;
        }
        self
    }

    /// Says that a server at an address speaks HTTP with SSE, as in the specification of 2024-11-05.
    #[must_use]
    pub fn legacy_sse(mut self) -> Self {
        if let Way::Url(remote) = &mut self.way {
            remote.protocol = Protocol::Sse;
        }
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

    /// Says that descriptions and schemas may change without anybody being asked.
    #[must_use]
    pub fn unpinned(mut self) -> Self {
        self.pinned = false;
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

    /// The address, unless a command starts the server.
    pub fn url(&self) -> Option<&str> {
        match &self.way {
            Way::Command(_) => None,
            Way::Url(remote) => Some(&remote.url),
        }
    }

    /// Names that are included, excluded or given an effect, and that none of these tools has, sorted.
    pub(super) fn unknown_names(&self, offered: &BTreeSet<&str>) -> Vec<Box<str>> {
        let filtered = self.filter.include.iter().chain(&self.filter.exclude);
        let named = filtered
            .map(|name| &**name)
            .chain(self.effects.keys().map(String::as_str));
        let unknown: BTreeSet<&str> = named.filter(|name| !offered.contains(name)).collect();
        unknown.into_iter().map(Into::into).collect()
    }

    /// Where the server comes from, in one line: the command with its arguments, or the address.
    pub fn origin(&self) -> String {
        match &self.way {
            Way::Command(program) => {
                let words = std::iter::once(&program.command).chain(&program.args);
                words.map(String::as_str).collect::<Vec<_>>().join(" ")
            }
            Way::Url(remote) => remote.url.clone(),
        }
    }
}

/// Whether a text is the address of a server. Where it begins with a reference to a variable, that is
/// seen when the server is reached.
fn checked(url: &str) -> Result<(), &'static str> {
    if url.starts_with("${") {
        return Ok(());
    }
    let Some((scheme, rest)) = url.split_once("://") else {
        return Err("it has no scheme; write such as `https://example.org/mcp`");
    };
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return Err("its scheme is neither `http` nor `https`");
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() {
        return Err("it has no host");
    }
    if authority.contains('@') {
        return Err("it holds a name or a password; send them in a header");
    }
    if url.contains(|c: char| c.is_control() || c.is_whitespace() || c == '\\') {
        return Err("it holds characters that no address has");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_of_the_web_and_holds_no_password() {
        let refused = |url: &str| ServerSpec::remote("far", url).unwrap_err().to_string();
        assert!(ServerSpec::remote("far", "https://example.org/mcp").is_ok());
        assert!(ServerSpec::remote("far", "http://127.0.0.1:8000").is_ok());
        assert!(ServerSpec::remote("far", "${MCP_URL}").is_ok());
        assert_eq!(
            refused("https://me:secret@example.org/"),
            "`https://me:secret` cannot be the address of the server `far`: it holds a name or a password; send \
             them in a header"
                .replace("https://me:secret", "https://me:secret".split('@').next().unwrap())
        );
        assert_eq!(
            refused("file:///etc/passwd"),
            "`file:///etc/passwd` cannot be the address of the server `far`: its scheme is neither `http` nor `https`"
        );
        assert_eq!(
            refused("example.org/mcp"),
            "`example.org/mcp` cannot be the address of the server `far`: it has no scheme; write such as \
             `https://example.org/mcp`"
        );
        assert!(refused("https:///mcp").contains("it has no host"));
        assert!(refused("https://a\\b/").contains("characters that no address has"));
    }
}
