//! Servers of others, whose tools become tools of a registry.

mod answer;
mod connection;
mod process;
mod spec;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use hermes_tools::registry::Change;
use hermes_tools::{Cancel, ToolRegistry};
use rmcp::ServiceExt;
use serde_json::Value;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

use self::connection::{Client, Line, list, tool};
use self::process::Process;
pub use self::spec::{ServerSpec, SpecError};

/// Servers that run, each with the tools that it offers now in the registry, as toolset `mcp-NAME`.
///
/// A server that is slow or dead delays nobody: its tools arrive when they are there. One that ends is
/// started again, with pauses that grow, and given up after five times in a row; a call waits for it, and
/// one that was under way is answered with what is known of it and never sent again. When this is
/// dropped, the servers are killed with all their children; [`stop`](Self::stop) lets them end.
#[derive(Debug)]
pub struct Servers {
    tasks: JoinSet<()>,
    states: watch::Sender<Vec<ServerStatus>>,
    stop: Cancel,
}

/// How a server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerStatus {
    /// Its name.
    pub name: Box<str>,
    /// What it does now.
    pub state: ServerState,
    /// Names under which its tools can be called, sorted.
    pub tools: Vec<Box<str>>,
    /// The server's own names of tools that are left out, each with the reason.
    pub refused: Vec<(Box<str>, String)>,
}

/// What a server does now.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServerState {
    /// It is being started, and has not listed its tools yet.
    Starting,
    /// It can be called.
    Ready,
    /// It has ended and will be started again. Why, with the end of its standard error.
    Waiting(String),
    /// It has ended too often and is not started again. Why, with the end of its standard error.
    Failed(String),
}

/// What a server gets of our environment, variable by variable.
type Environment = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Starts servers, waits until all have listed their tools or failed once, and no longer than this, and
/// lets them end. It makes a runtime of its own and waits, so it is called outside of one.
///
/// # Errors
///
/// There is no runtime to be had.
pub fn probe(
    specs: Vec<ServerSpec>,
    environment: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    limit: Duration,
) -> io::Result<Vec<ServerStatus>> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        // Tools of none have no name twice.
        let registry = Arc::new(ToolRegistry::of(&[]).map_err(io::Error::other)?);
        let servers = Servers::start(&registry, specs, environment);
        servers.settle(limit).await;
        let status = servers.status();
        servers.stop().await;
        Ok(status)
    })
}

/// The pause before the second start; it doubles up to a minute.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// How often a server is started in a row without listing its tools.
const STARTS: usize = 5;

/// The least time between two lists of tools, however often they change.
const BETWEEN_LISTS: Duration = Duration::from_millis(300);

/// What the task of one server works with.
struct Supervised {
    spec: ServerSpec,
    registry: Arc<ToolRegistry>,
    environment: Environment,
    states: watch::Sender<Vec<ServerStatus>>,
    stop: Cancel,
    line: Arc<Line>,
    place: usize,
}

impl Servers {
    /// Starts servers, inside a tokio runtime, and comes back at once. Of the environment they get what
    /// this gives for a few common names, such as `PATH` and `HOME`, and what their entries say.
    ///
    /// ```no_run
    /// use std::sync::Arc;
    /// use std::time::Duration;
    ///
    /// use hermes_mcp::{ServerSpec, Servers};
    /// use hermes_tools::ToolRegistry;
    ///
    /// # async fn start() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Arc::new(ToolRegistry::linked()?);
    /// let specs = ServerSpec::from_json(&std::fs::read_to_string("mcp.json")?)?;
    /// let servers = Servers::start(&registry, specs, |name| std::env::var(name).ok());
    /// servers.settle(Duration::from_secs(5)).await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn start(
        registry: &Arc<ToolRegistry>,
        specs: Vec<ServerSpec>,
        environment: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        let environment: Environment = Arc::new(environment);
        let begun = specs.iter().map(|spec| ServerStatus {
            name: spec.name.clone(),
            state: ServerState::Starting,
            tools: Vec::new(),
            refused: Vec::new(),
        });
        let (states, _) = watch::channel(begun.collect());
        let mut this = Self {
            tasks: JoinSet::new(),
            states,
            stop: Cancel::new(),
        };
        for (place, spec) in specs.into_iter().enumerate() {
            let supervised = Supervised {
                spec,
                registry: Arc::clone(registry),
                environment: Arc::clone(&environment),
                states: this.states.clone(),
                stop: this.stop.clone(),
                line: Arc::new(watch::channel(None).0),
                place,
            };
            this.tasks.spawn(supervised.run());
        }
        this
    }

    /// How each server is, in the order in which they were given.
    pub fn status(&self) -> Vec<ServerStatus> {
        self.states.borrow().clone()
    }

    /// Waits until no server is being started for the first time, and no longer than this.
    pub async fn settle(&self, limit: Duration) {
        let settled =
            |all: &Vec<ServerStatus>| all.iter().all(|it| it.state != ServerState::Starting);
        // What is late is late.
        let _ = tokio::time::timeout(limit, self.states.subscribe().wait_for(settled)).await;
    }

    /// Lets the servers end, and waits for that: at most four seconds, after which they are killed.
    /// Their tools are gone from the registry then.
    pub async fn stop(mut self) {
        self.stop.cancel();
        while self.tasks.join_next().await.is_some() {}
    }
}

