//! `[mcp.servers.NAME]`: servers of the Model Context Protocol whose tools a session may have.

use std::collections::BTreeMap;
use std::time::Duration;

use hermes_tools::Effect;

use super::error::Place;

/// A server as its operator wrote it. What each part means, the crate that connects to it says; here are no
/// more than texts of the right kind.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct McpServer {
    /// The name, of ASCII letters, digits, `_` and `-`. Its tools are the toolset `mcp-NAME`.
    pub name: Box<str>,
    /// How it is reached.
    pub way: McpWay,
    /// Only these tools, by the server's own names, where there are any.
    pub include: Vec<Box<str>>,
    /// All but these tools.
    pub exclude: Vec<Box<str>>,
    /// What tools do, by the server's own names. Others count as destructive.
    pub effects: BTreeMap<Box<str>, Effect>,
    /// Whether its results hold nothing that strangers wrote.
    pub trusted: bool,
    /// How long a call may take, where that is said.
    pub timeout: Option<Duration>,
    /// How long it may take until it has listed its tools, where that is said.
    pub start_timeout: Option<Duration>,
    /// What is asked about it.
    pub approval: McpApproval,
    /// Where its command or its address stands in the file.
    pub(super) at: Option<Place>,
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq)]
pub enum McpWay {
    /// A command starts it, and it talks over its pipes.
    Command {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables of its environment.
        env: BTreeMap<String, String>,
        /// The folder in which it starts.
        cwd: Option<String>,
    },
    /// It is there, at an address.
    Url {
        /// The address.
        url: String,
        /// Headers of every request.
        headers: BTreeMap<String, String>,
        /// `http` or `sse`, where the operator said which.
        transport: Option<McpTransport>,
    },
}

/// How messages go to a server at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum McpTransport {
    /// Streamable HTTP.
    Http,
    /// HTTP with SSE, as in 2024.
    Sse,
}

/// What is asked about a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum McpApproval {
    /// Every call of its tools.
    Always,
    /// A tool that is no longer what was approved.
    #[default]
    Changed,
    /// Nothing beyond what is asked of every tool.
    Never,
}

impl Default for McpWay {
    fn default() -> Self {
        Self::Command {
            command: String::new(),
            args: Vec::new(),
            env: BTreeMap::new(),
            cwd: None,
        }
    }
}

impl McpServer {
    /// The toolset of its tools.
    pub fn toolset(&self) -> String {
        hermes_tools::registry::foreign_toolset(&self.name)
    }
}
