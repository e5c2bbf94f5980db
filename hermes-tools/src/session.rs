//! A session: the tools that one conversation may use, and what they work on.

mod call;
mod child;
mod guard;
mod hooks;
pub(crate) mod limits;
mod view;

use std::fmt;
use std::sync::{Arc, Weak};
use std::time::Duration;

use arc_swap::ArcSwap;

pub use self::call::{CallResult, ToolCall};
use self::hooks::Around;
use self::limits::{Bounds, LimitSettings};
use self::view::View;
use crate::availability::{Answer, Availability, CheckCache, CheckContext, FRESH};
use crate::context::{Cancel, Executor, Memory, SessionContext, SessionFacts, StateMap, Workspace};
use crate::definitions::{Definitions, Told};
use crate::dispatch::gate::SessionGate;
use crate::dispatch::guard::Policy;
use crate::dispatch::{self, Watch, join, runtime};
use crate::effect::Effect;
use crate::registry::{Tool, ToolRegistry};
use crate::schema::dialect::Dialect;
use crate::search::{Offering, ToolSearch};
use crate::selection::Selection;
use crate::unbuilt::{BuildError, unknown_tools};

/// One conversation with a model. Clones share everything.
///
/// ```
/// use hermes_tools::{Selection, Session, ToolRegistry, tool};
///
/// /// Add two whole numbers.
/// #[tool(toolset = "arithmetic", effect = "read", inline)]
/// fn add(
///     /// First summand.
///     a: i64,
///     /// Second summand.
///     b: i64,
/// ) -> String {
///     (a + b).to_string()
/// }
///
/// let session = Session::builder(ToolRegistry::linked()?, Selection::of(["add"])).build()?;
/// let result = session.call_blocking("add", r#"{"a": 2, "b": "40"}"#);
/// assert_eq!(result.outcome?.text(), "42");
/// assert_eq!(result.repairs[0].to_string(), "`b`: text to integer (\"40\" to 40)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Session {
    inner: Arc<Inner>,
}

/// A [`Session`] that this does not keep: it is there while others hold it.
#[derive(Clone)]
pub struct WeakSession {
    inner: Weak<Inner>,
}

impl WeakSession {
    /// The session, while it is held elsewhere.
    pub fn upgrade(&self) -> Option<Session> {
        let inner = self.inner.upgrade()?;
        Some(Session { inner })
    }
}

impl fmt::Debug for WeakSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WeakSession")
    }
}

pub(crate) struct Inner {
    registry: Arc<ToolRegistry>,
    selection: Selection,
    context: Arc<SessionContext>,
    timeout: Duration,
    checks: Arc<CheckCache>,
    told: Told,
    guard: Policy,
    /// What sessions of sub-agents take over of what stands around calls.
    lent: Around,
    view: ArcSwap<View>,
    watch: Watch,
    bounds: Bounds,
    gate: Arc<SessionGate>,
}

/// Puts a [`Session`] together.
pub struct SessionBuilder {
    registry: Arc<ToolRegistry>,
    selection: Selection,
    facts: SessionFacts,
    workspace: Option<Workspace>,
    state: StateMap,
    timeout: Duration,
    executor: Option<Arc<dyn Executor>>,
    checks: Arc<CheckCache>,
    offering: Offering,
    max_effect: Option<Effect>,
    guard: Policy,
    around: Around,
    limits: LimitSettings,
    tools_come_later: bool,
}

/// How long a call may take when neither the tool nor the session says.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(5);

impl Session {
    /// The session without keeping it: for whoever watches over sessions that others hold.
    pub fn downgrade(&self) -> WeakSession {
        WeakSession {
            inner: Arc::downgrade(&self.inner),
        }
    }

    /// A session that may use the selected tools of a registry.
    pub fn builder(registry: impl Into<Arc<ToolRegistry>>, selection: Selection) -> SessionBuilder {
        SessionBuilder {
            registry: registry.into(),
            selection,
            facts: SessionFacts::default(),
            workspace: None,
            state: StateMap::default(),
            timeout: DEFAULT_TIMEOUT,
            executor: None,
            checks: Arc::default(),
            offering: Offering {
                search: ToolSearch::off(),
                window: None,
                budget: None,
            },
            max_effect: None,
            guard: Policy::default(),
            around: Around::default(),
            limits: LimitSettings::default(),
            tools_come_later: false,
        }
    }

