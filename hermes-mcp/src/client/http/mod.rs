//! Servers at an address.

mod address;
mod login;
mod sse;
mod tokens;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderName, HeaderValue, header};
use reqwest::Client as HttpClient;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::auth::{AuthClient, AuthError, AuthorizationManager};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, InsufficientScopeError, StreamableHttpClientTransportConfig,
    StreamableHttpError,
};
use url::{Host, Url};

pub use self::login::{Login, LoginError, login};
pub(super) use self::sse::Sse;
pub use self::tokens::TokenFolder;
pub(super) use self::tokens::{TokenFile, Written};

use self::address::{Guarded, guarded};
use super::expand::expand;
use super::spec::Remote;

/// Requests that may be open at one time; calls beyond that wait.
const MAX_OPEN: usize = 128;

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(20);

/// What is said of a server that answers nobody who has not signed in.
const SIGN_IN: &str = "it wants a sign-in";

/// What is needed to talk to a server at an address.
pub(super) struct Connector {
    pub(super) url: Url,
    headers: HashMap<HeaderName, HeaderValue>,
    http: HttpClient,
    auth: Option<AuthClient<HttpClient>>,
}

impl Connector {
    /// Reads the entry of a server. Tokens of a sign-in are used unless the entry says itself what to send.
    ///
    /// # Errors
    ///
    /// What is wrong with the entry, or with what is stored.
    pub(super) async fn of(
        server: &str,
        remote: &Remote,
        environment: &(dyn Fn(&str) -> Option<String> + Send + Sync),
        tokens: Option<&TokenFolder>,
    ) -> Result<Self, String> {
        let url = address_of(&remote.url, environment)?;
        let mut headers = HashMap::new();
        for (name, value) in &remote.headers {
            let value = expand(value, environment).map_err(|missing| {
                format!(
                    "the header `{name}` names `{missing}`, which is not set in the environment"
                )
            })?;
            let wrong =
                || format!("`{name}` cannot be a header of a request, or holds what none can");
            let key = HeaderName::try_from(name).map_err(|_| wrong())?;
            let mut value = HeaderValue::try_from(value).map_err(|_| wrong())?;
            value.set_sensitive(true);
            headers.insert(key, value);
        }
        let http = guarded(&url)?;
        let mut this = Self {
            http,
            headers,
            auth: None,
            url,
        };
        if let Some(tokens) = tokens.filter(|_| !this.headers.contains_key(&header::AUTHORIZATION))
        {
            this.auth = this.signed_in(server, tokens).await?;
        }
        Ok(this)
    }

    /// A client that sends the tokens of an earlier sign-in, and refreshes them; `None` where there
    /// was none.
    async fn signed_in(
        &self,
        server: &str,
        tokens: &TokenFolder,
    ) -> Result<Option<AuthClient<HttpClient>>, String> {
        let store = tokens.of(server, self.url.as_str());
        if !store.is_there() {
            return Ok(None);
        }
        let told = |error: AuthError| unrenewed(&error);
        let mut manager = manager(&self.url).await.map_err(told)?;
        manager.set_credential_store(store);
        let there = manager.initialize_from_store().await.map_err(told)?;
        Ok(there.then(|| AuthClient::new(self.http.clone(), manager)))
    }

    /// The transport of streamable HTTP. It takes up a stream again where it broke off, and after an
    /// expired session begins one new session and sends what was refused once more.
    pub(super) fn streamable(&self) -> Streamable {
        let config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str())
            .custom_headers(self.headers.clone())
            .max_concurrent_requests(MAX_OPEN)
            .reinit_on_expired_session(true);
        match &self.auth {
            Some(auth) => Streamable::SignedIn(StreamableHttpClientTransport::with_client(
                auth.clone(),
                config,
            )),
            None => Streamable::Plain(StreamableHttpClientTransport::with_client(
                self.http.clone(),
                config,
            )),
        }
    }

    /// The transport of HTTP with SSE.
    pub(super) fn sse(&self) -> Sse {
        Sse::new(
            self.url.clone(),
            self.http.clone(),
            self.headers.clone(),
            self.auth.clone(),
        )
    }
}

/// The transport of streamable HTTP, with and without a sign-in.
pub(super) enum Streamable {
    Plain(StreamableHttpClientTransport<HttpClient>),
    SignedIn(StreamableHttpClientTransport<AuthClient<HttpClient>>),
}

