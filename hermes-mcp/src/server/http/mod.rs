//! A server over HTTP, each client with a session of its own: the Streamable HTTP transport
//! (2025-11-25, "Transports").

mod door;
mod events;
mod origin;
mod sessions;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hermes_tools::Cancel;
use hermes_tools::context::Executor;
use http::{Method, Request, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use self::door::{Answer, Door, told};
use self::origin::Origins;
use self::sessions::{Idle, Sessions};
use super::Server;
use super::handler::Handler;
use crate::lines::MAX_MESSAGE;

/// A server over HTTP, at the path `/mcp`. Each client gets a server with a session of its own, made
/// when it comes.
///
/// Only requests that are made to this machine by its own names are answered, and of web pages only
/// those of this machine, unless [`allow_host`](Self::allow_host) and
/// [`allow_origin`](Self::allow_origin) say otherwise. An address that others can reach is served with a
/// [`token`](Self::token) alone. The connection is not encrypted: what goes over a network belongs
/// behind a proxy that does that.
///
/// ```no_run
/// use hermes_mcp::{Http, Server};
/// use hermes_tools::{Selection, Session, ToolRegistry};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let http = Http::new(|| {
///     let registry = ToolRegistry::linked()?;
///     let session = Session::builder(registry, Selection::of(["read_file"])).build()?;
///     Ok(Server::new(session))
/// });
/// http.serve_at("127.0.0.1:8080".parse()?, |address| println!("http://{address}/mcp"))?;
/// # Ok(())
/// # }
/// ```
pub struct Http {
    make: Arc<MakeServer>,
    token: Option<Box<str>>,
    hosts: Vec<String>,
    origins: Vec<String>,
    idle: Idle,
    body_limit: usize,
    most_sessions: usize,
    stop: Cancel,
}

/// Makes the server of one client.
type MakeServer = dyn Fn() -> Result<Server, Box<dyn std::error::Error>> + Send + Sync;

/// Why nothing is served over HTTP.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// The address can be reached by others, and there is no token.
    #[error("`{0}` can be reached from other machines; set a token, or serve a loopback address such as `127.0.0.1:{port}`", port = .0.port())]
    NoToken(SocketAddr),
    /// The token can be guessed, or is none that a header can carry.
    #[error(
        "the token cannot be used; take {MIN_TOKEN} or more visible ASCII characters, without spaces"
    )]
    BadToken,
    /// A name of this machine that is none.
    #[error(
        "`{0}` is no host; name one as clients send it, such as `agent.example.org` or `agent.example.org:8080`"
    )]
    BadHost(String),
    /// A web page that is none.
    #[error(
        "`{0}` is no origin; name one with its scheme, such as `https://app.example.org`, with a port or `:*` for any"
    )]
    BadOrigin(String),
    /// The address cannot be served, or there is no runtime to be had.
    #[error("nothing can be served at this address: {0}; choose another address")]
    Io(#[from] io::Error),
}

/// The fewest characters of a token.
const MIN_TOKEN: usize = 16;

/// How long a session stays that no stream is open of.
const IDLE: Duration = Duration::from_mins(30);

/// How many sessions there may be.
const MOST_SESSIONS: usize = 256;

/// How many connections there may be; more wait.
const MOST_CONNECTIONS: usize = 1024;

/// How long the head of a request, and its body, may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(30);

/// How long calls have at the end to give their answers, and answers to be read.
const GRACE: Duration = Duration::from_secs(2);

