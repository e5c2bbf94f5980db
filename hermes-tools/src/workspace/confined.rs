//! A workspace on a folder of the file system, opened once.
//!
//! Every path is resolved by the kernel or component by component below the open folder
//! (`openat2` where there is one), so that neither `..` nor a link leads out, whatever happens to
//! the folder meanwhile. Links with an absolute target are refused, also when it lies inside.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};
use cap_tempfile::TempFile;

use super::{PathFacts, PathHandle, PathKind, Replaced, WorkspaceBackend, error};
use crate::output::{ErrorKind, ToolError};

/// A folder that nothing leads out of.
#[derive(Debug)]
pub struct Confined {
    /// The root with its links resolved.
    root: PathBuf,
    /// The root as it was named, for people who send back what they know it by.
    named: PathBuf,
    folder: Dir,
}

/// How many links one path may lead through at its last part.
const MAX_LINKS: usize = 40;

impl Confined {
    /// Opens a folder as a workspace.
    ///
    /// # Errors
    ///
    /// Those of the operating system when it is no folder that can be opened.
    pub fn open(root: impl AsRef<Path>) -> io::Result<Self> {
        let named = std::path::absolute(root.as_ref())?;
        let root = root.as_ref().canonicalize()?;
        let folder = Dir::open_ambient_dir(&root, ambient_authority())?;
        Ok(Self {
            root,
            named,
            folder,
        })
    }

    /// Follows the links at the last part of a path, to the folder and the name it stands for.
    fn locate(&self, path: &Path) -> io::Result<Located> {
        let mut path = path.to_owned();
        for _ in 0..MAX_LINKS {
            let name = match path.components().next_back() {
                Some(Component::Normal(name)) if !ends_in_slash(&path) => name.to_owned(),
                _ => return self.locate_folder(&path),
            };
            let parent_path = path
                .parent()
                .filter(|parent| !parent.as_os_str().is_empty());
            let parent_path = parent_path.unwrap_or(Path::new(".")).to_owned();
            let parent = match self.folder.open_dir(&parent_path) {
                Ok(parent) => parent,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(Located::NoParent { path });
                }
                Err(error) => return Err(error),
            };
            match parent.symlink_metadata(&name) {
                Ok(metadata) if metadata.is_symlink() => {
                    path = parent_path.join(parent.read_link_contents(&name)?);
                    if path.is_absolute() {
                        return Err(leads_out());
                    }
                }
                Ok(_) => return Ok(Located::Named { parent, name, path }),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(Located::Named { parent, name, path });
                }
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::from(io::ErrorKind::InvalidInput))
    }

    /// The path by which a place is shown. What leads through `..` is looked up once more, for
    /// showing alone: by its text it could be another place than the one that was opened.
    fn shown(&self, located: &Located) -> PathBuf {
        let path = located.path();
        if path.components().any(|part| part == Component::ParentDir) {
            let parent = path.parent().unwrap_or(Path::new("."));
            let real = match located {
                Located::Named { name, .. } => self
                    .folder
                    .canonicalize(parent)
                    .map(|parent| parent.join(name)),
                Located::Folder { .. } => self.folder.canonicalize(path),
                Located::NoParent { .. } => Ok(path.to_owned()),
            };
            return tidy(&real.unwrap_or_else(|_| path.to_owned()));
        }
        tidy(path)
    }

    /// A path that can only be a folder: the root, one that ends in `..` or in a slash.
    fn locate_folder(&self, path: &Path) -> io::Result<Located> {
        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        match self.folder.open_dir(path) {
            Ok(folder) => Ok(Located::Folder {
                folder,
                path: path.to_owned(),
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Located::NoParent {
                path: path.to_owned(),
            }),
            Err(error) => Err(error),
        }
    }
}

impl WorkspaceBackend for Confined {
    fn root(&self) -> &Path {
        &self.root
    }

    fn below_root<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        path.strip_prefix(&self.root)
            .or_else(|_| path.strip_prefix(&self.named))
            .ok()
    }

    fn resolve(&self, relative: &Path) -> Result<(PathBuf, Box<dyn PathHandle>), ToolError> {
        let located = self.locate(relative).map_err(|error| {
            // What is refused below the root has no error number of the system.
            if error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none() {
                error::outside(relative, &self.root)
            } else if error.kind() == io::ErrorKind::InvalidInput {
                ToolError::new(
                    ErrorKind::BadPath,
                    format!("`{}`: links lead in a circle", relative.display()),
                )
                .with_help("name the file itself")
            } else {
                error::from_io(relative, error)
            }
        })?;
        let shown = self.shown(&located);
        let handle: Box<dyn PathHandle> = match located {
            Located::NoParent { path } => {
                let root = self
                    .folder
                    .try_clone()
                    .map_err(|error| error::from_io(&path, error))?;
                if leads_up(&path) {
                    return Err(error::outside(relative, &self.root));
                }
                Box::new(Absent { root, path })
            }
            located => Box::new(located),
        };
        Ok((shown, handle))
    }
}

