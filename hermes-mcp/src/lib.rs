//! Both directions of the [Model Context Protocol](https://modelcontextprotocol.io), on its official SDK,
//! `rmcp`: tools of hermes-tools as a server, and the tools of servers in a registry (`Servers`).
//!
//! A binary that links tool packs is a server with one call:
//!
//! ```no_run
//! use hermes_tools::{Selection, Session, ToolRegistry};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let session = Session::builder(ToolRegistry::linked()?, Selection::of(["read_file"]))
//!         .approver(hermes_mcp::Elicitation)
//!         .build()?;
//!     Ok(hermes_mcp::serve_stdio(session)?)
//! }
//! ```
//!
//! Whatever goes wrong in a call is a result with `isError` that tells the model what to do next, and
//! never a protocol error; the one exception is a tool that does not exist, since the specification
//! wants that (2025-11-25, "Tools", error handling). What a session refuses, a client is refused.

mod client;
mod counterpart;
mod elicitation;
mod fault;
mod framing;
mod lines;
mod open;
mod params;
mod server;
mod stdio;

pub use crate::client::{
    Changed, Host, HostFuture, NoHost, Offers, PinFile, Pins, ServerSetup, ServerSpec, ServerState,
    ServerStatus, Servers, SpecError,
};
#[cfg(feature = "http-client")]
pub use crate::client::{Login, LoginError, TokenFolder, login};
pub use crate::counterpart::Client;
pub use crate::elicitation::Elicitation;
pub use crate::lines::{Lines, MAX_MESSAGE};
#[cfg(feature = "http")]
pub use crate::server::{Http, HttpError};
pub use crate::server::{Resource, ServeError, Server, Variables};
pub use crate::stdio::serve_stdio;

/// The messages of the protocol, as the SDK has them.
pub use rmcp::model;

use hermes_tools::Session;
use rmcp::RoleServer;
use rmcp::transport::IntoTransport;

/// Serves a session to one client until the client is gone: [`Server::serve`] with nothing set.
///
/// Over a pair of byte streams, [`Lines`] is the transport that bounds what a client may send.
///
/// # Errors
///
/// The client does not speak the protocol, or the connection failed before it was open.
pub async fn serve<T, E, A>(session: Session, transport: T) -> Result<(), ServeError>
where
    T: IntoTransport<RoleServer, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    Server::new(session).serve(transport).await
}
