//! A result that is written while it arrives.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use cap_std::fs::{Dir, File};

use super::Inner;
use super::session::place;
use crate::output::KeptResult;

/// A file without its name yet. Room in the store is taken with every piece.
pub(super) struct Draft {
    pub(super) store: Arc<Inner>,
    pub(super) root: Arc<Dir>,
    /// The folder of the turn, below the store: it stays while room is made.
    pub(super) turn: PathBuf,
    pub(super) folder: Dir,
    pub(super) file: File,
    /// The name that it has meanwhile.
    pub(super) hidden_name: String,
    /// The name that it gets.
    pub(super) name: String,
    pub(super) bytes: u64,
}

impl Write for Draft {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let bytes = piece.len() as u64;
        self.store.reserve(&self.root, bytes, &self.turn)?;
        self.bytes += bytes;
        self.file.write_all(piece)?;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl KeptResult for Draft {
    fn keep(mut self: Box<Self>) -> io::Result<PathBuf> {
        let name = place(&self.folder, &self.hidden_name, &self.name)?;
        self.bytes = 0;
        Ok(self.store.path.join(&self.turn).join(name))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // By now the draft is a second name of the file, or of no use.
        let _ = self.folder.remove_file(&self.hidden_name);
        self.store.release(self.bytes);
    }
}
