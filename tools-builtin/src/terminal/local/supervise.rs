//! The thread that stands by one command: it takes the output, sees the end, and ends it by force.
//!
//! It waits in the kernel for the pipe, the process and orders, all at once. The few limits here are
//! those of the system's own time: how long a pipe has been silent, and how long a process that was asked
//! to end has for it.

use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use hermes_tools::{ErrorKind, ToolError};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::feed::Feed;
use super::pipes::Held;
use super::spawn::{Source, Started};
use super::tree::{Force, Tree};
use crate::terminal::environment::{Control, EnvironmentFuture};
use crate::terminal::reply::reply;
use crate::terminal::running::{End, Running, Stop};

/// A pipe that a child still holds after the shell has ended is read until it is silent for this long,
const QUIET: Duration = Duration::from_millis(100);

/// and no longer than this.
const DRAIN: Duration = Duration::from_secs(2);

/// How long a terminal is silent before the end of its input is said again: a program that asks for a
/// password throws away what was typed before.
const AGAIN: Duration = Duration::from_secs(1);

/// How often is looked at what tells nobody that it has changed.
const LOOK: Duration = Duration::from_millis(20);

/// What is done with a command at its end.
pub(super) type AtEnd = Box<dyn FnOnce(&mut End) + Send>;

/// One command, beside its thread.
pub(super) struct Supervised {
    child: Child,
    source: Option<Source>,
    orders: PipeReader,
    shared: Arc<Shared>,
    running: Arc<Running>,
    owned: Owned,
    grace: Duration,
    at_end: Option<AtEnd>,
    status: Option<ExitStatus>,
    reading: bool,
    /// Set when the shell has ended, while somebody may still hold the pipe.
    silent: Option<Silent>,
    /// When the end of the input is said again, where it has to be.
    again: Option<Instant>,
    /// When a command that was asked to end is made to.
    force: Option<Instant>,
    /// Whether the end was told. After that only the pipe is emptied.
    ended: bool,
}

/// When a pipe is taken for silent, and when it is left in any case.
#[derive(Clone, Copy)]
struct Silent {
    quiet: Instant,
    last: Instant,
}

impl Silent {
    fn end(&self) -> Instant {
        self.quiet.min(self.last)
    }
}

/// What the thread and those who control the command share.
struct Shared {
    pid: u32,
    mark: String,
    grace: Duration,
    feed: Mutex<Feed>,
    stop: Mutex<Option<Stop>>,
    /// Wakes the thread.
    wake: PipeWriter,
}

/// What the processes of a command are known by.
pub(super) struct Owned {
    pub(super) mark: String,
    /// The pipe that they print to.
    pub(super) held: Option<Held>,
}

/// Stands by a command until it and its output have ended.
pub(super) fn supervise(
    started: Started,
    running: &Arc<Running>,
    owned: Owned,
    grace: Duration,
    mut feed: Feed,
    at_end: AtEnd,
) -> io::Result<()> {
    let (orders, wake) = io::pipe()?;
    feed.connect(started.input);
    let again = feed.says_end_again().then(|| Instant::now() + AGAIN);
    let shared = Arc::new(Shared {
        pid: started.child.id(),
        mark: owned.mark.clone(),
        grace,
        feed: Mutex::new(feed),
        stop: Mutex::new(None),
        wake,
    });
    running.controlled_by(Controlled(Arc::clone(&shared)));
    let supervised = Supervised {
        child: started.child,
        reading: started.output.is_some(),
        source: started.output,
        orders,
        shared,
        running: Arc::clone(running),
        owned,
        grace,
        at_end: Some(at_end),
        status: None,
        silent: None,
        again,
        force: None,
        ended: false,
    };
    thread::Builder::new()
        .name("hermes-command".to_owned())
        .spawn(move || supervised.run())?;
    Ok(())
}

impl Supervised {
    fn run(mut self) {
        let process = self.process();
        let mut buffer = vec![0; 64 << 10];
        while self.reading || !self.ended {
            let ready = self.wait(process.as_ref(), self.limit(process.is_some()));
            if ready.output {
                self.read(&mut buffer);
            }
            if ready.input {
                self.shared.feed().flow();
            }
            if ready.order {
                // What it says is in `stop`; when the other side is gone there will be no more.
                let mut order = [0; 16];
                let _ = self.orders.read(&mut order);
            }
            if !self.reading {
                self.owned.held = None;
            }
            if !self.ended {
                self.look(&mut buffer);
            }
        }
    }

