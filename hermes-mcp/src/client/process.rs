//! The process of a server.

use std::io;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::watch;

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
    log: Arc<Log>,
}

/// The end of what a server has written to its standard error.
pub(super) struct Log {
    tail: Mutex<Vec<u8>>,
    /// Whether nothing more will come.
    ended: watch::Sender<bool>,
}

/// How long the last words of a server are waited for; a child of it may hold its standard error open.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How much of the standard error is kept, in bytes.
pub(super) const KEPT: usize = 16 * 1024;

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
        let keeper = Keeper::begin();
        #[cfg(unix)]
        command.process_group(match &keeper {
            Some(keeper) => keeper.group().as_raw_nonzero().get(),
            None => 0,
        });
        for name in INHERITED {
            if let Some(value) = environment(name) {
                command.env(name, value);
            }
        }
        for (name, value) in &program.env {
            command.env(name, filled(value)?);
        }
        if let Some(folder) = &program.cwd {
            // The system would say that the command is not there.
            if !folder.is_dir() {
                let text = format!("its `cwd` `{}` is no folder", folder.display());
                return Err(io::Error::other(text));
            }
            command.current_dir(folder);
        }
        let mut child = command.spawn()?;
        let taken = (child.stdout.take(), child.stdin.take(), child.stderr.take());
        let (Some(output), Some(input), Some(mut errors)) = taken else {
            return Err(io::Error::other("a pipe is missing"));
        };
        let log = Arc::new(Log {
            tail: Mutex::default(),
            ended: watch::channel(false).0,
        });
        let kept = Arc::clone(&log);
        tokio::spawn(async move {
            let mut part = [0; 1024];
            while let Ok(read @ 1..) = errors.read(&mut part).await {
                kept.push(&part[..read]);
            }
            kept.ended.send_replace(true);
        });
        #[cfg(unix)]
        let group = match &keeper {
            Some(keeper) => Some(keeper.group()),
            None => child
                .id()
                .and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)),
        };
        let this = Self {
            #[cfg(unix)]
            _keeper: keeper,
            #[cfg(unix)]
            group,
            child,
            log,
        };
        Ok((this, output, input))
    }

    /// The end of what it has written to its standard error.
    pub(super) fn log(&self) -> &Arc<Log> {
        &self.log
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

impl Log {
    /// The end of it, of at most so many bytes, once all has come or nothing more is waited for.
    pub(super) async fn text(&self, most: usize) -> String {
        let mut ended = self.ended.subscribe();
        // What is late is late.
        let _ = tokio::time::timeout(LAST_WORDS, ended.wait_for(|ended| *ended)).await;
        let tail = self.lock();
        let part = &tail[tail.len().saturating_sub(most)..];
        // A character that was cut in two is left out.
        let cut = part.iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80);
        String::from_utf8_lossy(&part[cut.count()..]).into_owned()
    }

    fn push(&self, part: &[u8]) {
        let mut tail = self.lock();
        tail.extend_from_slice(part);
        let surplus = tail.len().saturating_sub(KEPT);
        tail.drain(..surplus);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<u8>> {
        // Bytes are whole at every moment.
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_end_of_a_log_is_told_without_half_a_character() {
        let log = Log {
            tail: Mutex::default(),
            ended: watch::channel(true).0,
        };
        assert_eq!(log.text(9).await, "");
        log.push("one \u{20ac}ur".as_bytes());
        assert_eq!(log.text(9).await, "one \u{20ac}ur");
        assert_eq!(log.text(5).await, "\u{20ac}ur");
        assert_eq!(log.text(4).await, "ur");
        assert_eq!(log.text(3).await, "ur");
        log.push(&[b'x'; KEPT]);
        assert_eq!(log.text(2 * KEPT).await, "x".repeat(KEPT));
    }
}
