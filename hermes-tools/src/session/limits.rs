//! Settings of a session about how much goes on at once and how much of a result a model sees.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{CallResult, Inner, Session, SessionBuilder};
use crate::context::NotShown;
use crate::dispatch::AT_MOST;
use crate::dispatch::pool::MOST_STUCK;
use crate::effect::{Effect, Role};
use crate::output::store::{ResultStore, SessionFolder, StoredPart, StoredResult, StoredResults};
use crate::output::{Author, Budget, Fit, Output, ResultKeeper, Spill, TurnResult};
use crate::param::Param;
use crate::registry::Tool;
use crate::target::Access;
use crate::workspace::Workspace;

/// What bounds the calls of a session and their results.
pub(crate) struct Bounds {
    pub(crate) budget: Budget,
    /// Where long results go.
    folder: Option<Arc<SessionFolder>>,
    /// The turn of the conversation, from 1.
    turn: Arc<AtomicU64>,
    pub(crate) at_most: usize,
    pub(super) most_stuck: usize,
    settings: LimitSettings,
}

/// What a builder was told.
#[derive(Clone)]
pub(super) struct LimitSettings {
    budget: Option<Budget>,
    store: Option<ResultStore>,
    at_most: usize,
    most_stuck: usize,
}

impl Default for LimitSettings {
    fn default() -> Self {
        Self {
            budget: None,
            store: None,
            at_most: AT_MOST,
            most_stuck: MOST_STUCK,
        }
    }
}

impl LimitSettings {
    pub(super) fn bounds(self, window: Option<usize>) -> Bounds {
        let budget = self.budget.clone();
        Bounds {
            budget: budget
                .unwrap_or_else(|| window.map_or_else(Budget::default, Budget::for_window)),
            folder: self.store.as_ref().map(|store| Arc::new(store.session())),
            turn: Arc::new(AtomicU64::new(1)),
            at_most: self.at_most,
            most_stuck: self.most_stuck,
            settings: self,
        }
    }
}

impl Bounds {
    /// What a sub-agent's session takes over: the same store, in which it has a folder of its own.
    pub(super) fn lent(&self) -> LimitSettings {
        let mut settings = self.settings.clone();
        settings.store = settings.store.map(ResultStore::of_no_place);
        settings
    }

    /// What tools keep long results with, while those arrive.
    pub(super) fn keeper(&self) -> Option<ResultKeeper> {
        let (folder, turn) = (Arc::clone(self.folder.as_ref()?), Arc::clone(&self.turn));
        let path = folder.path().to_owned();
        Some(ResultKeeper::new(&path, move |id| {
            Ok(Box::new(folder.begin(turn.load(Ordering::Relaxed), id)?))
        }))
    }

    /// Where the session's stored results are, or will be.
    pub(super) fn results(&self) -> Option<&Path> {
        self.folder.as_deref().map(SessionFolder::path)
    }

    /// The workspace with the session's stored results, which may be read.
    pub(super) fn with_results(&self, workspace: Workspace) -> Workspace {
        match &self.folder {
            Some(folder) => {
                workspace.with_root(StoredResults::new(Arc::clone(folder)), Access::Read)
            }
            None => workspace,
        }
    }
}

impl SessionBuilder {
    /// Sets where long results are kept, for the model to read them page by page. Without a store what
    /// is too long is cut, and the rest is lost.
    ///
    /// ```
    /// use hermes_tools::output::store::ResultStore;
    /// use hermes_tools::{Selection, Session, ToolRegistry, tool};
    ///
    /// /// Count up.
    /// #[tool(toolset = "numbers", effect = "read", max_result = 2_000, inline)]
    /// fn list_numbers() -> String {
    ///     (0..10_000).map(|number| format!("{number}\n")).collect()
    /// }
    ///
    /// # let folder = hermes_tools::testing::Folder::with([])?;
    /// let store = ResultStore::open(folder.path().join("results"))?;
    /// let session = Session::builder(ToolRegistry::linked()?, Selection::of(["list_numbers"]))
    ///     .result_store(store)
    ///     .build()?;
    /// let text = session.call_blocking("list_numbers", "{}").outcome?.text().into_owned();
    /// assert!(text.starts_with("<persisted-output>\nThe result has 48890 characters"), "{text}");
    /// assert!(text.ends_with("9998\n9999\n\n</persisted-output>"), "{text}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn result_store(mut self, store: ResultStore) -> Self {
        self.limits.store = Some(store);
        self
    }

    /// Sets how much of results a model sees, in place of what its context window suggests.
    #[must_use]
    pub fn result_budget(mut self, budget: Budget) -> Self {
        self.limits.budget = Some(budget);
        self
    }

    /// Sets how many calls of a batch run at a time, at least one.
    #[must_use]
    pub fn parallel_calls(mut self, at_most: usize) -> Self {
        self.limits.at_most = at_most.max(1);
        self
    }

    /// Sets how many plain functions of the process may go on behind the end of their calls before
    /// this session starts no more of them. It has no meaning for an executor of the host's own.
    #[must_use]
    pub fn stuck_functions(mut self, at_most: usize) -> Self {
        self.limits.most_stuck = at_most;
        self
    }
}

