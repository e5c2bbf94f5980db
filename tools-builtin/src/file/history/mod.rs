//! What a session has seen and written of its files.
//!
//! It answers three questions: whether a page that is asked for again is still what the model was
//! shown, whether a file that is about to be written is the one that was read, and whether the model
//! asks the same thing again and again.

mod bounded;
mod lines;
mod question;
mod writers;

use std::hash::{BuildHasher as _, Hash, RandomState};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use hermes_tools::workspace::{PathFacts, PathKind, WorkspacePath};
use hermes_tools::{CallNumber, Kept, NotShown, Workspace};

use self::bounded::Bounded;
use self::lines::SeenLines;
use self::question::Question;
use self::writers::Writers;
use super::lines::LineIndex;
use super::warning::{Concern, Warning};

/// Files, pages and line indexes that are remembered; the oldest go first.
const FILES: usize = 1_000;
const PAGES: usize = 1_000;
const INDEXES: usize = 16;

/// The history of one session.
#[derive(Debug, Default)]
pub(crate) struct FileHistory {
    state: Mutex<State>,
    /// Makes digests that nobody outside can aim at.
    hasher: RandomState,
    /// Which writer of its workspace the session is.
    writer: OnceLock<u64>,
    /// Which of the session's results the model did not get whole; there from the first look on.
    not_shown: OnceLock<Kept<NotShown>>,
}

#[derive(Debug)]
struct State {
    files: Bounded<String, Seen>,
    pages: Bounded<PageKey, PageSeen>,
    indexes: Bounded<String, LineIndex>,
    question: Question,
}

/// A page as it is asked for: the file, the first line, how many lines.
type PageKey = (String, u64, u64);

#[derive(Debug, Clone, Copy)]
struct PageSeen {
    digest: u64,
    compactions: u64,
    /// The call that showed it.
    call: u64,
    /// How often it was asked for again with nothing else done between.
    again: u32,
    /// What the session had done beside looking at files.
    others: u64,
}

/// What is known of a file.
#[derive(Debug, Clone)]
struct Seen {
    facts: PathFacts,
    lines: SeenLines,
    total: u64,
}

/// What is to be answered to a question that may have been asked before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// It was not, or the answer is another one now.
    New,
    /// It was, and the answer is as it was.
    Same,
    /// It was so often that it is refused.
    TooOften,
}

impl FileHistory {
    /// Says where it stands what the model did not get whole.
    pub(crate) fn consults(&self, not_shown: &Kept<NotShown>) {
        self.not_shown.get_or_init(|| not_shown.clone());
    }

    fn was_shown(&self, call: u64) -> bool {
        let not_shown = self.not_shown.get();
        not_shown.is_none_or(|not_shown| !not_shown.contains(call))
    }

    /// Notes that a page is shown, and says whether the model has it already, and by which call.
    pub(crate) fn shows(
        &self,
        path: &WorkspacePath,
        (first, limit): (u64, u64),
        page: &impl Hash,
        number: CallNumber,
    ) -> (Repeat, u64) {
        let digest = self.hasher.hash_one(page);
        let key = (key(path), first, limit);
        let mut state = self.state();
        let others = state.question.passes(number.call);
        let before = state.pages.get(&key).copied();
        let same = before.filter(|before| {
            before.digest == digest
                && before.compactions == number.compactions
                && self.was_shown(before.call)
        });
        let again = match same {
            Some(before) if before.others == others => before.again + 1,
            Some(_) => 1,
            None => 0,
        };
        let call = same.map_or(number.call, |before| before.call);
        state.pages.insert(
            key,
            PageSeen {
                digest,
                compactions: number.compactions,
                call,
                again,
                others,
            },
        );
        let repeat = match again {
            0 => Repeat::New,
            1 => Repeat::Same,
            _ => Repeat::TooOften,
        };
        (repeat, call)
    }

    /// Notes that a call shows a page of a file, of so many lines from `first` on.
    pub(crate) fn read(
        &self,
        path: &WorkspacePath,
        facts: &PathFacts,
        (first, lines, total): (u64, u64, u64),
        call: u64,
    ) {
        let mut state = self.state();
        let key = key(path);
        let mut known = match state.files.get(&key) {
            Some(seen) if same_file(&seen.facts, facts) => seen.lines.clone(),
            _ => SeenLines::default(),
        };
        known.add(first, lines, call);
        let seen = Seen {
            facts: *facts,
            lines: known,
            total,
        };
        state.files.insert(key, seen);
    }

