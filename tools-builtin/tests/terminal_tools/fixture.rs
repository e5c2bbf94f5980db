//! A session whose commands run in a folder of their own.

use std::collections::HashMap;
use std::fs;
use std::future::{Future, poll_fn};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

use hermes_tools::approval::Approval;
use hermes_tools::context::{Executor, JobFuture};
use hermes_tools::output::store::ResultStore;
use hermes_tools::workspace::Confined;
use hermes_tools::{
    CallResult, Selection, Session, SessionBuilder, SessionFacts, SessionSource, ToolCall,
    ToolError, ToolRegistry, Workspace,
};
use serde_json::{Value, json};
use tempfile::TempDir;
use tools_builtin::TerminalOptions;

/// Longest time that anything here may take, so that a fault ends a test and does not hang it.
pub(crate) const LONG: Duration = Duration::from_mins(1);

/// Bytes that the store of a session holds.
pub(crate) const QUOTA: u64 = 4 << 20;

/// Seconds that a command has whose time ends when a test says so.
pub(crate) const ITS_TIME: u64 = 17;

/// A folder with the workspace `ws`, the home folder `home` and the temporary folder `tmp`.
pub(crate) struct Fixture {
    session: Session,
    time: Option<Time>,
    base: TempDir,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        Self::with(TerminalOptions::new(), &[])
    }

    /// One with these settings, and these variables beside those that every session has.
    pub(crate) fn with(options: TerminalOptions, variables: &[(&str, &str)]) -> Self {
        let base = tempfile::tempdir().unwrap();
        for name in ["ws", "home", "tmp", "outside"] {
            fs::create_dir(base.path().join(name)).unwrap();
        }
        let session = session(base.path(), options, variables, None);
        Self {
            session,
            time: None,
            base,
        }
    }

    /// One in which time passes when [`run_until`](Self::run_until) says so.
    pub(crate) fn timed(options: TerminalOptions) -> Self {
        let mut fixture = Self::new();
        let time = fixture.time.insert(Time::default());
        fixture.session = session(fixture.base.path(), options, &[], Some(time));
        fixture
    }

    /// One whose time is this.
    pub(crate) fn with_time(executor: impl Executor + 'static) -> Self {
        let base = tempfile::tempdir().unwrap();
        for name in ["ws", "home", "tmp"] {
            fs::create_dir(base.path().join(name)).unwrap();
        }
        let places = ("ws", "results");
        let builder = builder_in(base.path(), places, TerminalOptions::new(), &[]);
        let session = builder.executor(executor).build().unwrap();
        Self {
            session,
            time: None,
            base,
        }
    }

    /// The same, and another session has kept a result in its store.
    pub(crate) fn with_others(options: TerminalOptions, variables: &[(&str, &str)]) -> Self {
        let base = tempfile::tempdir().unwrap();
        for name in ["ws", "home", "tmp", "results/session-other"] {
            fs::create_dir_all(base.path().join(name)).unwrap();
        }
        fs::write(base.path().join("results/session-other/f"), "secret answer").unwrap();
        let session = session(base.path(), options, variables, None);
        Self {
            session,
            time: None,
            base,
        }
    }

    /// One whose workspace is its home folder, where `prepare` puts files first, with the temporary folder
    /// around it.
    pub(crate) fn at_home(options: TerminalOptions, prepare: impl FnOnce(&Path)) -> Self {
        let base = tempfile::tempdir().unwrap();
        let home = base.path().canonicalize().unwrap().join("home");
        fs::create_dir(&home).unwrap();
        prepare(&home);
        let temporary = base.path().canonicalize().unwrap().display().to_string();
        let places = ("home", "home/.local/state/hermes/results");
        let variables = [("TMPDIR", &*temporary)];
        let session = session_in(base.path(), places, options, &variables, None);
        Self {
            session,
            time: None,
            base,
        }
    }

    /// Another session on the same folders.
    pub(crate) fn second_session(&self) -> Session {
        session(self.base.path(), TerminalOptions::new(), &[], None)
    }

    /// The place of a file or folder beside the workspace.
    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.base.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    pub(crate) fn try_call(&self, tool: &str, arguments: &Value) -> CallResult {
        self.session
            .call_blocking_with(ToolCall::new(tool, arguments.to_string()))
    }

    pub(crate) fn call(&self, tool: &str, arguments: Value) -> Value {
        read(self.try_call(tool, &arguments)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Runs a command.
    pub(crate) fn run(&self, command: &str) -> Value {
        self.call("terminal", json!({"command": command}))
    }

    /// Runs a command whose time is over when something holds, and not before.
    pub(crate) fn run_until(&self, command: &str, mut holds: impl FnMut() -> bool) -> Value {
        let arguments = json!({"command": command, "timeout": ITS_TIME});
        std::thread::scope(|scope| {
            let called = scope.spawn(|| self.call("terminal", arguments));
            let end = Instant::now() + LONG;
            let mut held = holds();
            while !held && Instant::now() < end {
                std::thread::yield_now();
                held = holds();
            }
            self.time.as_ref().expect("a fixture that is timed").end();
            let ran = called.join().unwrap();
            assert!(held, "never came: what `{command}` was to do");
            ran
        })
    }

    /// What a command prints.
    pub(crate) fn output(&self, command: &str) -> String {
        text(&self.run(command)["output"])
    }

    /// Starts a command in the background and gives its id.
    pub(crate) fn start(&self, command: &str) -> String {
        let started = self.call("terminal", json!({"command": command, "background": true}));
        text(&started["session_id"])
    }

    /// Waits until a process has printed a text.
    pub(crate) fn prints(&self, id: &str, expected: &str) {
        until(&format!("`{expected}` from `{id}`"), || {
            let log = self.call("process", json!({"action": "log", "session_id": id}));
            log["lines"].to_string().contains(expected)
        });
    }

    pub(crate) fn refused(&self, tool: &str, arguments: Value, code: &str, text: &str) {
        match read(self.try_call(tool, &arguments)) {
            Ok(found) => panic!("not refused: {found}"),
            Err(error) => assert_eq!((error.code(), &*error.to_string()), (code, text)),
        }
    }

    /// Ends the session and keeps its folders.
    pub(crate) fn end(self) -> TempDir {
        drop(self.session);
        self.base
    }
}

fn session(
    base: &Path,
    options: TerminalOptions,
    variables: &[(&str, &str)],
    time: Option<&Time>,
) -> Session {
    session_in(base, ("ws", "results"), options, variables, time)
}

/// A session with this workspace and this store.
fn session_in(
    base: &Path,
    places: (&str, &str),
    options: TerminalOptions,
    variables: &[(&str, &str)],
    time: Option<&Time>,
) -> Session {
    let builder = builder_in(base, places, options, variables);
    match time {
        Some(time) => builder.executor(time.clone()),
        None => builder,
    }
    .build()
    .unwrap()
}

fn builder_in(
    base: &Path,
    (workspace, store): (&str, &str),
    options: TerminalOptions,
    variables: &[(&str, &str)],
) -> SessionBuilder {
    let base = base.canonicalize().unwrap();
    let mut table: HashMap<String, String> = HashMap::from([
        ("PATH".to_owned(), std::env::var("PATH").unwrap_or_default()),
        ("LANG".to_owned(), "C.UTF-8".to_owned()),
        ("HOME".to_owned(), base.join("home").display().to_string()),
        ("TMPDIR".to_owned(), base.join("tmp").display().to_string()),
    ]);
    table.extend(
        variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
    );
    let facts =
        SessionFacts::new(SessionSource::Cli).environment(move |name| table.get(name).cloned());
    Session::builder(
        ToolRegistry::linked().unwrap(),
        Selection::of(["process", "read_file", "search_files", "terminal"]),
    )
    .facts(facts)
    .workspace(Workspace::new(
        Confined::open(base.join(workspace)).unwrap(),
    ))
    .result_store(ResultStore::at(base.join(store)).unwrap().quota(QUOTA))
    .approve_with(|_| Approval::Once)
    .state(options)
}

/// A time that stands still, but for those who wait for [`ITS_TIME`]: for them it passes when a test says
/// so, whenever they began to wait.
#[derive(Clone)]
struct Time {
    now: Instant,
    state: Arc<Mutex<(bool, Vec<Waker>)>>,
}

impl Default for Time {
    fn default() -> Self {
        Self {
            now: Instant::now(),
            state: Arc::default(),
        }
    }
}

impl Time {
    fn end(&self) {
        let mut state = self.state.lock().unwrap();
        state.0 = true;
        state.1.drain(..).for_each(Waker::wake);
    }
}

impl Executor for Time {
    fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) -> JobFuture<'_> {
        job();
        Box::pin(std::future::ready(Ok(())))
    }

    fn now(&self) -> Instant {
        self.now
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        let its_time = Duration::from_secs(ITS_TIME);
        Box::pin(poll_fn(move |task| {
            let mut state = self.state.lock().unwrap();
            if time == its_time && state.0 {
                return Poll::Ready(());
            }
            state.1.push(task.waker().clone());
            Poll::Pending
        }))
    }
}

pub(crate) fn read(result: CallResult) -> Result<Value, ToolError> {
    let output = result.outcome?;
    Ok(serde_json::from_str(output.json().expect("an answer in JSON")).unwrap())
}

pub(crate) fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("{value} is no text"))
        .to_owned()
}

/// Waits until something holds.
#[track_caller]
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + LONG;
    while !holds() {
        assert!(Instant::now() < end, "never came: {what}");
        std::thread::yield_now();
    }
}

/// Whether a process runs, by its number in a file.
pub(crate) fn is_alive(id: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
    let state = stat.rsplit(") ").next().unwrap_or_default();
    !state.is_empty() && !state.starts_with(['Z', 'X'])
}

/// Says to a test that it is in a process of its own.
const ALONE: &str = "HERMES_TEST_ALONE";

/// Runs a test once more in a process of its own, which a line of shell starts by its arguments; false in
/// that process.
pub(crate) fn alone(test: &str, line: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return false;
    }
    let ran = std::process::Command::new("sh")
        .args(["-c", line, "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test])
        .env(ALONE, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && said.contains("1 passed"), "{said}");
    true
}
