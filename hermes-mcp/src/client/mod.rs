//! Servers of others, whose tools become tools of a registry.

mod answer;
mod asks;
mod connection;
mod digest;
mod expand;
mod file;
mod host;
#[cfg(feature = "http-client")]
mod http;
#[cfg(unix)]
mod keeper;
mod pins;
mod private;
mod process;
mod questions;
mod spec;
mod supervise;
mod wire;

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use hermes_tools::{Cancel, ToolRegistry};
use tokio::sync::watch;
use tokio::task::JoinSet;

use self::connection::Line;
use self::host::Hosted;
pub use self::host::{Changed, Host, HostFuture, NoHost, Offers, Pins};
#[cfg(feature = "http-client")]
pub use self::http::{Login, LoginError, TokenFolder, login};
pub use self::pins::PinFile;
pub use self::spec::{ServerSpec, SpecError};
use self::supervise::Supervised;

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
    /// Names that the entry of the server includes, excludes or gives an effect, and that no tool of it has,
    /// sorted.
    pub unknown_names: Vec<Box<str>>,
    /// Why its list of tools was not read to the end, if it was not.
    pub incomplete: Option<String>,
    /// Why it cannot be told what was approved of it, or kept. Tools are left out because of it.
    pub pins_fault: Option<String>,
    /// What it said when it refused us for want of a sign-in, or of a further one: its header
    /// `WWW-Authenticate`.
    pub challenge: Option<String>,
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
    /// It answers nobody who has not signed in, and is not asked again before somebody has.
    SignIn,
    /// It has ended too often and is not started again. Why, with the end of its standard error.
    Failed(String),
}

/// What a server gets of our environment, variable by variable.
type Environment = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// What servers are started with.
///
/// ```no_run
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// use hermes_mcp::{ServerSetup, ServerSpec};
/// use hermes_tools::ToolRegistry;
///
/// # async fn start() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = Arc::new(ToolRegistry::linked()?);
/// let specs = ServerSpec::from_json(&std::fs::read_to_string("mcp.json")?)?;
/// let servers = ServerSetup::new(|name| std::env::var(name).ok()).start(&registry, specs);
/// servers.settle(Duration::from_secs(5)).await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ServerSetup {
    environment: Environment,
    hosted: Hosted,
    #[cfg(feature = "http-client")]
    tokens: Option<TokenFolder>,
}

impl ServerSetup {
    /// Servers get of the environment what this gives for a few common names, such as `PATH` and `HOME`,
    /// and what their entries say.
    pub fn new(environment: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self {
            environment: Arc::new(environment),
            hosted: Hosted {
                host: Arc::new(NoHost),
                pins: Arc::new(()),
            },
            #[cfg(feature = "http-client")]
            tokens: None,
        }
    }

    /// Sets who answers what servers ask.
    #[must_use]
    pub fn host(mut self, host: Arc<dyn Host>) -> Self {
        self.hosted.host = host;
        self
    }

    /// Sets where it is kept what tools looked like when they were approved. A tool that looks different
    /// now is left out, unless the host takes it ([`Host::changed`]). Tools that are seen for the first time are
    /// taken, and kept.
    #[must_use]
    pub fn pins(mut self, pins: Arc<dyn Pins>) -> Self {
        self.hosted.pins = pins;
        self
    }

    /// Sets where the tokens of sign-ins are.
    #[cfg(feature = "http-client")]
    #[must_use]
    pub fn tokens(mut self, folder: TokenFolder) -> Self {
        self.tokens = Some(folder);
        self
    }

    /// Starts servers, inside a tokio runtime, and comes back at once.
    pub fn start(self, registry: &Arc<ToolRegistry>, specs: Vec<ServerSpec>) -> Servers {
        let begun = specs.iter().map(|spec| ServerStatus {
            name: spec.name.clone(),
            state: ServerState::Starting,
            tools: Vec::new(),
            refused: Vec::new(),
            unknown_names: Vec::new(),
            incomplete: None,
            pins_fault: None,
            challenge: None,
        });
        let (states, _) = watch::channel(begun.collect());
        let mut servers = Servers {
            tasks: JoinSet::new(),
            states,
            stop: Cancel::new(),
        };
        for (place, spec) in specs.into_iter().enumerate() {
            let supervised = Supervised {
                spec: Arc::new(spec),
                registry: Arc::clone(registry),
                setup: self.clone(),
                states: servers.states.clone(),
                stop: servers.stop.clone(),
                line: Arc::new(Line::new(Arc::clone(&self.hosted.host))),
                place,
            };
            servers.tasks.spawn(supervised.run());
        }
        servers
    }

    /// Starts servers, waits until all have listed their tools or failed once, and no longer than this, and
    /// lets them end. It makes a runtime of its own and waits, so it is called outside of one.
    ///
    /// # Errors
    ///
    /// There is no runtime to be had.
    pub fn probe(self, specs: Vec<ServerSpec>, limit: Duration) -> io::Result<Vec<ServerStatus>> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        runtime.block_on(async {
            // Tools of none have no name twice.
            let registry = Arc::new(ToolRegistry::of(&[]).map_err(io::Error::other)?);
            let servers = self.start(&registry, specs);
            servers.settle(limit).await;
            let status = servers.status();
            servers.stop().await;
            Ok(status)
        })
    }
}

impl fmt::Debug for ServerSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerSetup").finish_non_exhaustive()
    }
}

impl Servers {
    /// Starts servers with nothing but an environment: [`ServerSetup::start`].
    pub fn start(
        registry: &Arc<ToolRegistry>,
        specs: Vec<ServerSpec>,
        environment: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        ServerSetup::new(environment).start(registry, specs)
    }

    /// How each server is, in the order in which they were given.
    pub fn status(&self) -> Vec<ServerStatus> {
        self.states.borrow().clone()
    }

    /// Waits until something has changed about a server, and no longer than this.
    pub async fn changed(&self, limit: Duration) {
        let mut states = self.states.subscribe();
        // What is late is late.
        let _ = tokio::time::timeout(limit, states.changed()).await;
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
