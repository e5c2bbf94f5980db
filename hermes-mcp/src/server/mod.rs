//! A session as a server.

mod call;
mod content;
mod handler;
mod listing;
mod log;
mod watched;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use hermes_tools::{Cancel, Session};
use rmcp::model::Implementation;
use rmcp::service::{Peer, RoleServer, ServerInitializeError, ServiceExt};
use rmcp::transport::{IntoTransport, Transport};
use tokio::time::MissedTickBehavior;

use self::handler::Handler;
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

/// How often it is looked whether the tools have changed.
const LOOK: Duration = Duration::from_secs(1);

impl Server {
    /// A server of this session, under the name `hermes-mcp`.
    pub fn new(session: Session) -> Self {
        Self {
            session,
            name: Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
            instructions: None,
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

    /// Sets how many tools one page of a list has, at least one; 200 without this.
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
        let signs = Signs {
            gone: self.stop.child(),
            ended: Cancel::new(),
        };
        let _calls_end_with_this = CancelOnDrop(signs.gone.clone());
        let transport = Watched::new(transport.into_transport(), signs.clone());
        self.serve_watched(transport, signs).await
    }

    async fn serve_watched<T>(self, transport: T, signs: Signs) -> Result<(), ServeError>
    where
        T: Transport<RoleServer> + 'static,
    {
        let stop = self.stop.clone();
        let handler = Arc::new(Handler::new(self, signs));
        let opened = tokio::select! {
            opened = Arc::clone(&handler).serve(transport) => opened,
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
        let client = running.peer().clone();
        let mut waiting = std::pin::pin!(running.waiting());
        tokio::select! {
            ended = &mut waiting => drop(ended?),
            () = tell_changes(&handler, &client) => drop(waiting.await?),
            () = stop.cancelled() => {
                end.cancel();
                drop(waiting.await?);
            }
        }
        Ok(())
    }
}

/// Tells the client when the tools have changed since it has listed them. Ends when it cannot be told
/// any more.
async fn tell_changes(handler: &Handler, client: &Peer<RoleServer>) {
    let mut look = tokio::time::interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = look.tick() => {}
            () = handler.called() => {}
        }
        if handler.has_changed().await && client.notify_tool_list_changed().await.is_err() {
            return;
        }
    }
}

struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
