//! Web pages that may ask: what a browser wants to hear before it lets a page read an answer (the Fetch
//! standard, "CORS protocol").

use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD,
    HeaderMap, HeaderName, HeaderValue, ORIGIN, VARY,
};
use http::{Method, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};

use super::door::Answer;

/// The pages that the operator lets in. Those of this machine need not be here: without these headers no
/// browser lets a page send what the protocol wants, so that a page has to be named to be served.
pub(super) struct Origins(pub(super) Vec<String>);

const METHODS: &str = "GET, POST, DELETE";

const SENT: &str =
    "authorization, content-type, last-event-id, mcp-protocol-version, mcp-session-id";

const READ: &str = "mcp-session-id, www-authenticate";

impl Origins {
    /// The page that asks, where it may.
    pub(super) fn asking(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let origin = headers.get(ORIGIN)?;
        let text = origin.to_str().ok()?;
        let allowed = self.0.iter().any(|allowed| is_same(allowed, text));
        allowed.then(|| origin.clone())
    }

    /// The answer to a browser that asks what a page may send.
    pub(super) fn before(
        page: HeaderValue,
        method: &Method,
        headers: &HeaderMap,
    ) -> Option<Answer> {
        if *method != Method::OPTIONS || !headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD) {
            return None;
        }
        let mut answer = Response::new(Full::new(Bytes::new()).boxed());
        *answer.status_mut() = StatusCode::NO_CONTENT;
        for (name, value) in [
            (ACCESS_CONTROL_ALLOW_METHODS, METHODS),
            (ACCESS_CONTROL_ALLOW_HEADERS, SENT),
            (ACCESS_CONTROL_MAX_AGE, "600"),
        ] {
            set(&mut answer, name, HeaderValue::from_static(value));
        }
        Self::let_read(&mut answer, page);
        Some(answer)
    }

    /// Lets the page read an answer.
    pub(super) fn let_read(answer: &mut Answer, page: HeaderValue) {
        set(answer, ACCESS_CONTROL_ALLOW_ORIGIN, page);
        let read = HeaderValue::from_static(READ);
        set(answer, ACCESS_CONTROL_EXPOSE_HEADERS, read);
        set(answer, VARY, HeaderValue::from_static("origin"));
    }
}

fn set(answer: &mut Answer, name: HeaderName, value: HeaderValue) {
    answer.headers_mut().insert(name, value);
}

/// Whether an origin is one that is allowed: the port `*` is any, and the port of a scheme need not be
/// written (RFC 6454, 4).
fn is_same(allowed: &str, origin: &str) -> bool {
    if let Some(any_port) = allowed.strip_suffix(":*") {
        let rest = origin.strip_prefix(any_port);
        return rest.is_some_and(|rest| {
            rest.is_empty()
                || rest
                    .strip_prefix(':')
                    .is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
        });
    }
    without_own_port(allowed) == without_own_port(origin)
}

fn without_own_port(origin: &str) -> &str {
    let port = match origin.split_once("://") {
        Some(("https", _)) => ":443",
        Some(("http", _)) => ":80",
        _ => return origin,
    };
    origin.strip_suffix(port).unwrap_or(origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_a_scheme_a_host_and_a_port() {
        for (allowed, origin, same) in [
            ("https://a.org:443", "https://a.org", true),
            ("https://a.org", "https://a.org:443", true),
            ("https://a.org:*", "https://a.org:8443", true),
            ("https://a.org:*", "https://a.org", true),
            ("https://a.org:*", "https://a.org.evil.org", false),
            ("https://a.org:*", "https://a.org:1@evil.org", false),
            ("https://a.org", "http://a.org", false),
            ("https://a.org", "https://a.org:8443", false),
            ("https://a.org", "null", false),
        ] {
            assert_eq!(is_same(allowed, origin), same, "{allowed} {origin}");
        }
    }
}
