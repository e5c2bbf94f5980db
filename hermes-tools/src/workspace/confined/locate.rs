//! Where a path leads: to the folder and the name that it stands for.

use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use cap_std::fs::Dir;

use super::Confined;
use super::handle::{Above, Located};
use crate::output::{ErrorKind, ToolError};
use crate::workspace::{WorkspaceBackend as _, error};

/// How many links one path may lead through.
const MAX_LINKS: usize = 40;

/// A link that was followed by its text.
struct Link {
    /// Its own path from the root.
    path: PathBuf,
    /// What it leads to, as a path from the root.
    target: PathBuf,
    /// Whether more of the path comes behind it, so that it must lead to a folder.
    passed: bool,
}

/// Where a path led.
pub(super) enum Found {
    /// To a place, with the path by which it is shown.
    Here(PathBuf, Located),
    /// To a link with an absolute target that is not below the root.
    Elsewhere { link: PathBuf, target: PathBuf },
}

/// The first part of a path that cannot be opened as a folder.
struct Obstacle {
    /// The folder before it.
    folder: Dir,
    /// The path of that folder.
    before: PathBuf,
    part: PathBuf,
    /// What it leads to, when it is a link.
    target: Option<PathBuf>,
    /// What comes behind it.
    rest: PathBuf,
    error: io::Error,
}

impl Obstacle {
    fn path(&self) -> PathBuf {
        self.before.join(&self.part)
    }
}

impl Confined {
    /// Follows a path, with the links at its last part, and tells how it is shown.
    pub(super) fn locate(&self, given: &Path) -> Result<Found, ToolError> {
        let failed = |error| error::from_io(given, error);
        let mut path = given.to_owned();
        let mut links: Vec<Link> = Vec::new();
        for _ in 0..=MAX_LINKS {
            let (folder_path, name) = split(&path);
            let folder = match self.open_folder(&folder_path) {
                Ok(folder) => folder,
                Err(error) if error.kind() == io::ErrorKind::NotFound || escapes(&error) => {
                    let Some(obstacle) = self.obstacle(&folder_path).map_err(failed)? else {
                        // It is there by now.
                        continue;
                    };
                    let behind = match &name {
                        Some(name) => obstacle.rest.join(name),
                        None => obstacle.rest.join(""),
                    };
                    let Some(target) = &obstacle.target else {
                        return self.absent(given, obstacle, &behind, &links);
                    };
                    let Some(target) = self.below(&obstacle.before, target) else {
                        return Ok(elsewhere(&obstacle.path(), target, &behind));
                    };
                    path = if behind.as_os_str().is_empty() {
                        target.join("")
                    } else {
                        target.join(&behind)
                    };
                    links.push(Link {
                        path: obstacle.path(),
                        target,
                        passed: true,
                    });
                    continue;
                }
                Err(error) => return Err(failed(error)),
            };
            let Some(name) = name else {
                let shown = self.shown(&folder_path);
                return Ok(Found::Here(shown, Located::Folder { folder }));
            };
            let target = match folder.symlink_metadata(&name) {
                Ok(metadata) if metadata.is_symlink() => {
                    Some(folder.read_link_contents(&name).map_err(failed)?)
                }
                Ok(_) => None,
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(failed(error)),
            };
            let Some(target) = target else {
                let way = self.shown(&folder_path);
                let located = Located::Named {
                    folder,
                    link: named_by(given, &links),
                    above: self.above(&way),
                    name: name.clone(),
                };
                return Ok(Found::Here(tidy(&way.join(&name)), located));
            };
            let link = folder_path.join(&name);
            path = match self.below(&folder_path, &target) {
                Some(path) => path,
                None => return Ok(elsewhere(&link, &target, Path::new(""))),
            };
            links.push(Link {
                path: link,
                target: path.clone(),
                passed: false,
            });
        }
        Err(error::circle(given))
    }

