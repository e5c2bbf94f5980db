//! The host's own system as an environment.

mod bubblewrap;
mod domain;
mod feed;
mod isolation;
mod own;
mod pipes;
mod refused;
mod scratch;
mod signals;
mod spawn;
mod supervise;
mod tree;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use hermes_tools::output::ResultKeeper;
use hermes_tools::{Access, ErrorKind, ToolContext, ToolError};

use self::bubblewrap::Bubblewrap;
pub use self::bubblewrap::bubblewrap;
use self::feed::Feed;
use self::isolation::Plan;
pub use self::isolation::{Confinement, confinement};
use self::own::Own;
use self::pipes::Pipes;
use self::scratch::Scratch;
use self::spawn::{Input, Order, Source, Spawner};
use self::supervise::{Owned, supervise};
use self::tree::{Force, MARK, Tree};
use super::environment::{Environment, EnvironmentFuture, Job, Lasts};
use super::options::{Isolation, TerminalOptions};
use super::running::{End, Running, Stop};
use super::shell;
use super::variables::variables;

/// What stands before the mark of a command that goes on when its session has ended.
const DETACHED: &str = "detached-";

/// Commands as processes of the host.
pub(crate) struct Local {
    options: TerminalOptions,
    shell: PathBuf,
    temporary: PathBuf,
    plan: Plan,
    /// Where a command starts when the folder of the ones before is gone.
    first_folder: PathBuf,
    kept: Arc<Mutex<Shell>>,
    ready: OnceLock<Result<Ready, String>>,
    numbers: AtomicU64,
    pipes: Pipes,
}

/// What a shell leaves to the next one.
struct Shell {
    folder: PathBuf,
    /// The one that it ended in is gone.
    lost: bool,
    variables: Vec<(String, String)>,
    /// Names of variables that were too long to be kept, until that is told.
    dropped: Vec<String>,
    running: Vec<Weak<Running>>,
}

/// What is there from the first command on.
struct Ready {
    scratch: Scratch,
    spawner: Spawner,
    /// What starts commands that go on when the session has ended: they are no part of its domain.
    detached: OnceLock<Result<Spawner, String>>,
    confined: Confined,
    /// What gives commands their signals as they expect them.
    signals: Vec<OsString>,
}

/// What confines the commands.
enum Confined {
    Nothing,
    Landlock,
    Bubblewrap(Bubblewrap),
}

impl Local {
    /// An environment for the session of a call.
    pub(crate) fn new(cx: &ToolContext, folder: PathBuf, options: &TerminalOptions) -> Self {
        let facts = cx.facts();
        let variables = variables(facts, &options.pass_through);
        let named = facts.env("TMPDIR").map(PathBuf::from);
        let temporary = named.filter(|path| path.is_absolute() && path.is_dir());
        let temporary = temporary.unwrap_or_else(|| PathBuf::from("/tmp"));
        let roots = |wanted: Access| {
            let roots = cx.workspace().into_iter();
            let roots = roots.flat_map(hermes_tools::Workspace::roots);
            let roots = roots.filter(move |(_, access)| *access == wanted);
            roots.map(|(root, _)| root.to_owned())
        };
        let writable = roots(Access::Write);
        let writable = writable
            .chain([temporary.clone()])
            .chain(options.writable.iter().cloned());
        let home = facts.env("HOME").map(PathBuf::from);
        let plan = Plan::new(
            writable,
            home.as_deref(),
            &options.readable,
            &options.hidden,
            &Own::new(
                |name| facts.env(name),
                home.as_deref(),
                cx.state().get::<ResultKeeper>().map(ResultKeeper::folder),
                roots(Access::Read),
            ),
        );
        Self {
            options: options.clone(),
            shell: shell_in(&variables),
            temporary,
            plan,
            first_folder: folder.clone(),
            kept: Arc::new(Mutex::new(Shell {
                folder,
                lost: false,
                variables,
                dropped: Vec::new(),
                running: Vec::new(),
            })),
            ready: OnceLock::new(),
            numbers: AtomicU64::new(0),
            pipes: Pipes::default(),
        }
    }

    fn ready(&self) -> Result<&Ready, ToolError> {
        let ready = self
            .ready
            .get_or_init(|| self.make_ready().map_err(|error| error.to_string()));
        ready.as_ref().map_err(|why| {
            ToolError::new(ErrorKind::Unavailable, format!("no command can run: {why}"))
                .with_help("use another tool, and tell the user")
        })
    }

    fn make_ready(&self) -> io::Result<Ready> {
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_.".contains(byte);
        // The path stands in a script.
        let bytes = self.temporary.as_os_str().as_encoded_bytes();
        let temporary = if bytes.iter().all(is_plain) {
            &self.temporary
        } else {
            Path::new("/tmp")
        };
        let scratch = Scratch::new(temporary)?;
        if self.options.isolation != Isolation::Off
            && let Ok(real) = self.temporary.canonicalize()
            && self.plan.holds_kept(&real)
        {
            // Nothing new can be made there.
            let own = scratch.temporary()?.display().to_string();
            let mut kept = lock(&self.kept);
            kept.variables.retain(|(name, _)| name != "TMPDIR");
            kept.variables.push(("TMPDIR".to_owned(), own));
        }
        let (spawner, confined) = self.confine()?;
        Ok(Ready {
            scratch,
            spawner,
            detached: OnceLock::new(),
            confined,
            signals: signals::defaults(),
        })
    }