    /// Calls a tool with arguments as the model sent them, a JSON object.
    ///
    /// It never panics and always answers: whatever goes wrong is the error in the outcome.
    pub async fn call(&self, name: &str, arguments: &str) -> CallResult {
        let limits = dispatch::Limits {
            id: None,
            cancel: &NEVER,
            timeout: None,
            progress: None,
            log: None,
            by_host: false,
            turn: None,
            request: None,
            unhooked: false,
            cut: false,
            rewritten: None,
        };
        dispatch::call(&self.inner, name, arguments, limits).await
    }

    /// Calls a tool with an id, a cancel sign or a time limit.
    pub async fn call_with(&self, call: ToolCall) -> CallResult {
        let limits = dispatch::Limits {
            id: call.id.clone(),
            cancel: &call.cancel,
            timeout: call.timeout,
            progress: call.progress.clone(),
            log: call.log.clone(),
            by_host: call.by_host,
            turn: call.turn.clone(),
            request: call.request.clone(),
            unhooked: call.unhooked,
            cut: call.cut,
            rewritten: None,
        };
        dispatch::call(&self.inner, &call.name, &call.arguments, limits).await
    }

    /// Calls a tool and waits for the answer, from any thread, inside or outside a runtime.
    ///
    /// What a tool waits for goes on in a runtime of the library's own.
    pub fn call_blocking(&self, name: &str, arguments: &str) -> CallResult {
        runtime::block_on(self.call(name, arguments))
    }

    /// [`call_with`](Self::call_with), waiting for the answer.
    pub fn call_blocking_with(&self, call: ToolCall) -> CallResult {
        runtime::block_on(self.call_with(call))
    }

    /// The tools of the session with their availability, sorted by name.
    ///
    /// It waits for checks whose answer is too old; [`refresh`](Self::refresh) asks them before,
    /// where waiting would block a runtime.
    pub fn tools(&self) -> Vec<(Tool, Availability)> {
        let view = self.inner.view();
        let answers = runtime::settle(self.inner.answers(view.tools()));
        let answers = answers.into_iter().map(|answer| answer.availability);
        view.tools.iter().cloned().zip(answers).collect()
    }

    /// Asks the checks of the session's tools whose answers are too old.
    pub async fn refresh(&self) {
        self.inner.offer().await;
    }

    /// What a model is told of the session's available tools, hidden ones left out: a JSON array of objects with `name`,
    /// `description` and `parameters`, sorted by name, byte for byte the same every time.
    ///
    /// They are made anew when the registry changes or an answer of a check gets too old, and
    /// otherwise shared. As [`tools`](Self::tools) does, it may wait for checks.
    pub fn definitions(&self) -> Arc<Definitions> {
        self.told_in(None)
    }

    /// The same in the form of a provider, with what that form could not express.
    pub fn definitions_for(&self, dialect: Dialect) -> Arc<Definitions> {
        self.told_in(Some(dialect))
    }

    fn told_in(&self, dialect: Option<Dialect>) -> Arc<Definitions> {
        match self.inner.latest_definitions(dialect) {
            Some(latest) => latest,
            None => runtime::settle(self.inner.definitions(dialect)),
        }
    }

    /// The tools that the tool search offers in place of definitions, sorted by name; none when it
    /// is not in use. It may wait for checks.
    pub fn deferred(&self) -> Vec<Tool> {
        runtime::settle(self.inner.offer()).deferred.clone()
    }

    /// What the checks of the session's tools have answered.
    pub fn checks(&self) -> &Arc<CheckCache> {
        &self.inner.checks
    }

    /// Says that the model's context was compacted, so that what it was shown until now counts as
    /// not seen any more.
    pub fn context_compacted(&self) {
        self.inner.context.memory.note_compaction();
    }

    /// What tools keep between the calls of the session.
    pub fn memory(&self) -> &Memory {
        &self.inner.context.memory
    }

    /// The session's facts: its source, its environment.
    pub fn facts(&self) -> &SessionFacts {
        &self.inner.context.facts
    }

