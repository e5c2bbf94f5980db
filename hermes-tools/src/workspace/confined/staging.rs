//! New files before they get their name.
//!
//! A file is written without any name. Where nothing stands at its name yet it gets it at once; where
//! an old file is replaced, the kernel wants another name first, and that is one in a folder of its
//! own in the root, which is there only for that moment. Where the root is another file system, or has no
//! files without a name, that folder is beside the target. A program that is killed leaves at most one
//! file, in a place that is looked at when the root is opened next and, beside a target, when the next
//! file of that folder is written.

use std::ffi::OsStr;
use std::io;
use std::os::fd::AsFd as _;
use std::sync::atomic::{AtomicU64, Ordering};

use cap_std::fs::{Dir, File};
use rustix::fs::{
    AtFlags, CWD, FlockOperation, Mode, OFlags, flock, fstat, linkat, mkdirat, openat,
};

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
    let passing = passing_name();
    let passing = OsStr::new(&passing);
    let (staging, ()) = within(root, |staging| name(file, staging, passing))?;
    let renamed = staging.rename(passing, folder, target);
    if renamed.is_err() {
        let _ = staging.remove_file(passing);
    }
    drop(staging);
    // It stays while another writer has a file in it.
    let _ = root.remove_dir(FOLDER);
    renamed
}

/// Makes something in the folder of files on their way, which is made where it is missing.
fn within<T>(root: &Dir, mut work: impl FnMut(&Dir) -> io::Result<T>) -> io::Result<(Dir, T)> {
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
        match work(&staging) {
            Ok(made) => return Ok((staging, made)),
            // Another writer has taken the folder away, or swept the file before it was held.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                let _ = root.remove_dir(FOLDER);
                return Err(error);
            }
        }
    }
    Err(io::ErrorKind::ResourceBusy.into())
}

/// A file on its way that has a name from the start, for file systems that have no others.
pub(super) struct Named<'d> {
    folder: &'d Dir,
    staging: Dir,
    name: String,
    file: File,
    /// Whether it has the name that it was made for.
    placed: bool,
}

impl<'d> Named<'d> {
    /// A new file, held as long as this is there.
    pub(super) fn new(folder: &'d Dir) -> io::Result<Self> {
        let (staging, (name, file)) = within(folder, |staging| {
            let name = passing_name();
            let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
            let file = openat(staging, &*name, flags, Mode::from_raw_mode(0o666))?;
            // Whoever tidies up may have come before the lock: the file has no name any more then.
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return Err(io::ErrorKind::NotFound.into());
                }
                // Without locks nobody else takes it away either.
                _ => {}
            }
            if fstat(&file)?.st_nlink == 0 {
                return Err(io::ErrorKind::NotFound.into());
            }
            Ok((name, File::from_std(std::fs::File::from(file))))
        })?;
        Ok(Self {
            folder,
            staging,
            name,
            file,
            placed: false,
        })
    }

    pub(super) fn as_file(&self) -> &File {
        &self.file
    }

    /// Puts it in the place of what stands at a name of the folder.
    pub(super) fn replace(mut self, target: &OsStr) -> io::Result<()> {
        self.staging.rename(&self.name, self.folder, target)?;
        self.placed = true;
        Ok(())
    }
}

impl Drop for Named<'_> {
    fn drop(&mut self) {
        if !self.placed {
            let _ = self.staging.remove_file(&self.name);
        }
        // With it goes what a program left that was killed.
        sweep(self.folder);
    }
}

/// A name for a file on its way: the process, and a number in it.
fn passing_name() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("{}-{number}", std::process::id())
}

/// Whether a name is one of [`passing_name`].
fn is_passing(name: &OsStr) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    name.to_str()
        .and_then(|name| name.split_once('-'))
        .is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// Takes away what programs left that were killed.
pub(super) fn sweep(root: &Dir) {
    let Ok(staging) = open(root) else { return };
    let Ok(entries) = staging.entries() else {
        return;
    };
    for entry in entries.flatten() {
        if !is_passing(&entry.file_name()) {
            continue;
        }
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

#[cfg(test)]
mod tests {
    use cap_std::ambient_authority;

    use super::*;

    /// A folder that holds the file `a` with `old`, and what a killed program left.
    fn folder() -> (tempfile::TempDir, Dir) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), "old").unwrap();
        std::fs::create_dir(folder.path().join(FOLDER)).unwrap();
        std::fs::write(folder.path().join(FOLDER).join("17-3"), "left").unwrap();
        let dir = Dir::open_ambient_dir(folder.path(), ambient_authority()).unwrap();
        (folder, dir)
    }

    fn names(folder: &std::path::Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let name = |entry: io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<String> = entries
            .map(|entry| name(entry).into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_with_a_name_takes_its_place_and_what_was_left_goes() {
        let (folder, dir) = folder();
        let file = Named::new(&dir).unwrap();
        io::Write::write_all(&mut file.as_file(), b"new").unwrap();
        assert_eq!(std::fs::read(folder.path().join("a")).unwrap(), b"old");
        // Another writer tidies up meanwhile.
        sweep(&dir);
        assert_eq!(names(&folder.path().join(FOLDER)).len(), 1);
        file.replace(OsStr::new("a")).unwrap();
        assert_eq!(std::fs::read(folder.path().join("a")).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn a_file_that_was_given_up_leaves_nothing() {
        let (folder, dir) = folder();
        drop(Named::new(&dir).unwrap());
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn only_names_of_files_on_their_way_are_taken_away() {
        let (folder, dir) = folder();
        let staging = folder.path().join(FOLDER);
        for name in ["notes", "1-", "-1", "1-2x"] {
            std::fs::write(staging.join(name), "mine").unwrap();
        }
        sweep(&dir);
        assert_eq!(names(&staging), ["-1", "1-", "1-2x", "notes"]);
    }
}
