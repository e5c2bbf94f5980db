//! Requests to the other side that wait for their answer.

use rmcp::service::{Peer, PeerRequestOptions, RequestHandle, ServiceError, ServiceRole};

/// A request that waits. When whoever waits gives up, the other side is told, so that nobody works for
/// nothing.
struct Open<R: ServiceRole>(Option<RequestHandle<R>>);

/// Sends a request and waits for the answer.
///
/// # Errors
///
/// It could not be sent, the other side is gone, or it answered with an error.
pub(crate) async fn ask<R: ServiceRole>(
    peer: &Peer<R>,
    request: R::Req,
) -> Result<R::PeerResp, ServiceError> {
    let options = PeerRequestOptions::no_options();
    let sent = peer.send_cancellable_request(request, options).await?;
    let mut open = Open(Some(sent));
    let Some(handle) = &mut open.0 else {
        return Err(ServiceError::TransportClosed);
    };
    let answered = (&mut handle.rx).await;
    // There is an answer, so there is nothing to take back.
    open.0 = None;
    answered.map_err(|_| ServiceError::TransportClosed)?
}

impl<R: ServiceRole> Drop for Open<R> {
    fn drop(&mut self) {
        let Some(handle) = self.0.take() else { return };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(handle.cancel(Some("the call was given up".to_owned())));
        }
    }
}
