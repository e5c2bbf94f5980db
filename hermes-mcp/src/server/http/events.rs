//! The events of one HTTP session: what was sent to its client, kept for a while, and handed out on
//! whichever stream the client reads.
//!
//! The SDK's own session forgets the answer to a request with its stream, and stands still while one
//! stream is not read. Here a stream is a view of the events: reading it late, again or not at all
//! disturbs nobody.

use std::collections::{HashMap, VecDeque};
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::Stream;
use rmcp::model::{JsonRpcMessage, RequestId};
use rmcp::transport::streamable_http_server::session::{
    EventStore, EventStoreError, EventStream, ServerSseMessage,
};

/// The events of a session.
#[derive(Default)]
pub(super) struct Events(Mutex<Log>);

#[derive(Default)]
struct Log {
    kept: VecDeque<Event>,
    /// The bytes of the messages that are kept.
    bytes: usize,
    /// The number of the last event. The first is 1: the SDK gives the number 0 to what comes before.
    last: u64,
    /// Requests without an answer, with their stream once it has one.
    open: HashMap<RequestId, Option<Arc<str>>>,
    /// The stream that was begun last, and the number of its first event.
    newest: Option<(Arc<str>, u64)>,
    /// Up to where a stream that belongs to no request was read.
    read: u64,
    closed: bool,
    waiting: Vec<Waker>,
}

struct Event {
    number: u64,
    stream: Arc<str>,
    bytes: usize,
    message: ServerSseMessage,
}

/// How many bytes of messages are kept. The last one is kept whatever its size is.
const ROOM: usize = 32 << 20;

/// How many events are kept.
const MOST: usize = 10_000;

/// What the name of the stream ends in that belongs to no request.
const COMMON: &str = ":common";

impl Events {
    fn log(&self) -> MutexGuard<'_, Log> {
        // Every change is made in one step.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of a request; `false` when one with its id is not answered yet.
    pub(super) fn begin(&self, id: &RequestId) -> bool {
        let mut log = self.log();
        if log.open.contains_key(id) {
            return false;
        }
        log.open.insert(id.clone(), None);
        true
    }

    /// Takes note of which stream was begun for a request, and gives the view of it. Nobody else may
    /// begin one meanwhile.
    pub(super) fn stream_of(self: &Arc<Self>, id: &RequestId) -> View {
        let mut log = self.log();
        let newest = log.newest.clone();
        let (stream, after) = match newest {
            Some((stream, first)) => (Some(stream), first - 1),
            None => (None, log.last),
        };
        if let Some(open) = log.open.get_mut(id) {
            open.clone_from(&stream);
        }
        View {
            events: Arc::clone(self),
            stream,
            after,
            again: 0,
            at_end: false,
        }
    }

    /// Takes note that a request is taken back: nobody answers it.
    pub(super) fn take_back(&self, id: &RequestId) {
        let mut log = self.log();
        log.open.remove(id);
        log.wake();
    }

    /// What belongs to no request and was on no stream yet.
    pub(super) fn common(self: &Arc<Self>) -> View {
        View {
            events: Arc::clone(self),
            stream: None,
            after: self.log().read,
            again: 0,
            at_end: false,
        }
    }

    /// What comes behind an event on its stream; `None` when that is not known any more.
    pub(super) fn after(self: &Arc<Self>, id: &str) -> Option<View> {
        let number: u64 = id.parse().ok()?;
        let log = self.log();
        let stream = if number == 0 {
            None
        } else {
            let event = log.kept.iter().find(|event| event.number == number)?;
            (!event.stream.ends_with(COMMON)).then(|| Arc::clone(&event.stream))
        };
        Some(View {
            events: Arc::clone(self),
            stream,
            after: number,
            again: log.read,
            at_end: false,
        })
    }

    /// Ends all streams once what is there was read.
    pub(super) fn close(&self) {
        let mut log = self.log();
        log.closed = true;
        log.wake();
    }

    /// Whether a request has no answer yet.
    pub(super) fn is_answering(&self) -> bool {
        !self.log().open.is_empty()
    }

    fn store(&self, stream: &str, message: &ServerSseMessage) -> u64 {
        let bytes = message.message.as_deref().map_or(0, size);
        let mut log = self.log();
        log.last += 1;
        let number = log.last;
        let known = log.newest.as_ref().map(|(newest, _)| newest);
        let known = known.filter(|newest| &***newest == stream);
        let stream = known.map_or_else(|| Arc::from(stream), Arc::clone);
        // The first event of a stream has no message, and no other has none.
        if message.message.is_none() && !stream.ends_with(COMMON) {
            log.newest = Some((Arc::clone(&stream), number));
        }
        if let Some(message) = &message.message
            && let Some(id) = answered(message)
        {
            log.open.remove(id);
        }
        log.bytes += bytes;
        let mut message = message.clone();
        message.event_id = Some(number.to_string());
        log.kept.push_back(Event {
            number,
            stream,
            bytes,
            message,
        });
        while log.kept.len() > 1 && (log.bytes > ROOM || log.kept.len() > MOST) {
            if let Some(oldest) = log.kept.pop_front() {
                log.bytes -= oldest.bytes;
            }
        }
        log.wake();
        number
    }
}

impl Log {
    fn wake(&mut self) {
        self.waiting.drain(..).for_each(Waker::wake);
    }
}

