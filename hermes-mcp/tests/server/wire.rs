//! A client of bare lines.

use hermes_mcp::{Lines, ServeError, Server};
use hermes_tools::Session;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split,
};
use tokio::task::JoinHandle;

type Stream = Lines<ReadHalf<DuplexStream>, WriteHalf<DuplexStream>>;

/// One end of a connection, the server at the other.
pub(crate) struct Wire {
    read: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: Option<WriteHalf<DuplexStream>>,
    pub(crate) served: JoinHandle<Result<(), ServeError>>,
}

impl Wire {
    /// A connection that is open, before anything was said.
    pub(crate) fn bare(session: Session) -> Self {
        Self::to(Server::new(session))
    }

    fn to(server: Server) -> Self {
        Self::over(server, |lines| lines.limit(100_000))
    }

    /// A connection after the handshake, over which messages may have the length that they have anywhere.
    pub(crate) async fn unlimited(session: Session) -> Self {
        Self::over(Server::new(session), |lines| lines)
            .opened(json!({}))
            .await
    }

    fn over(server: Server, settings: impl FnOnce(Stream) -> Stream) -> Self {
        let (ours, theirs) = duplex(1 << 16);
        let (read, write) = split(theirs);
        let task = tokio::spawn(server.serve(settings(Lines::new(read, write))));
        let (read, write) = split(ours);
        Self {
            read: BufReader::new(read).lines(),
            write: Some(write),
            served: task,
        }
    }

    /// A connection after the handshake.
    pub(crate) async fn open(session: Session) -> Self {
        Self::serving(Server::new(session)).await
    }

    /// A connection to a server after the handshake.
    pub(crate) async fn serving(server: Server) -> Self {
        Self::serving_with(server, json!({})).await
    }

    /// The same for a client that can do this.
    pub(crate) async fn serving_with(server: Server, capabilities: Value) -> Self {
        Self::to(server).opened(capabilities).await
    }

    async fn opened(self, capabilities: Value) -> Self {
        let mut wire = self;
        wire.send(
            &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": capabilities,
            "clientInfo": {"name": "lines", "version": "1"}}}),
        )
        .await;
        let hello = wire.next().await;
        assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
        wire.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
        wire
    }

    pub(crate) async fn write(&mut self, text: &str) {
        let write = self.write.as_mut().unwrap();
        write.write_all(text.as_bytes()).await.unwrap();
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.write(&format!("{message}\n")).await;
    }

    pub(crate) async fn request(&mut self, id: u64, method: &str, params: &Value) {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(&message).await;
    }

    /// Calls a tool with these parameters and waits for the next message.
    pub(crate) async fn call(&mut self, id: u64, params: &Value) -> Value {
        self.request(id, "tools/call", params).await;
        self.answer(id).await
    }

    /// The next line as it is.
    pub(crate) async fn line(&mut self) -> String {
        self.read.next_line().await.unwrap().unwrap()
    }

    /// The next line.
    pub(crate) async fn next(&mut self) -> Value {
        serde_json::from_str(&self.line().await).unwrap()
    }

    /// The answer with this id. Log messages before it are passed over.
    pub(crate) async fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.next().await;
            if message["method"] != "notifications/message" {
                assert_eq!(message["id"], id, "{message}");
                return message;
            }
        }
    }

    /// Writes, reading meanwhile as a client does, and gives the answer with this id.
    pub(crate) async fn exchange(&mut self, text: &str, id: u64) -> Value {
        let mut write = self.write.take().unwrap();
        let (written, answer) = tokio::join!(write.write_all(text.as_bytes()), self.answer(id));
        written.unwrap();
        self.write = Some(write);
        answer
    }

    /// Ends what the server reads.
    pub(crate) async fn close(&mut self) {
        self.write.take().unwrap().shutdown().await.unwrap();
    }
}
