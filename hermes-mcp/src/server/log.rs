//! What a client is told beside answers, for people: the protocol's logging.

#![expect(
    deprecated,
    reason = "a later version of the protocol drops logging; clients of the versions that we speak have it"
)]

use std::sync::{Mutex, PoisonError};

use hermes_tools::{CallResult, ErrorKind};
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use rmcp::service::{Peer, RoleServer};
use serde_json::json;

/// From which level on a client wants to be told.
pub(super) struct Log {
    least: Mutex<LoggingLevel>,
}

impl Default for Log {
    fn default() -> Self {
        Self {
            least: Mutex::new(LoggingLevel::Warning),
        }
    }
}

impl Log {
    pub(super) fn set(&self, least: LoggingLevel) {
        *self.lock() = least;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, LoggingLevel> {
        // One word is whole at every moment.
        self.least.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells what became of a call that failed (`warning`) or whose arguments were changed (`info`).
    /// A client that does not listen is no reason to hold the answer back.
    pub(super) async fn tell(&self, client: &Peer<RoleServer>, result: &CallResult) {
        let (level, data) = match &result.outcome {
            // The client wanted it so, or is gone.
            Err(error) if error.kind() == ErrorKind::Cancelled => return,
            Err(error) => (
                LoggingLevel::Warning,
                json!({"tool": result.tool, "code": error.code(), "error": error.message()}),
            ),
            Ok(_) if !result.repairs.is_empty() => {
                let repairs: Vec<String> = result.repairs.iter().map(ToString::to_string).collect();
                (
                    LoggingLevel::Info,
                    json!({"tool": result.tool, "arguments_changed": repairs}),
                )
            }
            Ok(_) => return,
        };
        if level as u8 >= *self.lock() as u8 {
            let message = LoggingMessageNotificationParam::new(level, data).with_logger("tools");
            let _ = client.notify_logging_message(message).await;
        }
    }
}
