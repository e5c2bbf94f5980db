//! Messages of a server that a command has started, as lines of its output.

use std::io;
use std::sync::Arc;

use rmcp::model::{ErrorData, ServerJsonRpcMessage};
use rmcp::service::{RoleClient, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

use crate::lines::id_in;

/// The longest message of a server that is read, in bytes: 16 MiB, as over HTTP.
pub(super) const MAX_ANSWER: usize = 16 * 1024 * 1024;

/// How much of a message that is too long is kept, to find its id.
const HEAD: usize = 4096;

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
    read: BufReader<R>,
    write: Arc<Mutex<Option<W>>>,
    server: Box<str>,
    /// What has arrived of a line. It stays when reading is given up halfway.
    line: Vec<u8>,
    skipping: bool,
    logged: usize,
    limit: usize,
}

enum Line {
    Whole(Vec<u8>),
    TooLong(Vec<u8>),
    End,
}

impl<R: AsyncRead + Send + Unpin, W: AsyncWrite + Send + Unpin + 'static> Wire<R, W> {
    pub(super) fn new(server: &str, read: R, write: W) -> Self {
        Self {
            read: BufReader::new(read),
            write: Arc::new(Mutex::new(Some(write))),
            server: server.into(),
            line: Vec::new(),
            skipping: false,
            logged: 0,
            limit: MAX_ANSWER,
        }
    }

    async fn next_line(&mut self) -> Line {
        loop {
            let Ok(available) = self.read.fill_buf().await else {
                return Line::End;
            };
            if available.is_empty() {
                return Line::End;
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            let taken = part.len() + usize::from(end.is_some());
            if self.skipping {
                self.skipping = end.is_none();
            } else if self.line.len() + part.len() > self.limit {
                self.skipping = end.is_none();
                let mut head = std::mem::take(&mut self.line);
                let room = HEAD.saturating_sub(head.len()).min(part.len());
                head.extend_from_slice(&part[..room]);
                head.truncate(HEAD);
                self.read.consume(taken);
                return Line::TooLong(head);
            } else {
                self.line.extend_from_slice(part);
                if end.is_some() {
                    self.read.consume(taken);
                    return Line::Whole(std::mem::take(&mut self.line));
                }
            }
            self.read.consume(taken);
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
        let to = Arc::clone(&self.write);
        async move {
            let mut line = serde_json::to_vec(&item)?;
            line.push(b'\n');
            let mut to = to.lock().await;
            let Some(write) = &mut *to else {
                return Err(io::ErrorKind::NotConnected.into());
            };
            write.write_all(&line).await?;
            write.flush().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            match self.next_line().await {
                Line::End => return None,
                Line::TooLong(head) => match id_in(&head) {
                    Some(id) => return Some(too_long(id, self.limit)),
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
        match self.write.lock().await.take() {
            Some(mut write) => write.shutdown().await,
            None => Ok(()),
        }
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
