//! Reads the files of all targets, several at a time.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};

use super::cache::Cache;
use super::depth::stack_for;
use super::facts::Facts;
use super::modules::{Source, candidates};
use super::outline::{Words, outline};
use super::{Position, Unparsed, reader};
use crate::workspace::Workspace;

/// Most threads: beyond these reading is no faster.
pub(super) const MAX_THREADS: usize = 8;

/// The stack of a thread that reads. Files that may take more get one of their own.
const STACK: usize = 16 << 20;

/// The largest stack. Nothing that people or programs write needs it.
const MOST_STACK: usize = 4 << 30;

/// The longest text that is parsed, in bytes: its tree takes some fifty times as much.
const MOST_TEXT: usize = 32 << 20;

/// Facts by file.
pub(super) type Read = HashMap<PathBuf, Arc<Facts>>;

/// Everything that threads share.
struct Work<'a> {
    workspace: &'a Workspace,
    words: &'a Words,
    /// Names of crates that matter.
    crates: &'a HashSet<&'a str>,
    cache: &'a Cache,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    open: Vec<Source>,
    seen: HashSet<Source>,
    busy: usize,
    read: Read,
}

/// Reads the files of these roots and of all their modules.
pub(super) fn read(workspace: &Workspace, roots: Vec<Source>, cache: &Cache) -> Read {
    let crates = interesting(workspace);
    let words = Words::new(crates.iter().copied(), hosts(workspace));
    let state = State {
        seen: roots.iter().cloned().collect(),
        open: roots,
        ..State::default()
    };
    let work = Work {
        workspace,
        words: &words,
        crates: &crates,
        cache,
        state: Mutex::new(state),
        changed: Condvar::new(),
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let started = (0..threads.min(MAX_THREADS))
            .filter(|_| on_stack(scope, STACK, || work.run()).is_ok())
            .count();
        if started == 0 {
            work.run();
        }
    });
    work.state
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .read
}

/// Names, in sources, of the crates that may be packs.
pub(super) fn interesting(workspace: &Workspace) -> HashSet<&str> {
    let known: HashSet<&str> = workspace
        .packages
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    let members = workspace.packages.iter().filter(|package| package.member);
    members
        .flat_map(|package| &package.dependencies)
        .filter(|dependency| known.contains(dependency.package.as_str()))
        .map(|dependency| dependency.crate_name.as_str())
        .collect()
}

/// Starts a thread with a stack of this size.
fn on_stack<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    size: usize,
    work: impl FnOnce() -> T + Send + 'scope,
) -> std::io::Result<ScopedJoinHandle<'scope, T>> {
    let thread = std::thread::Builder::new().stack_size(size);
    thread.spawn_scoped(scope, work)
}

/// Whether any code here may make sessions, so that what it gives them matters.
pub(super) fn hosts(workspace: &Workspace) -> bool {
    let mut dependencies = workspace
        .packages
        .iter()
        .flat_map(|package| &package.dependencies);
    dependencies.any(|dependency| dependency.host)
}

impl Work<'_> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes files until none is left and nobody can find more.
    fn run(&self) {
        let mut state = self.state();
        loop {
            let Some(source) = state.open.pop() else {
                if state.busy == 0 {
                    self.changed.notify_all();
                    return;
                }
                state = self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            state.busy += 1;
            let known = state.read.get(&source.path).map(Arc::clone);
            drop(state);
            let facts = known.unwrap_or_else(|| Arc::new(self.facts(&source.path)));
            let submodules = facts.submodules.iter();
            let found: Vec<Source> = submodules
                .flat_map(|submodule| candidates(&source, submodule))
                .map(|(source, _)| source)
                .filter(|source| source.path.is_file())
                .collect();
            state = self.state();
            state.busy -= 1;
            state.read.insert(source.path, facts);
            for source in found {
                if state.seen.insert(source.clone()) {
                    state.open.push(source);
                }
            }
            self.changed.notify_all();
        }
    }

    /// What the parser makes of a text, on a stack that is large enough for it.
    fn parsed(&self, text: &str, file: &str) -> Facts {
        if text.len() > MOST_TEXT {
            return Self::unread(file.to_owned(), "it is too long to be parsed".to_owned());
        }
        let size = stack_for(text);
        // A thread that panics would leave the others waiting for it.
        let read = || {
            let read = AssertUnwindSafe(|| reader::read(text, file, self.crates));
            catch_unwind(read).map_err(|_| "the parser panicked")
        };
        let done = if size <= STACK {
            read()
        } else {
            // The system may not have that much.
            let done = std::thread::scope(|scope| {
                let own = (size <= MOST_STACK).then(|| on_stack(scope, size, read));
                own?.ok()?.join().ok()
            });
            done.unwrap_or(Err("it is nested too deeply to be parsed"))
        };
        done.unwrap_or_else(|reason| Self::unread(file.to_owned(), reason.to_owned()))
    }

    fn facts(&self, path: &Path) -> Facts {
        let display = || self.workspace.display(path);
        let result = self.cache.facts(path, |text| {
            let file = display();
            if let Some(facts) = outline(text, &file, self.words) {
                return (facts, false);
            }
            let mut facts = self.parsed(text, &file);
            facts
                .crates
                .retain(|name| self.crates.contains(name.as_str()));
            (facts, true)
        });
        result.unwrap_or_else(|error| Self::unread(display(), error.to_string()))
    }

    fn unread(file: String, reason: String) -> Facts {
        let position = Position {
            file,
            line: 1,
            column: 1,
        };
        Facts {
            unparsed: Some(Unparsed { position, reason }),
            ..Facts::default()
        }
    }
}
