//! A client of bare HTTP requests.

use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// An answer whose body is still on its way.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    read: BufReader<TcpStream>,
    /// What has arrived of an event stream.
    events: String,
}

/// An event of a stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Event {
    pub(crate) id: String,
    /// The message; null where there is none.
    pub(crate) data: Value,
}

/// A client with the headers that it sends each time.
#[derive(Clone)]
pub(crate) struct Client {
    address: SocketAddr,
    pub(crate) headers: Vec<(&'static str, String)>,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let headers = vec![
            ("Host", format!("localhost:{}", address.port())),
            ("Accept", "application/json, text/event-stream".to_owned()),
            ("Content-Type", "application/json".to_owned()),
        ];
        Self { address, headers }
    }

    /// A client with a session.
    pub(crate) async fn open(address: SocketAddr) -> Self {
        Self::new(address).opened().await
    }

    /// The same client with a session.
    pub(crate) async fn opened(self) -> Self {
        let mut hello = self.post(&hello()).await;
        assert_eq!(hello.status, 200);
        let session = hello.header("mcp-session-id").unwrap().to_owned();
        let opened = self.with("Mcp-Session-Id", session);
        assert_eq!(
            hello.message().await["result"]["protocolVersion"],
            "2025-11-25"
        );
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(opened.post(&ready).await.status, 202);
        opened
    }

    /// The same with this header in place of one of its name.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.retain(|(known, _)| *known != name);
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) async fn request(&self, method: &str, body: &str) -> Answer {
        self.request_at(method, "/mcp", body).await
    }

    pub(crate) async fn request_at(&self, method: &str, path: &str, body: &str) -> Answer {
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nContent-Length: {}\r\n",
            body.len()
        );
        for (name, value) in &self.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        head.push_str("\r\n");
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        // A server that refuses need not read all of it.
        let _ = stream.write_all(body.as_bytes()).await;
        Answer::of(stream).await
    }

    pub(crate) async fn post(&self, message: &Value) -> Answer {
        self.request("POST", &message.to_string()).await
    }

    pub(crate) async fn ask(&self, id: u64, method: &str, params: &Value) -> Answer {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.post(&message).await
    }

    /// Calls a tool, and gives the answer while it runs.
    pub(crate) async fn start(&self, id: u64, tool: &str, arguments: &Value) -> Answer {
        self.ask(
            id,
            "tools/call",
            &json!({"name": tool, "arguments": arguments}),
        )
        .await
    }

    /// Calls a tool without arguments and gives the text of the result.
    pub(crate) async fn call(&self, id: u64, tool: &str) -> String {
        let answer = self.start(id, tool, &json!({})).await.message().await;
        let text = &answer["result"]["content"][0]["text"];
        text.as_str()
            .unwrap_or_else(|| panic!("{answer}"))
            .to_owned()
    }
}

/// The request that opens a session.
pub(crate) fn hello() -> Value {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "bare", "version": "1"}}})
}

impl Answer {
    async fn of(stream: TcpStream) -> Self {
        let mut read = BufReader::new(stream);
        let mut line = String::new();
        read.read_line(&mut line).await.unwrap();
        let status = line.split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = Vec::new();
        loop {
            line.clear();
            read.read_line(&mut line).await.unwrap();
            let Some((name, value)) = line.trim_end().split_once(": ") else {
                break;
            };
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        Self {
            status,
            headers,
            read,
            events: String::new(),
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The whole body, of an answer that says how long it is.
    pub(crate) async fn text(&mut self) -> String {
        let length = self.header("content-length").unwrap().parse().unwrap();
        let mut body = vec![0; length];
        self.read.read_exact(&mut body).await.unwrap();
        String::from_utf8(body).unwrap()
    }

    /// The error of an answer whose body is one, as JSON-RPC has it: its code, its words and the id.
    pub(crate) async fn error(&mut self) -> (i64, String, Value) {
        assert_eq!(self.header("content-type"), Some("application/json"));
        let mut body: Value = serde_json::from_str(&self.text().await).unwrap();
        assert_eq!(body["jsonrpc"], "2.0", "{body}");
        let error = &body["error"];
        let (code, words) = (
            error["code"].as_i64().unwrap(),
            error["message"].as_str().unwrap(),
        );
        (code, words.to_owned(), body["id"].take())
    }

    /// The error of an answer that concerns no message.
    pub(crate) async fn refusal(&mut self) -> (i64, String) {
        let (code, words, id) = self.error().await;
        assert_eq!(id, Value::Null);
        (code, words)
    }

    /// The next event; `None` at the end of the stream.
    pub(crate) async fn event(&mut self) -> Option<Event> {
        loop {
            if let Some((event, rest)) = self.events.split_once("\n\n") {
                let field = |name: &str| {
                    let line = event.lines().find_map(|line| line.strip_prefix(name));
                    line.unwrap_or_default().trim().to_owned()
                };
                let (id, data) = (field("id:"), field("data:"));
                let is_event = !id.is_empty() || !data.is_empty();
                self.events = rest.into();
                if is_event {
                    let data = serde_json::from_str(&data).unwrap_or_default();
                    return Some(Event { id, data });
                }
                continue;
            }
            let part = self.chunk().await?;
            self.events.push_str(&part);
        }
    }

    /// The next message that is an answer; whatever else comes before it is passed over.
    pub(crate) async fn message(&mut self) -> Value {
        loop {
            let event = self.event().await.unwrap();
            if event.data.get("id").is_some() {
                return event.data;
            }
        }
    }

    /// The next piece of a chunked body (RFC 9112, 7.1); `None` at its end.
    async fn chunk(&mut self) -> Option<String> {
        let mut line = String::new();
        if self.read.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let length = usize::from_str_radix(line.trim(), 16).unwrap();
        let mut part = vec![0; length + 2];
        self.read.read_exact(&mut part).await.ok()?;
        part.truncate(length);
        (length > 0).then(|| String::from_utf8(part).unwrap())
    }
}
