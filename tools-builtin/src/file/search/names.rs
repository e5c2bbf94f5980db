//! Target `files`: files by their names, the newest first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use hermes_tools::workspace::PathKind;
use hermes_tools::{ToolError, Workspace};

use super::Way;
use super::content::{PAGE_LIMIT, Window};
use super::output::{Found, Reason};
use super::pattern::NameGlob;
use super::scope::Scope;
use super::tell::Tell;
use super::walk::{self, Candidate, Opener, Seen, Visit};
use crate::file::change::is_private;
use crate::file::text::json_length;

/// A file and when it was changed last, in the order in which files are told.
type Dated = (Reverse<Option<SystemTime>>, PathBuf);

/// Lists the files of a scope that fit all globs.
pub(super) fn search(
    way: Way<'_>,
    scope: &Scope,
    globs: &[&NameGlob],
    window: Window,
) -> Result<(Found, Seen), ToolError> {
    let first = usize::try_from(window.offset).unwrap_or(usize::MAX);
    let limit = usize::try_from(window.limit).unwrap_or(usize::MAX);
    let end = first.saturating_add(limit);
    let all = AtomicU64::new(0);
    let (mut found, mut seen) = match scope {
        Scope::File(target) => {
            let seen = Seen {
                files: 1,
                ..Seen::default()
            };
            let modified = target.facts().ok().and_then(|facts| facts.modified);
            all.store(1, Ordering::Relaxed);
            (vec![(Reverse(modified), PathBuf::new())], seen)
        }
        Scope::Folder(folder) => {
            walk::visit(folder, globs, way.stop, || Dates::new(way, &all, end))?
        }
    };
    let show = |path: &Path| match scope {
        Scope::File(target) => target.display(),
        Scope::Folder(folder) => folder.show(path),
    };
    let total = all.into_inner();
    let mut page = Vec::new();
    let mut next = window.offset;
    let mut room = PAGE_LIMIT;
    found.sort_unstable();
    // Each thread has kept as many as one page can have.
    found.truncate(end);
    for (_, path) in found.into_iter().skip(first) {
        let path = show(&path);
        let Some(left) = room.checked_sub(json_length(&path)) else {
            break;
        };
        room = left;
        next += 1;
        // The walk went by names; what is told is looked at through the workspace.
        if is_file(way.workspace, &path) {
            page.push(path);
        } else {
            seen.skipped.add(Reason::Unreadable, path);
        }
    }
    let found = Found {
        files: Some(page),
        total_count: total,
        truncated: next < total,
        next_offset: (next < total).then_some(next),
        ..Found::default()
    };
    Ok((found, seen))
}

/// Asks files when they were changed, and keeps those that a page can have.
struct Dates<'w> {
    opener: Opener<'w>,
    tell: &'w Tell,
    /// How many files there are, of all threads.
    all: &'w AtomicU64,
    own: u64,
    /// The newest, the oldest of them on top.
    newest: BinaryHeap<Dated>,
    /// How many of them are kept.
    most: usize,
}

impl<'w> Dates<'w> {
    fn new(way: Way<'w>, all: &'w AtomicU64, most: usize) -> Self {
        Self {
            opener: Opener::new(way.workspace),
            tell: way.tell,
            all,
            own: 0,
            newest: BinaryHeap::new(),
            most,
        }
    }
}

impl Visit for Dates<'_> {
    type Found = Dated;

    fn file(&mut self, candidate: &Candidate<'_>) -> Result<Option<Dated>, Reason> {
        let place = candidate.place;
        if place.to_str().is_some_and(is_private) {
            return Err(Reason::Unreadable);
        }
        let facts = self.opener.facts(place)?;
        if facts.kind != PathKind::File {
            return Err(Reason::Unreadable);
        }
        self.tell.found(None, || candidate.path());
        self.own += 1;
        let time = Reverse(facts.modified);
        if self.newest.len() < self.most {
            self.newest.push((time, place.to_owned()));
        } else if let Some(mut oldest) = self.newest.peek_mut()
            && (time, place) < (oldest.0, &*oldest.1)
        {
            *oldest = (time, place.to_owned());
        }
        Ok(None)
    }

    fn kept(&mut self) -> Vec<Dated> {
        self.all.fetch_add(self.own, Ordering::Relaxed);
        std::mem::take(&mut self.newest).into_vec()
    }
}

fn is_file(workspace: &Workspace, path: &str) -> bool {
    workspace
        .resolve(path)
        .and_then(|target| target.facts())
        .is_ok_and(|facts| facts.kind == PathKind::File)
}
