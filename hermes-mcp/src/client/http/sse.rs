//! HTTP with SSE, the transport of the specification of 2024-11-05, which the SDK has no more.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use http::{HeaderName, HeaderValue};
use reqwest::Client as HttpClient;
use rmcp::service::{RoleClient, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::auth::AuthClient;
use rmcp::transport::streamable_http_client::{SseError, StreamableHttpClient};
use tokio::sync::watch;
use url::Url;

use crate::client::wire::message;

/// Answers come as events of one long response; the first of them says where messages are sent to.
pub(in crate::client) struct Sse {
    url: Url,
    sender: Sender,
    events: Option<BoxStream<'static, Result<sse_stream::Sse, SseError>>>,
    endpoint: watch::Sender<Option<Url>>,
    ended: bool,
}

/// What one message is sent with.
#[derive(Clone)]
struct Sender {
    http: HttpClient,
    headers: HashMap<HeaderName, HeaderValue>,
    auth: Option<AuthClient<HttpClient>>,
}

/// Why a message could not be sent.
#[derive(Debug)]
pub(in crate::client) struct NotSent(String, Option<reqwest::Error>);

impl Sse {
    pub(super) fn new(
        url: Url,
        http: HttpClient,
        headers: HashMap<HeaderName, HeaderValue>,
        auth: Option<AuthClient<HttpClient>>,
    ) -> Self {
        Self {
            url,
            sender: Sender {
                http,
                headers,
                auth,
            },
            events: None,
            endpoint: watch::channel(None).0,
            ended: false,
        }
    }

    /// Opens the stream of answers.
    ///
    /// # Errors
    ///
    /// The server does not answer with such a stream.
    pub(in crate::client) async fn open(&mut self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let uri: Arc<str> = self.url.as_str().into();
        let headers = self.sender.headers.clone();
        let events = match &self.sender.auth {
            Some(auth) => auth.get_stream(uri, None, None, None, headers).await?,
            None => {
                let http = &self.sender.http;
                http.get_stream(uri, None, None, None, headers).await?
            }
        };
        self.events = Some(events);
        Ok(())
    }

    /// Where messages are sent to from now on. A place of another origin is none of this server.
    fn endpoint(&self, text: &str) -> Result<(), String> {
        let url = self.url.join(text.trim()).map_err(|error| error.to_string())?;
        if url.origin() != self.url.origin() {
            let place = url.origin().ascii_serialization();
            return Err(format!("`{place}` is not where this server is"));
        }
        self.endpoint.send_replace(Some(url));
        Ok(())
    }
}

impl Sender {
    async fn send(self, to: Url, item: TxJsonRpcMessage<RoleClient>) -> Result<(), NotSent> {
        let failed = |error: reqwest::Error| NotSent(String::new(), Some(error));
        let body = serde_json::to_vec(&item).map_err(|error| NotSent(error.to_string(), None))?;
        let mut request = self
            .http
            .post(to)
            .header(http::header::CONTENT_TYPE, "application/json");
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        if let Some(auth) = &self.auth {
            let token = auth.get_access_token().await;
            let token = token.map_err(|error| NotSent(error.to_string(), None))?;
            request = request.bearer_auth(token);
        }
        let answer = request.body(body).send().await.map_err(failed)?;
        answer.error_for_status().map_err(failed)?;
        Ok(())
    }
}

impl Transport<RoleClient> for Sse {
    type Error = NotSent;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), NotSent>> + Send + 'static {
        let mut endpoint = self.endpoint.subscribe();
        let sender = self.sender.clone();
        async move {
            let known = endpoint.wait_for(Option::is_some).await;
            let known = known.ok().and_then(|url| url.clone());
            let Some(to) = known else {
                return Err(NotSent("its stream has ended".to_owned(), None));
            };
            sender.send(to, item).await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        while !self.ended {
            let Some(Ok(event)) = self.events.as_mut()?.next().await else {
                break;
            };
            let data = event.data.unwrap_or_default();
            match event.event.as_deref() {
                Some("endpoint") => {
                    if let Err(why) = self.endpoint(&data) {
                        tracing::warn!(why, "the place that messages are sent to was refused");
                        break;
                    }
                }
                None | Some("" | "message") => {
                    if let Some(message) = message(data.as_bytes()) {
                        return Some(message);
                    }
                }
                // Other events mean nothing to us.
                Some(_) => {}
            }
        }
        self.ended = true;
        // Whoever waits to send something is told that nothing can be sent any more.
        self.endpoint = watch::channel(None).0;
        self.events = None;
        None
    }

    async fn close(&mut self) -> Result<(), NotSent> {
        self.ended = true;
        self.events = None;
        self.endpoint = watch::channel(None).0;
        Ok(())
    }
}

impl fmt::Display for NotSent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.1 {
            Some(error) => error.fmt(f),
            None => f.write_str(&self.0),
        }
    }
}

impl std::error::Error for NotSent {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.1.as_ref().map(|error| error as _)
    }
}
