//! Messages as lines of JSON over a pair of byte streams.

use std::borrow::Cow;
use std::io;
use std::time::Duration;

use hermes_tools::args::Node;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, ErrorData, Extensions,
    GetExtensions as _, GetMeta as _, JsonRpcMessage, RequestId, RequestMetaObject,
    ServerJsonRpcMessage,
};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::fault::Fault;
use crate::framing::{Line, LineReader, LineWriter};

/// The longest message that is read, in bytes: 10 MiB.
pub const MAX_MESSAGE: usize = 10 * 1024 * 1024;

/// A transport over two byte streams: one message a line, as the stdio transport of the specification
/// says.
///
/// A line that is no JSON is skipped, since an answer could be taken for the next such line by
/// whatever echoes it. JSON that is no message, and a message longer than [`MAX_MESSAGE`], is
/// answered with an error, with the id where there is one, as is what is nested 128 levels deep, so that nobody waits for it.
#[derive(Debug)]
pub struct Lines<R, W> {
    read: LineReader<R>,
    write: LineWriter<W>,
    /// Answers to what was no message, on their way.
    refusals: JoinSet<io::Result<()>>,
    /// Until when they are waited for after the end of the input.
    last: Option<Instant>,
}

/// How long answers to what was no message may take after the end of the input.
const GRACE: Duration = Duration::from_secs(2);

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// A transport that reads here and writes there.
    pub fn new(read: R, write: W) -> Self {
        Self {
            read: LineReader::new(read, MAX_MESSAGE),
            write: LineWriter::new(write),
            refusals: JoinSet::new(),
            last: None,
        }
    }

    /// Sets the longest message that is read, in bytes.
    #[must_use]
    pub fn limit(mut self, bytes: usize) -> Self {
        self.read.limit = bytes;
        self
    }

    /// Answers what was no message. It is written beside reading, which may be given up at any time.
    fn refuse(&mut self, fault: Fault) {
        tracing::warn!(why = &*fault.error.message, "refused a message");
        let answer = ServerJsonRpcMessage::error(fault.error, fault.id);
        while self.refusals.try_join_next().is_some() {}
        self.refusals.spawn(self.write.clone().send(answer));
    }

    /// Waits for the answers that are on their way: after the end of the input nothing else holds it back
    /// that the connection is closed.
    async fn written(&mut self) {
        let last = *self.last.get_or_insert_with(|| Instant::now() + GRACE);
        let all = async { while self.refusals.join_next().await.is_some() {} };
        // Whoever does not read does not keep the process.
        let _ = tokio::time::timeout_at(last, all).await;
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.write.clone().send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let line = match self.read.next().await {
                Line::Whole(line) => line,
                Line::End => {
                    self.written().await;
                    return None;
                }
                Line::TooLong(head) => {
                    let limit = self.read.limit;
                    let why = format!(
                        "the message is longer than {limit} bytes; send what is large as a file"
                    );
                    self.refuse(Fault {
                        id: id_in(&head),
                        error: ErrorData::invalid_request(why, None),
                    });
                    continue;
                }
            };
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            let text = String::from_utf8_lossy(line);
            match read(&text) {
                Read::Message(message, arguments) | Read::Mended(_, message, arguments) => {
                    return Some(with_arguments(message, arguments));
                }
                Read::NoJson => tracing::warn!("skipped a line that is no JSON"),
                Read::Other(fault) => self.refuse(fault),
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.write.close().await
    }
}

/// The arguments of a call as the client wrote them, or the cursor of a list that is none. Trees of the SDK hold numbers as floats and forget
/// what was written twice; a session reads the text itself.
#[derive(Debug, Clone)]
pub(crate) struct AsSent(pub(crate) Box<str>);

impl AsSent {
    /// The arguments that came with a request.
    pub(crate) fn of(request: &Extensions) -> Option<&str> {
        let sent = request.get::<Self>();
        #[cfg(feature = "http")]
        let sent = sent.or_else(|| request.get::<http::request::Parts>()?.extensions.get());
        sent.map(|Self(text)| &**text)
    }
}

/// The parts of a call that are read beside the SDK.
#[derive(Deserialize)]
struct Call<'t> {
    #[serde(borrow)]
    params: CallParams<'t>,
}

