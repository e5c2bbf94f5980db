//! The life of one server: started, listed, lost, started again.

use std::collections::BTreeSet;
use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use hermes_tools::registry::Change;
use hermes_tools::{Cancel, RuntimeTool, ToolRegistry};
use rmcp::ServiceExt;
use rmcp::service::{ClientInitializeError, RoleClient, RunningService, ServiceError};
use rmcp::transport::IntoTransport;
use serde_json::Value;
use tokio::sync::{Notify, watch};

use super::asks::Client;
use super::connection::{Challenge, Line, Listed, list, tool, wrote};
use super::digest::{digest, told};
use super::host::Changed;
use super::process::{KEPT, Process};
use super::spec::{Program, ServerSpec, Way};
use super::wire::Wire;
use super::{ServerSetup, ServerState, ServerStatus};

/// The pause before the second start; it doubles up to a minute.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// How often a server is started in a row without listing its tools.
const STARTS: usize = 5;

/// The least time between two lists of tools, however often they change.
const BETWEEN_LISTS: Duration = Duration::from_millis(300);

/// What the task of one server works with.
pub(super) struct Supervised {
    pub(super) spec: Arc<ServerSpec>,
    pub(super) registry: Arc<ToolRegistry>,
    pub(super) setup: ServerSetup,
    pub(super) states: watch::Sender<Vec<ServerStatus>>,
    pub(super) stop: Cancel,
    pub(super) line: Arc<Line>,
    pub(super) place: usize,
}

/// A connection, and the tools that it began with.
struct Opened {
    running: RunningService<RoleClient, Client>,
    listed: Listed,
    changed: Arc<Notify>,
}

