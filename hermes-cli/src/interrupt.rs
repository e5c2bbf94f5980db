//! Ctrl-C, and being told to end.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hermes_tools::{Cancel, Session};

use crate::error::CliError;
use crate::exit::Exit;

/// Cancels calls at Ctrl-C, `SIGTERM` and `SIGHUP`. Between calls, and the second time, they end the program
/// at once, and the commands of its session before it.
#[derive(Debug)]
pub(crate) struct Interrupt {
    cancel: Cancel,
    calling: Arc<AtomicBool>,
    /// Emptied at the end, since the signal handler stays for ever and the session must not.
    session: Arc<Mutex<Option<Session>>>,
}

impl Interrupt {
    /// Watches over the calls of a session from now on. Once in a program.
    pub(crate) fn watch(session: &Session) -> Result<Self, CliError> {
        let this = Self {
            cancel: Cancel::new(),
            calling: Arc::default(),
            session: Arc::new(Mutex::new(Some(session.clone()))),
        };
        let (cancel, calling) = (this.cancel.clone(), Arc::clone(&this.calling));
        let session = Arc::clone(&this.session);
        ctrlc::set_handler(move || {
            if cancel.is_cancelled() || !calling.load(Ordering::SeqCst) {
                // While this is held, the program does not end in another way.
                let session = session.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(session) = &*session {
                    end_commands(session);
                }
                process::exit(Exit::Interrupted.code().into());
            }
            cancel.cancel();
        })?;
        Ok(this)
    }

    /// Makes a call that Ctrl-C can cancel.
    pub(crate) fn during<T>(&self, call: impl FnOnce(Cancel) -> T) -> T {
        self.calling.store(true, Ordering::SeqCst);
        let answer = call(self.cancel.clone());
        self.calling.store(false, Ordering::SeqCst);
        answer
    }

    /// Whether calls were cancelled.
    pub(crate) fn came(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever else still holds the session does not hold its commands.
        if let Some(session) = session.take() {
            end_commands(&session);
        }
    }
}

/// Ends the commands of a session whose process is about to end.
#[cfg(unix)]
pub(crate) fn end_commands(session: &Session) {
    tools_builtin::end_commands(session.memory());
}

/// Nothing runs commands here.
#[cfg(not(unix))]
pub(crate) fn end_commands(_: &Session) {}
