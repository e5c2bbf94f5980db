//! The thread that starts every command of a session: it confines itself first.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::isolation::{Confinement, Plan, restrict};
use crate::terminal::reply::{Reply, reply};

/// Rows and columns of a terminal that a command gets.
const SIZE: (u16, u16) = (30, 120);

/// A shell to start.
pub(super) struct Order {
    pub(super) shell: PathBuf,
    pub(super) script: String,
    pub(super) command: String,
    pub(super) folder: PathBuf,
    pub(super) variables: Vec<(String, String)>,
    pub(super) input: Input,
}

/// What a command reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    /// Nothing: the end at once.
    Nothing,
    /// What is written to it later.
    Pipe,
    /// A terminal of its own.
    Terminal,
}

/// A shell that runs.
pub(super) struct Started {
    pub(super) child: Child,
    pub(super) output: Source,
    pub(super) input: Option<Sink>,
}

/// Where output comes from.
pub(super) enum Source {
    Pipe(PipeReader),
    Terminal(Arc<pty_process::blocking::Pty>),
}

/// Where input goes.
pub(super) enum Sink {
    Pipe(PipeWriter),
    Terminal(Arc<pty_process::blocking::Pty>),
}

/// The way to the thread. With the last of them it ends.
pub(super) struct Spawner {
    orders: Sender<(Order, Reply<io::Result<Started>>)>,
}

impl Spawner {
    /// Starts the thread; `plan` is what it and all its processes may reach. The other value is how far
    /// the kernel confines them.
    pub(super) fn start(plan: Option<Plan>) -> io::Result<(Self, Confinement)> {
        let (orders, queue) = channel();
        let (tell, told) = channel();
        // A program that reads from the terminal of the host would stop there for ever.
        let detach = File::open("/dev/tty").is_ok();
        let thread = thread::Builder::new().name("hermes-commands".to_owned());
        thread.spawn(move || {
            let confinement = plan.as_ref().map_or(Confinement::None, restrict);
            // Nobody who waits is a session that is gone already.
            let _ = tell.send(confinement);
            serve(&queue, detach);
        })?;
        let confinement = told.recv().unwrap_or(Confinement::None);
        Ok((Self { orders }, confinement))
    }

    /// Starts a shell.
    pub(super) async fn spawn(&self, order: Order) -> io::Result<Started> {
        let (answer, waiting) = reply();
        let gone = || io::Error::other("the thread that starts commands has ended");
        self.orders.send((order, answer)).map_err(|_| gone())?;
        waiting.await.unwrap_or_else(|| Err(gone()))
    }
}

fn serve(queue: &Receiver<(Order, Reply<io::Result<Started>>)>, detach: bool) {
    while let Ok((order, answer)) = queue.recv() {
        let started = match order.input {
            Input::Terminal => in_terminal(&order),
            Input::Nothing | Input::Pipe => in_group(&order, detach),
        };
        if let Some(Ok(mut late)) = answer.give(started) {
            // The call was dropped meanwhile, and nobody else knows of the process.
            let _ = late.child.kill();
            let _ = late.child.wait();
        }
    }
}

/// Starts a shell in a process group of its own, without the terminal of the host.
fn in_group(order: &Order, detach: bool) -> io::Result<Started> {
    let (output, writer) = io::pipe()?;
    let (stdin, input) = match order.input {
        Input::Pipe => {
            let (reader, writer) = io::pipe()?;
            rustix::io::ioctl_fionbio(&writer, true)?;
            (Stdio::from(reader), Some(Sink::Pipe(writer)))
        }
        Input::Nothing | Input::Terminal => (Stdio::null(), None),
    };
    let mut command = if detach {
        // It makes a session in place, since it leads no group, and then becomes the shell.
        let mut command = Command::new("setsid");
        command.arg(&order.shell);
        command
    } else {
        let mut command = Command::new(&order.shell);
        command.process_group(0);
        command
    };
    let child = command
        .args(["-c", &order.script, "sh", &order.command])
        .current_dir(&order.folder)
        .env_clear()
        .envs(order.variables.iter().map(|(name, value)| (name, value)))
        .stdin(stdin)
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .spawn()?;
    Ok(Started {
        child,
        output: Source::Pipe(output),
        input,
    })
}

fn in_terminal(order: &Order) -> io::Result<Started> {
    let (pty, pts) = pty_process::blocking::open().map_err(io::Error::other)?;
    let (rows, columns) = SIZE;
    let size = pty_process::Size::new(rows, columns);
    pty.resize(size).map_err(io::Error::other)?;
    let child = pty_process::blocking::Command::new(&order.shell)
        .args(["-c", &order.script, "sh", &order.command])
        .current_dir(&order.folder)
        .env_clear()
        .envs(order.variables.iter().map(|(name, value)| (name, value)))
        .spawn(pts)
        .map_err(io::Error::other)?;
    let pty = Arc::new(pty);
    rustix::io::ioctl_fionbio(&*pty, true)?;
    Ok(Started {
        child,
        output: Source::Terminal(Arc::clone(&pty)),
        input: Some(Sink::Terminal(pty)),
    })
}

impl Source {
    /// Reads what is there; nothing at the end. The end of a terminal is an error of its own.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Pipe(pipe) => pipe.read(buffer),
            Self::Terminal(pty) => match (&**pty).read(buffer) {
                Err(error)
                    if error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) =>
                {
                    Ok(0)
                }
                read => read,
            },
        }
    }
}

impl AsFd for Source {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Pipe(pipe) => pipe.as_fd(),
            Self::Terminal(pty) => pty.as_fd(),
        }
    }
}

impl Sink {
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Pipe(pipe) => pipe.write_all(bytes),
            Self::Terminal(pty) => (&**pty).write_all(bytes),
        }
    }

    /// Ends the input. A terminal has a key for it.
    pub(super) fn close(mut self) -> io::Result<()> {
        match &mut self {
            Self::Pipe(_) => Ok(()),
            Self::Terminal(_) => self.write(b"\x04"),
        }
    }
}