impl Supervised {
    async fn run(self) {
        let (mut pause, mut failed) = (FIRST_PAUSE, 0);
        loop {
            let why = match self.once().await {
                Ended::Stopped => break,
                Ended::Ready(why) => {
                    (pause, failed) = (FIRST_PAUSE, 0);
                    why
                }
                Ended::Early(why) => why,
            };
            failed += 1;
            if failed >= STARTS {
                self.withdraw();
                self.tell(|status| status.state = ServerState::Failed(why));
                return;
            }
            self.tell(|status| status.state = ServerState::Waiting(why));
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = self.stop.cancelled() => break,
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        self.withdraw();
    }
}

/// How a run of a server ended.
enum Ended {
    /// We stopped it.
    Stopped,
    /// It could be called until then.
    Ready(String),
    /// It never listed its tools.
    Early(String),
}

impl Supervised {
    /// One run of the server, from its start to its end.
    async fn once(&self) -> Ended {
        let started = Process::start(&self.spec, &*self.environment);
        let (mut process, output, input) = match started {
            Ok(started) => started,
            Err(error) => {
                let command = &self.spec.command;
                return Ended::Early(format!("`{command}` cannot be started: {error}"));
            }
        };
        let mut ended = tokio::select! {
            ended = self.talk(output, input) => ended,
            () = self.stop.cancelled() => Ended::Stopped,
        };
        self.line.send_replace(None);
        process.end().await;
        if let Ended::Ready(why) | Ended::Early(why) = &mut ended {
            let log = process.log();
            if !log.trim().is_empty() {
                why.push_str("; it wrote: ");
                why.push_str(log.trim());
            }
        }
        ended
    }

    /// The connection, from the handshake to the end of the output.
    async fn talk(&self, output: ChildStdout, input: ChildStdin) -> Ended {
        let changed = Arc::new(Notify::new());
        let client = Client {
            changed: Arc::clone(&changed),
        };
        let opened = tokio::time::timeout(self.spec.start, async {
            let running = client.serve((output, input)).await;
            let running = running.map_err(|error| error.to_string())?;
            let tools = list(running.peer()).await;
            Ok::<_, String>((tools.map_err(|error| error.to_string())?, running))
        });
        let (tools, running) = match opened.await {
            Ok(Ok(opened)) => opened,
            Ok(Err(why)) => return Ended::Early(why),
            Err(_) => {
                let limit = self.spec.start.as_secs_f64();
                return Ended::Early(format!("it did not list its tools within {limit} s"));
            }
        };
        let peer = running.peer().clone();
        self.adopt(&tools);
        self.line.send_replace(Some(peer.clone()));
        let mut waiting = std::pin::pin!(running.waiting());
        loop {
            tokio::select! {
                _ = &mut waiting => return Ended::Ready("its output has ended".to_owned()),
                () = changed.notified() => {
                    let listed = tokio::time::timeout(self.spec.start, list(&peer)).await;
                    if let Ok(Ok(tools)) = listed {
                        self.adopt(&tools);
                    } else {
                        // What was listed before is still the best that is known.
                        tracing::warn!(server = &*self.spec.name, "the tools were not listed again");
                    }
                    tokio::time::sleep(BETWEEN_LISTS).await;
                }
            }
        }
    }

    /// Makes the tools in the registry those that the server has listed.
    fn adopt(&self, listed: &[Value]) {
        let mut refused = Vec::new();
        let mut tools = Vec::new();
        for listed in listed {
            let name = listed.get("name").and_then(Value::as_str);
            if name.is_some_and(|name| !self.spec.filter.takes(name)) {
                continue;
            }
            match tool(&self.spec, listed, &self.line) {
                Ok(tool) => tools.push(tool),
                Err(left_out) => refused.push(left_out),
            }
        }
        let change = |change: &mut Change<'_>| change.sync_server(&self.spec.name, tools);
        let report = self.registry.change(change);
        let others = report.refused.into_iter();
        refused.extend(others.map(|(name, why)| (name, why.to_string())));
        self.tell(|status| {
            status.state = ServerState::Ready;
            status.tools = report.registered;
            status.refused = refused;
        });
    }

    /// Takes the tools out of the registry.
    fn withdraw(&self) {
        self.registry
            .change(|change| change.sync_server(&self.spec.name, []));
        self.tell(|status| status.tools.clear());
    }

    fn tell(&self, change: impl FnOnce(&mut ServerStatus)) {
        self.states.send_modify(|all| change(&mut all[self.place]));
    }
}
