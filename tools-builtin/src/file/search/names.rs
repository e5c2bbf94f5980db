//! Target `files`: files by their names, the newest first.

use std::cmp::Reverse;
use std::time::SystemTime;

use hermes_tools::workspace::PathKind;
use hermes_tools::{ToolError, Workspace};

use super::content::{PAGE_LIMIT, Window};
use super::output::{Found, Reason};
use super::pattern::NameGlob;
use super::stop::Stop;
use super::walk::{Scope, Seen, visit};
use crate::file::text::json_length;

/// Lists the files of a scope that fit all globs.
pub(super) fn search(
    workspace: &Workspace,
    scope: &Scope,
    globs: &[&NameGlob],
    window: Window,
    stop: &Stop,
) -> Result<(Found, Seen), ToolError> {
    let mut found: Vec<(Reverse<Option<SystemTime>>, String)> = Vec::new();
    let mut seen = visit(workspace, scope, globs, stop, |candidate, _| {
        found.push((Reverse(candidate.modified()), candidate.path));
        Ok(())
    })?;
    found.sort_unstable();
    let total = found.len() as u64;
    let mut page = Vec::new();
    let mut next = window.offset;
    let mut room = PAGE_LIMIT;
    let first = usize::try_from(window.offset).unwrap_or(usize::MAX);
    let limit = usize::try_from(window.limit).unwrap_or(usize::MAX);
    for (_, path) in found.into_iter().skip(first).take(limit) {
        let Some(left) = room.checked_sub(json_length(&path)) else {
            break;
        };
        room = left;
        next += 1;
        // The walk went by names; what is told is looked at through the workspace.
        if is_file(workspace, &path) {
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

fn is_file(workspace: &Workspace, path: &str) -> bool {
    workspace
        .resolve(path)
        .and_then(|target| target.facts())
        .is_ok_and(|facts| facts.kind == PathKind::File)
}
