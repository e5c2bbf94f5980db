//! Giving a file another name, never over another file.

use std::ffi::OsStr;
use std::io;

use cap_std::fs::Dir;

use super::handle::{facts_of, identity_of};
use super::replace::Turn;
use crate::workspace::PathFacts;

/// A name in a folder.
type Name<'n> = (&'n Dir, &'n OsStr);

/// Renames a file, if `consent` has nothing against what stands at both names then; whether it did.
pub(super) fn rename(
    (folder, name): Name<'_>,
    (goal, new_name): Name<'_>,
    consent: &mut dyn FnMut(&PathFacts, &PathFacts) -> bool,
) -> io::Result<bool> {
    let (from, to) = (identity_of(folder)?, identity_of(goal)?);
    // In one order, so that two that rename between the same folders do not wait for each other; and
    // once, since a second turn in one folder would wait for the first.
    let (first, second) = if from <= to {
        (folder, goal)
    } else {
        (goal, folder)
    };
    let _first = Turn::wait(first)?;
    let _second = (from != to).then(|| Turn::wait(second)).transpose()?;
    if !consent(&facts_of(folder, name)?, &facts_of(goal, new_name)?) {
        return Ok(false);
    }
    rename_vacant((folder, name), (goal, new_name))?;
    Ok(true)
}

/// Renames to a name that is free: one that somebody makes in this moment is an error.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn rename_vacant((folder, name): Name<'_>, (goal, new_name): Name<'_>) -> io::Result<()> {
    use rustix::fs::{RenameFlags, renameat_with};

    match renameat_with(folder, name, goal, new_name, RenameFlags::NOREPLACE) {
        // The file system does not know how.
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
            folder.rename(name, goal, new_name)
        }
        renamed => Ok(renamed?),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn rename_vacant((folder, name): Name<'_>, (goal, new_name): Name<'_>) -> io::Result<()> {
    folder.rename(name, goal, new_name)
}