    /// How long to wait for something to happen.
    fn limit(&self, tells_end: bool) -> Option<Duration> {
        match self.silent {
            _ if self.ended => None,
            _ if self.force.is_some() => Some(LOOK),
            Some(silent) => Some(silent.end().saturating_duration_since(Instant::now())),
            None if tells_end => self
                .again
                .map(|again| again.saturating_duration_since(Instant::now())),
            None => Some(LOOK),
        }
    }

    fn read(&mut self, buffer: &mut [u8]) {
        let Some(source) = &mut self.source else {
            return;
        };
        match source.read(buffer) {
            Ok(0) => self.reading = false,
            Ok(length) => {
                if length == buffer.len() {
                    source.widen();
                }
                if let Some(again) = &mut self.again {
                    *again = Instant::now() + AGAIN;
                }
                self.running.push(&buffer[..length]);
                if let Some(silent) = &mut self.silent {
                    silent.quiet = Instant::now() + QUIET;
                }
            }
            Err(error) if is_transient(&error) => {}
            Err(_) => self.reading = false,
        }
    }

    /// Sees what has happened, and does what is to be done about it.
    fn look(&mut self, buffer: &mut [u8]) {
        let stop = self.stop();
        if self.again.is_some_and(|again| again <= Instant::now()) {
            self.shared.feed().end_again();
            self.again = Some(Instant::now() + AGAIN);
        }
        if stop.is_some() && self.force.is_none() {
            self.tree().end(Force::Ask);
            self.force = Some(Instant::now() + self.grace);
        }
        if self.status.is_none()
            && let Ok(Some(status)) = self.child.try_wait()
        {
            self.status = Some(status);
            let now = Instant::now();
            self.silent = Some(Silent {
                quiet: now + QUIET,
                last: now + DRAIN,
            });
        }
        let is_over = if let Some(force) = self.force {
            self.is_stopped(force, buffer)
        } else {
            self.status.is_some() && (!self.reading || self.is_silent())
        };
        if is_over {
            self.finish(stop);
        }
    }

    /// Whether nothing more is to be waited for in the pipe. On a busy machine a child may not have had
    /// its turn yet, and is no silent one.
    fn is_silent(&mut self) -> bool {
        let now = Instant::now();
        let Some(silent) = self.silent.filter(|silent| silent.end() <= now) else {
            return false;
        };
        let found_at_once = Tree {
            pipes: &[],
            ..self.tree()
        };
        if now < silent.last && found_at_once.is_busy() {
            self.silent = Some(Silent {
                quiet: now + LOOK,
                ..silent
            });
            return false;
        }
        true
    }

    /// Whether nothing is left of a command that was asked to end; it is made to when its time is over.
    fn is_stopped(&mut self, force: Instant, buffer: &mut [u8]) -> bool {
        let is_gone = self.status.is_some() && !self.tree().is_alive();
        if !is_gone {
            if Instant::now() < force {
                return false;
            }
            self.tree().end(Force::Make);
            self.reap();
        }
        self.drain(buffer);
        true
    }