/// What was stored.
impl Session {
    /// The long results that this session has stored, by turn and name. Those of other sessions are out
    /// of its reach.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    pub fn stored_results(&self) -> io::Result<Vec<StoredResult>> {
        self.inner
            .bounds
            .folder
            .as_ref()
            .map_or_else(|| Ok(Vec::new()), |folder| folder.list())
    }

    /// Reads a part of a stored result: from this byte on, at most so many of them (4 MiB whatever is
    /// asked for), and whole characters.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::NotFound`] when this session has no such result,
    /// [`io::ErrorKind::InvalidInput`] for a place behind its end, and those of the operating system.
    pub fn read_stored(
        &self,
        turn: u64,
        name: &str,
        from: u64,
        at_most: usize,
    ) -> io::Result<StoredPart> {
        let folder = self.inner.bounds.folder.as_ref();
        let folder = folder.ok_or(io::ErrorKind::NotFound)?;
        folder.read(turn, name, from, at_most)
    }
}

/// Turns of the conversation.
impl Session {
    /// Says that a new turn of the conversation begins: the user has spoken. `label` says in a few words
    /// what the turn is about, such as the beginning of what the user said. Gives back its number.
    ///
    /// Loops are counted anew, the budget of retries is whole again, results are stored under the new
    /// turn, and the journal of the workspace is told: with `Checkpoints` the next change begins a
    /// checkpoint with the label. A sub-agent works within the turn of its parent, so the journal hears
    /// nothing of its session's turns.
    pub fn begin_turn(&self, label: &str) -> u64 {
        let inner = &self.inner;
        if let Some(loops) = &inner.watch.loops {
            loops.new_turn();
        }
        if let Some(retries) = &inner.watch.retries {
            retries.new_turn();
        }
        if let Some(workspace) = &inner.context.workspace
            && !inner.context.facts.is_delegated()
        {
            workspace.begin_turn(label);
        }
        inner.bounds.turn.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The number of the turn, from 1.
    pub fn turn(&self) -> u64 {
        self.inner.bounds.turn.load(Ordering::Relaxed)
    }
}

impl Inner {
    pub(crate) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Bounds the result of a tool.
    pub(crate) fn bound(&self, output: Output, tool: &Tool, id: Option<&str>) -> (Output, Fit) {
        // What most results are: short, and not from outside.
        if !tool.is_untrusted() && self.bounds.budget.surely_holds(&output, tool) {
            return (output, Fit::Whole);
        }
        self.spill(|spill| spill.bound(output, tool, id))
    }

    /// Brings the results of one answer of the model within its budget.
    pub(crate) fn fit_turn(&self, results: &mut [CallResult]) {
        if !self.exceeds_turn(results) {
            return;
        }
        let untrusted: Vec<bool> = results
            .iter()
            .map(|result| {
                self.tool(&result.tool)
                    .is_some_and(|tool| tool.is_untrusted())
            })
            .collect();
        let mut fitted: Vec<TurnResult<'_>> = results
            .iter_mut()
            .zip(untrusted)
            .filter_map(|(result, untrusted)| {
                Some(TurnResult {
                    output: result.outcome.as_mut().ok()?,
                    fit: &mut result.fit,
                    author: Author {
                        tool: &result.tool,
                        call_id: result.id.as_deref(),
                        untrusted,
                    },
                })
            })
            .collect();
        self.spill(|spill| spill.fit_turn(&mut fitted));
        for result in results.iter().filter(|result| result.fit != Fit::Whole) {
            self.note_not_shown(result.number);
        }
    }

    /// Notes that the model did not get the whole result of a call, whatever its tool believes.
    pub(crate) fn note_not_shown(&self, call: u64) {
        self.context.memory.get::<NotShown>().note(call);
    }

    /// Whether the results may have more characters than the turn; they have no more than bytes.
    fn exceeds_turn(&self, results: &[CallResult]) -> bool {
        let outputs = results
            .iter()
            .filter_map(|result| result.outcome.as_ref().ok());
        let parts = outputs
            .flat_map(Output::parts)
            .filter(|part| part.is_text());
        let bytes: usize = parts.map(|part| part.as_text().len()).sum();
        bytes > self.bounds.budget.per_turn()
    }

    fn spill<R>(&self, with: impl FnOnce(&Spill<'_>) -> R) -> R {
        let view = self.view();
        let reads_files = |tool: &&Tool| {
            let is_path = |param: &Param| param.declared_role() == Some(Role::Path);
            tool.declared_effect() == Effect::Read && tool.params().iter().any(is_path)
        };
        let readers: Vec<Tool> = view.tools().iter().filter(reads_files).cloned().collect();
        with(&Spill {
            budget: &self.bounds.budget,
            folder: self.bounds.folder.as_deref(),
            turn: self.bounds.turn.load(Ordering::Relaxed),
            readers: &readers,
        })
    }
}
