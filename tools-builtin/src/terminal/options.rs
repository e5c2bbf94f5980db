//! What a host may set of the terminal tools.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::environment::Environment;

/// Settings of the terminal tools. A host puts them into the session; one without them has the defaults.
///
/// ```
/// use tools_builtin::{Isolation, TerminalOptions};
///
/// let options = TerminalOptions::new()
///     .pass_through("CARGO_HOME")
///     .writable("/home/dev/.cargo/registry")
///     .isolation(Isolation::Landlock);
/// ```
#[derive(Clone)]
pub struct TerminalOptions {
    pub(crate) isolation: Isolation,
    pub(crate) bubblewrap: Option<PathBuf>,
    pub(crate) pass_through: Vec<String>,
    pub(crate) readable: Vec<PathBuf>,
    pub(crate) writable: Vec<PathBuf>,
    pub(crate) hidden: Vec<PathBuf>,
    pub(crate) output_limit: usize,
    pub(crate) log_limit: usize,
    pub(crate) processes: usize,
    pub(crate) user_processes: Option<u64>,
    pub(crate) detach: bool,
    pub(crate) grace: Duration,
    pub(crate) listener: Option<Arc<Listener>>,
    pub(crate) environment: Option<Arc<dyn Environment>>,
}

pub(crate) type Listener = dyn Fn(&Notice) + Send + Sync;

/// How commands are confined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Isolation {
    /// By Landlock where the kernel has it, and not at all elsewhere.
    #[default]
    Auto,
    /// By Landlock: where the kernel has none, or too little of it, no command runs.
    Landlock,
    /// In a sandbox of bubblewrap: where it is not installed or cannot make one, no command runs.
    Bubblewrap,
    /// Not at all. Commands may then write wherever the user may, and read every secret of theirs.
    Off,
}

/// Something that happened to a process in the background.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Notice {
    /// It has ended.
    Completed {
        /// The id of the process.
        session_id: String,
        /// Its exit code.
        exit_code: i32,
        /// The end of its output.
        output: String,
    },
    /// A line of its output holds a pattern that is watched for.
    Matched {
        /// The id of the process.
        session_id: String,
        /// The pattern.
        pattern: String,
        /// The line.
        line: String,
    },
    /// So many lines matched that its patterns are not watched for any more; its end will be told.
    WatchEnded {
        /// The id of the process.
        session_id: String,
    },
}

impl TerminalOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self {
            isolation: Isolation::Auto,
            bubblewrap: None,
            pass_through: Vec::new(),
            readable: Vec::new(),
            writable: Vec::new(),
            hidden: Vec::new(),
            output_limit: 50_000,
            log_limit: 200_000,
            processes: 64,
            user_processes: Some(4_096),
            detach: true,
            grace: Duration::from_secs(2),
            listener: None,
            environment: None,
        }
    }

    /// Sets how commands are confined.
    #[must_use]
    pub const fn isolation(mut self, isolation: Isolation) -> Self {
        self.isolation = isolation;
        self
    }

    /// Sets where the program `bwrap` is, in place of the usual folders.
    #[must_use]
    pub fn bubblewrap(mut self, program: impl Into<PathBuf>) -> Self {
        self.bubblewrap = Some(program.into());
        self
    }

    /// Hands an environment variable of the session on to commands, by its exact name. Others than those
    /// that programs need to run at all are not handed on.
    #[must_use]
    pub fn pass_through(mut self, name: impl Into<String>) -> Self {
        self.pass_through.push(name.into());
        self
    }

    /// Lets commands read below a folder that holds credentials by its name.
    #[must_use]
    pub fn readable(mut self, path: impl Into<PathBuf>) -> Self {
        self.readable.push(path.into());
        self
    }

    /// Lets commands write below a folder outside the workspace.
    #[must_use]
    pub fn writable(mut self, path: impl Into<PathBuf>) -> Self {
        self.writable.push(path.into());
        self
    }

    /// Keeps commands from reading a file or below a folder.
    #[must_use]
    pub fn hidden(mut self, path: impl Into<PathBuf>) -> Self {
        self.hidden.push(path.into());
        self
    }

    /// Sets how many characters of output a result holds; 50,000 without this.
    #[must_use]
    pub const fn output_limit(mut self, characters: usize) -> Self {
        self.output_limit = characters;
        self
    }

    /// Sets how many processes a session may have in the background; 64 without this.
    #[must_use]
    pub const fn processes(mut self, most: usize) -> Self {
        self.processes = most;
        self
    }

    /// Sets how many processes the user may have, all programs counted, before a command can start no
    /// more; 4,096 without this, and no bound of ours with `None`. The system does not count for root.
    #[must_use]
    pub const fn user_processes(mut self, most: Option<u64>) -> Self {
        self.user_processes = most;
        self
    }

    /// Sets whether a command may be detached, so that it goes on when the session has ended. It may
    /// without this, when the model says so in the call.
    #[must_use]
    pub const fn detach(mut self, may: bool) -> Self {
        self.detach = may;
        self
    }

    /// Sets how long a process has to end by itself after it was asked to; 2 seconds without this.
    #[must_use]
    pub const fn grace(mut self, time: Duration) -> Self {
        self.grace = time;
        self
    }

    /// Sets who is told at once what happens to processes in the background. The model is told with the
    /// next result of a terminal tool in any case.
    #[must_use]
    pub fn on_notice(mut self, listener: impl Fn(&Notice) + Send + Sync + 'static) -> Self {
        self.listener = Some(Arc::new(listener));
        self
    }

    /// Sets where commands run, in place of the host's own system.
    #[must_use]
    pub fn environment(mut self, environment: impl Environment) -> Self {
        self.environment = Some(Arc::new(environment));
        self
    }
}

impl Default for TerminalOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for TerminalOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TerminalOptions")
            .field("isolation", &self.isolation)
            .field("pass_through", &self.pass_through)
            .field("readable", &self.readable)
            .field("writable", &self.writable)
            .finish_non_exhaustive()
    }
}
