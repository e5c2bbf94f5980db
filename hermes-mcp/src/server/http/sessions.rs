//! The sessions of an HTTP server: each its own, gone when it is not used any more.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::{Stream, stream};
use hermes_tools::Cancel;
use hermes_tools::context::Executor;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ErrorData, JsonRpcMessage, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::transport::WorkerTransport;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, LocalSessionWorker, SessionConfig,
};
use rmcp::transport::streamable_http_server::session::{
    ServerSseMessage, SessionId, SessionManager,
};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::events::{Events, View};
use crate::server::watched::{Signs, Watched};

/// The sessions of a server.
pub(super) struct Sessions {
    all: Arc<Mutex<All>>,
    idle: Idle,
    stop: Cancel,
}

/// How long a session stays that no stream is open of.
#[derive(Clone)]
pub(super) struct Idle {
    pub(super) time: Duration,
    /// What tells how much time has passed; the clock of the runtime without this.
    pub(super) clock: Option<Arc<dyn Executor>>,
}

impl Idle {
    async fn pass(&self) {
        match (&self.clock, Instant::now().checked_add(self.time)) {
            (Some(clock), _) => clock.sleep(self.time).await,
            (None, Some(at)) => tokio::time::sleep_until(at).await,
            (None, None) => std::future::pending().await,
        }
    }
}

type All = HashMap<SessionId, Arc<One>>;

/// One session.
struct One {
    /// The SDK's part of it, which knows no other.
    local: LocalSessionManager,
    events: Arc<Events>,
    /// Held while a stream is begun.
    beginning: tokio::sync::Mutex<()>,
    use_: Use,
    signs: Signs,
}

/// Whether somebody uses a session.
#[derive(Default)]
struct Use {
    streams: AtomicUsize,
    changed: Notify,
}

