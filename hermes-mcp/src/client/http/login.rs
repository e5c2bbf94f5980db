//! Signing in to a server, as OAuth 2.1 and the SDK have it.

use std::io;
use std::time::Duration;

use rmcp::transport::auth::{
    AuthError, AuthorizationRequest, ClientCredentialsConfig, CredentialStore as _, OAuthState,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

use super::tokens::TokenFolder;
use super::{address_of, manager};
use crate::client::spec::{ServerSpec, Way};

/// How a sign-in is made.
#[derive(Debug, Clone, Default)]
pub struct Login {
    /// The name that the authorization server knows us by, where it gives out none by itself.
    pub client_id: Option<String>,
    /// The secret that belongs to the name, where it has one.
    pub client_secret: Option<String>,
    /// The address of a document about us, for servers that take that in place of a registration.
    pub metadata_url: Option<String>,
    /// What is asked for, beside what an earlier sign-in was given; empty for what the server says itself.
    pub scopes: Vec<String>,
    /// Whether nobody signs in: the name and its secret stand for themselves, as OAuth's client
    /// credentials. Such tokens cannot be renewed; when they end, it is signed in anew.
    pub unattended: bool,
    /// What the server said when it refused us (`ServerStatus::challenge`), which tells where to sign in and
    /// what to ask for.
    pub challenge: Option<String>,
    /// The port of this machine that the browser is sent back to; 0 for any.
    pub port: u16,
}

/// Why nobody is signed in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoginError {
    /// There is nothing to sign in to.
    #[error("the server `{0}` is started by a command; give it its keys in `env`")]
    NoAddress(String),
    /// The entry of the server cannot be used.
    #[error("{0}")]
    Entry(String),
    /// The authorization server refused, or what it says does not hold.
    #[error("the sign-in failed: {0}")]
    Refused(#[from] AuthError),
    /// The browser came back with an error.
    #[error("the sign-in was refused: {0}")]
    Denied(String),
    /// The browser did not come back.
    #[error("nobody signed in within {} s", .0.as_secs())]
    TooLate(Duration),
    /// There is no port to wait at.
    #[error("no port of this machine can be waited at: {0}")]
    Port(#[from] io::Error),
}

/// Signs in to a server at an address: `show` gets the address that a person opens in a browser, which
/// comes back to a port of this machine; the tokens are kept in `tokens`, from where connections take them.
///
/// # Errors
///
/// [`LoginError`].
pub async fn login(
    spec: &ServerSpec,
    environment: impl Fn(&str) -> Option<String> + Send + Sync,
    tokens: &TokenFolder,
    settings: Login,
    limit: Duration,
    show: impl FnOnce(&str) + Send,
) -> Result<(), LoginError> {
    let Way::Url(remote) = &spec.way else {
        return Err(LoginError::NoAddress(spec.name.to_string()));
    };
    let url = address_of(&remote.url, &environment).map_err(LoginError::Entry)?;
    let store = tokens.of(&spec.name, url.as_str());
    let mut settings = settings;
    if !settings.scopes.is_empty() {
        // A sign-in for more does not give back what is there. What cannot be read holds nothing.
        let before = store.load().await.ok().flatten();
        let before = before.map(|kept| kept.granted_scopes).unwrap_or_default();
        let new = |scope: &String| !settings.scopes.contains(scope);
        let before: Vec<String> = before.into_iter().filter(new).collect();
        settings.scopes.extend(before);
    }
    let mut manager = manager(&url).await?;
    manager.set_credential_store(store);
    let mut state = OAuthState::Unauthorized(manager);
    if settings.unattended {
        let config = credentials(settings, &url)?;
        return Ok(state.authenticate_client_credentials(config).await?);
    }
    let listener = TcpListener::bind(("127.0.0.1", settings.port)).await?;
    let back = format!(
        "http://127.0.0.1:{}/callback",
        listener.local_addr()?.port()
    );
    state.start_authorization(request(settings, &back)).await?;
    let page = state.get_authorization_url().await?;
    let expected = Url::parse(&page)
        .ok()
        .and_then(|page| parameter(&page, "state"))
        .ok_or_else(|| LoginError::Entry("the sign-in has no `state`".to_owned()))?;
    show(&page);
    let came = tokio::time::timeout(limit, answered(&listener, &back, &expected)).await;
    let came = came.map_err(|_| LoginError::TooLate(limit))??;
    if let Some(error) = parameter(&came, "error") {
        let more = parameter(&came, "error_description").unwrap_or_default();
        let told: String = format!("{error} {more}").chars().take(500).collect();
        return Err(LoginError::Denied(told.trim().to_owned()));
    }
    state.handle_callback_url(came.as_str()).await?;
    Ok(())
}

/// What stands for itself.
fn credentials(settings: Login, url: &Url) -> Result<ClientCredentialsConfig, LoginError> {
    let missing =
        || LoginError::Entry("a sign-in that nobody makes needs a name and a secret".to_owned());
    Ok(ClientCredentialsConfig::ClientSecret {
        client_id: settings.client_id.ok_or_else(missing)?,
        client_secret: settings.client_secret.ok_or_else(missing)?,
        scopes: settings.scopes,
        resource: Some(url.to_string()),
    })
}

fn request(settings: Login, back: &str) -> AuthorizationRequest {
    let mut request = AuthorizationRequest::new(back).with_client_name("hermes");
    if let Some(id) = settings.client_id {
        request = request.with_preregistered_client(id);
    }
    if let Some(secret) = settings.client_secret {
        request = request.with_client_secret(secret);
    }
    if let Some(url) = settings.metadata_url {
        request = request.with_client_metadata_url(url);
    }
    if let Some(challenge) = settings.challenge {
        request = request.with_challenge(challenge);
    }
    if settings.scopes.is_empty() {
        request.with_initial_scope_selection()
    } else {
        request.with_scopes(settings.scopes)
    }
}

fn parameter(url: &Url, name: &str) -> Option<String> {
    let mut pairs = url.query_pairs();
    pairs
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
}

/// The address with which the browser comes back. Whatever else knocks at the port is sent away.
async fn answered(listener: &TcpListener, back: &str, state: &str) -> io::Result<Url> {
    loop {
        let (mut stream, _) = listener.accept().await?;
        let patience = Duration::from_secs(10);
        let target = tokio::time::timeout(patience, target(&mut stream)).await;
        let url = target
            .ok()
            .flatten()
            .filter(|target| target.starts_with("/callback?"))
            .and_then(|target| Url::parse(back).ok()?.join(&target).ok())
            .filter(|url| parameter(url, "state").as_deref() == Some(state));
        let (status, text) = match url {
            Some(_) => (
                "200 OK",
                "You may close this page and go back to the terminal.",
            ),
            None => ("404 Not Found", "There is nothing here."),
        };
        let answer = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\
             Cache-Control: no-store\r\nConnection: close\r\n\r\n{text}",
            text.len()
        );
        // A browser that is gone already has nothing to read.
        let _ = stream.write_all(answer.as_bytes()).await;
        let _ = stream.shutdown().await;
        if let Some(url) = url {
            return Ok(url);
        }
    }
}

/// What a request asks for, from its first line.
async fn target(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    let mut part = [0; 1024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = stream.read(&mut part).await.ok()?;
        if read == 0 || head.len() > 16 * 1024 {
            return None;
        }
        head.extend_from_slice(&part[..read]);
    }
    let head = std::str::from_utf8(&head).ok()?;
    let line = head.lines().next()?.strip_prefix("GET ")?;
    line.split(' ').next().map(str::to_owned)
}
