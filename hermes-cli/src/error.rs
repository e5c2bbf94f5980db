//! What keeps a command from doing its work. The errors of tools are answers, and none of these.

use std::io;
use std::path::PathBuf;

use hermes_mcp::HttpError;
use hermes_tools::registry::DuplicateTools;
use hermes_tools::{BuildError, Tool, ToolEntry, ToolError, ToolRegistry, names};
use hermes_toolsets::{ConfigError, DuplicateToolset, SelectError, sources};
use serde::Serialize;

use crate::code::{self, Row};
use crate::exit::Exit;

/// Why a command ended. Each is told in one line.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// Two packs bring tools of one name.
    #[error(transparent)]
    DuplicateTools(#[from] DuplicateTools),
    /// A tool takes state that only another host has, a name that was selected is no tool, or a rule of the
    /// policy does not read.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Two packs bring toolsets of one name.
    #[error(transparent)]
    DuplicateToolset(#[from] DuplicateToolset),
    /// A toolset or a source of the session that does not exist.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// The configuration cannot be used. Nothing runs without it: what is left may be wider.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// No linked tool has this name.
    #[error("there is no tool `{name}`")]
    UnknownTool {
        /// The name as it was given.
        name: String,
        /// Linked tools of nearly this name.
        near: Vec<&'static str>,
    },
    /// The folder cannot be opened.
    #[error("cannot open the workspace `{}`: {source}", path.display())]
    Workspace {
        /// The folder as it was given.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// No folder for checkpoints is known.
    #[error("no checkpoints are kept")]
    NoCheckpoints,
    /// A checkpoint cannot be looked at or put back.
    #[error("{}", .0.message())]
    Checkpoint(ToolError),
    /// A file or the standard input cannot be read.
    #[error("cannot read {name}: {source}")]
    Input {
        /// The file in backticks, or `the standard input`.
        name: String,
        /// What the system says.
        source: io::Error,
    },
    /// An argument of a tool that is written wrongly on the command line.
    #[error("{problem}")]
    Argument {
        /// What is wrong.
        problem: String,
        /// What to write instead.
        help: &'static str,
    },
    /// The line that clap refuses.
    #[error("{message}")]
    CommandLine {
        /// What is wrong.
        message: String,
        /// What to write instead, and where more is said.
        help: String,
    },
    /// Ctrl-C cannot be watched for.
    #[error("cannot watch for Ctrl-C: {0}")]
    Signal(#[from] ctrlc::Error),
    /// The MCP servers of a file cannot be used.
    #[error(transparent)]
    Servers(#[from] hermes_mcp::SpecError),
    /// There is no such server in the file.
    #[error("there is no server `{name}` in the file")]
    UnknownServer {
        /// The name as it was given.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// There is no folder whose servers could be trusted.
    #[error("there is no workspace")]
    NoWorkspace,
    /// No folder for the state of the user is known.
    #[error("no folder for tokens is known")]
    NoState,
    /// Nobody is signed in to a server.
    #[error(transparent)]
    Login(#[from] hermes_mcp::LoginError),
    /// What needs a yes did not get one.
    #[error("{0}")]
    NotApproved(String),
    /// What was approved of a server cannot be read or kept.
    #[error("nothing was approved of `{server}`: {fault}")]
    NotKept {
        /// The server.
        server: String,
        /// The file, and what is wrong with it.
        fault: String,
    },
    /// An MCP client could not be served.
    #[error(transparent)]
    Serve(#[from] hermes_mcp::ServeError),
    /// Nothing could be served over HTTP.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The standard output cannot be written.
    #[error("cannot write to the standard output: {0}")]
    Output(#[source] io::Error),
}

/// An error as programs read it.
#[derive(Debug, Serialize)]
struct Failure<'a> {
    ok: bool,
    error: Body<'a>,
}

#[derive(Debug, Serialize)]
struct Body<'a> {
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

impl CliError {
    /// No linked tool has this name.
    pub(crate) fn unknown_tool(name: String, registry: &ToolRegistry) -> Self {
        let snapshot = registry.snapshot();
        let linked = snapshot.tools().iter().filter_map(Tool::entry);
        let near = names::near(&name, linked.map(ToolEntry::name));
        Self::UnknownTool { name, near }
    }

    /// The stable code, for programs.
    pub(crate) fn code(&self) -> &'static str {
        match (self, self.row()) {
            (Self::Checkpoint(error), _) => error.code(),
            (_, row) => row.code,
        }
    }

    /// The row of the catalogue. An error of a checkpoint has the code of errors of calls.
    const fn row(&self) -> Row {
        match self {
            Self::DuplicateTools(_) => code::DUPLICATE_TOOLS,
            Self::Build(error) if !error.rules.is_empty() => code::UNREADABLE_RULE,
            Self::Build(error) if error.missing.is_empty() => code::UNKNOWN_TOOL,
            Self::Build(_) => code::MISSING_STATE,
            Self::DuplicateToolset(_) => code::DUPLICATE_TOOLSET,
            Self::Select(SelectError::UnknownToolsets(_)) => code::UNKNOWN_TOOLSET,
            Self::Select(_) => code::NO_DEFAULT_TOOLSET,
            Self::Config(_) | Self::Servers(_) | Self::UnknownServer { .. } => code::BAD_CONFIG,
            Self::UnknownTool { .. } => code::UNKNOWN_TOOL,
            Self::Workspace { .. } | Self::NoWorkspace => code::BAD_WORKSPACE,
            Self::NoState => code::NO_STATE,
            Self::Login(_) => code::NOT_SIGNED_IN,
            Self::NotApproved(_) | Self::NotKept { .. } => code::NOT_APPROVED,
            Self::NoCheckpoints | Self::Checkpoint(_) => code::NO_CHECKPOINTS,
            Self::Input { .. } => code::UNREADABLE_INPUT,
            Self::Argument { .. } => code::BAD_ARGUMENT,
            Self::CommandLine { .. } => code::USAGE,
            Self::Signal(_) => code::SIGNAL,
            Self::Serve(_) | Self::Http(_) => code::NOT_SERVED,
            Self::Output(_) => code::OUTPUT,
        }
    }

    /// What to do next, where the message does not say so itself.
    pub(crate) fn help(&self) -> Option<String> {
        match self {
            Self::UnknownTool { near, .. } if near.is_empty() => {
                Some("`hermes tools --all` lists all names".to_owned())
            }
            Self::UnknownTool { near, .. } => {
                Some(format!("did you mean `{}`?", near.join("` or `")))
            }
            Self::Select(SelectError::NoDefault { source_name }) => {
                Some(known_sources(source_name))
            }
            Self::UnknownServer { known, .. } if known.is_empty() => Some("it has none".to_owned()),
            Self::UnknownServer { known, .. } => Some(format!("it has `{}`", known.join("`, `"))),
            Self::Argument { help, .. } => Some((*help).to_owned()),
            Self::CommandLine { help, .. } => Some(help.clone()),
            Self::Checkpoint(error) => error.help().map(str::to_owned),
            Self::NotKept { .. } => Some(
                "put that right, or remove the file, after which every tool counts as new"
                    .to_owned(),
            ),
            Self::Workspace { .. }
            | Self::NoWorkspace
            | Self::NoState
            | Self::Login(_)
            | Self::NotApproved(_)
            | Self::NoCheckpoints
            | Self::Input { .. }
            | Self::Signal(_)
            | Self::Output(_) => Some(self.row().next.to_owned()),
            _ => None,
        }
    }

    /// How the program ends.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            // Whoever read the output has seen enough.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Success,
            Self::DuplicateTools(_)
            | Self::DuplicateToolset(_)
            | Self::Build(_)
            | Self::Signal(_)
            | Self::Serve(_)
            | Self::Http(HttpError::Io(_))
            | Self::Output(_) => Exit::Broken,
            Self::NotApproved(_) | Self::NotKept { .. } => Exit::CallFailed,
            _ => Exit::Usage,
        }
    }

    /// The error and what to do next, for people.
    pub(crate) fn line(&self) -> String {
        match self.help() {
            Some(help) => format!("{self}; {help}"),
            None => self.to_string(),
        }
    }

    /// The error as one JSON object: `ok` and `error` with `code`, `message` and maybe `help`.
    pub(crate) fn json(&self) -> String {
        let (message, help) = (self.to_string(), self.help());
        let body = Body {
            code: self.code(),
            message: &message,
            help: help.as_deref(),
        };
        crate::json::text(&Failure {
            ok: false,
            error: body,
        })
    }
}

/// The sources that there are, and the one that was probably meant.
fn known_sources(name: &str) -> String {
    let known: Vec<&str> = sources().collect();
    let list = format!("sources with a default: {}", known.join(", "));
    match names::nearest(name, sources()) {
        Some(nearest) => format!("did you mean `{nearest}`? {list}"),
        None => list,
    }
}