#[derive(Deserialize)]
struct CallParams<'t> {
    #[serde(borrow)]
    arguments: &'t RawValue,
}

/// The part of a request for a list that is read beside the SDK.
#[derive(Deserialize)]
struct List<'t> {
    #[serde(borrow)]
    params: ListParams<'t>,
}

#[derive(Deserialize)]
struct ListParams<'t> {
    #[serde(borrow)]
    cursor: &'t RawValue,
}

/// A call as clients send it, with nothing that they seldom send.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlainCall<'t> {
    jsonrpc: &'t str,
    id: RequestId,
    method: &'t str,
    #[serde(borrow)]
    params: PlainParams<'t>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlainParams<'t> {
    #[serde(rename = "_meta")]
    meta: Option<RequestMetaObject>,
    #[serde(borrow)]
    name: Cow<'t, str>,
    #[serde(borrow)]
    arguments: Option<&'t RawValue>,
}

impl PlainCall<'_> {
    /// Reads a call at once, which the SDK does by trying what each kind of message could be. What is not
    /// surely a call is left to the SDK.
    fn read(text: &str) -> Option<Read> {
        let call: PlainCall<'_> = serde_json::from_str(text).ok()?;
        let arguments = call.params.arguments.map(RawValue::get);
        if call.jsonrpc != "2.0"
            || call.method != "tools/call"
            || arguments.is_some_and(|text| !text.starts_with('{'))
        {
            return None;
        }
        let params = CallToolRequestParams::new(call.params.name.into_owned());
        let mut request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        if let Some(meta) = call.params.meta {
            *request.get_meta_mut() = meta;
        }
        let message = JsonRpcMessage::request(request, call.id);
        Some(Read::Message(message, arguments.map(Into::into)))
    }
}

/// What a text is.
pub(crate) enum Read {
    /// A message, and the arguments of a call as they were sent.
    Message(RxJsonRpcMessage<RoleServer>, Option<Box<str>>),
    /// The same after halves of surrogates, which are no JSON for the SDK, have become U+FFFD, or without
    /// the mark of the byte order before it.
    Mended(
        #[cfg_attr(
            not(feature = "http"),
            expect(dead_code, reason = "only over HTTP does the SDK read the text")
        )]
        String,
        RxJsonRpcMessage<RoleServer>,
        Option<Box<str>>,
    ),
    /// What is meant as a message and is none.
    Other(Fault),
    /// No JSON at all.
    NoJson,
}

/// Reads a text.
pub(crate) fn read(text: &str) -> Read {
    // Some clients begin with it, and whoever reads JSON may pass it over (RFC 8259, 8.1).
    if let Some(text) = text.strip_prefix('\u{feff}') {
        return match read(text) {
            Read::Message(message, arguments) => Read::Mended(text.into(), message, arguments),
            other => other,
        };
    }
    if let Some(call) = PlainCall::read(text) {
        return call;
    }
    if let Ok(message) = serde_json::from_str(text) {
        let arguments = arguments(&message, text);
        return Read::Message(message, arguments);
    }
    let Ok(node) = text.parse::<Node>() else {
        return Fault::of_text(text).map_or(Read::NoJson, Read::Other);
    };
    let mended = node.to_json();
    if let Ok(message) = serde_json::from_str(&mended) {
        let arguments = arguments(&message, &mended);
        return Read::Mended(mended, message, arguments);
    }
    Read::Other(Fault::of_json(&mended))
}

/// The arguments of a call as they stand in the text of the message, or the cursor of a list that is no text.
fn arguments(message: &RxJsonRpcMessage<RoleServer>, text: &str) -> Option<Box<str>> {
    let JsonRpcMessage::Request(request) = message else {
        return None;
    };
    match request.request {
        ClientRequest::CallToolRequest(_) | ClientRequest::CustomRequest(_) => {}
        ClientRequest::ListToolsRequest(_)
        | ClientRequest::ListPromptsRequest(_)
        | ClientRequest::ListResourcesRequest(_)
        | ClientRequest::ListResourceTemplatesRequest(_) => {
            let list = serde_json::from_str::<List<'_>>(text).ok()?;
            let cursor = list.params.cursor.get();
            return (!cursor.starts_with('"') && cursor != "null").then(|| cursor.into());
        }
        _ => return None,
    }
    let call = serde_json::from_str::<Call<'_>>(text).ok()?;
    Some(call.params.arguments.get().into())
}

