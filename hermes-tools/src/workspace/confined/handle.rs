//! What a path led to, held open.

use std::any::Any;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use cap_std::fs::{Dir, Metadata};

use super::rename::rename;
use super::replace::{remove, replace};
use crate::workspace::{FileIdentity, PathFacts, PathHandle, PathKind, PathPlace, Replaced};

/// Where a path ended.
pub(super) enum Located {
    /// A name in a folder, there or not; never a link.
    Named {
        folder: Dir,
        name: OsString,
        /// The path that was given, when it is a link to this.
        link: Option<PathBuf>,
        above: Above,
    },
    /// A folder.
    Folder { folder: Dir },
    /// The folder that it would be in did not exist.
    Absent {
        /// The nearest folder that did.
        folder: Dir,
        /// The names from there on.
        rest: PathBuf,
        /// Whether the path can only be a folder.
        is_folder: bool,
        link: Option<PathBuf>,
        above: Above,
    },
}

/// The way from the root to a folder.
pub(super) struct Above {
    pub(super) root: Arc<Dir>,
    /// The path of the folder, without `..`.
    pub(super) way: PathBuf,
}

impl Above {
    /// How a name in the folder is spelt from each folder above it. One that cannot be opened any
    /// more is left out: nobody else comes through it.
    fn spellings(&self, name: &OsStr) -> Vec<(FileIdentity, OsString)> {
        let mut spellings = Vec::new();
        let mut parts = self.way.components();
        let mut before = PathBuf::from(".");
        while let Some(part) = parts.next() {
            if part == Component::CurDir {
                continue;
            }
            let folder = self.root.open_dir(&before);
            let identity = folder.and_then(|folder| identity_of(&folder));
            before.push(part);
            if let Ok(identity) = identity {
                let spelling = Path::new(part.as_os_str()).join(parts.as_path()).join(name);
                spellings.push((identity, spelling.into_os_string()));
            }
        }
        spellings
    }
}

impl Located {
    /// What an absent path is by now: another call may have made its folder.
    fn now(&self) -> io::Result<Option<(Dir, &OsStr)>> {
        match self {
            Self::Named { folder, name, .. } => Ok(Some((folder.try_clone()?, name))),
            Self::Folder { .. } => Ok(None),
            Self::Absent { folder, rest, .. } => {
                let (Some(parent), Some(name)) = (rest.parent(), rest.file_name()) else {
                    return Ok(None);
                };
                let opened = if parent.as_os_str().is_empty() {
                    folder.try_clone()
                } else {
                    folder.open_dir(parent)
                };
                match opened {
                    Ok(folder) => Ok(Some((folder, name))),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                    Err(error) => Err(error),
                }
            }
        }
    }
}

impl Located {
    /// Makes the folder that a file here would be in.
    fn make_folder(&self) -> io::Result<()> {
        match self {
            Self::Absent {
                folder,
                rest,
                is_folder: false,
                ..
            } => match rest.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => folder.create_dir_all(parent),
                _ => Ok(()),
            },
            Self::Named { .. } => Ok(()),
            Self::Folder { .. } | Self::Absent { .. } => Err(io::ErrorKind::IsADirectory.into()),
        }
    }
}

impl PathHandle for Located {
    fn real(&self) -> Option<PathBuf> {
        match self {
            Self::Named { folder, name, .. } => Some(real_path(folder)?.join(name)),
            Self::Folder { folder } => real_path(folder),
            Self::Absent { folder, rest, .. } => Some(real_path(folder)?.join(rest)),
        }
    }

    fn facts(&self) -> io::Result<PathFacts> {
        if let Self::Folder { folder } = self {
            return Ok(facts(&folder.dir_metadata()?));
        }
        match self.now()? {
            Some((folder, name)) => facts_of(&folder, name),
            None => Ok(PathFacts::MISSING),
        }
    }