    /// What starts a command, by how long that may go on.
    fn spawner<'r>(&self, ready: &'r Ready, lasts: Lasts) -> io::Result<&'r Spawner> {
        if lasts != Lasts::Detached {
            return Ok(&ready.spawner);
        }
        let made = ready.detached.get_or_init(|| {
            let (spawner, confined) = self.confine().map_err(|error| error.to_string())?;
            let is_same =
                std::mem::discriminant(&confined) == std::mem::discriminant(&ready.confined);
            is_same.then_some(spawner).ok_or_else(|| {
                "it cannot be confined as the other commands of the session are".to_owned()
            })
        });
        made.as_ref().map_err(|why| io::Error::other(why.clone()))
    }

    /// Confines commands as the host wants it, or fails: never less than what was asked for.
    fn confine(&self) -> io::Result<(Spawner, Confined)> {
        let isolation = self.options.isolation;
        if isolation == Isolation::Bubblewrap {
            let program = self.options.bubblewrap.as_deref();
            let sandbox = Bubblewrap::find(program, self.plan.clone()).map_err(|why| {
                io::Error::other(format!("isolation by bubblewrap is asked for, and {why}"))
            })?;
            let (spawner, _) = Spawner::start(None)?;
            return Ok((spawner, Confined::Bubblewrap(sandbox)));
        }
        let plan = (isolation != Isolation::Off).then(|| self.plan.clone());
        let (spawner, confinement) = Spawner::start(plan)?;
        if isolation == Isolation::Landlock && confinement != Confinement::Full {
            return Err(io::Error::other(
                "isolation by Landlock is asked for, and this kernel cannot confine commands so",
            ));
        }
        let confined = match confinement {
            Confinement::None => Confined::Nothing,
            Confinement::Full | Confinement::Partial => Confined::Landlock,
        };
        Ok((spawner, confined))
    }

    async fn spawn(&self, job: Job) -> Result<Arc<Running>, ToolError> {
        let ready = self.ready()?;
        let number = self.numbers.fetch_add(1, Ordering::Relaxed) + 1;
        let mut mark = format!("{}.{number}", ready.scratch.mark());
        let is_detached = job.lasts == Lasts::Detached;
        if is_detached {
            // The mark of the session would end it with the session.
            mark.insert_str(0, DETACHED);
        }
        let state = (job.lasts == Lasts::Call).then(|| ready.scratch.state(number));
        let (folder, lost) = self.folder_of(&job);
        let log = is_detached.then(|| ready.scratch.log(number)).transpose();
        let log = log.map_err(|error| cannot_start(&folder, &error))?;
        let order = Order {
            before: ready.before(&folder),
            shell: self.shell.clone(),
            script: shell::script(
                &self.shell,
                &job.command,
                state.as_deref(),
                self.options.user_processes,
            ),
            command: job.command.clone(),
            folder: folder.clone(),
            variables: self.variables_of(&job, &mark),
            input: match job.lasts {
                _ if job.pty => Input::Terminal,
                Lasts::Session => Input::Pipe,
                Lasts::Call if job.input.is_some() => Input::Pipe,
                Lasts::Call | Lasts::Detached => Input::Nothing,
            },
            log: log.clone(),
        };
        let spawner = self.spawner(ready, job.lasts);
        let spawner = spawner.map_err(|error| cannot_start(&folder, &error))?;
        let started = spawner.spawn(order).await;
        let started = started.map_err(|error| cannot_start(&folder, &error))?;
        let held = match &started.output {
            Some(pipe @ Source::Pipe(..)) => self.pipes.hold(pipe),
            Some(Source::Terminal(_)) | None => None,
        };
        let running = Arc::new(Running::new(&job));
        if let Some(log) = log {
            running.set_output_file(log);
        }
        let kept = Arc::clone(&self.kept);
        let at_end = Box::new(move |end: &mut End| {
            end.folder_lost = lost;
            if let Some(path) = state {
                keep_state(&path, &kept);
            }
        });
        let feed = Feed::new(job.input.unwrap_or_default(), job.lasts == Lasts::Call);
        let owned = Owned { mark, held };
        supervise(started, &running, owned, self.options.grace, feed, at_end)
            .map_err(|error| cannot_start(&folder, &error))?;
        if job.lasts == Lasts::Call {
            let mut kept = lock(&self.kept);
            kept.running.retain(|it| it.strong_count() > 0);
            kept.running.push(Arc::downgrade(&running));
        }
        Ok(running)
    }

    /// The folder in which a command starts, and whether the one of the commands before is gone.
    fn folder_of(&self, job: &Job) -> (PathBuf, bool) {
        if let Some(folder) = &job.folder {
            return (folder.clone(), false);
        }
        let mut kept = lock(&self.kept);
        let lost = std::mem::take(&mut kept.lost);
        if kept.folder.is_dir() {
            return (kept.folder.clone(), lost);
        }
        let above = kept.folder.ancestors().skip(1).find(|it| it.is_dir());
        let folder = match above {
            Some(above) if above.starts_with(&self.first_folder) => above.to_owned(),
            _ => self.first_folder.clone(),
        };
        kept.folder.clone_from(&folder);
        (folder, true)
    }

    fn variables_of(&self, job: &Job, mark: &str) -> Vec<(String, String)> {
        let mut variables = lock(&self.kept).variables.clone();
        variables.retain(|(name, _)| name != MARK);
        variables.push((MARK.to_owned(), mark.to_owned()));
        if job.pty {
            variables.retain(|(name, value)| name != "TERM" || value != "dumb");
            variables.push(("TERM".to_owned(), "xterm-256color".to_owned()));
        }
        variables
    }
}

