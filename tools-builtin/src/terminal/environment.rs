//! Where commands run.

use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use hermes_tools::ToolError;

use super::overflow::Overflow;
use super::running::{Running, Stop};

/// A place where commands run: the host's own system, or a container or another machine.
///
/// It keeps what a shell keeps between commands, the working folder and the exported variables. It is
/// shared by all calls of a session, and made to end when the session does.
pub trait Environment: Send + Sync + 'static {
    /// Makes it ready for commands. Called before each, so it does nothing when it is ready.
    fn start(&self) -> EnvironmentFuture<'_, ()>;

    /// Starts a command. It is ready when the command runs, not when it has ended.
    fn run(&self, job: Job) -> EnvironmentFuture<'_, Arc<Running>>;

    /// The folder in which the next command starts.
    fn cwd(&self) -> PathBuf;

    /// The variables of the next command, as the commands before left them.
    fn env(&self) -> Vec<(String, String)>;

    /// Stops every command that a call waits for.
    fn interrupt(&self);

    /// What of a failed command was refused by the environment and not by the system, as a sentence for
    /// the model; `output` is what the command printed.
    fn refused(&self, output: &str) -> Option<String> {
        let _ = output;
        None
    }

    /// What the environment has to say of the command that ended last, as sentences for the model, once.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Ends everything that was started here, and waits until it has ended.
    fn clean_up(&self);
}

/// What an environment does in its own time.
pub type EnvironmentFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, ToolError>> + Send + 'a>>;

/// A command to run.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Job {
    /// The command line, as a shell takes it.
    pub command: String,
    /// The folder to start in, when it is not that of the commands before.
    pub folder: Option<PathBuf>,
    /// How long it may go on.
    pub lasts: Lasts,
    /// Whether it gets a terminal of its own.
    pub pty: bool,
    /// What it reads, or reads first where its input stays open: that of a command in the background.
    pub input: Option<String>,
    /// How many bytes of each end of the output are kept.
    pub keep: (usize, usize),
    /// Where output goes that is longer than that.
    pub overflow: Option<Overflow>,
    /// Whether output is handed on while it comes.
    pub live: bool,
}

/// How long a command may go on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lasts {
    /// As long as its call, which waits for it.
    #[default]
    Call,
    /// As long as the session. What it changes of its own folder and variables is not kept.
    Session,
    /// Also when the session has ended. Nobody reads its output then, so that goes to a file
    /// (`Running::set_output_file`).
    Detached,
}

/// What an environment can do to a command that runs.
pub trait Control: Send + Sync + 'static {
    /// Ends the command and everything that it has started: first asks, then makes it. Returns at once.
    fn stop(&self, why: Stop);

    /// Ends what a command has left behind that has ended by itself, and says whether there was anything.
    fn end_rest(&self) -> EnvironmentFuture<'_, bool> {
        Box::pin(std::future::ready(Ok(false)))
    }

    /// Writes to its input.
    ///
    /// # Errors
    ///
    /// It has no input, it has closed it, or it does not read it.
    fn write(&self, bytes: &[u8]) -> io::Result<()>;

    /// Ends its input.
    ///
    /// # Errors
    ///
    /// It has no input.
    fn close(&self) -> io::Result<()>;

    /// The number of its process on the host, where it has one.
    fn pid(&self) -> Option<u32>;
}
