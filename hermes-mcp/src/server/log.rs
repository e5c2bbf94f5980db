//! What a client is told beside answers, for people: the protocol's logging.

#![expect(
    deprecated,
    reason = "a later version of the protocol drops logging; clients of the versions that we speak have it"
)]

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use hermes_tools::context::{LogEvent, LogLevel};
use hermes_tools::output::cut;
use hermes_tools::{CallResult, ErrorKind};
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use rmcp::service::{Peer, RoleServer};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// The messages of a connection, in their order. Calls put them in, and whoever is there first sends
/// them: the call at its end, or the connection's own task while it runs.
pub(super) struct Log {
    waiting: Mutex<Waiting>,
    news: Notify,
    /// Held while messages are sent, so that they keep their order.
    sending: tokio::sync::Mutex<()>,
}

struct Waiting {
    /// From which level on the client wants to be told.
    least: LoggingLevel,
    messages: VecDeque<LoggingMessageNotificationParam>,
    lost: usize,
}

/// How many messages wait for a slow client at most; what comes then is counted.
const MOST: usize = 1_000;

/// The longest message of a tool, in characters.
const LONGEST: usize = 4_000;

impl Default for Log {
    fn default() -> Self {
        Self {
            waiting: Mutex::new(Waiting {
                least: LoggingLevel::Warning,
                messages: VecDeque::new(),
                lost: 0,
            }),
            news: Notify::new(),
            sending: tokio::sync::Mutex::default(),
        }
    }
}

impl Log {
    pub(super) fn set(&self, least: LoggingLevel) {
        self.lock().least = least;
    }

    /// Waits until there is a message.
    pub(super) async fn news(&self) {
        self.news.notified().await;
    }

    /// Takes what a tool says while it runs.
    pub(super) fn hear(&self, event: LogEvent<'_>) {
        let level = level(event.level);
        if self.wants(level) {
            let text = cut(event.message, LONGEST).unwrap_or_else(|| event.message.to_owned());
            self.put(level, Value::String(text));
            self.news.notify_one();
        }
    }

    /// Takes what became of a call that failed (`warning`) or whose arguments were changed (`info`).
    pub(super) fn note(&self, result: &CallResult) {
        match &result.outcome {
            // The client wanted it so, or is gone.
            Err(error) if error.kind() == ErrorKind::Cancelled => {}
            Err(error) if self.wants(LoggingLevel::Warning) => self.put(
                LoggingLevel::Warning,
                json!({"tool": result.tool, "code": error.code(), "error": error.message()}),
            ),
            Ok(_) if !result.repairs.is_empty() && self.wants(LoggingLevel::Info) => {
                let repairs: Vec<String> = result.repairs.iter().map(ToString::to_string).collect();
                self.put(
                    LoggingLevel::Info,
                    json!({"tool": result.tool, "arguments_changed": repairs}),
                );
            }
            _ => {}
        }
    }

    /// Sends what waits. A client that does not listen is no reason to hold an answer back.
    pub(super) async fn send(&self, client: &Peer<RoleServer>) {
        // Also when nothing waits: what another has taken to send comes before the answer of the call.
        let _in_order = self.sending.lock().await;
        while let Some(message) = self.next() {
            if client.notify_logging_message(message).await.is_err() {
                return;
            }
        }
    }

    fn next(&self) -> Option<LoggingMessageNotificationParam> {
        let mut waiting = self.lock();
        if let Some(message) = waiting.messages.pop_front() {
            return Some(message);
        }
        let lost = std::mem::take(&mut waiting.lost);
        (lost > 0).then(|| {
            let text = format!("{lost} messages were left out: the client is too slow for them");
            message(LoggingLevel::Warning, Value::String(text))
        })
    }

    fn wants(&self, level: LoggingLevel) -> bool {
        level as u8 >= self.lock().least as u8
    }

    fn put(&self, level: LoggingLevel, data: Value) {
        let mut waiting = self.lock();
        if waiting.messages.len() == MOST {
            waiting.lost += 1;
        } else {
            waiting.messages.push_back(message(level, data));
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        // Nothing in it can be half done.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn message(level: LoggingLevel, data: Value) -> LoggingMessageNotificationParam {
    LoggingMessageNotificationParam::new(level, data).with_logger("tools")
}

const fn level(level: LogLevel) -> LoggingLevel {
    match level {
        LogLevel::Debug => LoggingLevel::Debug,
        LogLevel::Info => LoggingLevel::Info,
        LogLevel::Notice => LoggingLevel::Notice,
        LogLevel::Warning => LoggingLevel::Warning,
        LogLevel::Error => LoggingLevel::Error,
        LogLevel::Critical => LoggingLevel::Critical,
        LogLevel::Alert => LoggingLevel::Alert,
        LogLevel::Emergency => LoggingLevel::Emergency,
    }
}