impl Sessions {
    pub(super) fn new(idle: Idle, stop: &Cancel) -> Self {
        Self {
            all: Arc::default(),
            idle,
            stop: stop.clone(),
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        lock(&self.all).len()
    }

    /// Whether there is one of this id.
    pub(super) fn contains(&self, id: &str) -> bool {
        lock(&self.all).contains_key(id)
    }

    /// Whether a session has an event from which a stream of it can be taken up again.
    pub(super) fn has_event(&self, id: &str, event: &str) -> bool {
        let found = lock(&self.all).get(id).cloned();
        found.is_some_and(|one| one.events.after(event).is_some())
    }

    /// Whether a request of any session has no answer yet.
    pub(super) fn are_answering(&self) -> bool {
        lock(&self.all)
            .values()
            .any(|one| one.events.is_answering())
    }

    fn one(&self, id: &SessionId) -> Result<Arc<One>, LocalSessionManagerError> {
        let found = lock(&self.all).get(id).cloned();
        found.ok_or_else(|| LocalSessionManagerError::SessionNotFound(id.clone()))
    }
}

fn lock(all: &Mutex<All>) -> MutexGuard<'_, All> {
    // A map of pointers is whole at every moment.
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends a session: its streams, its calls and what the SDK keeps of it.
async fn end(all: &Mutex<All>, id: &SessionId) -> Result<(), LocalSessionManagerError> {
    let Some(one) = lock(all).remove(id) else {
        return Ok(());
    };
    one.signs.gone.cancel();
    let closed = one.local.close_session(id).await;
    one.events.close();
    closed
}

/// Ends a session that nobody uses for some time.
async fn expire(all: Arc<Mutex<All>>, id: SessionId, one: Arc<One>, idle: Idle) {
    loop {
        let changed = one.use_.changed.notified();
        if one.use_.streams.load(Ordering::SeqCst) > 0 {
            changed.await;
            continue;
        }
        tokio::select! {
            () = changed => {}
            () = one.signs.gone.cancelled() => return,
            () = idle.pass() => {
                tracing::info!(session = %id, "a session has ended that nobody used");
                let _ = end(&all, &id).await;
                return;
            }
        }
    }
}

impl SessionManager for Sessions {
    type Error = LocalSessionManagerError;
    type Transport = Watched<WorkerTransport<LocalSessionWorker>>;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let events: Arc<Events> = Arc::default();
        let mut config = SessionConfig::default();
        // A long call is no idle session; whoever has gone is noticed by the streams.
        config.keep_alive = None;
        let mut local = LocalSessionManager::default().with_event_store(Arc::clone(&events) as _);
        local.session_config = config;
        let (id, transport) = local.create_session().await?;
        let one = Arc::new(One {
            local,
            events,
            beginning: tokio::sync::Mutex::default(),
            use_: Use::default(),
            signs: Signs::below(&self.stop),
        });
        lock(&self.all).insert(id.clone(), Arc::clone(&one));
        let transport = Watched::new(transport, one.signs.clone());
        let idle = self.idle.clone();
        tokio::spawn(expire(Arc::clone(&self.all), id.clone(), one, idle));
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        let answer = self.one(id)?.local.initialize_session(id, message).await;
        if !matches!(answer, Ok(JsonRpcMessage::Response(_))) {
            // A client that was refused has no session.
            end(&self.all, id).await?;
        }
        answer
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        Ok(self.contains(id))
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        end(&self.all, id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let one = self.one(id)?;
        let JsonRpcMessage::Request(request) = &message else {
            return Err(LocalSessionManagerError::SessionNotFound(id.clone()));
        };
        let request = request.id.clone();
        if !one.events.begin(&request) {
            let why = format!(
                "the id {request} belongs to a request that is not answered yet; take a new one for each request"
            );
            let refused = ErrorData::invalid_request(why, None);
            let refused = ServerJsonRpcMessage::error(refused, Some(request));
            return Ok(Used::once(one, ServerSseMessage::from_message(refused)));
        }
        let asked = Asked(Some((&one.events, &request)));
        let begun = one.beginning.lock().await;
        // The SDK's own end of the stream is let go: it need not be read.
        drop(one.local.create_stream(id, message).await?);
        let view = one.events.stream_of(&request);
        drop(begun);
        asked.arrived();
        Ok(Used::of(one, view))
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), Self::Error> {
        let one = self.one(id)?;
        one.use_.changed.notify_waiters();
        let taken_back = match &message {
            JsonRpcMessage::Notification(notification) => match &notification.notification {
                ClientNotification::CancelledNotification(it) => it.params.request_id.clone(),
                _ => None,
            },
            _ => None,
        };
        one.local.accept_message(id, message).await?;
        if let Some(request) = taken_back {
            one.events.take_back(&request);
        }
        Ok(())
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let one = self.one(id)?;
        let view = one.events.common();
        Ok(Used::of(one, view))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let one = self.one(id)?;
        let view = (one.events.after(&last_event_id))
            .ok_or_else(|| LocalSessionManagerError::SessionNotFound(id.clone()))?;
        Ok(Used::of(one, view))
    }
}

/// A request on its way to the SDK. When that fails or is given up, nobody answers it.
struct Asked<'a>(Option<(&'a Events, &'a RequestId)>);

impl Asked<'_> {
    /// Takes note that the SDK has it.
    fn arrived(mut self) {
        self.0 = None;
    }
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        if let Some((events, request)) = self.0 {
            events.take_back(request);
        }
    }
}

/// A stream of a session, which counts as used while it is open.
struct Used {
    one: Arc<One>,
    stream: Pin<Box<dyn Stream<Item = ServerSseMessage> + Send + Sync>>,
}

impl Used {
    fn of(one: Arc<One>, view: View) -> Self {
        Self::new(one, Box::pin(view))
    }

    fn once(one: Arc<One>, message: ServerSseMessage) -> Self {
        Self::new(one, Box::pin(stream::iter([message])))
    }

    fn new(
        one: Arc<One>,
        stream: Pin<Box<dyn Stream<Item = ServerSseMessage> + Send + Sync>>,
    ) -> Self {
        one.use_.streams.fetch_add(1, Ordering::SeqCst);
        one.use_.changed.notify_waiters();
        Self { one, stream }
    }
}

impl Stream for Used {
    type Item = ServerSseMessage;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.stream.as_mut().poll_next(cx)
    }
}

impl Drop for Used {
    fn drop(&mut self) {
        self.one.use_.streams.fetch_sub(1, Ordering::SeqCst);
        self.one.use_.changed.notify_waiters();
    }
}
