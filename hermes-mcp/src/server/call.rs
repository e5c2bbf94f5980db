//! One call of a client.

use std::sync::Arc;

use hermes_tools::context::{LogEvent, ProgressEvent};
use hermes_tools::{CallResult, Session, ToolCall};
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext, RoleServer};
use tokio::sync::watch;

use super::watched::Signs;
use crate::elicitation::CLIENT;

/// What hears what tools say while they run.
pub(super) type LogListener = dyn Fn(LogEvent<'_>) + Send + Sync;

/// Makes a call for a client. It is cancelled when the client says so or is gone.
pub(super) async fn call(
    session: &Session,
    name: &str,
    arguments: String,
    request: &RequestContext<RoleServer>,
    signs: &Signs,
    log: &Arc<LogListener>,
) -> CallResult {
    let cancel = signs.gone.child();
    let mut call = ToolCall::new(name, arguments)
        .id(request.id.to_string())
        .cancel(cancel.clone())
        .on_log(Arc::clone(log));
    let mut pump = None;
    let mut reports = None;
    if let Some(token) = request.meta.get_progress_token() {
        let (sender, receiver) = watch::channel(Report::default());
        let sender = Arc::new(sender);
        reports = Some(Arc::clone(&sender));
        call = call.on_progress(move |event| {
            sender.send_modify(|report| report.note(event));
        });
        pump = Some(Pump {
            reports: receiver,
            client: request.peer.clone(),
            token,
        });
    }
    let made = CLIENT.scope(request.peer.clone(), session.call_with(call));
    let made = async move {
        tokio::pin!(made);
        let result = tokio::select! {
            biased;
            result = &mut made => result,
            () = request.ct.cancelled() => {
                cancel.cancel();
                made.await
            }
        };
        if let Some(reports) = reports {
            reports.send_modify(|report| report.ended = true);
        }
        result
    };
    match pump {
        None => made.await,
        // Both end together, so that no report comes after the answer.
        Some(pump) => {
            let told = async {
                tokio::select! {
                    () = pump.run() => {}
                    () = signs.ended.cancelled() => {}
                }
            };
            tokio::join!(made, told).0
        }
    }
}

/// The last report of a call. One that the client was too slow for is replaced by the next, so that
/// reports take no room.
#[derive(Clone, Default)]
struct Report {
    done: Option<f64>,
    total: Option<f64>,
    message: String,
    ended: bool,
}

impl Report {
    /// Takes a report that goes on from the one before, as the protocol wants it.
    fn note(&mut self, event: ProgressEvent<'_>) {
        if self.ended || self.done.is_some_and(|done| event.done <= done) {
            return;
        }
        self.done = Some(event.done);
        self.total = event.total;
        event.message.clone_into(&mut self.message);
    }
}

/// Brings reports to the client.
struct Pump {
    reports: watch::Receiver<Report>,
    client: Peer<RoleServer>,
    token: ProgressToken,
}

impl Pump {
    async fn run(mut self) {
        let mut sent = None;
        while self.reports.changed().await.is_ok() {
            let report = self.reports.borrow_and_update().clone();
            if let Some(done) = report.done.filter(|done| Some(*done) != sent) {
                sent = Some(done);
                let mut told = ProgressNotificationParam::new(self.token.clone(), done);
                told.total = report.total;
                told.message = (!report.message.is_empty()).then_some(report.message);
                if self.client.notify_progress(told).await.is_err() {
                    return;
                }
            }
            if report.ended {
                return;
            }
        }
    }
}
