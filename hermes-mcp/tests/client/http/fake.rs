//! A server of HTTP for one test.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::UnboundedReceiver;

/// A request, names of headers in small letters.
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: Value,
    pub(super) text: String,
}

pub(super) enum Reply {
    /// Status, headers, body.
    Whole(u16, Vec<(&'static str, String)>, String),
    /// A stream of events that ends with its sender.
    Events(UnboundedReceiver<String>),
}

impl Reply {
    pub(super) fn json(value: &Value) -> Self {
        Self::Whole(
            200,
            vec![("Content-Type", "application/json".to_owned())],
            value.to_string(),
        )
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        if let Self::Whole(_, headers, _) = &mut self {
            headers.push((name, value.into()));
        }
        self
    }

    pub(super) fn status(status: u16) -> Self {
        Self::Whole(status, Vec::new(), String::new())
    }
}

/// Answers every request with what this gives, and says where it listens.
pub(super) async fn serve(answer: impl Fn(Request) -> Reply + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let answer = Arc::new(answer);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let answer = Arc::clone(&answer);
            tokio::spawn(async move { talk(stream, &*answer).await });
        }
    });
    address
}

async fn talk(stream: TcpStream, answer: &(dyn Fn(Request) -> Reply + Send + Sync)) -> Option<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut line = String::new();
        stream
            .read_line(&mut line)
            .await
            .ok()
            .filter(|read| *read > 0)?;
        let mut words = line.split_whitespace();
        let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).await.ok()?;
            let Some((name, value)) = line.trim().split_once(':') else {
                break;
            };
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        let length = headers
            .get("content-length")
            .map_or(0, |it| it.parse().unwrap());
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.ok()?;
        let text = String::from_utf8_lossy(&body).into_owned();
        let body = serde_json::from_str(&text).unwrap_or_default();
        match answer(Request {
            method,
            path,
            headers,
            body,
            text,
        }) {
            Reply::Whole(status, headers, body) => {
                let mut head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n", body.len());
                for (name, value) in headers {
                    head = format!("{head}{name}: {value}\r\n");
                }
                stream
                    .write_all(format!("{head}\r\n{body}").as_bytes())
                    .await
                    .ok()?;
            }
            Reply::Events(mut events) => {
                let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
                stream.write_all(head.as_bytes()).await.ok()?;
                while let Some(event) = events.recv().await {
                    stream.write_all(event.as_bytes()).await.ok()?;
                }
                return None;
            }
        }
    }
}
