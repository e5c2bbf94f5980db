//! HTTP with SSE, the transport of the specification of 2024-11-05, which the SDK has no more.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use http::{HeaderName, HeaderValue, StatusCode, header};
use reqwest::Client as HttpClient;
use rmcp::service::{RoleClient, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::auth::{AuthClient, AuthError};
use rmcp::transport::streamable_http_client::{AuthRequiredError, SseError, StreamableHttpClient};
use url::Url;

use crate::client::wire::message;

/// Answers come as events of one long response; the first of them says where messages are sent to.
pub(in crate::client) struct Sse {
    url: Url,
    sender: Sender,
    events: Option<BoxStream<'static, Result<sse_stream::Sse, SseError>>>,
    endpoint: Option<Url>,
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
pub(in crate::client) struct NotSent(Box<dyn std::error::Error + Send + Sync>);

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
            endpoint: None,
        }
    }

    /// Opens the stream of answers.
    ///
    /// # Errors
    ///
    /// The server does not answer with such a stream.
    pub(in crate::client) async fn open(
        &mut self,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let uri: Arc<str> = self.url.as_str().into();
        let headers = self.sender.headers.clone();
        let http = &self.sender.http;
        let events = if let Some(auth) = &self.sender.auth {
            auth.get_stream(uri, None, None, None, headers).await?
        } else {
            http.get_stream(uri, None, None, None, headers).await?
        };
        let events = self.events.insert(events);
        // Nothing can be sent before the server has said where to.
        loop {
            let Some(event) = events.next().await else {
                return Err("its stream has ended before it said where messages go".into());
            };
            let event = event?;
            if event.event.as_deref() == Some("endpoint") {
                self.endpoint = Some(self.place(&event.data.unwrap_or_default())?);
                return Ok(());
            }
        }
    }

    /// Where messages are sent to. A place of another origin is none of this server.
    fn place(&self, text: &str) -> Result<Url, String> {
        let url = self
            .url
            .join(text.trim())
            .map_err(|error| error.to_string())?;
        if url.origin() != self.url.origin() {
            let place = url.origin().ascii_serialization();
            return Err(format!("`{place}` is not where this server is"));
        }
        Ok(url)
    }
}

impl Sender {
    /// Sends a message. One that is refused for its token is sent once more with a new one, as over
    /// Streamable HTTP: whatever our clock says of a token, the server's word counts.
    async fn send(self, to: Url, item: TxJsonRpcMessage<RoleClient>) -> Result<(), NotSent> {
        let body = serde_json::to_vec(&item).map_err(NotSent::other)?;
        let mut token = None;
        if let Some(auth) = &self.auth {
            token = match auth.get_access_token().await {
                Ok(token) => Some(token),
                // The server says what it wants.
                Err(AuthError::AuthorizationRequired) => None,
                Err(error) => return Err(NotSent::other(error)),
            };
        }
        let mut answer = self.post(&to, body.clone(), token.as_deref()).await?;
        if answer.status() == StatusCode::UNAUTHORIZED
            && let (Some(auth), Some(sent)) = (&self.auth, token)
        {
            let manager = auth.auth_manager.lock().await;
            // Where that does not succeed, the refusal stands.
            let renewed = match manager.refresh_token().await {
                Ok(_) => manager.get_access_token().await.ok(),
                Err(_) => None,
            };
            drop(manager);
            if let Some(token) = renewed.filter(|token| *token != sent) {
                answer = self.post(&to, body, Some(&token)).await?;
            }
        }
        if answer.status() == StatusCode::UNAUTHORIZED {
            let challenge = answer.headers().get(header::WWW_AUTHENTICATE);
            let challenge = challenge
                .and_then(|it| it.to_str().ok())
                .unwrap_or_default();
            return Err(NotSent::other(AuthRequiredError::new(challenge.to_owned())));
        }
        answer.error_for_status().map_err(NotSent::other)?;
        Ok(())
    }

    async fn post(
        &self,
        to: &Url,
        body: Vec<u8>,
        token: Option<&str>,
    ) -> Result<reqwest::Response, NotSent> {
        let mut request = self
            .http
            .post(to.clone())
            .header(header::CONTENT_TYPE, "application/json");
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        request.body(body).send().await.map_err(NotSent::other)
    }
}

impl Transport<RoleClient> for Sse {
    type Error = NotSent;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), NotSent>> + Send + 'static {
        let to = self.endpoint.clone();
        let sender = self.sender.clone();
        async move {
            match to {
                Some(to) => sender.send(to, item).await,
                None => Err(NotSent("its stream has ended".into())),
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        while let Some(Ok(event)) = self.events.as_mut()?.next().await {
            let data = event.data.unwrap_or_default();
            // Other events mean nothing to us.
            if matches!(event.event.as_deref(), None | Some("" | "message"))
                && let Some(message) = message(data.as_bytes())
            {
                return Some(message);
            }
        }
        // Nothing that is sent now would be answered.
        self.endpoint = None;
        self.events = None;
        None
    }

    async fn close(&mut self) -> Result<(), NotSent> {
        self.endpoint = None;
        self.events = None;
        Ok(())
    }
}

impl NotSent {
    fn other(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self(Box::new(error))
    }
}

impl fmt::Display for NotSent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for NotSent {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.0)
    }
}