    /// What speaks against changing a file as it stands now. `whole` says that all of it is replaced,
    /// also what was never seen.
    pub(crate) fn concerns(
        &self,
        workspace: &Workspace,
        path: &WorkspacePath,
        now: &PathFacts,
        whole: bool,
    ) -> Vec<Warning> {
        let seen = self.state().files.get(&key(path)).cloned();
        let shown = path.display();
        let is_seen = seen
            .as_ref()
            .is_some_and(|seen| same_file(&seen.facts, now));
        if !is_seen
            && self
                .writers(workspace)
                .has_other(&key(path), self.writer(workspace), now)
        {
            return vec![Warning::new(
                Concern::Sibling,
                match seen {
                    Some(_) => format!("another session has changed `{shown}` since it was read"),
                    None => {
                        format!("another session has written `{shown}`, and this one never read it")
                    }
                },
            )];
        }
        match seen {
            Some(_) if !is_seen && now.kind == PathKind::Missing => vec![Warning::new(
                Concern::Stale,
                format!("`{shown}` was removed since it was read"),
            )],
            Some(_) if !is_seen => vec![Warning::new(
                Concern::Stale,
                format!("`{shown}` was changed since it was read"),
            )],
            Some(seen) if whole => {
                let lines = seen.lines.shown_from_first(|call| self.was_shown(call));
                let partial = (lines < seen.total).then(|| {
                    let total = seen.total;
                    let message = format!(
                        "all of `{shown}` is replaced, and only {lines} of its {total} lines were read"
                    );
                    Warning::new(Concern::PartialRead, message)
                });
                Vec::from_iter(partial)
            }
            _ => Vec::new(),
        }
    }

    /// Notes that this session has written a file, whose contents the model knows therefore.
    pub(crate) fn wrote(&self, workspace: &Workspace, path: &WorkspacePath, facts: &PathFacts) {
        let key = key(path);
        self.writers(workspace)
            .wrote(key.clone(), self.writer(workspace), *facts);
        let mut state = self.state();
        state.pages.retain(|(path, _, _)| *path != key);
        let seen = Seen {
            facts: *facts,
            lines: SeenLines::default(),
            total: 0,
        };
        state.files.insert(key, seen);
    }

    /// What stands for a question in [`asks`](Self::asks).
    pub(crate) fn digest(&self, question: &impl Hash) -> u64 {
        self.hasher.hash_one(question)
    }

    /// Notes a question that is no page of a file, and says how often in a row it gave this answer:
    /// 1 for the first time.
    pub(crate) fn asks(&self, question: u64, answer: &impl Hash, number: CallNumber) -> u32 {
        let answer = self.digest(answer);
        let shown = |call| self.was_shown(call);
        self.state().question.asked(question, answer, number, shown)
    }

    /// Where the lines of a large file begin, when they were counted and it is as it was.
    pub(crate) fn index(&self, path: &WorkspacePath, facts: &PathFacts) -> Option<LineIndex> {
        let state = self.state();
        let index = state.indexes.get(&key(path))?;
        index.is_of(facts).then(|| index.clone())
    }

    /// Keeps where the lines of a large file begin.
    pub(crate) fn keep_index(&self, path: &WorkspacePath, index: LineIndex) {
        self.state().indexes.insert(key(path), index);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What is noted is whole after every step.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[expect(
        clippy::unused_self,
        reason = "asked for beside the session's own number"
    )]
    fn writers(&self, workspace: &Workspace) -> std::sync::Arc<Writers> {
        workspace.memory()
    }

    fn writer(&self, workspace: &Workspace) -> u64 {
        *self.writer.get_or_init(|| self.writers(workspace).join())
    }
}

impl Default for State {
    fn default() -> Self {
        Self {
            files: Bounded::new(FILES),
            pages: Bounded::new(PAGES),
            indexes: Bounded::new(INDEXES),
            question: Question::default(),
        }
    }
}

/// A file as its sessions call it: where it is, whatever path led there.
fn key(path: &WorkspacePath) -> String {
    let root = path.root().to_string_lossy();
    format!("{root}/{}", path.relative().to_string_lossy())
}

/// Whether facts are those of the same contents, as far as they tell.
fn same_file(one: &PathFacts, other: &PathFacts) -> bool {
    (one.kind, one.len, one.modified, one.identity)
        == (other.kind, other.len, other.modified, other.identity)
}