    fn open(&self) -> io::Result<(File, PathFacts)> {
        let Some((folder, name)) = self.now()? else {
            return Err(io::ErrorKind::NotFound.into());
        };
        open(&folder, name)
    }

    fn open_in(&self, name: &OsStr) -> io::Result<(File, PathFacts)> {
        match self {
            Self::Folder { folder } => open(folder, name),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn facts_in(&self, name: &OsStr) -> io::Result<PathFacts> {
        match self {
            Self::Folder { folder } if is_name(name) => facts_of(folder, name),
            Self::Folder { .. } => Err(io::ErrorKind::InvalidInput.into()),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn replace(
        &self,
        contents: &mut dyn BufRead,
        consent: &mut dyn FnMut(&PathFacts) -> bool,
    ) -> io::Result<Option<Replaced>> {
        match self {
            Self::Named {
                folder,
                name,
                above,
                ..
            } => replace(&above.root, folder, name, contents, consent),
            Self::Absent {
                folder,
                rest,
                is_folder: false,
                above,
                ..
            } => {
                let (Some(parent), Some(name)) = (rest.parent(), rest.file_name()) else {
                    return Err(io::ErrorKind::IsADirectory.into());
                };
                folder.create_dir_all(parent)?;
                let made = folder
                    .open_dir(parent)
                    .and_then(|inner| replace(&above.root, &inner, name, contents, consent));
                if !matches!(made, Ok(Some(_))) {
                    unmake(folder, parent);
                }
                made
            }
            Self::Folder { .. } | Self::Absent { .. } => Err(io::ErrorKind::IsADirectory.into()),
        }
    }

    fn remove(&self, consent: &mut dyn FnMut(&PathFacts) -> bool) -> io::Result<bool> {
        match self.now()? {
            Some((folder, name)) => remove(&folder, name, consent),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn rename(
        &self,
        target: &dyn PathHandle,
        consent: &mut dyn FnMut(&PathFacts, &PathFacts) -> bool,
    ) -> io::Result<bool> {
        let target = target.as_any().and_then(<dyn Any>::downcast_ref::<Self>);
        let target = target.ok_or(io::ErrorKind::Unsupported)?;
        let Some((folder, name)) = self.now()? else {
            return Err(io::ErrorKind::NotFound.into());
        };
        target.make_folder()?;
        let Some((goal, new_name)) = target.now()? else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        rename((&folder, name), (&goal, new_name), consent)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn place(&self) -> io::Result<PathPlace> {
        let (folder, name, above) = match self {
            Self::Named {
                folder,
                name,
                above,
                ..
            } => (folder, name.as_os_str(), Some(above)),
            Self::Absent {
                folder,
                rest,
                above,
                ..
            } => (folder, rest.as_os_str(), Some(above)),
            Self::Folder { folder } => (folder, OsStr::new(""), None),
        };
        let here = (identity_of(folder)?, name.to_owned());
        let above = above.map(|above| above.spellings(name));
        Ok(PathPlace::new(
            above.unwrap_or_default().into_iter().chain([here]),
        ))
    }

    fn is_below(&self, wanted: FileIdentity) -> io::Result<bool> {
        let (Self::Named { folder, .. } | Self::Folder { folder } | Self::Absent { folder, .. }) =
            self;
        is_below(folder, wanted)
    }

    fn link(&self) -> Option<&Path> {
        match self {
            Self::Named { link, .. } | Self::Absent { link, .. } => link.as_deref(),
            Self::Folder { .. } => None,
        }
    }

    fn siblings(&self, limit: usize) -> io::Result<Vec<String>> {
        match self {
            Self::Named { folder, .. } | Self::Folder { folder } => names(folder, limit),
            Self::Absent { .. } => Ok(Vec::new()),
        }
    }
}

/// Takes folders away that were made for a file that did not come, as far as nobody else uses them.
fn unmake(folder: &Dir, made: &Path) {
    for made in made
        .ancestors()
        .take_while(|made| !made.as_os_str().is_empty())
    {
        if folder.remove_dir(made).is_err() {
            return;
        }
    }
}

/// Whether a folder is another one or inside it: goes up from the folder that is held open.
#[cfg(unix)]
fn is_below(folder: &Dir, wanted: FileIdentity) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;

    use rustix::fs::{Mode, OFlags, openat};

    /// Whoever only looks needs no right to read, where the system has a word for it.
    #[cfg(target_os = "linux")]
    const LOOK: OFlags = OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    const LOOK: OFlags = OFlags::RDONLY;

    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | LOOK;
    let mut here = File::from(openat(folder, ".", flags, Mode::empty())?);
    let mut before = None;
    loop {
        let metadata = here.metadata()?;
        let identity = FileIdentity {
            device: metadata.dev(),
            inode: metadata.ino(),
        };
        if identity == wanted {
            return Ok(true);
        }
        // Above the topmost folder is itself.
        if before == Some(identity) {
            return Ok(false);
        }
        before = Some(identity);
        here = File::from(openat(&here, "..", flags, Mode::empty())?);
    }
}

#[cfg(not(unix))]
fn is_below(_: &Dir, _: FileIdentity) -> io::Result<bool> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Opens a regular file in a folder. A pipe does not keep it waiting, and a link is not followed.
fn open(folder: &Dir, name: &OsStr) -> io::Result<(File, PathFacts)> {
    if !is_name(name) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let (file, facts) = open_name(folder, name)?;
    if facts.kind == PathKind::File {
        Ok((file, facts))
    } else {
        Err(io::Error::other("not a regular file"))
    }
}

/// Whether this is a name in a folder, and no path. Told by the bytes: a walk asks for every file.
#[cfg(unix)]
fn is_name(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    !matches!(bytes, b"" | b"." | b"..") && !bytes.contains(&b'/')
}

/// Whether this is a name in a folder, and no path.
#[cfg(not(unix))]
fn is_name(name: &OsStr) -> bool {
    let mut parts = Path::new(name).components();
    let only = (parts.next(), parts.next());
    matches!(only, (Some(Component::Normal(part)), None) if part == name)
}

/// Opens what stands at a name, which is no path, so that nothing leads out of the folder.
#[cfg(target_os = "linux")]
fn open_name(folder: &Dir, name: &OsStr) -> io::Result<(File, PathFacts)> {
    use rustix::fs::{Mode, OFlags, fstat, openat};

    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = openat(folder, name, flags | OFlags::NOCTTY, Mode::empty())?;
    let facts = facts_of_stat(&fstat(&file)?);
    Ok((File::from(file), facts))
}

/// Opens what stands at a name.
#[cfg(not(target_os = "linux"))]
fn open_name(folder: &Dir, name: &OsStr) -> io::Result<(File, PathFacts)> {
    let mut options = cap_std::fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOFOLLOW;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or_default());
    }
    let file = folder.open_with(name, &options)?;
    let facts = facts(&file.metadata()?);
    Ok((file.into_std(), facts))
}

/// What stands at a name in a folder.
#[cfg(target_os = "linux")]
pub(super) fn facts_of(folder: &Dir, name: &OsStr) -> io::Result<PathFacts> {
    use rustix::fs::{AtFlags, statat};

    match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(facts_of_stat(&stat)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(PathFacts::MISSING),
        Err(error) => Err(error.into()),
    }
}

/// What stands at a name in a folder.
#[cfg(not(target_os = "linux"))]
pub(super) fn facts_of(folder: &Dir, name: &OsStr) -> io::Result<PathFacts> {
    match folder.symlink_metadata(name) {
        Ok(metadata) => Ok(facts(&metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(PathFacts::MISSING),
        Err(error) => Err(error),
    }
}

pub(super) fn facts(metadata: &Metadata) -> PathFacts {
    let kind = if metadata.is_file() {
        PathKind::File
    } else if metadata.is_dir() {
        PathKind::Directory
    } else {
        PathKind::Other
    };
    let modified = metadata
        .modified()
        .ok()
        .map(cap_std::time::SystemTime::into_std);
    PathFacts {
        kind,
        len: metadata.len(),
        modified,
        changed: changed(metadata),
        identity: identity(metadata),
        read_only: kind == PathKind::File && metadata.permissions().readonly(),
        names: names_of(metadata),
    }
}

/// The same of what the kernel says, without what nobody asks for.
#[cfg(target_os = "linux")]
fn facts_of_stat(stat: &rustix::fs::Stat) -> PathFacts {
    use rustix::fs::FileType;

    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => PathKind::File,
        FileType::Directory => PathKind::Directory,
        _ => PathKind::Other,
    };
    let time = |seconds: i64, nanos: u64| {
        let whole = Duration::from_secs(seconds.unsigned_abs());
        let whole = if seconds < 0 {
            SystemTime::UNIX_EPOCH.checked_sub(whole)
        } else {
            SystemTime::UNIX_EPOCH.checked_add(whole)
        };
        whole?.checked_add(Duration::from_nanos(nanos))
    };
    let changed = u64::try_from(stat.st_ctime)
        .ok()
        .and_then(|_| time(stat.st_ctime, stat.st_ctime_nsec));
    PathFacts {
        kind,
        len: u64::try_from(stat.st_size).unwrap_or_default(),
        modified: time(stat.st_mtime, stat.st_mtime_nsec),
        changed,
        identity: Some(FileIdentity {
            device: stat.st_dev,
            inode: stat.st_ino,
        }),
        read_only: kind == PathKind::File && stat.st_mode & 0o222 == 0,
        names: stat.st_nlink,
    }
}

#[cfg(unix)]
fn changed(metadata: &Metadata) -> Option<SystemTime> {
    use cap_std::fs::MetadataExt as _;
    let seconds = u64::try_from(metadata.ctime()).ok()?;
    let nanos = u32::try_from(metadata.ctime_nsec()).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::new(seconds, nanos))
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> Option<SystemTime> {
    None
}

#[cfg(unix)]
fn names_of(metadata: &Metadata) -> u64 {
    use cap_std::fs::MetadataExt as _;
    metadata.nlink()
}

#[cfg(not(unix))]
fn names_of(_: &Metadata) -> u64 {
    1
}

#[cfg(unix)]
#[expect(
    clippy::unnecessary_wraps,
    reason = "other systems do not say which file it is"
)]
fn identity(metadata: &Metadata) -> Option<FileIdentity> {
    use cap_std::fs::MetadataExt as _;
    Some(FileIdentity {
        device: metadata.dev(),
        inode: metadata.ino(),
    })
}

pub(super) fn identity_of(folder: &Dir) -> io::Result<FileIdentity> {
    Ok(identity(&folder.dir_metadata()?).unwrap_or_default())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<FileIdentity> {
    None
}

/// Names in a folder. A link that leads to nothing here is left out: who is told of it could not
/// open it.
fn names(folder: &Dir, limit: usize) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in folder.entries()?.take(limit) {
        let entry = entry?;
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if !is_link || folder.metadata(entry.file_name()).is_ok() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    Ok(names)
}

/// Where a folder that is held open is now, as the system tells it.
#[cfg(target_os = "linux")]
fn real_path(folder: &Dir) -> Option<PathBuf> {
    use std::os::fd::AsRawFd as _;

    let link = format!("/proc/self/fd/{}", folder.as_raw_fd());
    std::fs::read_link(link)
        .ok()
        .filter(|path| path.is_absolute())
}

/// Where a folder that is held open is now, as the system tells it.
#[cfg(target_vendor = "apple")]
fn real_path(folder: &Dir) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;

    let path = rustix::fs::getpath(folder).ok()?;
    Some(PathBuf::from(OsString::from_vec(path.into_bytes())))
}

/// Elsewhere the path that led here has to do.
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn real_path(_folder: &Dir) -> Option<PathBuf> {
    None
}
