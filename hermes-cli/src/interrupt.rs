//! Ctrl-C.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hermes_tools::Cancel;

use crate::error::CliError;
use crate::exit::Exit;

/// Cancels calls at Ctrl-C. Between calls, and the second time, Ctrl-C ends the program at once.
#[derive(Debug)]
pub(crate) struct Interrupt {
    cancel: Cancel,
    calling: Arc<AtomicBool>,
}

impl Interrupt {
    /// Watches from now on. Once in a program.
    pub(crate) fn watch() -> Result<Self, CliError> {
        let this = Self {
            cancel: Cancel::new(),
            calling: Arc::default(),
        };
        let (cancel, calling) = (this.cancel.clone(), Arc::clone(&this.calling));
        ctrlc::set_handler(move || {
            if cancel.is_cancelled() || !calling.load(Ordering::SeqCst) {
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
