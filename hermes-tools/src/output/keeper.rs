//! Where a tool keeps what is too long for its result, while it still arrives.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Keeps text of a call in a file that the session may read. A session with a result store has one in
/// its state; without one, what is too long is lost.
///
/// The file belongs to the turn of the call and goes with it. What a model must not see has to be taken
/// out before it is written.
#[derive(Clone)]
pub struct ResultKeeper {
    folder: Arc<Path>,
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
        folder: &Path,
        open: impl Fn(&str) -> io::Result<Box<dyn KeptResult>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            folder: folder.into(),
            open: Arc::new(open),
        }
    }

    /// The folder of the session, which is there as soon as something was kept. What stands beside it belongs
    /// to other sessions: a tool that runs programs keeps them out of the folder above it.
    pub fn folder(&self) -> &Path {
        &self.folder
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