    /// A path of which a folder is missing, or that leads out.
    fn absent(
        &self,
        given: &Path,
        obstacle: Obstacle,
        rest: &Path,
        links: &[Link],
    ) -> Result<Found, ToolError> {
        let place = obstacle.path();
        let missing = obstacle.part.join(rest);
        let folder = self.shown(&obstacle.before);
        // The link whose target has the part that fails.
        let link = links.iter().rfind(|link| link.target.starts_with(&place));
        if escapes(&obstacle.error) || leads_up(&folder.join(&missing)) {
            return Err(match link {
                Some(link) => error::leads_out(&link.path, &self.root),
                None => error::outside(given, &self.root),
            });
        }
        if let Some(link) = link.filter(|link| link.passed) {
            return Err(ToolError::new(
                ErrorKind::NotFound,
                format!(
                    "`{}` is a link to the folder `{}`, which does not exist",
                    tidy(&link.path).display(),
                    tidy(&link.target).display()
                ),
            )
            .with_help("make the folder by writing a file into it, or name another path"));
        }
        if rest.components().any(|part| part == Component::ParentDir) {
            return Err(ToolError::new(
                ErrorKind::NotFound,
                format!(
                    "`{}`: there is no folder `{}` to go up from",
                    given.display(),
                    tidy(&folder.join(&obstacle.part)).display()
                ),
            )
            .with_help("leave out the missing folder and the `..` behind it"));
        }
        let rest: PathBuf = missing.components().collect();
        let shown = tidy(&folder.join(&rest));
        let located = Located::Absent {
            folder: obstacle.folder,
            rest,
            is_folder: names_folder(&missing),
            above: self.above(&folder),
            link: named_by(given, links),
        };
        Ok(Found::Here(shown, located))
    }

    /// Finds what keeps a folder from being opened; none when it can be.
    fn obstacle(&self, path: &Path) -> io::Result<Option<Obstacle>> {
        let mut before = PathBuf::new();
        let mut folder = self.folder.try_clone()?;
        let mut parts = path.components();
        while let Some(part) = parts.next() {
            let next = before.join(part);
            match self.open_folder(&next) {
                Ok(opened) => {
                    folder = opened;
                    before = next;
                }
                Err(error) => {
                    let is_link = matches!(part, Component::Normal(_))
                        && folder
                            .symlink_metadata(part)
                            .is_ok_and(|metadata| metadata.is_symlink());
                    let target = is_link.then(|| folder.read_link_contents(part));
                    return Ok(Some(Obstacle {
                        folder,
                        before,
                        part: PathBuf::from(part.as_os_str()),
                        target: target.transpose()?,
                        rest: parts.as_path().to_owned(),
                        error,
                    }));
                }
            }
        }
        Ok(None)
    }

    /// The target of a link in a folder, as a path from the root; none for an absolute one that is
    /// not below it.
    fn below(&self, folder: &Path, target: &Path) -> Option<PathBuf> {
        if !target.is_absolute() {
            return Some(folder.join(target));
        }
        let below = self.below_root(target)?;
        // Stripping a prefix loses nothing but the slash at the end, which says something.
        Some(if names_folder(target) {
            below.join("")
        } else {
            below.to_owned()
        })
    }

    fn above(&self, way: &Path) -> Above {
        Above {
            root: Arc::clone(&self.folder),
            way: way.to_owned(),
        }
    }

    fn open_folder(&self, path: &Path) -> io::Result<Dir> {
        if path.as_os_str().is_empty() {
            self.folder.open_dir(".")
        } else {
            self.folder.open_dir(path)
        }
    }

    /// The path by which a folder is shown. What leads through `..` is looked up once more, for
    /// showing alone: by its text it could be another place than the one that was opened.
    fn shown(&self, folder: &Path) -> PathBuf {
        let winds = folder.components().any(|part| part == Component::ParentDir);
        if winds && let Ok(real) = self.folder.canonicalize(folder) {
            return tidy(&real);
        }
        tidy(folder)
    }
}

fn elsewhere(link: &Path, target: &Path, behind: &Path) -> Found {
    Found::Elsewhere {
        link: tidy(link),
        target: if behind.as_os_str().is_empty() {
            target.to_owned()
        } else {
            target.join(behind)
        },
    }
}

/// The folder of a path and the name in it; no name where the path can only be a folder: the root,
/// one that ends in `..`, in `.` or in a slash.
fn split(path: &Path) -> (PathBuf, Option<OsString>) {
    match path.components().next_back() {
        Some(Component::Normal(name)) if !names_folder(path) => {
            let folder = path.parent().unwrap_or(Path::new(""));
            (folder.to_owned(), Some(name.to_owned()))
        }
        _ => (path.to_owned(), None),
    }
}

fn names_folder(path: &Path) -> bool {
    let text = path.as_os_str().as_encoded_bytes();
    text.ends_with(b"/") || text.ends_with(b"/.")
}

/// The path that was given, when it is itself a link and not only passes one.
fn named_by(given: &Path, links: &[Link]) -> Option<PathBuf> {
    links.iter().any(|link| !link.passed).then(|| tidy(given))
}

/// Whether an error means that a path leads out: such a one has no number of the system.
fn escapes(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
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
