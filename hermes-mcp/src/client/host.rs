//! What servers may ask of the program that uses them, and what it remembers of them.
#![expect(
    deprecated,
    reason = "the next version of the protocol drops sampling; servers of today ask for it"
)]

use std::io;
use std::pin::Pin;
use std::sync::Arc;

use rmcp::model::{
    CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams, ElicitResult,
    ElicitationAction, ErrorData,
};

/// An answer that may wait.
pub type HostFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What servers may ask of the program that uses them.
///
/// A server is told that it may ask only what [`offers`](Self::offers) says. Everything is declined
/// where a method is not written.
pub trait Host: Send + Sync {
    /// What servers are told that they may ask.
    fn offers(&self) -> Offers {
        Offers::default()
    }

    /// Asks the person for what a server wants to know. What is left out of an accepted form is filled
    /// with the defaults of the form.
    fn elicit<'a>(
        &'a self,
        server: &'a str,
        request: ElicitRequestParams,
    ) -> HostFuture<'a, ElicitResult> {
        let (_, _) = (server, request);
        Box::pin(std::future::ready(ElicitResult::new(
            ElicitationAction::Decline,
        )))
    }

    /// Has a model write something for a server.
    fn sample<'a>(
        &'a self,
        server: &'a str,
        request: CreateMessageRequestParams,
    ) -> HostFuture<'a, Result<CreateMessageResult, ErrorData>> {
        let (_, _) = (server, request);
        let declined = ErrorData::invalid_request("no model writes for servers here", None);
        Box::pin(std::future::ready(Err(declined)))
    }

    /// The folders that a server may work in, as `file://` addresses, each with a name.
    fn roots(&self, server: &str) -> Vec<(String, String)> {
        let _ = server;
        Vec::new()
    }

    /// Whether a tool that is no longer what was approved is taken as it is now. Without a yes it is left
    /// out alone.
    fn changed<'a>(&'a self, tool: &'a Changed) -> HostFuture<'a, bool> {
        let _ = tool;
        Box::pin(std::future::ready(false))
    }
}

/// What a host offers to servers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a capability of its own in the protocol"
)]
pub struct Offers {
    /// Forms that a person fills in.
    pub forms: bool,
    /// Addresses that a person is sent to.
    pub urls: bool,
    /// Texts that a model writes.
    pub sampling: bool,
    /// Folders to work in.
    pub roots: bool,
}

/// A host that declines everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoHost;

impl Host for NoHost {}

/// A tool that is no longer what was approved.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Changed {
    /// The server.
    pub server: Box<str>,
    /// The server's own name of the tool.
    pub tool: Box<str>,
    /// What it says of itself now, as JSON: title, description, schemas and hints. A server wrote it.
    pub now: String,
}

/// Keeps what tools looked like when they were approved: for each tool of a server a digest.
///
/// `origin` says where the server comes from, its command or its address. What was approved of another
/// origin counts for nothing here, and stays as it is.
pub trait Pins: Send + Sync {
    /// The digest under which a tool was approved, if it was.
    ///
    /// # Errors
    ///
    /// It cannot be told. The tool is then left out.
    fn pinned(&self, server: &str, origin: &str, tool: &str) -> io::Result<Option<String>>;

    /// Keeps digests, each beside the server's own name of the tool.
    ///
    /// # Errors
    ///
    /// They are not kept. The tools are then left out.
    fn pin(&self, server: &str, origin: &str, tools: &[(Box<str>, String)]) -> io::Result<()>;
}

/// No memory: every tool is taken as it comes.
impl Pins for () {
    fn pinned(&self, _: &str, _: &str, _: &str) -> io::Result<Option<String>> {
        Ok(None)
    }

    fn pin(&self, _: &str, _: &str, _: &[(Box<str>, String)]) -> io::Result<()> {
        Ok(())
    }
}

/// What the task of a server gets of its host.
#[derive(Clone)]
pub(super) struct Hosted {
    pub(super) host: Arc<dyn Host>,
    pub(super) pins: Arc<dyn Pins>,
}
