//! New files before they get their name.
//!
//! A file is written without any name. Where nothing stands at its name yet it gets it at once; where
//! an old file is replaced, the kernel wants another name first, and that is one in a folder of its
//! own in the root, which is there only for that moment. A program that is killed leaves at most one
//! file, in a place that is looked at when the root is opened next.

use std::ffi::OsStr;
use std::io;
use std::os::fd::AsFd as _;
use std::sync::atomic::{AtomicU64, Ordering};

use cap_std::fs::{Dir, File};
use rustix::fs::{AtFlags, CWD, FlockOperation, Mode, OFlags, flock, linkat, mkdirat, openat};

/// The folder of files on their way, in the root.
const FOLDER: &str = ".hermes-tmp";

/// How often the folder is made anew when another writer takes it away.
const TRIES: usize = 16;

/// A file without a name, in the file system of a folder, as any new file of that folder.
///
/// # Errors
///
/// The file system has no such files, or those of the operating system.
pub(super) fn nameless(folder: &Dir) -> io::Result<File> {
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let mode = Mode::from_raw_mode(0o666);
    let file = openat(folder, ".", flags, mode)?;
    // Held as long as the file is open: whoever tidies up leaves it alone.
    flock(&file, FlockOperation::NonBlockingLockExclusive)?;
    Ok(File::from_std(std::fs::File::from(file)))
}

/// Gives a file without a name one that is free.
pub(super) fn name(file: &File, folder: &Dir, name: &OsStr) -> io::Result<()> {
    use std::os::fd::AsRawFd as _;
    let number = file.as_fd().as_raw_fd();
    let itself = format!("/proc/self/fd/{number}");
    Ok(linkat(CWD, itself, folder, name, AtFlags::SYMLINK_FOLLOW)?)
}

/// Puts a file without a name in the place of another.
pub(super) fn name_over(file: &File, root: &Dir, folder: &Dir, target: &OsStr) -> io::Result<()> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let passing = format!("{}-{number}", std::process::id());
    let passing = OsStr::new(&passing);
    for _ in 0..TRIES {
        let staging = match open(root) {
            Ok(staging) => staging,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                match mkdirat(root, FOLDER, Mode::RWXU) {
                    Ok(()) => continue,
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                    Err(error) => return Err(error.into()),
                }
            }
            Err(error) => return Err(error),
        };
        match name(file, &staging, passing) {
            Ok(()) => {}
            // Another writer has taken the folder away.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        }
        let renamed = staging.rename(passing, folder, target);
        if renamed.is_err() {
            let _ = staging.remove_file(passing);
        }
        drop(staging);
        // It stays while another writer has a file in it.
        let _ = root.remove_dir(FOLDER);
        return renamed;
    }
    Err(io::ErrorKind::ResourceBusy.into())
}

/// Takes away what programs left that were killed.
pub(super) fn sweep(root: &Dir) {
    let Ok(staging) = open(root) else { return };
    let Ok(entries) = staging.entries() else {
        return;
    };
    for entry in entries.flatten() {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = openat(&staging, entry.file_name(), flags, Mode::empty());
        let is_left =
            opened.is_ok_and(|file| flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok());
        if is_left {
            let _ = staging.remove_file(entry.file_name());
        }
    }
    let _ = root.remove_dir(FOLDER);
}

fn open(root: &Dir) -> io::Result<Dir> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(root, FOLDER, flags, Mode::empty())?;
    Ok(Dir::from_std_file(std::fs::File::from(folder)))
}
