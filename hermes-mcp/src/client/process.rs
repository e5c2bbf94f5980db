//! The process of a server.

use std::io;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::expand::expand;
#[cfg(unix)]
use super::keeper::Keeper;
use super::spec::Program;

/// A server that runs, in a process group of its own. When it is dropped the whole group is killed.
pub(super) struct Process {
    child: Child,
    #[cfg(unix)]
    group: Option<Pid>,
    #[cfg(unix)]
    _keeper: Option<Keeper>,
    log: Arc<Mutex<Tail>>,
}

/// The end of what a server has written to its standard error.
#[derive(Default)]
struct Tail(Vec<u8>);

/// How much of the standard error is kept, in bytes.
const KEPT: usize = 16 * 1024;

/// How long a server may take to end when its input has ended, and again when it is told to.
const GRACE: Duration = Duration::from_secs(2);

/// What a server gets of our environment. Whatever else it needs, its entry says.
const INHERITED: [&str; 11] = [
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ",
    "USER",
];

impl Process {
    /// Starts a server, and gives its output and its input.
    pub(super) fn start(
        program: &Program,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> io::Result<(Self, ChildStdout, ChildStdin)> {
        let filled = |text: &String| {
            expand(text, environment)
                .map_err(|name| io::Error::other(format!("the variable `{name}` is not set")))
        };
        let mut command = Command::new(filled(&program.command)?);
        command.env_clear().kill_on_drop(true);
        for argument in &program.args {
            command.arg(filled(argument)?);
        }
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        command.process_group(0);
        for name in INHERITED {
            if let Some(value) = environment(name) {
                command.env(name, value);
            }
        }
        for (name, value) in &program.env {
            command.env(name, filled(value)?);
        }
        if let Some(folder) = &program.cwd {
            command.current_dir(folder);
        }
        let mut child = command.spawn()?;
        let taken = (child.stdout.take(), child.stdin.take(), child.stderr.take());
        let (Some(output), Some(input), Some(mut errors)) = taken else {
            return Err(io::Error::other("a pipe is missing"));
        };
        let log: Arc<Mutex<Tail>> = Arc::default();
        let tail = Arc::clone(&log);
        tokio::spawn(async move {
            let mut part = [0; 1024];
            while let Ok(read @ 1..) = errors.read(&mut part).await {
                lock(&tail).push(&part[..read]);
            }
        });
        #[cfg(unix)]
        let group = child
            .id()
            .and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let this = Self {
            #[cfg(unix)]
            _keeper: group.and_then(Keeper::of),
            #[cfg(unix)]
            group,
            child,
            log,
        };
        Ok((this, output, input))
    }

    /// The end of what it has written to its standard error.
    pub(super) fn log(&self) -> String {
        String::from_utf8_lossy(&lock(&self.log).0).into_owned()
    }

    /// Waits for its end after its input was closed. One that does not end is told to; where that does
    /// not help either, it is killed when this is dropped.
    pub(super) async fn end(&mut self) {
        if tokio::time::timeout(GRACE, self.child.wait()).await.is_ok() {
            return;
        }
        #[cfg(unix)]
        {
            self.signal(Signal::TERM);
            // The drop comes next.
            let _ = tokio::time::timeout(GRACE, self.child.wait()).await;
        }
    }

    #[cfg(unix)]
    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            // A group that is gone already needs no signal.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for Process {
    /// Children of the server may be there when the server itself is not any more. Where there are no
    /// process groups, the server alone is killed.
    fn drop(&mut self) {
        #[cfg(unix)]
        self.signal(Signal::KILL);
    }
}

impl Tail {
    fn push(&mut self, part: &[u8]) {
        self.0.extend_from_slice(part);
        let surplus = self.0.len().saturating_sub(KEPT);
        self.0.drain(..surplus);
    }
}

fn lock(tail: &Mutex<Tail>) -> std::sync::MutexGuard<'_, Tail> {
    // Bytes are whole at every moment.
    tail.lock().unwrap_or_else(PoisonError::into_inner)
}
