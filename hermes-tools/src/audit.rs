//! The audit log: one line of JSON for each call.

mod files;
mod record;

use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

pub(crate) use self::files::{FileChange, files_after, files_before};
pub(crate) use self::record::{Judgement, Record};
use crate::trace;

/// A log of calls in JSON Lines: who called what, what was judged, which files were changed, how it
/// ended. Every call has one line, also one that was refused or not started; what is secret is taken out.
///
/// | field | what |
/// |---|---|
/// | `time` | when the call was made, RFC 3339 in UTC |
/// | `session`, `user`, `source` | who: what [`SessionFacts`](crate::SessionFacts) says |
/// | `delegated`, `worker` | whether a sub-agent called, and on which task of which dispatcher |
/// | `tool`, `server` | what: the tool by its own name; for a tool of a server the names there |
/// | `call`, `turn`, `request` | the ids of [`CallIds`](crate::CallIds) |
/// | `effect`, `arguments` | what the tool may do; what it was given, secrets taken out |
/// | `verdicts` | what the guards said: `argument`, `role`, `shown`, `verdict`, `category` |
/// | `approvals` | what was asked (`categories`) and the `answer` |
/// | `files` | what changed: `path`, and the SHA-256 `before` and `after`; null where there is no file, `unknown` where that cannot be told, as after a call that is over while its tool may still work |
/// | `repeated` | whether the call was not run since an earlier one of its batch is the same |
/// | `repairs`, `retries` | how many changes the arguments needed, how often the call was tried again |
/// | `status`, `error`, `duration_ms` | how it ended, the code of the error, how long it took |
///
/// A field that has nothing to say is left out. Lines are only ever appended, each at one stroke.
pub struct AuditLog {
    out: Mutex<Box<dyn Write + Send>>,
}

impl AuditLog {
    /// A log in a file, which is made where there is none, for its owner alone. What is in it stays.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Ok(Self::to(options.open(path)?))
    }

    /// A log that is written here.
    pub fn to(out: impl Write + Send + 'static) -> Self {
        Self {
            out: Mutex::new(Box::new(out)),
        }
    }

    /// Appends a line. A log that cannot be written is told of in the trace: the call has been made.
    pub(crate) fn write(&self, record: &Record<'_>) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let written = out.write_all(record.line().as_bytes());
        if let Err(error) = written.and_then(|()| out.flush()) {
            trace::audit_failed(&error.to_string());
        }
    }
}

/// A moment as the log writes it.
pub(crate) fn time(moment: Option<SystemTime>) -> String {
    let moment = moment.unwrap_or(SystemTime::UNIX_EPOCH);
    // The library writes no moment before 1970, which only a clock that was never set shows.
    humantime::format_rfc3339_millis(moment.max(SystemTime::UNIX_EPOCH)).to_string()
}

impl fmt::Debug for AuditLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuditLog").finish_non_exhaustive()
    }
}
