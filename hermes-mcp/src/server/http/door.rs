//! What a request must bring before the protocol is spoken with it.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use http::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, HeaderValue, ORIGIN,
    WWW_AUTHENTICATE,
};
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Body as _, Incoming};
use rmcp::model::{
    ClientRequest, ErrorCode, ErrorData, JsonRpcMessage, ProtocolVersion, RequestId,
    ServerJsonRpcMessage,
};
use serde::Deserialize;
use subtle::ConstantTimeEq as _;

use super::sessions::Sessions;
use crate::fault::{Fault, is_too_deep};
use crate::lines::{AsSent, Read, read};
use crate::params;

pub(super) type Answer = Response<BoxBody<Bytes, std::convert::Infallible>>;

/// The answer to a request that is not let in.
pub(super) struct Refused(pub(super) Box<Answer>);

/// The one place that is served.
pub(super) const PATH: &str = "/mcp";

/// The header with the id of the session (2025-11-25, "Transports", session management).
const SESSION: &str = "mcp-session-id";

/// The header with the last event that a client has read (2025-11-25, "Transports", resumability).
const LAST_EVENT: &str = "last-event-id";

/// The header with the version of the protocol (2025-11-25, "Transports", protocol version header).
const VERSION: &str = "mcp-protocol-version";

/// What is let in.
pub(super) struct Door {
    pub(super) token: Option<Box<str>>,
    /// The longest message, in bytes.
    pub(super) body_limit: usize,
    /// How long a message may take to arrive.
    pub(super) body_time: Duration,
    /// How many sessions there may be.
    pub(super) most_sessions: usize,
}

/// The part of a message that decides whether it may come without a session.
#[derive(Deserialize)]
struct Head<'t> {
    #[serde(borrow, default)]
    method: Option<Cow<'t, str>>,
}

impl Door {
    /// Looks at a request and reads its message.
    ///
    /// # Errors
    ///
    /// The answer to a request that is not let in.
    pub(super) async fn admit(
        &self,
        request: Request<Incoming>,
        sessions: &Sessions,
    ) -> Result<Request<Full<Bytes>>, Refused> {
        if request.uri().path() != PATH {
            let why = format!("there is nothing here; the server is at `{PATH}`");
            return Err(refused(StatusCode::NOT_FOUND, why));
        }
        said_once(&request)?;
        self.identify(request.headers())?;
        speaks(request.headers())?;
        let session = request.headers().get(SESSION);
        if let Some(session) = session
            && !session.to_str().is_ok_and(|id| sessions.contains(id))
        {
            let why = "there is no such session, or it has ended; send `initialize` for a new one";
            return Err(error(StatusCode::NOT_FOUND, NO_SESSION, why, None));
        }
        let has_session = session.is_some();
        let (mut parts, body) = request.into_parts();
        if parts.method != Method::POST {
            knows_last(&parts, sessions)?;
            return Ok(Request::from_parts(parts, Full::default()));
        }
        if body.size_hint().lower() > self.body_limit as u64 {
            return Err(self.too_long());
        }
        let body = self.body(body).await?;
        let text = String::from_utf8_lossy(&body);
        let (text, message, arguments) = match read(&text) {
            // The arguments of a call were only passed over.
            Read::Message(..) | Read::Mended(..) if is_too_deep(&text) => {
                return Err(unread(Fault::too_deep(&text)));
            }
            Read::Message(message, arguments) => (None, message, arguments),
            Read::Mended(text, message, arguments) => (Some(text), message, arguments),
            Read::Other(fault) => return Err(unread(fault)),
            Read::NoJson => {
                let why = "the body is no JSON; send one message as one JSON object";
                return Err(error(
                    StatusCode::BAD_REQUEST,
                    ErrorCode::PARSE_ERROR,
                    why,
                    None,
                ));
            }
        };
        let body = text.map_or(body, Bytes::from);
        if !has_session {
            let head: Option<Head<'_>> = serde_json::from_slice(&body).ok();
            if head.and_then(|head| head.method).as_deref() != Some("initialize") {
                let why = "a session begins with `initialize`; send what it gives back as the header \
                           `Mcp-Session-Id`";
                return Err(error(
                    StatusCode::BAD_REQUEST,
                    ErrorCode::INVALID_REQUEST,
                    why,
                    None,
                ));
            }
            // The SDK would take it for a request within a session.
            if let JsonRpcMessage::Request(request) = &message
                && let ClientRequest::CustomRequest(hello) = &request.request
                && let Some(fault) = params::fault(&hello.method, hello.params.as_ref())
            {
                return Err(error(
                    StatusCode::BAD_REQUEST,
                    fault.code,
                    fault.message,
                    Some(request.id.clone()),
                ));
            }
            if sessions.count() >= self.most_sessions {
                let why = "there are as many sessions as the server allows; try again later";
                return Err(refused(StatusCode::SERVICE_UNAVAILABLE, why));
            }
        }
        if let Some(arguments) = arguments {
            parts.extensions.insert(AsSent(arguments));
        }
        Ok(Request::from_parts(parts, Full::new(body)))
    }

