//! Putting a file in the place of another at one stroke.

use std::ffi::OsStr;
use std::io::{self, BufRead, Write as _};

use cap_std::fs::{Dir, File, Metadata};

use super::handle::{facts, facts_of};
#[cfg(target_os = "linux")]
use super::staging;
use crate::workspace::{PathFacts, PathKind, Replaced};

/// Writes a new file and puts it in the place of the target, if `consent` has nothing against what
/// stands there then.
pub(super) fn replace(
    root: &Dir,
    folder: &Dir,
    name: &OsStr,
    contents: &mut dyn BufRead,
    consent: &mut dyn FnMut(&PathFacts) -> bool,
) -> io::Result<Option<Replaced>> {
    let old = match folder.symlink_metadata(name) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    #[cfg(target_os = "linux")]
    if let Ok(file) = staging::nameless(folder) {
        fill(&file, contents, old.as_ref())?;
        return put(&file, root, folder, name, consent);
    }
    let _ = root;
    #[cfg(target_os = "linux")]
    let file = staging::Named::new(folder)?;
    #[cfg(not(target_os = "linux"))]
    let file = cap_tempfile::TempFile::new(folder)?;
    fill(file.as_file(), contents, old.as_ref())?;
    let _turn = Turn::wait(folder)?;
    let now = facts_of(folder, name)?;
    if !consent(&now) {
        return Ok(None);
    }
    let written = file.as_file().try_clone()?;
    file.replace(name)?;
    replaced(&now, &written).map(Some)
}

/// Puts a file without a name in its place.
#[cfg(target_os = "linux")]
fn put(
    file: &File,
    root: &Dir,
    folder: &Dir,
    name: &OsStr,
    consent: &mut dyn FnMut(&PathFacts) -> bool,
) -> io::Result<Option<Replaced>> {
    let _turn = Turn::wait(folder)?;
    loop {
        let now = facts_of(folder, name)?;
        if !consent(&now) {
            return Ok(None);
        }
        let named = if now.kind == PathKind::Missing {
            staging::name(file, folder, name)
        } else {
            staging::name_over(file, root, folder, name)
                // Another file system, or a root that nobody may write: beside the target then.
                .or_else(|_| staging::name_over(file, folder, folder, name))
        };
        match named {
            // Someone made a file there in this moment.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            named => {
                named?;
                // A program that was killed may have left something here, where the root cannot hold it.
                staging::sweep(folder);
                return replaced(&now, file).map(Some);
            }
        }
    }
}

fn fill(mut file: &File, contents: &mut dyn BufRead, old: Option<&Metadata>) -> io::Result<()> {
    loop {
        let piece = match contents.fill_buf() {
            Ok(piece) => piece,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if piece.is_empty() {
            break;
        }
        file.write_all(piece)?;
        let length = piece.len();
        contents.consume(length);
    }
    if let Some(old) = old {
        take_over(file, old)?;
    }
    file.sync_all()
}

/// What is told of a file that was put in its place. It is looked at through the file itself: at its
/// name there may be another one by now.
fn replaced(before: &PathFacts, file: &File) -> io::Result<Replaced> {
    Ok(Replaced {
        created: before.kind == PathKind::Missing,
        facts: facts(&file.metadata()?),
        checkpoint: None,
    })
}

/// Takes a file away, if `consent` has nothing against what stands there then.
pub(super) fn remove(
    folder: &Dir,
    name: &OsStr,
    consent: &mut dyn FnMut(&PathFacts) -> bool,
) -> io::Result<bool> {
    let _turn = Turn::wait(folder)?;
    if !consent(&facts_of(folder, name)?) {
        return Ok(false);
    }
    folder.remove_file(name)?;
    Ok(true)
}

/// A turn among the processes that replace files of one folder, from the last look to the rename.
///
/// The kernel has no rename that looks first, so those who look take turns: by an advisory lock on
/// the folder, which ends when it is closed. Where locks are not supported the file is replaced without
/// one.
pub(super) struct Turn {
    #[cfg(unix)]
    _folder: Option<std::os::fd::OwnedFd>,
}

impl Turn {
    /// How often a turn is asked for, a millisecond apart. One takes well under a millisecond, and its
    /// holder may be without a processor for seconds.
    const TRIES: u32 = 20_000;

    /// The next turn.
    ///
    /// # Errors
    ///
    /// `ResourceBusy` where another program keeps the lock: without a turn its write could be lost.
    pub(super) fn wait(folder: &Dir) -> io::Result<Self> {
        Self::try_for(folder, Self::TRIES)
    }

    #[cfg(unix)]
    fn try_for(folder: &Dir, tries: u32) -> io::Result<Self> {
        use rustix::fs::{FlockOperation, Mode, OFlags, flock, openat};
        use std::time::Duration;

        const PAUSE: Duration = Duration::from_millis(1);

        // Opened anew: a lock belongs to one opening and is shared by its clones, and a folder that
        // was opened as a place alone takes none.
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let Ok(folder) = openat(folder, ".", flags, Mode::empty()) else {
            return Ok(Self { _folder: None });
        };
        for _ in 0..tries {
            match flock(&folder, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => {
                    return Ok(Self {
                        _folder: Some(folder),
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    std::thread::sleep(PAUSE);
                }
                Err(_) => return Ok(Self { _folder: None }),
            }
        }
        Err(io::Error::new(
            io::ErrorKind::ResourceBusy,
            "another program keeps the folder locked; try again when it has ended",
        ))
    }

    #[cfg(not(unix))]
    fn try_for(_: &Dir, _: u32) -> io::Result<Self> {
        Ok(Self {})
    }
}

/// Gives a new file the owner, the group and the permissions of the old one.
///
/// Only the superuser may give a file away. Where the group stays another one, it gets no more than
/// everybody: what the old group might do was not meant for it. Set-user-id and set-group-id go, as
/// they do when a file is written in place.
#[cfg(unix)]
fn take_over(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;

    use cap_std::fs::{MetadataExt as _, Permissions};
    use rustix::fs::{Gid, Uid, fchown};

    let new = file.metadata()?;
    let owner = (new.uid() != old.uid()).then(|| Uid::from_raw(old.uid()));
    let group = (new.gid() != old.gid()).then(|| Gid::from_raw(old.gid()));
    let group_is_kept = group.is_none() || fchown(file, None, group).is_ok();
    if owner.is_some() {
        // Without the right to do so the file is the caller's own, as any new file is.
        let _ = fchown(file, owner, None);
    }
    let mut mode = old.mode() & 0o1777;
    if !group_is_kept {
        mode &= !0o070 | ((mode & 0o007) << 3);
    }
    // The number of a mode has another size on each system, which std knows.
    let permissions = std::fs::Permissions::from_mode(mode);
    file.set_permissions(Permissions::from_std(permissions))
}

#[cfg(not(unix))]
fn take_over(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}

#[cfg(all(test, unix))]
mod tests {
    use cap_std::ambient_authority;

    use super::*;

    #[test]
    fn a_turn_that_somebody_else_keeps_is_not_taken() {
        let place = tempfile::tempdir().unwrap();
        let folder = Dir::open_ambient_dir(place.path(), ambient_authority()).unwrap();
        let held = Turn::wait(&folder).unwrap();
        let error = Turn::try_for(&folder, 2).err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
        drop(held);
        assert!(Turn::try_for(&folder, 1).is_ok());
    }
}