/// The address of a server, references to the environment filled in.
pub(super) fn address_of(
    text: &str,
    environment: &(dyn Fn(&str) -> Option<String> + Send + Sync),
) -> Result<Url, String> {
    let text = expand(text, environment).map_err(|missing| {
        format!("the address names `{missing}`, which is not set in the environment")
    })?;
    let url = Url::parse(&text).map_err(|error| format!("the address cannot be read: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err("the address is not one of `http` or `https`".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("the address holds a name or a password; send them in a header".to_owned());
    }
    Ok(url)
}

/// Whether a server runs on the own machine or network by its address alone.
fn is_private(url: &Url) -> bool {
    let private = |address| !hermes_tools::dispatch::guard::may_connect(address, false);
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
        Some(Host::Ipv4(address)) => private(address.into()),
        Some(Host::Ipv6(address)) => private(address.into()),
        None => false,
    }
}

/// The sign-in of the SDK, every request of which goes where the guard lets it.
async fn manager(url: &Url) -> Result<AuthorizationManager, AuthError> {
    let http = Guarded::of(url).map_err(AuthError::InternalError)?;
    AuthorizationManager::new_with_oauth_http_client(url.clone(), Arc::new(http)).await
}

/// What kept a request from being answered, in words, and whether the server cannot have done what it asks
/// for.
pub(super) fn why(error: &(dyn std::error::Error + 'static)) -> Option<(String, bool)> {
    let mut next = Some(error);
    while let Some(error) = next {
        if error.is::<AuthRequiredError>() {
            return Some((SIGN_IN.to_owned(), true));
        }
        match error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
            Some(StreamableHttpError::SessionExpired) => {
                return Some(("it ended the session, and the new one too".to_owned(), true));
            }
            Some(StreamableHttpError::InsufficientScope(_)) => {
                return Some(("the sign-in does not allow this".to_owned(), true));
            }
            Some(StreamableHttpError::Client(error)) => return unsent(error),
            // Tokens are looked at before anything is sent.
            Some(StreamableHttpError::Auth(error)) => return Some((unrenewed(error), true)),
            _ => {}
        }
        if let Some(error) = error.downcast_ref::<AuthError>() {
            return Some((unrenewed(error), true));
        }
        if let Some(error) = error.downcast_ref::<reqwest::Error>() {
            return unsent(error);
        }
        next = error.source();
    }
    None
}

/// What is said of a sign-in that cannot be used now.
fn unrenewed(error: &AuthError) -> String {
    format!("the sign-in cannot be used: {error}")
}

/// What a server says that wants a sign-in.
pub(super) fn challenge(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(required) = error.downcast_ref::<AuthRequiredError>() {
            return Some(required.www_authenticate_header.clone());
        }
        next = error.source();
    }
    None
}

/// Whether a server asks for more than somebody signed in for.
pub(super) fn is_scope(error: &(dyn std::error::Error + 'static)) -> bool {
    insufficient(error).is_some()
}

/// What a server asks for beyond what somebody signed in for, as options of a line of a shell; empty where
/// it does not say that, or says what cannot stand in such a line.
pub(super) fn scopes(error: &(dyn std::error::Error + 'static)) -> String {
    let required = insufficient(error).and_then(InsufficientScopeError::get_required_scope);
    let required = required.unwrap_or_default();
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b" _-.:/".contains(&byte);
    if required.len() > 500 || !required.bytes().all(fits) {
        return String::new();
    }
    let options = required
        .split_ascii_whitespace()
        .filter(|scope| !scope.starts_with('-'))
        .map(|scope| format!(" --scope {scope}"));
    options.collect()
}

fn insufficient<'e>(
    error: &'e (dyn std::error::Error + 'static),
) -> Option<&'e InsufficientScopeError> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        next = error.source();
    }
    None
}

/// The same of a request that never reached the server.
fn unsent(error: &reqwest::Error) -> Option<(String, bool)> {
    let why = if error.is_connect() {
        "no connection to it comes about"
    } else if error.is_redirect() {
        "it sends us to another place; if that is right, write its address down"
    } else {
        return None;
    };
    Some((format!("{why}: {}", cause(error)), true))
}

/// The last cause of an error, which says most.
fn cause(error: &(dyn std::error::Error + 'static)) -> String {
    let mut last = error;
    while let Some(source) = last.source() {
        last = source;
    }
    last.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_wants_beyond_a_sign_in_is_told_as_options() {
        let told = |scope: Option<&str>| {
            let error = InsufficientScopeError::new(String::new(), scope.map(str::to_owned));
            scopes(&StreamableHttpError::<reqwest::Error>::InsufficientScope(
                error,
            ))
        };
        assert_eq!(told(None), "");
        assert_eq!(told(Some("files:read")), " --scope files:read");
        assert_eq!(
            told(Some("files:read  https://example.org/write")),
            " --scope files:read --scope https://example.org/write"
        );
        // A line of a shell holds nothing of a stranger but names.
        for hostile in ["a; rm -rf ~", "`x`", "a\nb", "$HOME", "-x"] {
            assert_eq!(told(Some(hostile)), "", "{hostile}");
        }
    }
}