impl Supervised {
    pub(super) async fn run(self) {
        let (mut pause, mut failed) = (FIRST_PAUSE, 0);
        loop {
            #[cfg(feature = "http-client")]
            let signed_in = self.tokens().and_then(|tokens| tokens.written());
            let why = match self.once().await {
                Ended::Stopped => break,
                Ended::SignIn(challenge) => {
                    self.withdraw();
                    self.tell(|status| {
                        status.state = ServerState::SignIn;
                        status.challenge = Some(challenge);
                    });
                    #[cfg(feature = "http-client")]
                    let again = self.signed_in(signed_in);
                    #[cfg(not(feature = "http-client"))]
                    let again = std::future::pending();
                    tokio::select! {
                        () = again => {}
                        () = self.stop.cancelled() => break,
                    }
                    (pause, failed) = (FIRST_PAUSE, 0);
                    continue;
                }
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

/// What is said of a tool that is not what was approved.
const CHANGED: &str = "it is not what was approved: its description, schema or hints have changed since; approve it again";

/// What is said of a tool where the memory of what was approved is at fault.
fn untold(why: &str) -> String {
    format!("what was approved cannot be read or kept: {why}")
}

/// Whether a tool is what was approved.
enum Judged {
    Known,
    /// It is taken, and kept under this digest.
    New(String),
    Changed,
    /// Nobody can tell, and why.
    Untold(String),
}

/// Why there is no connection.
#[derive(Default)]
struct NotOpened {
    why: String,
    /// What a server said that wants a sign-in.
    #[cfg_attr(
        not(feature = "http-client"),
        expect(dead_code, reason = "only over HTTP")
    )]
    challenge: Option<String>,
}

impl From<String> for NotOpened {
    fn from(why: String) -> Self {
        let challenge = None;
        Self { why, challenge }
    }
}

/// How a run of a server ended.
enum Ended {
    /// We stopped it.
    Stopped,
    /// It wants a sign-in first, and says so.
    SignIn(String),
    /// It could be called until then.
    Ready(String),
    /// It never listed its tools.
    Early(String),
}

impl Supervised {
    /// One run of the server, from its start to its end.
    async fn once(&self) -> Ended {
        let ended = match &self.spec.way {
            Way::Command(program) => self.of_command(program).await,
            #[cfg(feature = "http-client")]
            Way::Url(remote) => tokio::select! {
                ended = self.of_url(remote) => ended,
                () = self.stop.cancelled() => Ended::Stopped,
            },
            #[cfg(not(feature = "http-client"))]
            Way::Url(_) => Ended::Early(
                "servers at an address need the feature `http-client` of this program".to_owned(),
            ),
        };
        self.line.peer.send_replace(None);
        ended
    }

    async fn of_command(&self, program: &Program) -> Ended {
        let started = Process::start(program, &*self.setup.environment);
        let (mut process, output, input) = match started {
            Ok(started) => started,
            Err(error) => {
                let command = &program.command;
                return Ended::Early(format!("`{command}` cannot be started: {error}"));
            }
        };
        self.line.log.send_replace(Some(Arc::clone(process.log())));
        let mut ended = tokio::select! {
            ended = async {
                match self.open(Wire::new(&self.spec.name, output, input)).await {
                    Ok(opened) => self.talk(opened).await,
                    Err(NotOpened { why, .. }) => Ended::Early(why),
                }
            } => ended,
            () = self.stop.cancelled() => Ended::Stopped,
        };
        self.line.peer.send_replace(None);
        process.end().await;
        if let Ended::Ready(why) | Ended::Early(why) = &mut ended {
            why.push_str(&wrote(&process.log().text(KEPT).await));
        }
        ended
    }

    #[cfg(feature = "http-client")]
    async fn of_url(&self, remote: &super::spec::Remote) -> Ended {
        use super::http::{Connector, Streamable};
        use super::spec::Protocol;
        let made = Connector::of(
            &self.spec.name,
            remote,
            &*self.setup.environment,
            self.setup.tokens.as_ref(),
        );
        let connector = match tokio::time::timeout(self.spec.start, made).await {
            Ok(Ok(connector)) => connector,
            Ok(Err(why)) => return Ended::Early(why),
            Err(_) => return Ended::Early(self.late()),
        };
        let mut opened = Err(NotOpened::default());
        if remote.protocol != Protocol::Sse {
            opened = match connector.streamable() {
                Streamable::Plain(transport) => self.open(transport).await,
                Streamable::SignedIn(transport) => self.open(transport).await,
            };
        }
        let shut = matches!(&opened, Err(it) if it.challenge.is_some());
        if opened.is_err() && remote.protocol != Protocol::Streamable && !shut {
            let mut sse = connector.sse();
            let listening = tokio::time::timeout(self.spec.start, sse.open()).await;
            let older = match listening {
                Ok(Ok(())) => self.open(sse).await,
                Ok(Err(error)) => Err(NotOpened {
                    challenge: super::http::challenge(&*error),
                    why: told_of(&*error),
                }),
                Err(_) => Err(self.late().into()),
            };
            // What was said first says more, unless nothing else was tried.
            if older.is_ok() || remote.protocol == Protocol::Sse {
                opened = older;
            }
        }
        match opened {
            Ok(opened) => self.talk(opened).await,
            Err(NotOpened {
                challenge: Some(challenge),
                ..
            }) => Ended::SignIn(challenge),
            Err(NotOpened { why, .. }) => Ended::Early(why),
        }
    }

    /// Where the tokens of a sign-in are.
    #[cfg(feature = "http-client")]
    fn tokens(&self) -> Option<super::http::TokenFile> {
        let (tokens, url) = (self.setup.tokens.as_ref()?, self.spec.url()?);
        let url = super::http::address_of(url, &*self.setup.environment).ok()?;
        Some(tokens.of(&self.spec.name, url.as_str()))
    }

    /// Waits until somebody has signed in since.
    #[cfg(feature = "http-client")]
    async fn signed_in(&self, since: Option<super::http::Written>) {
        match self.tokens() {
            Some(tokens) => tokens.changed(since).await,
            None => std::future::pending().await,
        }
    }

    fn late(&self) -> String {
        let limit = self.spec.start.as_secs_f64();
        format!("it did not list its tools within {limit} s")
    }

    /// The handshake and the first list of tools.
    async fn open<T, E, A>(&self, transport: T) -> Result<Opened, NotOpened>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: Error + Send + Sync + 'static,
    {
        let changed = Arc::new(Notify::new());
        let client = Client {
            server: self.spec.name.clone(),
            host: Arc::clone(&self.setup.hosted.host),
            line: Arc::clone(&self.line),
            changed: Arc::clone(&changed),
        };
        let opening = async {
            let running = client.serve(transport).await;
            let running = running.map_err(|error| not_opened(&error))?;
            let listed = list(running.peer()).await;
            let listed = listed.map_err(|error| NotOpened {
                #[cfg(feature = "http-client")]
                challenge: error.auth_challenge().map(str::to_owned),
                #[cfg(not(feature = "http-client"))]
                challenge: None,
                why: match &error {
                    ServiceError::McpError(error) => {
                        format!("its tools cannot be listed: {}", error.message)
                    }
                    error => told_of(error),
                },
            })?;
            Ok(Opened {
                running,
                listed,
                changed,
            })
        };
        let opened = tokio::time::timeout(self.spec.start, opening).await;
        opened.unwrap_or_else(|_| Err(self.late().into()))
    }

    /// The connection, from its first list to its end.
    async fn talk(&self, opened: Opened) -> Ended {
        let Opened {
            running,
            listed,
            changed,
        } = opened;
        let peer = running.peer().clone();
        self.line.peer.send_replace(Some(peer.clone()));
        self.adopt(&listed).await;
        let mut waiting = std::pin::pin!(running.waiting());
        let mut challenges = self.line.challenge.subscribe();
        loop {
            let listing = async {
                changed.notified().await;
                let listed = tokio::time::timeout(self.spec.start, list(&peer)).await;
                if let Ok(Ok(listed)) = listed {
                    self.adopt(&listed).await;
                } else {
                    // What was listed before is still the best that is known.
                    tracing::warn!(server = &*self.spec.name, "the tools were not listed again");
                }
                tokio::time::sleep(BETWEEN_LISTS).await;
            };
            tokio::select! {
                _ = &mut waiting => return Ended::Ready("its output has ended".to_owned()),
                () = listing => {}
                Ok(()) = challenges.changed() => {
                    let challenge = challenges.borrow_and_update().clone();
                    if let Some(Challenge { text, shut }) = challenge {
                        if shut {
                            return Ended::SignIn(text);
                        }
                        self.tell(|status| status.challenge = Some(text));
                    }
                }
            }
        }
    }

    /// Makes the tools in the registry those that the server has listed, as far as they are what was
    /// approved.
    async fn adopt(&self, all: &Listed) {
        let (mut refused, mut tools, mut new) = (Vec::new(), Vec::new(), Vec::new());
        let (mut offered, mut fault) = (BTreeSet::new(), None);
        for listed in &all.tools {
            let name = listed.get("name").and_then(Value::as_str).unwrap_or("");
            offered.insert(name);
            if !name.is_empty() && !self.spec.filter.takes(name) {
                continue;
            }
            match tool(&self.spec, listed, &self.line) {
                Ok(tool) => match self.judged(name, listed).await {
                    Judged::Known => tools.push((false, tool)),
                    Judged::New(digest) => {
                        new.push((name.into(), digest));
                        tools.push((true, tool));
                    }
                    Judged::Changed => refused.push((name.into(), CHANGED.to_owned())),
                    Judged::Untold(why) => {
                        refused.push((name.into(), untold(&why)));
                        fault = Some(why);
                    }
                },
                Err(left_out) => refused.push(left_out),
            }
        }
        if let Err(error) = self.keep(&new) {
            // Taken without being kept, they would be new again each time, whatever they have become.
            let why = error.to_string();
            tools.retain(|(new, _)| !new);
            refused.extend(new.into_iter().map(|(name, _)| (name, untold(&why))));
            fault = Some(why);
        }
        self.tell(|status| {
            status.unknown_names = self.spec.unknown_names(&offered);
            status.incomplete.clone_from(&all.incomplete);
            status.pins_fault = fault;
        });
        let tools = tools.into_iter().map(|(_, tool)| tool).collect();
        self.publish(tools, refused);
    }

    fn keep(&self, new: &[(Box<str>, String)]) -> io::Result<()> {
        if new.is_empty() {
            return Ok(());
        }
        let pins = &self.setup.hosted.pins;
        pins.pin(&self.spec.name, &self.spec.origin(), new)
    }

    /// Whether a tool is what was approved, or the host takes it as it is now.
    async fn judged(&self, name: &str, listed: &Value) -> Judged {
        if !self.spec.pinned {
            return Judged::Known;
        }
        let (server, hosted) = (&*self.spec.name, &self.setup.hosted);
        let now = digest(listed);
        match hosted.pins.pinned(server, &self.spec.origin(), name) {
            Err(error) => Judged::Untold(error.to_string()),
            Ok(None) => Judged::New(now),
            Ok(Some(then)) if then == now => Judged::Known,
            Ok(Some(_)) => {
                let changed = Changed {
                    server: server.into(),
                    tool: name.into(),
                    now: told(listed),
                };
                if hosted.host.changed(&changed).await {
                    Judged::New(now)
                } else {
                    Judged::Changed
                }
            }
        }
    }

    fn publish(&self, tools: Vec<RuntimeTool>, mut refused: Vec<(Box<str>, String)>) {
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

/// An error of the handshake. It does not say itself what is behind an error of its transport.
fn not_opened(error: &ClientInitializeError) -> NotOpened {
    NotOpened {
        #[cfg(feature = "http-client")]
        challenge: error.auth_challenge().map(str::to_owned),
        #[cfg(not(feature = "http-client"))]
        challenge: None,
        why: match error {
            ClientInitializeError::TransportError { error, .. } => told_of(&*error.error),
            error => told_of(error),
        },
    }
}

/// An error of a connection in words, as far as we know better ones.
fn told_of(error: &(dyn Error + 'static)) -> String {
    #[cfg(feature = "http-client")]
    if let Some((why, _)) = super::http::why(error) {
        return why;
    }
    error.to_string()
}
