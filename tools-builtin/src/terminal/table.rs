//! What a session keeps of its commands: where they run, and those in the background.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use hermes_tools::context::Memory;
use hermes_tools::{ErrorKind, ToolContext, ToolError, Workspace};

use super::environment::Environment;
use super::local::Local;
use super::notices::Notices;
use super::options::{Notice, TerminalOptions};
use super::running::{Running, Stop};
use super::watch::{Told, Watch};

/// Processes that are known; those that have ended go first.
const KNOWN: usize = 64;

/// The commands of a session. When it goes, they end.
#[derive(Default)]
pub(crate) struct Table {
    environment: OnceLock<Arc<dyn Environment>>,
    processes: Mutex<Vec<Process>>,
    notices: Arc<Notices>,
    ids: RandomState,
    count: AtomicU64,
}

/// A process in the background.
#[derive(Clone)]
pub(crate) struct Process {
    pub(crate) id: String,
    pub(crate) running: Arc<Running>,
    pub(crate) started: Instant,
}

impl Table {
    /// Where the commands of the session run.
    pub(crate) fn environment(
        &self,
        cx: &ToolContext,
        workspace: &Workspace,
        options: &TerminalOptions,
    ) -> &Arc<dyn Environment> {
        self.environment.get_or_init(|| match &options.environment {
            Some(environment) => Arc::clone(environment),
            None => Arc::new(Local::new(cx, workspace.folder().to_owned(), options)),
        })
    }

    /// Refuses one process more than the session may have.
    pub(crate) fn check_room(&self, most: usize) -> Result<(), ToolError> {
        let processes = self.processes();
        let running = processes.iter().filter(|it| it.running.ended().is_none());
        if running.count() < most {
            return Ok(());
        }
        Err(ToolError::new(
            ErrorKind::RateLimited,
            format!("the session has {most} processes in the background, which is all it may have"),
        )
        .with_help("end one with `process` and the action `kill`, or wait for one"))
    }

    /// Takes a process in, watched as asked, and gives its id.
    pub(crate) fn add(
        &self,
        running: Arc<Running>,
        now: Instant,
        patterns: Vec<String>,
        on_end: bool,
        options: &TerminalOptions,
    ) -> String {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let number = self.ids.hash_one(count) & 0xffff_ffff_ffff;
        let id = format!("proc_{number:012x}");
        let told = Told {
            notices: Arc::clone(&self.notices),
            listener: options.listener.clone(),
        };
        let watch = Watch::new(id.clone(), patterns, on_end, told);
        let process = Process {
            id: id.clone(),
            running,
            started: now,
        };
        let running = Arc::clone(&process.running);
        let mut processes = self.processes();
        while processes.len() >= KNOWN.max(options.processes)
            && let Some(at) = processes.iter().position(|it| it.running.ended().is_some())
        {
            processes.remove(at);
        }
        processes.push(process);
        drop(processes);
        // Who is told of it can look after it.
        running.watch(watch);
        id
    }

    /// The processes, oldest first.
    pub(crate) fn list(&self) -> Vec<Process> {
        self.processes().clone()
    }

    /// The process of an id. It is looked up and nothing else.
    pub(crate) fn get(&self, id: &str) -> Result<Process, ToolError> {
        let processes = self.processes();
        if let Some(process) = processes.iter().find(|it| it.id == id) {
            return Ok(process.clone());
        }
        let known: Vec<String> = processes.iter().map(|it| format!("`{}`", it.id)).collect();
        let help = match &*known {
            [] => "no process was started in the background; start one with `terminal`".to_owned(),
            known => format!("use one of these: {}", known.join(", ")),
        };
        Err(
            ToolError::new(ErrorKind::NotFound, format!("no process has the id `{id}`"))
                .with_help(help),
        )
    }

    /// What has happened since the model was told last.
    pub(crate) fn take_notices(&self) -> Vec<Notice> {
        self.notices.take()
    }

    /// Takes back what the model is about to learn in another way.
    pub(crate) fn end_is_known(&self, process: &Process) {
        process.running.end_is_known();
        let is_end = |notice: &Notice| matches!(notice, Notice::Completed { session_id, .. } if *session_id == process.id);
        self.notices.take_back(is_end);
    }

    fn processes(&self) -> MutexGuard<'_, Vec<Process>> {
        // What is kept is whole after every step.
        self.processes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// Ends every command that is not detached, and waits until it has ended.
    fn end(&self) {
        for process in self.list() {
            if !process.running.is_detached() {
                process.running.stop(Stop::Killed);
            }
        }
        if let Some(environment) = self.environment.get() {
            environment.clean_up();
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        self.end();
    }
}

/// Ends every command of a session, also in the background, and waits until it has ended. A session does so
/// when it goes; a host whose process is about to end without that, because of a signal, says so here.
/// Detached commands go on.
pub fn end_commands(memory: &Memory) {
    memory.get::<Table>().end();
}
