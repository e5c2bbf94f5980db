//! A transport that notices what the SDK does not: clients that are gone, and ids that are used twice.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hermes_tools::Cancel;
use rmcp::model::{
    ClientNotification, ClientRequest, ErrorData, GetMeta as _, JsonRpcMessage, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

/// How long calls go on after the end of the input. Whoever pipes a few requests in and closes the pipe
/// gets the answers; whoever is gone does not keep the process.
const GRACE: Duration = Duration::from_secs(2);

/// What calls are told of their client.
#[derive(Clone)]
pub(crate) struct Signs {
    /// The client is gone: calls end. When something else gives this sign, the input ends.
    pub(crate) gone: Cancel,
    /// The input has ended. The SDK still sends answers, and confirms nothing else any more, so that
    /// nobody may wait for that.
    pub(crate) ended: Cancel,
}

impl Signs {
    /// Signs of a connection, which goes with its server.
    pub(crate) fn below(server: &Cancel) -> Self {
        Self {
            gone: server.child(),
            ended: Cancel::new(),
        }
    }
}

/// A transport whose end gives signs.
pub(crate) struct Watched<T> {
    inner: T,
    signs: Signs,
    /// Requests that have no answer yet.
    open: Arc<Mutex<HashSet<RequestId>>>,
    /// Whether the client has asked to initialize.
    begun: bool,
}

impl<T: Transport<RoleServer>> Watched<T> {
    pub(crate) fn new(inner: T, signs: Signs) -> Self {
        Self {
            inner,
            signs,
            open: Arc::default(),
            begun: false,
        }
    }

    /// Whether a message goes on to the SDK.
    fn takes(&mut self, message: &mut RxJsonRpcMessage<RoleServer>) -> bool {
        match message {
            JsonRpcMessage::Request(request) => {
                if let ClientRequest::InitializeRequest(hello) = &mut request.request {
                    self.begun = true;
                    hello.extensions.insert(self.signs.clone());
                } else if !self.begun && is_early(&request.request) {
                    let error = ErrorData::invalid_request(NOT_OPEN, None);
                    let answer = ServerJsonRpcMessage::error(error, Some(request.id.clone()));
                    tokio::spawn(self.inner.send(answer));
                    return false;
                }
                if lock(&self.open).insert(request.id.clone()) {
                    return true;
                }
                self.refuse_repeated(&request.id);
                false
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    // The SDK sends no answer to what was cancelled.
                    lock(&self.open).remove(id);
                }
                // Before the handshake the SDK would close the connection for it.
                self.begun
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => self.begun,
        }
    }

    /// An answer with the id would be taken for the one to the first request, so this one has none.
    fn refuse_repeated(&mut self, id: &RequestId) {
        let why = format!(
            "the id {id} belongs to a request that is not answered yet; take a new one for each request"
        );
        tracing::warn!(why, "refused a request");
        let error = ErrorData::invalid_request(why, None);
        tokio::spawn(self.inner.send(ServerJsonRpcMessage::error(error, None)));
    }
}

/// What is said to whoever asks before the handshake.
pub(super) const NOT_OPEN: &str = "the connection is not open; send `initialize` first, and `notifications/initialized` when it is answered";

/// Whether a request has no place before the handshake. Clients of later versions, which have none, bring
/// their version with each request: the SDK tells them which ones are spoken here.
fn is_early(request: &ClientRequest) -> bool {
    let has_place = matches!(
        request,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_)
    );
    !has_place && request.get_meta().protocol_version().is_none()
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Watched<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let answered = match &item {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
        };
        if let Some(id) = answered {
            lock(&self.open).remove(id);
        }
        let sent = self.inner.send(item);
        let gone = self.signs.gone.clone();
        async move {
            let sent = sent.await;
            if sent.is_err() {
                // Nobody reads the answers any more.
                gone.cancel();
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = tokio::select! {
                message = self.inner.receive() => message,
                () = self.signs.gone.cancelled() => {
                    self.signs.ended.cancel();
                    return None;
                }
            };
            let Some(mut message) = message else {
                self.signs.ended.cancel();
                let gone = self.signs.gone.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(GRACE).await;
                    gone.cancel();
                });
                return None;
            };
            if self.takes(&mut message) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

fn lock<T>(value: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A set of ids is whole at every moment.
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