    /// Whether whoever asks has the token. How long that takes says nothing about it but its length.
    fn identify(&self, headers: &HeaderMap) -> Result<(), Refused> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        let given = headers.get(AUTHORIZATION).map(HeaderValue::as_bytes);
        let given = given.and_then(|given| {
            let (scheme, token) = given.split_at_checked(7)?;
            scheme.eq_ignore_ascii_case(b"bearer ").then_some(token)
        });
        if given.is_some_and(|given| bool::from(given.ct_eq(token.as_bytes()))) {
            return Ok(());
        }
        let why = "the token is missing or wrong; send it as `Authorization: Bearer TOKEN`";
        let mut answer = refused(StatusCode::UNAUTHORIZED, why);
        let scheme = HeaderValue::from_static("Bearer");
        answer.0.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        Err(answer)
    }

    fn too_long(&self) -> Refused {
        let limit = self.body_limit;
        let why = format!("the message is longer than {limit} bytes; send what is large as a file");
        refused(StatusCode::PAYLOAD_TOO_LARGE, why)
    }

    async fn body(&self, body: Incoming) -> Result<Bytes, Refused> {
        let whole = Limited::new(body, self.body_limit).collect();
        match tokio::time::timeout(self.body_time, whole).await {
            Ok(Ok(whole)) => Ok(whole.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(self.too_long()),
            Ok(Err(error)) => {
                let why = format!("the message did not arrive: {error}");
                Err(refused(StatusCode::BAD_REQUEST, why))
            }
            Err(_) => {
                let why = "the message did not arrive in time";
                Err(refused(StatusCode::REQUEST_TIMEOUT, why))
            }
        }
    }
}

/// Whether a request says once what it is judged by: one that says two things is taken for one here, and for
/// the other one elsewhere.
fn said_once(request: &Request<Incoming>) -> Result<(), Refused> {
    let headers = request.headers();
    for name in [
        HOST.as_str(),
        ORIGIN.as_str(),
        AUTHORIZATION.as_str(),
        SESSION,
        VERSION,
    ] {
        if headers.get_all(name).iter().nth(1).is_some() {
            let why = format!("the header `{name}` was sent more than once; send it once");
            return Err(refused(StatusCode::BAD_REQUEST, why));
        }
    }
    let host = headers.get(HOST).map(HeaderValue::as_bytes);
    match (request.uri().authority(), host) {
        (Some(address), Some(host)) if !host.eq_ignore_ascii_case(address.as_str().as_bytes()) => {
            let why = "the address of the request and its header `Host` name two hosts; name one";
            Err(refused(StatusCode::BAD_REQUEST, why))
        }
        _ => Ok(()),
    }
}

/// Whether a request is of a version of the protocol that has sessions.
fn speaks(headers: &HeaderMap) -> Result<(), Refused> {
    let known = ProtocolVersion::known_up_to(&ProtocolVersion::V_2025_11_25);
    match headers.get(VERSION) {
        Some(version) if !known.iter().any(|known| *version == *known.as_str()) => {
            let known: Vec<&str> = known.iter().map(ProtocolVersion::as_str).collect();
            let why = format!(
                "this version of the protocol is not spoken here; there are: {}",
                known.join(", ")
            );
            Err(refused(StatusCode::BAD_REQUEST, why))
        }
        _ => Ok(()),
    }
}

