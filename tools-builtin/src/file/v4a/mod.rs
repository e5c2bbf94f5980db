//! Patches of several files in the format that `apply_patch` made known (V4A).
//!
//! ```text
//! *** Begin Patch
//! *** Update File: src/a.rs
//! *** Move to: src/b.rs
//! @@ fn main() {
//!      let a = 1;
//! -    let b = 2;
//! +    let b = 3;
//! *** Add File: notes.md
//! +one line
//! *** Delete File: old.rs
//! *** Move File: c.rs -> d.rs
//! *** End Patch
//! ```

mod header;
mod hunk;
mod original;
mod parse;

pub(super) use self::hunk::{Misfit, Reason, apply};

/// A parsed patch. It holds at least one operation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Patch<'p> {
    pub(super) operations: Vec<Operation<'p>>,
}

/// What a patch does with one file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Operation<'p> {
    /// Makes a file with this text.
    Add { path: &'p str, text: String },
    /// Changes a file, and moves it where a path is given.
    Update {
        path: &'p str,
        moved_to: Option<&'p str>,
        hunks: Vec<Hunk<'p>>,
    },
    /// Takes a file away.
    Delete { path: &'p str },
    /// Gives a file another path.
    Move { path: &'p str, to: &'p str },
}

/// A change of some lines that follow each other.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Hunk<'p> {
    /// Lines above the place, the outermost first: what stands behind `@@`.
    hints: Vec<&'p str>,
    /// The lines as they stand and as they shall stand.
    lines: Vec<Line<'p>>,
    /// Whether the last line is that of the file.
    at_end: bool,
}

/// A line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line<'p> {
    /// It stands there and stays.
    Context(&'p str),
    Removed(&'p str),
    Added(&'p str),
    /// An empty line without the blank before it: an empty line of the file, or nothing at the ends of
    /// a hunk.
    Bare,
}

impl<'p> Patch<'p> {
    /// The paths of the files that have to be there.
    pub(super) fn read_paths(&self) -> impl Iterator<Item = &'p str> {
        self.operations
            .iter()
            .filter_map(|operation| match operation {
                Operation::Add { .. } => None,
                Operation::Update { path, .. }
                | Operation::Delete { path }
                | Operation::Move { path, .. } => Some(*path),
            })
    }

    /// The paths that the patch names, in its order.
    pub(super) fn paths(&self) -> impl Iterator<Item = &'p str> {
        self.operations.iter().flat_map(|operation| {
            let (first, second) = match operation {
                Operation::Add { path, .. } | Operation::Delete { path } => (*path, None),
                Operation::Update { path, moved_to, .. } => (*path, *moved_to),
                Operation::Move { path, to } => (*path, Some(*to)),
            };
            std::iter::once(first).chain(second)
        })
    }
}
