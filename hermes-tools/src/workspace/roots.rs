//! Which root a path belongs to, and how it is shown.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{Journal, PathHandle, PathRules, Resolved, WorkspaceBackend, WorkspacePath, error};
use crate::output::ToolError;
use crate::target::Access;

/// How many links may lead from one root to another before a path is given up.
const MAX_HOPS: usize = 40;

/// The roots of a workspace. There is always a first one.
#[derive(Clone)]
pub(super) struct Roots {
    list: Vec<Root>,
    /// Where relative paths start, when that is not the first root.
    folder: Option<PathBuf>,
    journal: Option<Arc<dyn Journal>>,
    rules: Option<Arc<dyn PathRules>>,
}

#[derive(Clone)]
struct Root {
    backend: Arc<dyn WorkspaceBackend>,
    access: Access,
}

impl Roots {
    pub(super) fn new(backend: Arc<dyn WorkspaceBackend>, access: Access) -> Self {
        Self {
            list: vec![Root { backend, access }],
            folder: None,
            journal: None,
            rules: None,
        }
    }

    pub(super) fn add(&mut self, backend: Arc<dyn WorkspaceBackend>, access: Access) {
        self.list.push(Root { backend, access });
    }

    pub(super) fn start(&mut self, folder: PathBuf) {
        self.folder = Some(folder);
    }

    pub(super) fn keep_in(&mut self, journal: Arc<dyn Journal>) {
        self.journal = Some(journal);
    }

    pub(super) fn judge_by(&mut self, rules: Arc<dyn PathRules>) {
        self.rules = Some(rules);
    }

    pub(super) fn rules(&self) -> Option<&Arc<dyn PathRules>> {
        self.rules.as_ref()
    }

    pub(super) fn journal(&self) -> Option<&Arc<dyn Journal>> {
        self.journal.as_ref()
    }

    pub(super) fn first(&self) -> &Path {
        self.list[0].backend.root()
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.as_deref().unwrap_or_else(|| self.first())
    }

    pub(super) fn list(&self) -> impl Iterator<Item = (&Path, Access)> {
        self.list
            .iter()
            .map(|root| (root.backend.root(), root.access))
    }

    pub(super) fn root(&self, index: usize) -> &Path {
        self.list[index].backend.root()
    }

    /// Where a path leads when its links are followed, for comparing alone.
    #[cfg(feature = "host")]
    pub(super) fn real(&self, path: &Path) -> PathBuf {
        let start = self.folder.as_deref().unwrap_or_else(|| self.first());
        self.list[0].backend.real(&start.join(path))
    }

    /// Resolves a path that is no home folder and has no NUL.
    pub(super) fn resolve(self: &Arc<Self>, given: &Path) -> Result<WorkspacePath, ToolError> {
        let (mut index, mut relative) = self.place(given)?;
        for _ in 0..=MAX_HOPS {
            let backend = &self.list[index].backend;
            match backend.resolve(&relative)? {
                Resolved::Here(shown, handle) => return Ok(self.found(index, shown, handle)),
                Resolved::Elsewhere { link, target } => {
                    let Some(place) = self.below(&target) else {
                        return Err(error::leads_out(&link, backend.root()));
                    };
                    (index, relative) = place;
                }
            }
        }
        Err(error::circle(given))
    }

    fn found(
        self: &Arc<Self>,
        index: usize,
        shown: PathBuf,
        handle: Box<dyn PathHandle>,
    ) -> WorkspacePath {
        let mut access = self.list[index].access;
        if access == Access::Write && self.is_withheld(index, &*handle) {
            access = Access::Read;
        }
        WorkspacePath::new(Arc::clone(self), index, access, shown, handle)
    }

    /// Whether a place below one root is in another one inside it, which may only be read.
    fn is_withheld(&self, index: usize, handle: &dyn PathHandle) -> bool {
        let outer = self.root(index);
        self.list.iter().enumerate().any(|(other, root)| {
            other != index
                && root.access == Access::Read
                && root.backend.root().starts_with(outer)
                // What cannot be told is not changed.
                && if let Some(identity) = root.backend.identity() {
                    handle.is_below(identity).unwrap_or(true)
                } else {
                    // A folder that is not there yet holds nothing that could be known by another path.
                    let root = self.list[index].backend.real(root.backend.root());
                    handle.real().is_none_or(|place| place.starts_with(root))
                }
        })
    }

    /// The root of a path of a call, and the path from there.
    fn place(&self, given: &Path) -> Result<(usize, PathBuf), ToolError> {
        let outside = || error::outside(given, self.first());
        if given.is_absolute() {
            let place = self.below(given).or_else(|| self.through_links(given));
            return place.ok_or_else(outside);
        }
        if let Some(folder) = &self.folder {
            return self.below(&folder.join(given)).ok_or_else(outside);
        }
        // What climbs out of the first root may be in another one.
        let elsewhere = climb(self.first(), given).and_then(|path| self.below(&path));
        Ok(elsewhere.unwrap_or_else(|| (0, given.to_owned())))
    }

    /// The innermost root that an absolute path is below, by its text, and the path from there.
    fn below(&self, path: &Path) -> Option<(usize, PathBuf)> {
        let below = self.list.iter().enumerate().filter_map(|(index, root)| {
            let relative = root.backend.below_root(path)?;
            Some((relative.components().count(), index, relative))
        });
        let (_, index, relative) = below.min_by_key(|(depth, index, _)| (*depth, *index))?;
        if let Some(higher) = climb(self.root(index), relative) {
            return self.below(&higher);
        }
        // Stripping a prefix loses nothing but the slash at the end, which says something.
        let is_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        let relative = if is_folder {
            relative.join("")
        } else {
            relative.to_owned()
        };
        Some((index, relative))
    }

    /// The root that links outside of all roots lead into, and the path from there.
    fn through_links(&self, path: &Path) -> Option<(usize, PathBuf)> {
        let mut roots = self.list.iter().enumerate();
        roots.find_map(|(index, root)| Some((index, root.backend.through_links(path)?)))
    }

    /// The path by which a place is shown, so that it can be sent again.
    pub(super) fn shown(&self, index: usize, relative: &Path) -> PathBuf {
        if index == 0 && self.folder.is_none() {
            return relative.to_owned();
        }
        let mut path = self.root(index).to_owned();
        if relative != Path::new(".") {
            path.push(relative);
        }
        let Some(folder) = &self.folder else {
            return path;
        };
        match path.strip_prefix(folder) {
            Ok(inside) if inside.as_os_str().is_empty() => PathBuf::from("."),
            Ok(inside) => inside.to_owned(),
            Err(_) => path,
        }
    }
}

/// The absolute path that a relative one is when it begins with `..`. Those at its start can be taken
/// off by the text, since a root has no links.
fn climb(root: &Path, relative: &Path) -> Option<PathBuf> {
    let mut parts = relative.components().peekable();
    let mut path = root;
    let mut climbs = false;
    while let Some(part) = parts.peek() {
        match part {
            Component::ParentDir => {
                path = path.parent()?;
                climbs = true;
            }
            Component::CurDir => {}
            _ => break,
        }
        parts.next();
    }
    let rest: PathBuf = parts.collect();
    climbs.then(|| path.join(rest))
}
