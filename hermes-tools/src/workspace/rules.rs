//! What may be done at a place, whatever path led there.

use std::ffi::OsStr;
use std::path::Path;

use crate::output::ToolError;
use crate::target::Access;

/// Judges the places of a workspace. It is asked about what a path led to, on the open handle: when the
/// path is resolved for a guard, and again when a tool opens or changes what stands there.
pub trait PathRules: Send + Sync + 'static {
    /// Whether this may be done at a place, an absolute path without links and `..`. `shown` is how
    /// the call names it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::ProtectedPath`](crate::ErrorKind::ProtectedPath) and the like: it is not done.
    fn judge(&self, place: &Path, shown: &str, access: Access) -> Result<(), ToolError>;

    /// Which names in a folder have to be judged, where the folder tells that all others pass: a walk
    /// through many files asks once for each folder. None, as by default, says that all names have to.
    /// The folder is an absolute path as for [`judge`](Self::judge).
    fn doubtful(&self, folder: &Path, access: Access) -> Option<Doubtful> {
        let _ = (folder, access);
        None
    }
}

/// Whether a file of this name has to be judged, in a folder where most pass.
pub type Doubtful = fn(&OsStr) -> bool;