fn with_arguments(
    mut message: RxJsonRpcMessage<RoleServer>,
    arguments: Option<Box<str>>,
) -> RxJsonRpcMessage<RoleServer> {
    if let (JsonRpcMessage::Request(request), Some(arguments)) = (&mut message, arguments) {
        request.request.extensions_mut().insert(AsSent(arguments));
    }
    message
}

/// The id of a request of which only the beginning is there: that of the object itself, not of one
/// inside it. `None` when it does not stand in the beginning.
pub(crate) fn id_in(head: &[u8]) -> Option<RequestId> {
    let text = String::from_utf8_lossy(head);
    let (mut depth, mut rest) = (0_usize, &*text);
    while let Some(at) = rest.find(['{', '}', '[', ']', '"']) {
        let (sign, after) = (rest.as_bytes()[at], &rest[at + 1..]);
        rest = after;
        match sign {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {
                let end = end_of_text(after)?;
                let key = &after[..end];
                rest = &after[end + 1..];
                let value = rest.trim_start().strip_prefix(':');
                if let Some(value) = value.filter(|_| depth == 1 && key == "id") {
                    return leading_id(value);
                }
            }
        }
    }
    None
}

/// Where a JSON string ends that has begun before.
fn end_of_text(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })
}

/// The whole id that a text begins with.
fn leading_id(text: &str) -> Option<RequestId> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    // A number at the very end may go on.
    if value.is_number() && values.byte_offset() == text.len() {
        return None;
    }
    serde_json::from_value(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(head: &str) -> Option<RequestId> {
        id_in(head.as_bytes())
    }

    fn read_both(text: &str) -> (Read, Read) {
        let message = serde_json::from_str(text).unwrap();
        let sent = arguments(&message, text);
        (read(text), Read::Message(message, sent))
    }

    #[test]
    fn a_call_is_read_as_the_sdk_reads_it() {
        for text in [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"b":1}}}"#,
            r#"{"id":"x","params":{"arguments":{},"name":"\u0061\"","_meta":{"progressToken":7}},
                "method":"tools/call","jsonrpc":"2.0"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":[1]}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        ] {
            let (Read::Message(ours, sent), Read::Message(theirs, expected)) = read_both(text)
            else {
                unreachable!("{text}")
            };
            assert_eq!(sent, expected, "{text}");
            let (JsonRpcMessage::Request(mut ours), JsonRpcMessage::Request(mut theirs)) =
                (ours, theirs)
            else {
                unreachable!("{text}")
            };
            assert_eq!(ours.id, theirs.id, "{text}");
            let meta = |it: &mut ClientRequest| std::mem::take(it.get_meta_mut());
            assert_eq!(meta(&mut ours.request), meta(&mut theirs.request), "{text}");
            if let (ClientRequest::CallToolRequest(ours), ClientRequest::CallToolRequest(theirs)) =
                (&ours.request, &theirs.request)
            {
                assert_eq!(ours.params.name, theirs.params.name);
            } else {
                assert_eq!(
                    std::mem::discriminant(&ours.request),
                    std::mem::discriminant(&theirs.request),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn the_id_of_a_long_message_is_that_of_the_message_itself() {
        let number = Some(RequestId::Number(7));
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":7,"method":"x"#), number);
        assert_eq!(
            id(r#"{"method":"a","params":{"id":3,"t":["}\"",{"id":4}]},"id" : 7 ,"#),
            number
        );
        assert_eq!(
            id(r#"{"method":"id","id":"a\"b","params":"#),
            Some(RequestId::String("a\"b".into()))
        );
    }

    #[test]
    fn no_id_is_made_up() {
        for head in [
            "",
            r#"{"jsonrpc":"2.0","params":{"id":7,"#,
            r#"{"id":7"#,
            r#"{"id":"half"#,
            r#"{"text":"\"id\":7,"#,
            r#"{"id":null,"#,
        ] {
            assert_eq!(id(head), None, "{head}");
        }
    }
}