impl Http {
    /// A server that makes the server of each client so.
    pub fn new(
        make: impl Fn() -> Result<Server, Box<dyn std::error::Error>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            make: Arc::new(make),
            token: None,
            hosts: Vec::new(),
            origins: Vec::new(),
            idle: Idle {
                time: IDLE,
                clock: None,
            },
            body_limit: MAX_MESSAGE,
            most_sessions: MOST_SESSIONS,
            stop: Cancel::new(),
        }
    }

    /// Sets the token that every request must bring as `Authorization: Bearer TOKEN`.
    #[must_use]
    pub fn token(mut self, token: impl Into<Box<str>>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// Adds a name, with a port or for every port, by which clients may call this machine: what they send
    /// as `Host`.
    #[must_use]
    pub fn allow_host(mut self, host: impl Into<String>) -> Self {
        self.hosts.push(host.into());
        self
    }

    /// Adds a web page that may ask, such as `https://app.example.org:443`; the port `*` is any.
    #[must_use]
    pub fn allow_origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into());
        self
    }

    /// Sets how long a session stays of which no stream is open; 30 minutes without this.
    #[must_use]
    pub fn idle(mut self, time: Duration) -> Self {
        self.idle.time = time;
        self
    }

    /// Sets what tells how much time has passed for a session that nobody uses; the runtime without this.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Executor>) -> Self {
        self.idle.clock = Some(clock);
        self
    }

    /// Sets the longest message that is read, in bytes; [`MAX_MESSAGE`] without this.
    #[must_use]
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.body_limit = bytes;
        self
    }

    /// Sets how many sessions there may be at a time; 256 without this.
    #[must_use]
    pub fn sessions(mut self, at_most: usize) -> Self {
        self.most_sessions = at_most;
        self
    }

    /// Sets a sign at which the server stops: calls are cancelled and their answers still go out.
    #[must_use]
    pub fn stop_at(mut self, sign: &Cancel) -> Self {
        self.stop = sign.child();
        self
    }

    pub(crate) fn stop_sign(&self) -> Cancel {
        self.stop.clone()
    }

    /// Serves what comes to a listener until the sign is given.
    ///
    /// # Errors
    ///
    /// Others can reach the address and there is no token, or the token cannot be used.
    pub async fn serve(self, listener: TcpListener) -> Result<(), HttpError> {
        let address = listener.local_addr()?;
        self.check(address)?;
        let config = self.config(address);
        let cut_off = config.cancellation_token.clone();
        let sessions = Arc::new(Sessions::new(self.idle, &self.stop));
        let make = Arc::clone(&self.make);
        let handler = move || {
            let make = Arc::clone(&make);
            Ok(Handler::new(Box::new(move || {
                make().map_err(|error| error.to_string())
            })))
        };
        let door = Door {
            token: self.token,
            body_limit: self.body_limit,
            body_time: ARRIVAL,
            most_sessions: self.most_sessions,
        };
        let service = StreamableHttpService::new(handler, Arc::clone(&sessions), config);
        let site = Arc::new(Site {
            door,
            origins: Origins(self.origins),
            service,
            sessions,
        });
        let open = accept(listener, &site, &self.stop).await;
        // Calls were told with the sign; their answers go out, and then the streams end.
        let answered = async {
            while site.sessions.are_answering() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let _ = tokio::time::timeout(GRACE, answered).await;
        cut_off.cancel();
        let _ = tokio::time::timeout(GRACE, open.shutdown()).await;
        Ok(())
    }

    /// Whether the address may be served so.
    pub(crate) fn check(&self, address: SocketAddr) -> Result<(), HttpError> {
        if let Some(host) = self.hosts.iter().find(|host| !is_host(host)) {
            return Err(HttpError::BadHost(host.clone()));
        }
        if let Some(origin) = self.origins.iter().find(|origin| !is_origin(origin)) {
            return Err(HttpError::BadOrigin(origin.clone()));
        }
        match &self.token {
            Some(token) if token.len() < MIN_TOKEN => Err(HttpError::BadToken),
            Some(token) if !token.bytes().all(|byte| byte.is_ascii_graphic()) => {
                Err(HttpError::BadToken)
            }
            None if !address.ip().is_loopback() => Err(HttpError::NoToken(address)),
            _ => Ok(()),
        }
    }

    /// What the SDK checks of names.
    fn config(&self, address: SocketAddr) -> StreamableHttpServerConfig {
        let mut config = StreamableHttpServerConfig::default();
        if !address.ip().is_unspecified() {
            config.allowed_hosts.push(address.ip().to_string());
        }
        config.allowed_hosts.extend_from_slice(&self.hosts);
        let own = ["localhost", "127.0.0.1", "[::1]"].map(|host| format!("http://{host}:*"));
        config.allowed_origins = [&own[..], &self.origins].concat();
        config.max_request_body_bytes = self.body_limit;
        config
    }
}

/// Whether a text is the name of a host, with a port or without.
fn is_host(text: &str) -> bool {
    let is_authority = text.parse::<http::uri::Authority>().is_ok();
    is_authority && !text.contains(['*', '@'])
}

/// Whether a text is what a browser calls the origin of a page; the port may be `*`.
fn is_origin(text: &str) -> bool {
    let host = text.split_once("://").map(|(scheme, host)| {
        let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_scheme && !scheme.is_empty(), host)
    });
    host.is_some_and(|(is_scheme, host)| {
        is_scheme && is_host(host.strip_suffix(":*").unwrap_or(host))
    })
}

/// What all connections share.
struct Site {
    door: Door,
    origins: Origins,
    service: StreamableHttpService<Handler, Sessions>,
    sessions: Arc<Sessions>,
}

impl Site {
    async fn answer(&self, request: Request<Incoming>) -> Answer {
        let Some(page) = self.origins.asking(request.headers()) else {
            return self.answer_any(request).await;
        };
        let (method, headers) = (request.method(), request.headers());
        if let Some(answer) = Origins::before(page.clone(), method, headers) {
            return answer;
        }
        let mut answer = self.answer_any(request).await;
        Origins::let_read(&mut answer, page);
        answer
    }

    async fn answer_any(&self, request: Request<Incoming>) -> Answer {
        match self.door.admit(request, &self.sessions).await {
            Ok(request) => {
                let deletes = request.method() == Method::DELETE;
                let mut answer = told(self.service.handle(request).await).await;
                if deletes && answer.status() == StatusCode::ACCEPTED {
                    // The session is gone and nothing follows; some clients take the SDK's status for a failure.
                    *answer.status_mut() = StatusCode::NO_CONTENT;
                }
                answer
            }
            Err(refused) => *refused.0,
        }
    }
}

/// Takes connections until the sign is given; what is open then.
async fn accept(listener: TcpListener, site: &Arc<Site>, stop: &Cancel) -> GracefulShutdown {
    let open = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let next = async {
            // The semaphore is never closed.
            let place = Arc::clone(&room).acquire_owned().await.ok();
            (place, listener.accept().await)
        };
        let (place, stream) = tokio::select! {
            (place, accepted) = next => match accepted {
                Ok((stream, _)) => (place, stream),
                Err(error) => {
                    // The limit of open files, or a client that is gone already.
                    tracing::warn!(%error, "a connection was not taken");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
            () = stop.cancelled() => return open,
        };
        let site = Arc::clone(site);
        let answer = service_fn(move |request| {
            let site = Arc::clone(&site);
            async move { Ok::<_, std::convert::Infallible>(site.answer(request).await) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(ARRIVAL)
            .serve_connection(TokioIo::new(stream), answer);
        let connection = open.watch(connection);
        tokio::spawn(async move {
            let _place = place;
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection has failed");
            }
        });
    }
}

impl std::fmt::Debug for Http {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Http")
            .field("has_token", &self.token.is_some())
            .field("hosts", &self.hosts)
            .field("origins", &self.origins)
            .finish_non_exhaustive()
    }
}
