//! Where a tool keeps what is too long for its result, while it still arrives.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// Keeps text of a call in a file that the session may read. A session with a result store has one in
/// its state; without one, what is too long is lost.
///
/// The file belongs to the turn of the call and goes with it. What a model must not see has to be taken
/// out before it is written.
#[derive(Clone)]
pub struct ResultKeeper {
    open: Arc<Open>,
}

type Open = dyn Fn(&str) -> io::Result<Box<dyn KeptResult>> + Send + Sync;

/// Text on its way into a file. Dropped before its end it leaves nothing behind.
pub trait KeptResult: Write + Send {
    /// Ends the text and gives the path under which the session reads it.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    fn keep(self: Box<Self>) -> io::Result<PathBuf>;
}

impl ResultKeeper {
    #[cfg(feature = "host")]
    pub(crate) fn new(
        open: impl Fn(&str) -> io::Result<Box<dyn KeptResult>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            open: Arc::new(open),
        }
    }

    /// Begins a file for the call of this id.
    ///
    /// # Errors
    ///
    /// Those of the operating system. Writing fails with [`io::ErrorKind::QuotaExceeded`] where the store
    /// has no room for more.
    pub fn begin(&self, call_id: Option<&str>) -> io::Result<Box<dyn KeptResult>> {
        (self.open)(call_id.unwrap_or("call"))
    }
}

impl fmt::Debug for ResultKeeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResultKeeper").finish_non_exhaustive()
    }
}