/// The request that a message answers.
fn answered(message: &rmcp::model::ServerJsonRpcMessage) -> Option<&RequestId> {
    match message {
        JsonRpcMessage::Response(response) => Some(&response.id),
        JsonRpcMessage::Error(error) => error.id.as_ref(),
        JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
    }
}

/// How long a message is as JSON.
fn size(message: &rmcp::model::ServerJsonRpcMessage) -> usize {
    struct Count(usize);

    impl Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut count = Count(0);
    // What cannot be written is not sent either.
    let _ = serde_json::to_writer(&mut count, message);
    count.0
}

/// One stream as a client reads it: what is kept, and then what comes.
pub(super) struct View {
    events: Arc<Events>,
    /// The stream of a request; `None` for the one that belongs to none.
    stream: Option<Arc<str>>,
    after: u64,
    /// Up to where it is read again what another stream has given out.
    again: u64,
    at_end: bool,
}

impl Stream for View {
    type Item = ServerSseMessage;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if this.at_end {
            return Poll::Ready(None);
        }
        let mut log = this.events.log();
        if this.stream.is_none() && this.after >= this.again {
            // What another stream of this kind has given out meanwhile is not given out again.
            this.after = this.after.max(log.read);
        }
        let start = log.kept.partition_point(|event| event.number <= this.after);
        let next = log.kept.range(start..).find(|event| match &this.stream {
            Some(stream) => event.stream == *stream,
            None => event.stream.ends_with(COMMON),
        });
        if let Some(event) = next {
            let message = event.message.clone();
            this.after = event.number;
            match &this.stream {
                None => log.read = log.read.max(this.after),
                Some(_) => {
                    this.at_end =
                        (message.message.as_deref()).is_some_and(|it| answered(it).is_some());
                }
            }
            return Poll::Ready(Some(message));
        }
        // Answered before, taken back, or so long ago that the answer is not kept any more.
        let is_over = (this.stream.as_ref())
            .is_some_and(|stream| !log.open.values().flatten().any(|open| open == stream));
        if log.closed || is_over {
            this.at_end = true;
            return Poll::Ready(None);
        }
        log.waiting.push(cx.waker().clone());
        Poll::Pending
    }
}

#[async_trait::async_trait]
impl EventStore for Events {
    async fn store_event(
        &self,
        stream: &str,
        event: &ServerSseMessage,
    ) -> Result<String, EventStoreError> {
        Ok(self.store(stream, event).to_string())
    }

    /// Streams are read as views, so that nobody asks here.
    async fn replay_events_after(&self, _: &str) -> Result<EventStream, EventStoreError> {
        Err("the events of a session are read by its own streams".into())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::{FutureExt as _, StreamExt as _};
    use rmcp::model::ServerJsonRpcMessage;

    use super::*;

    fn begun(events: &Arc<Events>, id: i64, stream: &str) -> View {
        let id = RequestId::Number(id);
        assert!(events.begin(&id));
        events.store(
            stream,
            &ServerSseMessage::priming("", Duration::from_secs(3)),
        );
        events.stream_of(&id)
    }

    fn message(text: &str) -> ServerSseMessage {
        let message = format!("{{\"jsonrpc\":\"2.0\",{text}}}");
        let message: ServerJsonRpcMessage = serde_json::from_str(&message).unwrap();
        ServerSseMessage::from_message(message)
    }

    fn answer(id: i64) -> ServerSseMessage {
        message(&format!("\"id\":{id},\"result\":{{}}"))
    }

    fn news() -> ServerSseMessage {
        message("\"method\":\"notifications/tools/list_changed\"")
    }

    /// The number of what is there to be read; `None` at the end.
    fn next(view: &mut View) -> Option<u64> {
        let event = view.next().now_or_never().expect("it is not waited for");
        Some(event?.event_id?.parse().unwrap())
    }

    #[test]
    fn streams_of_requests_are_apart_and_end_with_their_answers() {
        let events: Arc<Events> = Arc::default();
        let (mut a, mut b) = (begun(&events, 1, "a"), begun(&events, 2, "b"));
        events.store("b", &answer(2));
        events.store("s:common", &news());
        assert_eq!((next(&mut a), next(&mut b)), (Some(1), Some(2)));
        assert!(a.next().now_or_never().is_none());
        assert_eq!((next(&mut b), next(&mut b)), (Some(3), None));
        assert!(!events.begin(&RequestId::Number(1)));
        events.take_back(&RequestId::Number(1));
        assert_eq!(next(&mut a), None);
    }

    #[test]
    fn what_belongs_to_no_request_is_given_out_once_and_again_when_asked_for() {
        let events: Arc<Events> = Arc::default();
        events.store("s:common", &news());
        let (mut first, mut second) = (events.common(), events.common());
        assert_eq!(next(&mut first), Some(1));
        assert!(second.next().now_or_never().is_none());
        events.store("s:common", &news());
        assert_eq!(next(&mut second), Some(2));
        let mut again = events.after("1").unwrap();
        assert_eq!(next(&mut again), Some(2));
        assert!(again.next().now_or_never().is_none());
        events.close();
        assert_eq!((next(&mut first), next(&mut again)), (None, None));
    }

    #[test]
    fn a_stream_whose_answer_is_not_kept_any_more_ends() {
        let events: Arc<Events> = Arc::default();
        let mut late = begun(&events, 1, "a");
        events.store("a", &answer(1));
        for _ in 0..MOST {
            events.store("s:common", &news());
        }
        assert_eq!(next(&mut late), None);
        assert!(events.after("1").is_none());
    }
}
