//! The thread that starts every command of a session: it confines itself first.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::domain::{Question, Sign};
use super::isolation::{Confinement, Plan, restrict};
use crate::terminal::reply::{Reply, reply};

/// Rows and columns of a terminal that a command gets.
const SIZE: (u16, u16) = (30, 120);

/// The program that gives a command a session of its own. Commands may change their `PATH`, so that is not
/// asked.
const SETSID: [&str; 3] = ["/usr/bin/setsid", "/bin/setsid", "/usr/local/bin/setsid"];

/// A shell to start.
pub(super) struct Order {
    /// The programs that the shell starts in and their arguments, where there are any.
    pub(super) before: Vec<OsString>,
    pub(super) shell: PathBuf,
    pub(super) script: String,
    pub(super) command: String,
    pub(super) folder: PathBuf,
    pub(super) variables: Vec<(String, String)>,
    pub(super) input: Input,
    /// The file that output goes to, where nobody reads it.
    pub(super) log: Option<PathBuf>,
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
    /// Nothing where output goes to a file.
    pub(super) output: Option<Source>,
    pub(super) input: Option<Sink>,
}

/// Where output comes from.
pub(super) enum Source {
    /// A pipe, and whether it was widened.
    Pipe(
        PipeReader,
        #[cfg_attr(
            not(target_os = "linux"),
            expect(dead_code, reason = "only Linux widens pipes")
        )]
        bool,
    ),
    Terminal(Arc<pty_process::blocking::Pty>),
}

/// Where input goes.
pub(super) enum Sink {
    Pipe(PipeWriter),
    Terminal(Arc<pty_process::blocking::Pty>),
}

/// The way to the thread. With it, it ends.
#[derive(Debug)]
pub(super) struct Spawner {
    thread: Sender<Message>,
    /// How the thread knows its own, where the kernel confines it.
    sign: Option<Sign>,
}

enum Message {
    Start(Order, Reply<io::Result<Started>>),
    Which(Question),
}

impl Spawner {
    /// Starts the thread; `plan` is what it and all its processes may reach. The other value is how far
    /// the kernel confines them.
    pub(super) fn start(plan: Option<Plan>) -> io::Result<(Self, Confinement)> {
        let (messages, queue) = channel();
        let (tell, told) = channel();
        // A program that reads from the terminal of the host would stop there for ever.
        let has_terminal = File::open("/dev/tty").is_ok();
        let setsid = SETSID.iter().map(Path::new).find(|it| it.is_file());
        let setsid = setsid.filter(|_| has_terminal);
        let thread = thread::Builder::new().name("hermes-commands".to_owned());
        thread.spawn(move || {
            let confinement = plan.as_ref().map_or(Confinement::None, restrict);
            // Nobody who waits is a session that is gone already.
            let _ = tell.send(confinement);
            serve(&queue, Sign::of(confinement), setsid);
        })?;
        let confinement = told.recv().unwrap_or(Confinement::None);
        let this = Self {
            thread: messages,
            sign: Sign::of(confinement),
        };
        Ok((this, confinement))
    }

    /// Which of some processes, none of them our own, this has started, or one of those; it does not matter
    /// what has become of them. None where the kernel does not confine.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "only Linux has domains")
    )]
    pub(super) fn which(&self, ids: Vec<u32>) -> Vec<u32> {
        if self.sign.is_none() {
            return Vec::new();
        }
        let (answer, told) = channel();
        let asked = self.thread.send(Message::Which(Question { ids, answer }));
        // A thread that has ended has none to tell of that others do not know.
        asked
            .ok()
            .and_then(|()| told.recv().ok())
            .unwrap_or_default()
    }

    /// Starts a shell.
    pub(super) async fn spawn(&self, order: Order) -> io::Result<Started> {
        let (answer, waiting) = reply();
        let gone = || io::Error::other("the thread that starts commands has ended");
        let order = Message::Start(order, answer);
        self.thread.send(order).map_err(|_| gone())?;
        waiting.await.unwrap_or_else(|| Err(gone()))
    }
}

fn serve(queue: &Receiver<Message>, sign: Option<Sign>, setsid: Option<&Path>) {
    while let Ok(message) = queue.recv() {
        let (order, answer) = match (message, sign) {
            (Message::Start(order, answer), _) => (order, answer),
            (Message::Which(question), Some(sign)) => {
                sign.answer(question);
                continue;
            }
            (Message::Which(_), None) => continue,
        };
        let started = match order.input {
            Input::Terminal => in_terminal(&order),
            Input::Nothing | Input::Pipe => in_group(&order, setsid),
        };
        if let Some(Ok(mut late)) = answer.give(started) {
            // The call was dropped meanwhile, and nobody else knows of the process.
            let _ = late.child.kill();
            let _ = late.child.wait();
        }
    }
}