/// Whether a stream that is taken up again is known to its session. An empty stream in place of an error
/// would look like one on which nothing was missed.
fn knows_last(parts: &Parts, sessions: &Sessions) -> Result<(), Refused> {
    let text = |name: &str| parts.headers.get(name).map(HeaderValue::to_str);
    let (Some(last), Some(Ok(session))) = (text(LAST_EVENT), text(SESSION)) else {
        return Ok(());
    };
    if parts.method != Method::GET || last.is_ok_and(|last| sessions.has_event(session, last)) {
        return Ok(());
    }
    let why = "the event of `Last-Event-ID` is none of this session, or so old that it is not kept any more; \
               open a stream without that header, and ask again for what was missed";
    Err(refused(StatusCode::BAD_REQUEST, why))
}

/// The code of the error that there is no such session, as the official SDK for TypeScript has it.
const NO_SESSION: ErrorCode = ErrorCode(-32_001);

/// The code of an error for which JSON-RPC has none: the first one that it leaves to servers.
const REFUSED: ErrorCode = ErrorCode(-32_000);

/// The answer to what is no message.
fn unread(fault: Fault) -> Refused {
    let Fault { id, error: why } = fault;
    error(StatusCode::BAD_REQUEST, why.code, why.message, id)
}

/// The answer to a request that is not let in, whatever its message is.
fn refused(status: StatusCode, why: impl Into<Cow<'static, str>>) -> Refused {
    error(status, REFUSED, why, None)
}

/// An answer of the protocol to what is not let in: an error of JSON-RPC, without an id where the message is
/// none or was not read (2025-11-25, "Transports", sending messages to the server).
fn error(
    status: StatusCode,
    code: ErrorCode,
    why: impl Into<Cow<'static, str>>,
    id: Option<RequestId>,
) -> Refused {
    let message = ServerJsonRpcMessage::error(ErrorData::new(code, why, None), id);
    // A message of these parts can be written.
    let text = serde_json::to_vec(&message).unwrap_or_default();
    let mut answer = Response::new(Full::new(Bytes::from(text)).boxed());
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, JSON);
    Refused(Box::new(answer))
}

/// What is said where the SDK names the fault alone, with the next step.
const NO_SESSION_ID: &str = "the header `Mcp-Session-Id` is missing; send `initialize` with POST, and what its answer has in this header with every later request";
const WRONG_HOST: &str = "the header `Host` names a machine that is not served; ask for `localhost`, or allow the name with `--allow-host` of `hermes mcp`";
const WRONG_ORIGIN: &str = "the header `Origin` names a web page that may not ask; allow it with `--allow-origin` of `hermes mcp`";
const WRONG_METHOD: &str = "this method is not served; use POST for a message, GET for the stream of a session and DELETE to end it";
const WRONG_ACCEPT: &str =
    "the answer may come as JSON or as events; send `Accept: application/json, text/event-stream`";
const WRONG_TYPE: &str =
    "the message is not said to be JSON; send `Content-Type: application/json`";

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// An answer of the SDK as one of ours: what it says in plain text becomes an error of JSON-RPC.
pub(super) async fn told(answer: Answer) -> Answer {
    let status = answer.status();
    let is_error = status.is_client_error() || status.is_server_error();
    if !is_error || answer.headers().get(CONTENT_TYPE) == Some(&JSON) {
        return answer;
    }
    let (mut parts, body) = answer.into_parts();
    let text = match body.collect().await {
        Ok(text) => text.to_bytes(),
        Err(never) => match never {},
    };
    let text = String::from_utf8_lossy(&text);
    let why = match text.trim() {
        text if text.ends_with("Session ID is required") => NO_SESSION_ID,
        text if text.contains("Host header") => WRONG_HOST,
        text if text.contains("Origin header") => WRONG_ORIGIN,
        text => match status {
            StatusCode::METHOD_NOT_ALLOWED => WRONG_METHOD,
            StatusCode::NOT_ACCEPTABLE => WRONG_ACCEPT,
            _ if text.contains("Content-Type") => WRONG_TYPE,
            _ if text.is_empty() => status.canonical_reason().unwrap_or("the request failed"),
            _ => text,
        },
    };
    let made = refused(status, why.to_owned()).0;
    let (made, body) = made.into_parts();
    parts.headers.remove(CONTENT_LENGTH);
    parts.headers.extend(made.headers);
    Response::from_parts(parts, body)
}