impl Ready {
    /// What stands before a shell that starts in a folder.
    fn before(&self, folder: &Path) -> Vec<OsString> {
        let mut words = self.signals.clone();
        if let Confined::Bubblewrap(sandbox) = &self.confined {
            words.extend(sandbox.words(folder));
        }
        words
    }
}

impl Environment for Local {
    fn start(&self) -> EnvironmentFuture<'_, ()> {
        Box::pin(async { self.ready().map(drop) })
    }

    fn run(&self, job: Job) -> EnvironmentFuture<'_, Arc<Running>> {
        Box::pin(self.spawn(job))
    }

    fn cwd(&self) -> PathBuf {
        lock(&self.kept).folder.clone()
    }

    fn env(&self) -> Vec<(String, String)> {
        lock(&self.kept).variables.clone()
    }

    fn interrupt(&self) {
        let running: Vec<Arc<Running>> = lock(&self.kept)
            .running
            .iter()
            .filter_map(Weak::upgrade)
            .collect();
        for it in running {
            it.stop(Stop::Interrupted);
        }
    }

    fn refused(&self, output: &str) -> Option<String> {
        let ready = self.ready.get()?.as_ref().ok()?;
        if matches!(ready.confined, Confined::Nothing) {
            return None;
        }
        refused::refused(&self.plan, &self.cwd(), output)
    }

    fn notes(&self) -> Vec<String> {
        let dropped = std::mem::take(&mut lock(&self.kept).dropped);
        let note = |name: String| {
            format!(
                "`{name}` is too long for a variable of the next command, and was not kept; use a file"
            )
        };
        dropped.into_iter().map(note).collect()
    }

    fn clean_up(&self) {
        let Some(Ok(ready)) = self.ready.get() else {
            return;
        };
        let tree = Tree {
            leader: None,
            mark: ready.scratch.mark(),
            session: true,
            pipes: &self.pipes.all(),
            domain: Some(&ready.spawner),
        };
        if tree.is_alive() {
            tree.end(Force::Ask);
            tree.wait(self.options.grace);
            tree.end(Force::Make);
        }
    }
}

/// Keeps what a shell has said of itself. One that was killed has said nothing.
fn keep_state(path: &Path, kept: &Mutex<Shell>) {
    let Ok(bytes) = fs::read(path) else { return };
    let _ = fs::remove_file(path);
    let Some(state) = shell::read_state(&String::from_utf8_lossy(&bytes)) else {
        return;
    };
    let mut kept = lock(kept);
    kept.lost = state.folder.is_none();
    if let Some(folder) = state.folder {
        kept.folder = folder;
    }
    (kept.variables, kept.dropped) = shell::that_fit(state.variables);
}

fn lock(kept: &Mutex<Shell>) -> MutexGuard<'_, Shell> {
    // What is kept is whole after every step.
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The shell: bash where there is one, since models write for it.
fn shell_in(variables: &[(String, String)]) -> PathBuf {
    let path = variables.iter().find(|(name, _)| name == "PATH");
    let named = path.into_iter().flat_map(|(_, value)| value.split(':'));
    let folders =
        named
            .filter(|it| it.starts_with('/'))
            .chain(["/bin", "/usr/bin", "/usr/local/bin"]);
    let shells = folders.map(|folder| Path::new(folder).join("bash"));
    let bash = shells.into_iter().find(|shell| shell.is_file());
    bash.unwrap_or_else(|| PathBuf::from("/bin/sh"))
}

fn cannot_start(folder: &Path, error: &io::Error) -> ToolError {
    let folder = folder.display();
    ToolError::new(
        ErrorKind::Io,
        format!("the shell cannot start in `{folder}`: {error}"),
    )
    .with_help("use another `workdir`; when that fails too, end processes that are not needed")
}