/// Starts a shell in a process group of its own, without the terminal of the host.
fn in_group(order: &Order, setsid: Option<&Path>) -> io::Result<Started> {
    let (stdin, input) = match order.input {
        Input::Pipe => {
            let (reader, writer) = io::pipe()?;
            rustix::io::ioctl_fionbio(&writer, true)?;
            (Stdio::from(reader), Some(Sink::Pipe(writer)))
        }
        Input::Nothing | Input::Terminal => (Stdio::null(), None),
    };
    let (source, stdout, stderr) = if let Some(log) = &order.log {
        let mut options = OpenOptions::new();
        let file = options.append(true).create_new(true).mode(0o600);
        let file = file.open(log)?;
        (None, Stdio::from(file.try_clone()?), Stdio::from(file))
    } else {
        let (output, writer) = io::pipe()?;
        let stdout = Stdio::from(writer.try_clone()?);
        let source = Source::Pipe(output, false);
        (Some(source), stdout, Stdio::from(writer))
    };
    let (program, words) = order.words();
    let mut command = if let Some(setsid) = setsid {
        // It makes a session in place, since it leads no group, and then becomes the shell.
        let mut command = Command::new(setsid);
        command.arg(program);
        command
    } else {
        let mut command = Command::new(program);
        command.process_group(0);
        command
    };
    let child = command
        .args(words)
        .current_dir(&order.folder)
        .env_clear()
        .envs(order.variables.iter().map(|(name, value)| (name, value)))
        .stdin(stdin)
        .stdout(stdout)
        .stderr(stderr)
        .spawn()?;
    Ok(Started {
        child,
        output: source,
        input,
    })
}

fn in_terminal(order: &Order) -> io::Result<Started> {
    let (pty, pts) = pty_process::blocking::open().map_err(io::Error::other)?;
    let (rows, columns) = SIZE;
    let size = pty_process::Size::new(rows, columns);
    pty.resize(size).map_err(io::Error::other)?;
    let (program, words) = order.words();
    let child = pty_process::blocking::Command::new(program)
        .args(words)
        .current_dir(&order.folder)
        .env_clear()
        .envs(order.variables.iter().map(|(name, value)| (name, value)))
        .spawn(pts)
        .map_err(io::Error::other)?;
    let pty = Arc::new(pty);
    rustix::io::ioctl_fionbio(&*pty, true)?;
    Ok(Started {
        child,
        output: Some(Source::Terminal(Arc::clone(&pty))),
        input: Some(Sink::Terminal(pty)),
    })
}

impl Order {
    /// The program to start and its arguments.
    fn words(&self) -> (&OsStr, Vec<&OsStr>) {
        let shell = [
            self.shell.as_os_str(),
            "-c".as_ref(),
            self.script.as_ref(),
            "sh".as_ref(),
            self.command.as_ref(),
        ];
        let before = self.before.iter().map(OsString::as_os_str);
        let mut words = before.chain(shell);
        let program = words.next().unwrap_or(self.shell.as_os_str());
        (program, words.collect())
    }
}

impl Source {
    /// Makes room for more in a pipe that was full. Where that cannot be, it stays as it was.
    #[cfg(target_os = "linux")]
    pub(super) fn widen(&mut self) {
        const WIDE: usize = 1 << 20;
        if let Self::Pipe(pipe, is_wide @ false) = self {
            *is_wide = true;
            let _ = rustix::pipe::fcntl_setpipe_size(pipe, WIDE);
        }
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "as where pipes can be widened")]
    pub(super) const fn widen(&mut self) {}

    /// Reads what is there; nothing at the end. The end of a terminal is an error of its own.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Pipe(pipe, _) => pipe.read(buffer),
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
            Self::Pipe(pipe, _) => pipe.as_fd(),
            Self::Terminal(pty) => pty.as_fd(),
        }
    }
}

impl Sink {
    /// Writes what is taken now, and says how much that was.
    pub(super) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Pipe(pipe) => (&*pipe).write(bytes),
            Self::Terminal(pty) => (&**pty).write(bytes),
        }
    }
}

impl AsFd for Sink {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Pipe(pipe) => pipe.as_fd(),
            Self::Terminal(pty) => pty.as_fd(),
        }
    }
}
