//! What a tool tells the people behind a call while it runs.

use std::fmt;
use std::sync::Arc;

/// Where a tool says what happens, for whoever reads the logs of the caller; the model sees nothing of
/// it. When nobody listens, saying so costs nothing.
///
/// It is for what the one who called should know. What the host should know goes to its own logs.
#[derive(Clone, Default)]
pub struct Log {
    listener: Option<Arc<LogListener>>,
}

pub(crate) type LogListener = dyn Fn(LogEvent<'_>) + Send + Sync;

/// How much an event matters: the levels of syslog (RFC 5424, 6.2.1), the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogLevel {
    /// For finding faults.
    Debug,
    /// What happens.
    Info,
    /// What happens seldom.
    Notice,
    /// What may become a fault.
    Warning,
    /// What went wrong.
    Error,
    /// A part does not work any more.
    Critical,
    /// Somebody must act at once.
    Alert,
    /// Nothing works any more.
    Emergency,
}

/// What a tool said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogEvent<'a> {
    /// How much it matters.
    pub level: LogLevel,
    /// What happened, for a person.
    pub message: &'a str,
}

impl Log {
    pub(crate) fn new(listener: Option<Arc<LogListener>>) -> Self {
        Self { listener }
    }

    /// Whether anybody listens, for tools whose messages cost something to make.
    pub const fn is_heard(&self) -> bool {
        self.listener.is_some()
    }

    /// Says what happened.
    pub fn say(&self, level: LogLevel, message: &str) {
        if let Some(listener) = &self.listener {
            listener(LogEvent { level, message });
        }
    }

    /// Says what happens.
    pub fn info(&self, message: &str) {
        self.say(LogLevel::Info, message);
    }

    /// Says what may become a fault.
    pub fn warning(&self, message: &str) {
        self.say(LogLevel::Warning, message);
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Log(heard: {})", self.listener.is_some())
    }
}