    /// The selection.
    pub fn selection(&self) -> &Selection {
        &self.inner.selection
    }

    /// The registry.
    pub fn registry(&self) -> &Arc<ToolRegistry> {
        &self.inner.registry
    }
}

static NEVER: Cancel = Cancel::never();

impl Session {
    pub(crate) fn inner(&self) -> &Inner {
        &self.inner
    }
}

impl Inner {
    /// Whether a tool of this name is selected, also one that is not registered.
    pub(crate) fn selects(&self, name: &str) -> bool {
        self.selection.contains(name)
    }

    pub(crate) fn gate(&self) -> &Arc<SessionGate> {
        &self.gate
    }

    pub(crate) fn context(&self) -> &Arc<SessionContext> {
        &self.context
    }

    pub(crate) fn registry(&self) -> &ToolRegistry {
        &self.registry
    }

    pub(crate) fn checks(&self) -> &CheckCache {
        &self.checks
    }

    pub(crate) fn told(&self) -> &Told {
        &self.told
    }

    pub(crate) fn watch(&self) -> &Watch {
        &self.watch
    }

    pub(crate) fn timeout(&self) -> Duration {
        self.timeout
    }

    pub(crate) fn check_context(&self) -> CheckContext<'_> {
        CheckContext::new(&self.context.facts, self.context.workspace.as_ref())
    }

    /// The selected tools as they are now. Made anew when the registry has changed.
    pub(crate) fn view(&self) -> Arc<View> {
        let view = self.view.load();
        if view.generation == self.registry.generation() {
            return Arc::clone(&view);
        }
        let bound = self.context.max_effect;
        let view = Arc::new(View::of(&self.registry, &self.selection, bound));
        self.view.store(Arc::clone(&view));
        view
    }

    /// Whether a tool can be used now.
    pub(crate) async fn answer(&self, tool: &Tool) -> Answer {
        if !tool.has_checks() {
            return Answer::ALWAYS;
        }
        let environment = tool.environment(&self.check_context());
        let read = !tool.required_env().is_empty();
        let mut answer = Answer {
            availability: environment,
            until: read.then(|| self.context.executor.now() + FRESH),
        };
        for check in tool.checks() {
            if !answer.availability.is_available() {
                break;
            }
            answer = answer.and(self.checks.ask(&check, &self.context).await);
        }
        if answer.availability.is_available() {
            answer.availability = tool.workspace(&self.check_context());
        }
        answer
    }

    /// Whether each of these tools can be used now. Their checks are asked side by side.
    pub(crate) async fn answers(&self, tools: &[Tool]) -> Vec<Answer> {
        join(tools.iter().map(|tool| self.answer(tool))).await
    }

    /// The selected tool of a name.
    pub(crate) fn tool(&self, name: &str) -> Option<Tool> {
        let view = self.view.load();
        if view.generation == self.registry.generation() {
            return view.get(name);
        }
        self.view().get(name)
    }
}

impl SessionBuilder {
    /// Sets the session's facts: its source, its environment.
    #[must_use]
    pub fn facts(mut self, facts: SessionFacts) -> Self {
        self.facts = facts;
        self
    }

    /// Sets the folder in which files are read and written. Without one the file tools are
    /// unavailable.
    #[must_use]
    pub fn workspace(mut self, workspace: Workspace) -> Self {
        self.workspace = Some(workspace);
        self
    }

    /// Puts a value into the session, for tools that ask for its type with `#[ctx]`.
    #[must_use]
    pub fn state<T: std::any::Any + Send + Sync>(self, value: T) -> Self {
        self.shared_state(Arc::new(value))
    }

    /// Puts a value into the session that the host keeps using too.
    #[must_use]
    pub fn shared_state<T: std::any::Any + Send + Sync>(mut self, value: Arc<T>) -> Self {
        self.state.insert(value);
        self
    }

    /// Sets how long a call of a tool without a limit of its own may take.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets where plain functions run and how time passes, in place of the library's own runtime.
    #[must_use]
    pub fn executor(mut self, executor: impl Executor + 'static) -> Self {
        self.executor = Some(Arc::new(executor));
        self
    }