    /// A handle on the process that becomes readable at its end, where the system has such.
    #[cfg(target_os = "linux")]
    fn process(&self) -> Option<OwnedFd> {
        use rustix::process::{Pid, PidfdFlags, pidfd_open};
        let pid = Pid::from_raw(i32::try_from(self.child.id()).ok()?)?;
        pidfd_open(pid, PidfdFlags::empty()).ok()
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "as where there is such a handle")]
    fn process(&self) -> Option<OwnedFd> {
        None
    }

    fn wait(&self, process: Option<&OwnedFd>, limit: Option<Duration>) -> Ready {
        let sink = self.shared.feed().waiting().filter(|_| !self.ended);
        let source = self.source.as_ref().filter(|_| self.reading);
        let process = process.filter(|_| self.status.is_none());
        let mut places = vec![PollFd::new(&self.orders, PollFlags::IN)];
        places.extend(source.map(|it| PollFd::new(it, PollFlags::IN)));
        places.extend(sink.as_deref().map(|it| PollFd::new(it, PollFlags::OUT)));
        places.extend(process.map(|it| PollFd::new(it, PollFlags::IN)));
        let limit = limit.and_then(|limit| Timespec::try_from(limit).ok());
        // A signal wakes it early, which does no harm.
        let _ = poll(&mut places, limit.as_ref());
        let mut ready = places.iter().map(|place| !place.revents().is_empty());
        Ready {
            order: ready.next().unwrap_or(false),
            output: source.is_some() && ready.next().unwrap_or(false),
            input: sink.is_some() && ready.next().unwrap_or(false),
        }
    }

    fn tree(&self) -> Tree<'_> {
        Tree {
            leader: self.status.is_none().then(|| self.child.id()),
            mark: &self.owned.mark,
            session: false,
            pipes: self.owned.held.as_ref().map_or(&[], Held::numbers),
            domain: None,
        }
    }

    fn stop(&self) -> Option<Stop> {
        *self
            .shared
            .stop
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the process, which was killed or is about to end.
    fn reap(&mut self) {
        if self.status.is_none() {
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
        }
    }

    /// Takes what is left in the pipe.
    fn drain(&mut self, buffer: &mut [u8]) {
        let end = Instant::now() + DRAIN;
        while self.reading && Instant::now() < end && self.wait(None, Some(Duration::ZERO)).output {
            self.read(buffer);
        }
    }

    fn finish(&mut self, stopped: Option<Stop>) {
        let code = self.status.map_or(-1, |status| {
            let by_signal = || status.signal().map(|signal| 128 + signal);
            status.code().or_else(by_signal).unwrap_or(-1)
        });
        let mut end = End {
            code,
            stopped,
            folder_lost: false,
        };
        if let Some(at_end) = self.at_end.take() {
            at_end(&mut end);
        }
        self.shared.feed().disconnect();
        self.running.finish(end);
        self.ended = true;
    }
}

struct Ready {
    order: bool,
    output: bool,
    input: bool,
}

fn is_transient(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

struct Controlled(Arc<Shared>);

impl Shared {
    /// Ends what is left of the command when it has ended itself.
    fn end_rest(&self) -> bool {
        let tree = Tree {
            leader: None,
            mark: &self.mark,
            session: false,
            pipes: &[],
            domain: None,
        };
        let is_left = tree.is_alive();
        if is_left {
            tree.end(Force::Ask);
            tree.wait(self.grace);
            tree.end(Force::Make);
        }
        is_left
    }
}

impl Control for Controlled {
    fn stop(&self, why: Stop) {
        let shared = &self.0;
        let mut stop = shared.stop.lock().unwrap_or_else(PoisonError::into_inner);
        if stop.is_none() {
            *stop = Some(why);
            drop(stop);
            shared.wake();
        }
    }

    fn end_rest(&self) -> EnvironmentFuture<'_, bool> {
        let (answer, waiting) = reply();
        let shared = Arc::clone(&self.0);
        // It may take the whole grace, for which nobody else is to wait.
        let thread = thread::Builder::new().name("hermes-rest".to_owned());
        let started = thread.spawn(move || {
            answer.give(shared.end_rest());
        });
        Box::pin(async move {
            match started {
                Ok(_) => Ok(waiting.await.unwrap_or(false)),
                Err(error) => Err(ToolError::new(ErrorKind::Io, error.to_string())
                    .with_help("try it again later")),
            }
        })
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.0.feed().push(bytes)?;
        self.0.wake();
        Ok(())
    }

    fn close(&self) -> io::Result<()> {
        self.0.feed().close()?;
        self.0.wake();
        Ok(())
    }

    fn pid(&self) -> Option<u32> {
        Some(self.0.pid)
    }
}

impl Shared {
    fn feed(&self) -> std::sync::MutexGuard<'_, Feed> {
        // What waits is whole after every step.
        self.feed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self) {
        // The thread has ended when nobody reads any more, and the command with it.
        let _ = (&self.wake).write(&[1]);
    }
}
