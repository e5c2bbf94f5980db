//! What a call touches: all that tells whether two calls may run side by side.

use std::path::{Path, PathBuf};

use crate::args::Node;
use crate::context::SessionContext;
use crate::effect::{Effect, Role};
use crate::entry::Parallel;
use crate::gate::PendingCall;
use crate::target::Access;

/// What a call touches, as its tool declares it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Footprint {
    alone: bool,
    paths: Vec<(PathBuf, Access)>,
    locks: Vec<String>,
}

/// The same before paths are followed, which takes a look at the file system.
#[derive(Debug, Clone, Default)]
pub(super) struct Traces {
    alone: bool,
    paths: Vec<(String, Access)>,
    locks: Vec<String>,
}

impl Footprint {
    /// That of a call of which nothing is known: it runs alone.
    pub(super) fn unknown() -> Self {
        Self {
            alone: true,
            ..Self::default()
        }
    }

    /// Whether the call runs alone: it waits for all before it, and all behind it wait for it.
    pub const fn is_alone(&self) -> bool {
        self.alone
    }

    /// The paths that the call reads and writes, links followed.
    pub fn paths(&self) -> impl Iterator<Item = (&Path, Access)> {
        self.paths.iter().map(|(path, access)| (&**path, *access))
    }

    /// The values of arguments that one call at a time may hold.
    pub fn locks(&self) -> impl Iterator<Item = &str> {
        self.locks.iter().map(String::as_str)
    }

    /// Whether the two calls may not run side by side: one runs alone, both hold the same lock, or a path
    /// of one equals or contains a path of the other and one of them is written.
    pub fn conflicts_with(&self, other: &Self) -> bool {
        self.alone || other.alone || self.meets(other)
    }

    /// [`conflicts_with`](Self::conflicts_with) by what both name.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.locks.iter().any(|lock| other.locks.contains(lock))
            || self.paths.iter().any(|(path, access)| {
                other.paths.iter().any(|(theirs, their_access)| {
                    (*access == Access::Write || *their_access == Access::Write)
                        // Part by part: `data` does not contain `database`.
                        && (path.starts_with(theirs) || theirs.starts_with(path))
                })
            })
    }

    /// Whether a call waits for another that was given up and still runs: they name the same, or each of
    /// them runs alone.
    pub(super) fn holds_up(&self, other: &Self) -> bool {
        self.alone && other.alone || self.meets(other)
    }

    /// The locks without the paths.
    pub(super) fn locks_alone(&self) -> Self {
        Self {
            locks: self.locks.clone(),
            ..Self::default()
        }
    }
}

impl Traces {
    /// What a decoded call touches.
    ///
    /// - `parallel = "never"` runs alone, `parallel = "safe"` beside anything but an equal lock.
    /// - A reader touches the paths that it names.
    /// - A call that does more writes them. One that names neither path nor lock may write anything, and so
    ///   may one that runs a command or code: it runs alone. So does a call whose path is blank.
    pub(super) fn of(call: &PendingCall<'_>) -> Self {
        let parallel = call.tool().declared_parallel();
        let unknown = Self {
            alone: true,
            ..Self::default()
        };
        if parallel == Some(Parallel::Never) {
            return unknown;
        }
        let Some(locks) = locks(call) else {
            return unknown;
        };
        if parallel == Some(Parallel::Safe) {
            return Self {
                locks,
                ..Self::default()
            };
        }
        let writes = call.effect() != Effect::Read;
        let access = if writes { Access::Write } else { Access::Read };
        let mut paths = Vec::new();
        for subject in call.subjects() {
            match subject.role {
                Role::Path => paths.push((subject.text.clone(), access)),
                Role::Command | Role::Code if writes => return unknown,
                Role::Command | Role::Code | Role::Url | Role::Secret => {}
            }
        }
        let targets = call.targets().iter();
        paths.extend(targets.map(|target| (target.path.clone(), target.access)));
        let blank = paths.iter().any(|(path, _)| path.trim().is_empty());
        let named = !locks.is_empty() || paths.iter().any(|(_, access)| *access == Access::Write);
        if blank || writes && !named {
            return unknown;
        }
        Self {
            alone: false,
            paths,
            locks,
        }
    }

    /// Whether nothing has to be kept for the call: it names nothing and need not run alone.
    pub(super) fn holds_nothing(&self) -> bool {
        !self.alone && self.paths.is_empty() && self.locks.is_empty()
    }

    /// Whether the call holds a lock, also while nothing else is amiss.
    pub(super) fn has_locks(&self) -> bool {
        !self.locks.is_empty()
    }

    /// Follows the paths.
    pub(super) fn follow(self, session: &SessionContext) -> Footprint {
        let home = self
            .paths
            .iter()
            .any(|(path, _)| path.starts_with('~'))
            .then(|| session.facts.env("HOME"))
            .flatten();
        let follow = |path: String| match &session.workspace {
            Some(workspace) => workspace.real(&path, home.as_deref()),
            None => PathBuf::from(path),
        };
        Footprint {
            alone: self.alone,
            paths: self
                .paths
                .into_iter()
                .map(|(path, access)| (follow(path), access))
                .collect(),
            locks: self.locks,
        }
    }
}

/// The values of the arguments that are locks, as JSON text; `None` when one cannot be seen.
fn locks(call: &PendingCall<'_>) -> Option<Vec<String>> {
    let params = call.tool().params();
    if !params.iter().any(crate::param::Param::is_lock) {
        return Some(Vec::new());
    }
    let arguments = call.arguments().ok()?;
    let held = params.iter().filter(|param| param.is_lock());
    Some(
        held.filter_map(|param| arguments.get(param.name()))
            .filter(|value| **value != Node::Null)
            .map(Node::canonical)
            .collect(),
    )
}
