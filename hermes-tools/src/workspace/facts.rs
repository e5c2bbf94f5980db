//! What stands at a path.

use std::sync::Arc;
use std::time::SystemTime;

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    /// A regular file.
    File,
    /// A folder.
    Directory,
    /// A device, a pipe or a socket.
    Other,
    /// Nothing.
    Missing,
}

/// Facts about what stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathFacts {
    /// What it is.
    pub kind: PathKind,
    /// Size of a file in bytes.
    pub len: u64,
    /// When it was changed last, where the system says so. Whoever changes a file may set it.
    pub modified: Option<SystemTime>,
    /// When anything about it was changed last, where the system says so. Nobody can set it.
    pub changed: Option<SystemTime>,
    /// Which file it is, where the system says so. Another file has another identity, also at the
    /// same path.
    pub identity: Option<FileIdentity>,
    /// Whether it is a file that nobody may write: no write bit of its mode is set.
    pub read_only: bool,
    /// How many names the file has, where the system says so: more than one with hard links.
    pub names: u64,
}

impl PathFacts {
    /// Nothing stands there.
    pub const MISSING: Self = Self {
        kind: PathKind::Missing,
        len: 0,
        modified: None,
        changed: None,
        identity: None,
        read_only: false,
        names: 0,
    };
}

/// Which file of the system something is, by whatever path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileIdentity {
    /// Number of the device.
    pub device: u64,
    /// Number of the file on it.
    pub inode: u64,
}

/// What a write did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// Whether there was no file before.
    pub created: bool,
    /// The facts of the new file.
    pub facts: PathFacts,
    /// The checkpoint that holds what stood there before, when the workspace has a
    /// [`Journal`](super::Journal).
    pub checkpoint: Option<Arc<str>>,
}
