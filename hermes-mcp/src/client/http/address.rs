//! Where requests to servers may go.

use std::net::SocketAddr;
use std::sync::Arc;

use hermes_tools::dispatch::guard::may_connect;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, ClientBuilder};
use rmcp::transport::auth::{
    OAuthHttpClient, OAuthHttpClientError, OAuthHttpClientFuture, OAuthHttpRedirectPolicy,
    OAuthHttpRequest,
};
use rustls::crypto::ring;
use rustls_platform_verifier::BuilderVerifierExt as _;
use url::{Host, Url};

use super::{CONNECT, is_private};

/// How often a request is sent on.
const MAX_REDIRECTS: usize = 5;

/// The longest answer of a server that signs people in, in bytes.
const MAX_BODY: usize = 1024 * 1024;

/// A client for one server. The operator has written its host down, so it may be of the own network; a
/// redirect to any other place is none that the operator has seen, and would take headers with it.
///
/// # Errors
///
/// The certificates of the system cannot be used.
pub(super) fn guarded(url: &Url) -> Result<Client, String> {
    let policy = Policy::custom(|attempt| {
        let first = attempt.previous().first().map(Url::origin);
        if attempt.previous().len() > MAX_REDIRECTS {
            attempt.error("there are too many redirects")
        } else if first == Some(attempt.url().origin()) {
            attempt.follow()
        } else {
            let place = place(&attempt);
            attempt.error(format!("`{place}` is not where this server is"))
        }
    });
    allowed(url, true)?;
    built(url.scheme() == "https", true, policy)
}

fn place(attempt: &Attempt<'_>) -> String {
    attempt.url().origin().ascii_serialization()
}

/// Client of the sign-in. Hosts in what a server answers are its own choice, so that they are public
/// unless the server itself is private.
pub(super) struct Guarded {
    follow: Client,
    stop: Client,
    private: bool,
}

impl Guarded {
    pub(super) fn of(server: &Url) -> Result<Self, String> {
        let private = is_private(server);
        let policy = Policy::custom(move |attempt| {
            if attempt.previous().len() > MAX_REDIRECTS {
                attempt.error("there are too many redirects")
            } else {
                match allowed(attempt.url(), private) {
                    Ok(()) => attempt.follow(),
                    Err(why) => attempt.error(why),
                }
            }
        });
        Ok(Self {
            follow: built(true, private, policy)?,
            stop: built(true, private, Policy::none())?,
            private,
        })
    }

    async fn answer(
        &self,
        asked: OAuthHttpRequest,
    ) -> Result<oauth2_response::Response, OAuthHttpClientError> {
        let client = match asked.redirect_policy {
            OAuthHttpRedirectPolicy::Follow => &self.follow,
            _ => &self.stop,
        };
        let mut request = reqwest::Request::try_from(asked.request)?;
        *request.timeout_mut() = asked.timeout;
        allowed(request.url(), self.private)?;
        let mut answer = client.execute(request).await?;
        let mut made = http::Response::builder().status(answer.status());
        for (name, value) in answer.headers() {
            made = made.header(name, value);
        }
        let mut body = Vec::new();
        while let Some(part) = answer.chunk().await? {
            if body.len() + part.len() > MAX_BODY {
                return Err(format!("the answer is longer than {MAX_BODY} bytes").into());
            }
            body.extend_from_slice(&part);
        }
        Ok(made.body(body)?)
    }
}

/// What the sign-in of the SDK takes for an answer.
mod oauth2_response {
    pub(super) type Response = http::Response<Vec<u8>>;
}

impl OAuthHttpClient for Guarded {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(self.answer(request))
    }
}

/// Whether an address may be asked. One of `http` may be that of the own machine alone.
fn allowed(url: &Url, private: bool) -> Result<(), String> {
    let refused = || {
        let place = url.origin().ascii_serialization();
        Err(format!(
            "`{place}` is not connected to: it leads into the own network, or to a service of this machine"
        ))
    };
    match url.host() {
        Some(Host::Ipv4(address)) if !may_connect(address.into(), private) => refused(),
        Some(Host::Ipv6(address)) if !may_connect(address.into(), private) => refused(),
        Some(Host::Domain(_)) if !private && is_private(url) => refused(),
        Some(_) if matches!(url.scheme(), "http" | "https") => Ok(()),
        _ => Err("only addresses of `http` and `https` are connected to".to_owned()),
    }
}

/// A client whose connections go to judged addresses alone, so that no second answer of a name server
/// counts. Proxies of the environment would look hosts up themselves, and are not used.
fn built(tls: bool, private: bool, redirects: Policy) -> Result<Client, String> {
    let told = |error: &dyn std::fmt::Display| format!("no client of HTTP can be made: {error}");
    let provider = Arc::new(ring::default_provider());
    let versions = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| told(&error))?;
    // Reading the certificates of the system takes time, which only `https` is worth.
    let config = if tls {
        let verified = versions.with_platform_verifier();
        verified
            .map_err(|error| told(&error))?
            .with_no_client_auth()
    } else {
        versions
            .with_root_certificates(rustls::RootCertStore::empty())
            .with_no_client_auth()
    };
    ClientBuilder::new()
        .no_proxy()
        .redirect(redirects)
        .connect_timeout(CONNECT)
        .dns_resolver(Arc::new(Judged { private }))
        .tls_backend_preconfigured(config)
        .build()
        .map_err(|error| told(&error))
}

/// Looks hosts up, and gives nothing where one address may not be reached: the next answer may be that one.
struct Judged {
    private: bool,
}

impl Resolve for Judged {
    fn resolve(&self, name: Name) -> Resolving {
        let private = self.private;
        Box::pin(async move {
            let host = name.as_str().to_owned();
            let found = tokio::net::lookup_host((host.as_str(), 0)).await?;
            let found: Vec<SocketAddr> = found.collect();
            if let Some(address) = found.iter().find(|it| !may_connect(it.ip(), private)) {
                let why = format!(
                    "`{host}` has the address {}, which is not connected to",
                    address.ip()
                );
                return Err(why.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_allowed(url: &str, private: bool) -> bool {
        allowed(&Url::parse(url).unwrap(), private).is_ok()
    }

    #[test]
    fn hosts_of_the_own_network_are_reached_only_where_the_operator_named_one() {
        for url in [
            "http://127.0.0.1/",
            "http://localhost:3/",
            "https://[::1]/",
            "http://10.0.0.1",
            "http://2130706433/",
        ] {
            assert!(!is_allowed(url, false), "{url}");
            assert!(is_allowed(url, true), "{url}");
        }
        for url in [
            "http://169.254.169.254/latest",
            "http://[fd00:ec2::254]/",
            "http://100.100.100.200",
            "ftp://example.org",
        ] {
            assert!(!is_allowed(url, true), "{url}");
        }
        assert!(is_allowed("https://example.org/mcp", false));
    }
}
