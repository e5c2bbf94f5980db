//! Output that is too long for a result: kept where the session can read it, while it comes.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use hermes_tools::output::{KeptResult, ResultKeeper};

use super::kept::Kept;
use super::pieces::Pieces;
use super::shown;

/// Bytes of output that are kept. A file that is longer helps nobody who reads it in pages.
const MOST: u64 = 16 << 20;

/// Where the output of a call goes that is too long for its result.
#[derive(Debug, Clone)]
pub struct Overflow {
    keeper: ResultKeeper,
    call_id: Option<Arc<str>>,
}

impl Overflow {
    pub(crate) fn new(keeper: ResultKeeper, call_id: Option<&str>) -> Self {
        Self {
            keeper,
            call_id: call_id.map(Arc::from),
        }
    }
}

/// Output on its way into a file. Nothing is made before it is too long, and then all of it goes there
/// from its beginning.
pub(crate) struct Overflowing {
    to: Overflow,
    state: State,
}

enum State {
    /// All there is stands in memory.
    Waiting,
    Writing {
        file: Box<dyn KeptResult>,
        pieces: Pieces,
        bytes: u64,
    },
    /// No more is written; `None` when nothing could be.
    Over(Option<Stored>),
}

/// A file with output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) path: PathBuf,
    /// Whether it is all of the output, and not its beginning.
    pub(crate) is_whole: bool,
}

impl Overflowing {
    pub(crate) const fn new(to: Overflow) -> Self {
        Self {
            to,
            state: State::Waiting,
        }
    }

    /// Takes a piece that is about to come to `kept`.
    pub(crate) fn push(&mut self, kept: &mut Kept, bytes: &[u8], command: &str) {
        if matches!(self.state, State::Waiting) && !kept.has_room(bytes.len()) {
            self.begin(kept, command);
        }
        self.write(bytes, command);
    }

    /// Ends the file and tells of it. Output that was all kept goes there now.
    pub(crate) fn finish(&mut self, kept: &mut Kept, command: &str) -> Option<Stored> {
        if matches!(self.state, State::Waiting) {
            self.begin(kept, command);
        }
        self.end(true, command);
        match &self.state {
            State::Over(stored) => stored.clone(),
            State::Waiting | State::Writing { .. } => None,
        }
    }

    fn begin(&mut self, kept: &mut Kept, command: &str) {
        self.state = match self.to.keeper.begin(self.to.call_id.as_deref()) {
            Ok(file) => State::Writing {
                file,
                pieces: Pieces::default(),
                bytes: 0,
            },
            Err(_) => State::Over(None),
        };
        self.write(&kept.ends().newest(), command);
    }

    fn write(&mut self, piece: &[u8], command: &str) {
        let State::Writing {
            file,
            pieces,
            bytes,
        } = &mut self.state
        else {
            return;
        };
        *bytes += piece.len() as u64;
        let written = match pieces.push(piece) {
            Some(lines) => write(file, &lines, command),
            None => Ok(()),
        };
        if written.is_err() {
            // Nothing comes behind a gap.
            pieces.rest();
        }
        if written.is_err() || *bytes > MOST {
            self.end(false, command);
        }
    }

    fn end(&mut self, is_whole: bool, command: &str) {
        let state = std::mem::replace(&mut self.state, State::Over(None));
        let State::Writing {
            mut file,
            mut pieces,
            ..
        } = state
        else {
            self.state = state;
            return;
        };
        // The store may be full; what it has is of use then too.
        let written = write(&mut file, &pieces.rest(), command);
        let is_whole = is_whole && written.is_ok();
        let stored = file.keep().map(|path| Stored { path, is_whole });
        self.state = State::Over(stored.ok());
    }
}

fn write(file: &mut Box<dyn KeptResult>, bytes: &[u8], command: &str) -> io::Result<()> {
    file.write_all(shown::plain(bytes, command).as_bytes())
}

impl fmt::Debug for Overflowing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Overflowing").finish_non_exhaustive()
    }
}