/// Where a path ended.
enum Located {
    /// A name in a folder, there or not; never a link.
    Named {
        parent: Dir,
        name: OsString,
        path: PathBuf,
    },
    /// A folder.
    Folder { folder: Dir, path: PathBuf },
    /// The folder that it would be in does not exist.
    NoParent { path: PathBuf },
}

impl Located {
    fn path(&self) -> &Path {
        match self {
            Self::Named { path, .. } | Self::Folder { path, .. } | Self::NoParent { path } => path,
        }
    }
}

impl PathHandle for Located {
    fn facts(&self) -> io::Result<PathFacts> {
        match self {
            Self::Named { parent, name, .. } => match parent.symlink_metadata(name) {
                Ok(metadata) => Ok(facts(&metadata)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(MISSING),
                Err(error) => Err(error),
            },
            Self::Folder { folder, .. } => Ok(facts(&folder.dir_metadata()?)),
            Self::NoParent { .. } => Ok(MISSING),
        }
    }

    fn open(&self) -> io::Result<File> {
        let Self::Named { parent, name, .. } = self else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            use cap_std::fs::OpenOptionsExt as _;
            let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOFOLLOW;
            options.custom_flags(i32::try_from(flags.bits()).unwrap_or_default());
        }
        let file = parent.open_with(name, &options)?;
        if file.metadata()?.is_file() {
            Ok(file.into_std())
        } else {
            Err(io::Error::other("not a regular file"))
        }
    }

    fn replace(&self, contents: &[u8]) -> io::Result<Replaced> {
        let Self::Named { parent, name, .. } = self else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        replace(parent, name, contents)
    }

    fn siblings(&self, limit: usize) -> io::Result<Vec<String>> {
        match self {
            Self::Named { parent: folder, .. } | Self::Folder { folder, .. } => {
                names(folder, limit)
            }
            Self::NoParent { .. } => Ok(Vec::new()),
        }
    }
}

/// A path whose folder does not exist yet.
struct Absent {
    root: Dir,
    path: PathBuf,
}

impl PathHandle for Absent {
    fn facts(&self) -> io::Result<PathFacts> {
        Ok(MISSING)
    }

    fn open(&self) -> io::Result<File> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn replace(&self, contents: &[u8]) -> io::Result<Replaced> {
        let (Some(parent), Some(name)) = (self.path.parent(), self.path.file_name()) else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        if ends_in_slash(&self.path) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        self.root.create_dir_all(parent)?;
        replace(&self.root.open_dir(parent)?, name, contents)
    }

    fn siblings(&self, _limit: usize) -> io::Result<Vec<String>> {
        Ok(Vec::new())
    }
}

const MISSING: PathFacts = PathFacts {
    kind: PathKind::Missing,
    len: 0,
    modified: None,
};

fn facts(metadata: &Metadata) -> PathFacts {
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
    }
}

/// Writes a temporary file beside the target and renames it over it.
fn replace(parent: &Dir, name: &OsStr, contents: &[u8]) -> io::Result<Replaced> {
    use std::io::Write as _;

    let old = match parent.symlink_metadata(name) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let mut file = TempFile::new(parent)?;
    file.write_all(contents)?;
    if let Some(old) = &old {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.replace(name)?;
    Ok(Replaced {
        created: old.is_none(),
    })
}

fn names(folder: &Dir, limit: usize) -> io::Result<Vec<String>> {
    folder
        .entries()?
        .take(limit)
        .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
        .collect()
}

fn leads_out() -> io::Error {
    io::Error::new(
        io::ErrorKind::PermissionDenied,
        "a link leads out of the workspace",
    )
}

fn ends_in_slash(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// Whether a path whose parts do not exist leads above the root, counted by its text.
fn leads_up(path: &Path) -> bool {
    let mut depth = 0_i64;
    path.components().any(|component| {
        depth += match component {
            Component::Normal(_) => 1,
            Component::ParentDir => -1,
            _ => 0,
        };
        depth < 0
    })
}

/// A path as it is shown: without `.` parts, and `.` for the root itself.
fn tidy(path: &Path) -> PathBuf {
    let tidy: PathBuf = path
        .components()
        .filter(|component| *component != Component::CurDir)
        .collect();
    if tidy.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        tidy
    }
}
