//! A session as a server.

mod call;
mod connection;
mod content;
mod handler;
#[cfg(feature = "http")]
mod http;
mod listing;
mod log;
mod prompts;
mod resources;
mod template;
mod watched;

use std::io;
use std::sync::Arc;

use hermes_tools::{Cancel, Session};
use rmcp::model::{ErrorData, Implementation, PaginatedRequestParams};
use rmcp::service::{RoleServer, ServerInitializeError, ServiceExt};
use rmcp::transport::{IntoTransport, Transport};

use self::connection::{Connection, Make};
use self::handler::Handler;
#[cfg(feature = "http")]
pub use self::http::{Http, HttpError};
pub use self::resources::{Resource, Variables};
use self::watched::{Signs, Watched};

/// A server that gives the tools of a session to a client.
///
/// ```
/// # async fn over(stream: tokio::net::TcpStream, session: hermes_tools::Session) -> Result<(), hermes_mcp::ServeError> {
/// use hermes_mcp::{Lines, Server};
///
/// let (read, write) = tokio::io::split(stream);
/// Server::new(session)
///     .named("notes", "1.0.0")
///     .instructions("Call `find_note` before `write_note`.")
///     .serve(Lines::new(read, write))
///     .await
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Server {
    session: Session,
    name: Implementation,
    instructions: Option<String>,
    resources: Arc<Vec<Resource>>,
    page: usize,
    stop: Cancel,
}

/// Why a client was not served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The client does not speak the protocol, or the connection failed.
    #[error(
        "the client did not open the connection: {0}; check that it speaks the Model Context Protocol"
    )]
    Handshake(Box<ServerInitializeError>),
    /// The server ended by a fault of its own.
    #[error("the server stopped: {0}; please report it")]
    Stopped(#[from] tokio::task::JoinError),
    /// There is no runtime to be had.
    #[error("the server cannot start: {0}; check the limits of the process")]
    Runtime(#[from] io::Error),
}

/// How many tools one page of a list has.
const PAGE: usize = 200;

/// What cursors begin with; behind it stands the last name of the page before, so that a list that
/// changes between two pages loses nothing that stays.
const CURSOR: &str = "after:";

impl Server {
    /// A server of this session, under the name `hermes-mcp`.
    pub fn new(session: Session) -> Self {
        Self {
            session,
            name: Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
            instructions: None,
            resources: Arc::default(),
            page: PAGE,
            stop: Cancel::new(),
        }
    }

    /// Sets the name and the version that clients show.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.name = Implementation::new(name, version);
        self
    }

    /// Sets what the model is told of the server as a whole.
    #[must_use]
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = Some(text.into());
        self
    }

    /// Adds something that clients can read, beside the stored results of their session.
    #[must_use]
    pub fn resource(mut self, resource: Resource) -> Self {
        Arc::make_mut(&mut self.resources).push(resource);
        self
    }

    /// Sets how many tools one page of a list has, at least one; 200 without this. Other lists have pages
    /// of the same size.
    #[must_use]
    pub fn page(mut self, tools: usize) -> Self {
        self.page = tools.max(1);
        self
    }

    /// Sets a sign at which the server stops: calls are cancelled, their answers still go out, and the
    /// connection is closed.
    #[must_use]
    pub fn stop_at(mut self, sign: &Cancel) -> Self {
        self.stop = sign.child();
        self
    }

    pub(crate) fn stop_sign(&self) -> Cancel {
        self.stop.clone()
    }

    /// Serves one client until it is gone. Calls that still run then are cancelled.
    ///
    /// # Errors
    ///
    /// The client does not speak the protocol, or the connection failed before it was open. A client that
    /// leaves is no error, also when it never said anything.
    pub async fn serve<T, E, A>(self, transport: T) -> Result<(), ServeError>
    where
        T: IntoTransport<RoleServer, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        let signs = Signs::below(&self.stop);
        let _calls_end_with_this = CancelOnDrop(signs.gone.clone());
        let transport = Watched::new(transport.into_transport(), signs);
        self.serve_watched(transport).await
    }

    async fn serve_watched<T>(self, transport: T) -> Result<(), ServeError>
    where
        T: Transport<RoleServer> + 'static,
    {
        let stop = self.stop.clone();
        let handler = Handler::new(Box::new(move || Ok(self.clone())));
        let opened = tokio::select! {
            opened = handler.serve(transport) => opened,
            () = stop.cancelled() => return Ok(()),
        };
        let running = match opened {
            Ok(running) => running,
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
                return Ok(());
            }
            Err(error) => return Err(ServeError::Handshake(Box::new(error))),
        };
        let end = running.cancellation_token();
        let mut waiting = std::pin::pin!(running.waiting());
        tokio::select! {
            ended = &mut waiting => drop(ended?),
            () = stop.cancelled() => {
                end.cancel();
                drop(waiting.await?);
            }
        }
        Ok(())
    }
}

impl Handler {
    fn new(make: Box<Make>) -> Self {
        Self(Arc::new(Connection::new(make)))
    }
}

/// The part of a sorted list behind a cursor, and the cursor of the next.
///
/// # Errors
///
/// No page has given this cursor out.
fn page<T: Clone>(
    all: &[T],
    request: Option<PaginatedRequestParams>,
    size: usize,
    name: impl Fn(&T) -> &str,
) -> Result<(Vec<T>, Option<String>), ErrorData> {
    let start = match request.and_then(|request| request.cursor) {
        None => 0,
        Some(cursor) => {
            let Some(last) = cursor.strip_prefix(CURSOR) else {
                let why = "the cursor is not one that this server gave out; list without one";
                return Err(ErrorData::invalid_params(why, None));
            };
            all.partition_point(|item| name(item) <= last)
        }
    };
    let rest = &all[start..];
    let page = &rest[..rest.len().min(size)];
    let next = match page.last() {
        Some(last) if page.len() < rest.len() => Some(format!("{CURSOR}{}", name(last))),
        _ => None,
    };
    Ok((page.to_vec(), next))
}

struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