    /// Sets how the tool search is used. Without this it is not.
    #[must_use]
    pub fn tool_search(mut self, settings: ToolSearch) -> Self {
        self.offering.search = settings;
        self
    }

    /// Sets how many tokens the model's context window holds.
    #[must_use]
    pub fn context_window(mut self, tokens: usize) -> Self {
        self.offering.window = Some(tokens);
        self
    }

    /// Sets how many tokens all definitions may take. Beyond it tools are deferred, where the tool
    /// search is not off, and then descriptions are shortened; parameters are never left out.
    #[must_use]
    pub fn definitions_budget(mut self, tokens: usize) -> Self {
        self.offering.budget = Some(tokens);
        self
    }

    /// Sets where the answers of checks are kept, to share them with sessions of equal facts.
    #[must_use]
    pub fn checks(mut self, checks: Arc<CheckCache>) -> Self {
        self.checks = checks;
        self
    }

    /// Bounds what calls may do. Tools that always do more are not in the session; a call of a tool
    /// with many actions is judged by its arguments. Of two bounds the narrower one holds.
    #[must_use]
    pub fn max_effect(mut self, most: Effect) -> Self {
        self.max_effect = Some(self.max_effect.map_or(most, |bound| bound.min(most)));
        self
    }

    /// Lets the selection name tools that the registry does not have: those that are registered while
    /// the session goes on, such as tools of a server that starts later. Without this a name that no tool
    /// has is an error, since it is a misspelt one nearly always.
    #[must_use]
    pub fn tools_come_later(mut self) -> Self {
        self.tools_come_later = true;
        self
    }

    /// Makes the session.
    ///
    /// # Errors
    ///
    /// The names that were selected and are no tools, with the nearest ones; the tools that take state of a
    /// type that was not put in; rules of the policy that do not read.
    pub fn build(self) -> Result<Session, BuildError> {
        let unknown = if self.tools_come_later {
            Vec::new()
        } else {
            unknown_tools(&self.selection, &self.registry.snapshot())
        };
        let view = View::of(&self.registry, &self.selection, self.max_effect);
        let lent = self.around.of_child();
        let (watch, gate) = self.around.split(self.guard.clone());
        let gate = Arc::new(gate);
        let bounds = self.limits.bounds(self.offering.window);
        let most_stuck = bounds.most_stuck;
        let rules = self.guard.places(&self.facts);
        let roots = self.workspace.iter().flat_map(Workspace::roots);
        let rules = Arc::new(rules.of_session(bounds.results(), roots.map(|(root, _)| root)));
        let workspace = self.workspace.map(|it| bounds.with_results(it));
        let mut state = self.state;
        if let Some(keeper) = bounds.keeper() {
            state.insert(Arc::new(keeper));
        }
        let context = SessionContext {
            facts: self.facts,
            workspace: workspace.map(|it| it.with_rules(rules)),
            state,
            executor: self
                .executor
                .unwrap_or_else(|| Arc::new(runtime::OwnRuntime { most_stuck })),
            max_effect: self.max_effect,
            gate: Some(Arc::clone(&gate) as _),
            memory: Memory::default(),
        };
        let missing: Vec<_> = view
            .tools
            .iter()
            .filter(|tool| !tool.is_agent_loop())
            .filter_map(|tool| {
                let need = tool.missing_state(&context)?;
                Some((tool.entry()?.name(), need.type_name()))
            })
            .collect();
        let error = BuildError {
            unknown,
            missing,
            rules: self.guard.unreadable(),
        };
        if !error.is_empty() {
            return Err(error);
        }
        let context = Arc::new(context);
        gate.fence.belongs_to(&context);
        Ok(Session {
            inner: Arc::new(Inner {
                registry: self.registry,
                selection: self.selection,
                context,
                timeout: self.timeout,
                checks: self.checks,
                told: Told::new(self.offering),
                guard: self.guard,
                lent,
                view: ArcSwap::from_pointee(view),
                watch,
                bounds,
                gate,
            }),
        })
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("tools", &self.inner.selection.len())
            .field("context", &self.inner.context)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for SessionBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionBuilder")
            .field("tools", &self.selection.len())
            .field("facts", &self.facts)
            .finish_non_exhaustive()
    }
}
