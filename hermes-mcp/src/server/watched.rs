//! A transport that notices what the SDK does not: clients that are gone, and ids that are used twice.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hermes_tools::Cancel;
use rmcp::model::{
    ClientNotification, ClientRequest, ErrorData, GetMeta as _, JsonRpcMessage, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::Notify;

use crate::params;

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
    owed: Arc<Owed>,
    /// Whether the client has asked to initialize.
    begun: bool,
    /// Whether the input has ended.
    at_end: bool,
}

/// What the client has not got yet.
#[derive(Default)]
struct Owed {
    debts: Mutex<Debts>,
    paid: Notify,
}

#[derive(Default)]
struct Debts {
    /// Requests that have no answer yet.
    open: HashSet<RequestId>,
    /// How many messages are being written.
    writing: usize,
}

/// A message that is being written, until it is written or given up.
struct Writing(Arc<Owed>);

impl Owed {
    /// Takes note of a request; `false` when one with its id is not answered yet.
    fn ask(&self, id: &RequestId) -> bool {
        self.lock().open.insert(id.clone())
    }

    /// Takes note that nobody waits for the answer to a request any more.
    fn forget(&self, id: &RequestId) {
        self.lock().open.remove(id);
        self.paid.notify_waiters();
    }

    /// Takes note of a message that goes out, and of the request that it answers. Both are one step, so
    /// that an answer is owed or being written at every moment before it is written.
    fn write(self: &Arc<Self>, answered: Option<&RequestId>) -> Writing {
        let mut debts = self.lock();
        debts.writing += 1;
        if let Some(id) = answered {
            debts.open.remove(id);
        }
        Writing(Arc::clone(self))
    }

    /// Waits until every request is answered and every message is written.
    async fn all_paid(&self) {
        self.until(|debts| debts.open.is_empty() && debts.writing == 0)
            .await;
    }

    /// Waits until every message is written.
    async fn all_written(&self) {
        self.until(|debts| debts.writing == 0).await;
    }

    async fn until(&self, done: impl Fn(&Debts) -> bool) {
        loop {
            let paid = self.paid.notified();
            if done(&self.lock()) {
                return;
            }
            paid.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Debts> {
        // A set of ids and a count are whole at every moment.
        self.debts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        self.0.lock().writing -= 1;
        self.0.paid.notify_waiters();
    }
}

impl<T: Transport<RoleServer>> Watched<T> {
    pub(crate) fn new(inner: T, signs: Signs) -> Self {
        Self {
            inner,
            signs,
            owed: Arc::default(),
            begun: false,
            at_end: false,
        }
    }

    /// Answers a request that the SDK does not see. It is written beside reading, which may be given up
    /// at any time.
    fn refuse(&mut self, error: ErrorData, id: Option<RequestId>) {
        let writing = self.owed.write(None);
        let sent = self.inner.send(ServerJsonRpcMessage::error(error, id));
        tokio::spawn(async move {
            let _writing = writing;
            sent.await
        });
    }

    /// Whether a message goes on to the SDK.
    fn takes(&mut self, message: &mut RxJsonRpcMessage<RoleServer>) -> bool {
        match message {
            JsonRpcMessage::Request(request) => {
                if let ClientRequest::InitializeRequest(hello) = &mut request.request {
                    self.begun = true;
                    hello.extensions.insert(self.signs.clone());
                } else if !self.begun && is_early(&request.request) {
                    let error = wrong_hello(&request.request)
                        .unwrap_or_else(|| ErrorData::invalid_request(NOT_OPEN, None));
                    self.refuse(error, Some(request.id.clone()));
                    return false;
                }
                if self.owed.ask(&request.id) {
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
                    self.owed.forget(id);
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
        self.refuse(ErrorData::invalid_request(why, None), None);
    }
}

/// What is said to whoever asks before the handshake.
pub(super) const NOT_OPEN: &str = "the connection is not open; send `initialize` first, and `notifications/initialized` when it is answered";

/// The error for a request that would open the connection if its parameters fitted.
fn wrong_hello(request: &ClientRequest) -> Option<ErrorData> {
    match request {
        ClientRequest::CustomRequest(request) if request.method == params::INITIALIZE => {
            params::fault(&request.method, request.params.as_ref())
        }
        _ => None,
    }
}

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
        let writing = self.owed.write(answered);
        let sent = self.inner.send(item);
        let gone = self.signs.gone.clone();
        async move {
            let _writing = writing;
            let sent = sent.await;
            if sent.is_err() {
                // Nobody reads the answers any more.
                gone.cancel();
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        while !self.at_end {
            let message = tokio::select! {
                message = self.inner.receive() => message,
                () = self.signs.gone.cancelled() => {
                    self.signs.ended.cancel();
                    return None;
                }
            };
            let Some(mut message) = message else {
                self.at_end = true;
                let gone = self.signs.gone.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(GRACE).await;
                    gone.cancel();
                });
                break;
            };
            if self.takes(&mut message) {
                return Some(message);
            }
        }
        // The SDK sends no notice any more once it knows of the end, and its answers alone are waited for.
        tokio::select! {
            () = self.owed.all_paid() => {}
            () = self.signs.gone.cancelled() => {}
        }
        self.signs.ended.cancel();
        None
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        let close = async {
            self.owed.all_written().await;
            self.inner.close().await
        };
        // Whoever does not read does not keep the process.
        tokio::time::timeout(GRACE, close).await.unwrap_or(Ok(()))
    }
}
