//! Messages of a server that a command has started, as lines of its output.

use std::io;

use rmcp::model::{ErrorData, ServerJsonRpcMessage};
use rmcp::service::{RoleClient, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::framing::{Line, LineReader, LineWriter};
use crate::lines::id_in;

/// The longest message of a server that is read, in bytes: 16 MiB, as over HTTP.
pub(super) const MAX_ANSWER: usize = 16 * 1024 * 1024;

/// How the error begins that takes the place of a longer one.
const TOO_LONG: &str = "the answer is longer than ";

/// How many lines that are no messages are logged; servers that write there write much.
const MAX_LOGGED: usize = 20;

/// The transport over the pipes of a server.
///
/// What is no message is noise, and is passed over: greetings, colours, batches. Unlike the transport of
/// the SDK it tells the server nothing of that, since a server that writes noise does not expect
/// answers to it. A message that is too long is an error of the call that waits for it.
pub(super) struct Wire<R, W> {
    read: LineReader<R>,
    write: LineWriter<W>,
    server: Box<str>,
    logged: usize,
}

impl<R: AsyncRead + Send + Unpin, W: AsyncWrite + Send + Unpin + 'static> Wire<R, W> {
    pub(super) fn new(server: &str, read: R, write: W) -> Self {
        Self {
            read: LineReader::new(read, MAX_ANSWER),
            write: LineWriter::new(write),
            server: server.into(),
            logged: 0,
        }
    }

    /// Logs what was passed over, and after a while no more.
    fn noise(&mut self, what: &str) {
        self.logged += 1;
        if self.logged <= MAX_LOGGED {
            tracing::debug!(
                server = &*self.server,
                what,
                "passed over what is no message"
            );
        }
    }
}

impl<R, W> Transport<RoleClient> for Wire<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.write.clone().send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            match self.read.next().await {
                Line::End => return None,
                Line::TooLong(head) => match id_in(&head) {
                    Some(id) => return Some(too_long(id, self.read.limit)),
                    None => self.noise("a line that is too long"),
                },
                Line::Whole(line) => {
                    let line = line.trim_ascii();
                    if line.is_empty() {
                        continue;
                    }
                    match message(line) {
                        Some(message) => return Some(message),
                        None => self.noise(&String::from_utf8_lossy(&line[..line.len().min(200)])),
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.write.close().await
    }
}

/// A message of a server, read tolerantly where only the text is at fault: bytes that are no UTF-8 and
/// halves of surrogates become U+FFFD.
pub(super) fn message(text: &[u8]) -> Option<ServerJsonRpcMessage> {
    if let Ok(message) = serde_json::from_slice(text) {
        return Some(message);
    }
    let text = String::from_utf8_lossy(text);
    // Most noise is no object, and need not be read twice.
    let node = text
        .starts_with('{')
        .then(|| text.parse::<hermes_tools::args::Node>())?;
    serde_json::from_str(&node.ok()?.to_json()).ok()
}

/// The error that takes the place of an answer that is too long.
pub(super) fn too_long(id: rmcp::model::RequestId, limit: usize) -> ServerJsonRpcMessage {
    let why = format!("{TOO_LONG}{limit} bytes");
    ServerJsonRpcMessage::error(ErrorData::internal_error(why, None), Some(id))
}

/// Whether an error is that one.
pub(super) fn is_too_long(error: &ErrorData) -> bool {
    error.message.starts_with(TOO_LONG)
}
