//! Questions of a server, put in the place of the call for which it asks.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use tokio::sync::{mpsc, oneshot};

use super::host::Host;

/// Answers what a server asks.
///
/// A server asks while it carries out a call, and whoever made the call is the one to ask: so the host is
/// asked from the task of the call, where [`crate::Client`] finds its client. The protocol does not say
/// which call a question belongs to; it is put in the place of the one that began last. What is asked when
/// there is none is put to the host alone.
pub(super) struct Questions {
    host: Arc<dyn Host>,
    calls: Mutex<Calls>,
}

#[derive(Default)]
struct Calls {
    last: u64,
    /// Calls under way by their number, the one that began last at the end.
    open: Vec<(u64, mpsc::UnboundedSender<Question>)>,
}

struct Question {
    request: ElicitRequestParams,
    answer: oneshot::Sender<ElicitResult>,
}

/// A call that counts as under way until this is dropped.
struct Open<'a> {
    calls: &'a Mutex<Calls>,
    number: u64,
}

impl Questions {
    pub(super) fn new(host: Arc<dyn Host>) -> Self {
        Self {
            host,
            calls: Mutex::default(),
        }
    }

    /// Asks what a server wants to know.
    pub(super) async fn put(&self, server: &str, request: ElicitRequestParams) -> ElicitResult {
        let call = lock(&self.calls).open.last().map(|(_, call)| call.clone());
        let Some(call) = call else {
            return self.host.elicit(server, request).await;
        };
        let (answer, answered) = oneshot::channel();
        // A call that has just ended takes no question any more, and nobody is there to be asked.
        let _ = call.send(Question { request, answer });
        let answered = answered.await;
        answered.unwrap_or_else(|_| ElicitResult::new(ElicitationAction::Cancel))
    }

    /// Waits for the answer to a call, and answers questions meanwhile, one after the other.
    pub(super) async fn beside<T>(&self, server: &str, call: impl Future<Output = T>) -> T {
        let (sender, mut questions) = mpsc::unbounded_channel();
        let _open = self.open(sender);
        let mut call = pin!(call);
        loop {
            let question = tokio::select! {
                biased;
                answered = &mut call => return answered,
                // This task holds a sender, so there is always another one.
                Some(question) = questions.recv() => question,
            };
            let Question {
                request,
                mut answer,
            } = question;
            tokio::select! {
                biased;
                answered = &mut call => return answered,
                () = answer.closed() => {}
                result = self.host.elicit(server, request) => {
                    // The server may have taken the question back.
                    let _ = answer.send(result);
                }
            }
        }
    }

    fn open(&self, sender: mpsc::UnboundedSender<Question>) -> Open<'_> {
        let mut calls = lock(&self.calls);
        calls.last += 1;
        let number = calls.last;
        calls.open.push((number, sender));
        Open {
            calls: &self.calls,
            number,
        }
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        lock(self.calls)
            .open
            .retain(|(number, _)| *number != self.number);
    }
}

fn lock(calls: &Mutex<Calls>) -> MutexGuard<'_, Calls> {
    // A list of calls is whole after every step.
    calls.lock().unwrap_or_else(PoisonError::into_inner)
}
