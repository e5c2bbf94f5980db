//! What a session supplies to a call.

mod cancel;
mod executor;
mod facts;
mod from;
mod hold;
mod log;
mod memory;
mod need;
mod progress;
mod rare;
mod state;

use std::borrow::Cow;
use std::fmt;
#[cfg(feature = "host")]
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

pub use self::cancel::{Cancel, Cancelled};
pub(crate) use self::executor::run_blocking;
#[cfg(feature = "host")]
pub(crate) use self::executor::run_job;
pub use self::executor::{Executor, Inline, JobFuture, JobLost};
pub use self::facts::{SessionFacts, Worker};
pub use self::from::FromToolContext;
pub(crate) use self::from::missing_state;
pub(crate) use self::hold::Hold;
#[cfg(feature = "host")]
pub(crate) use self::log::LogListener;
pub use self::log::{Log, LogEvent, LogLevel};
pub use self::memory::{CallNumber, Kept, Memory, NotShown};
pub use self::need::StateNeed;
#[cfg(feature = "host")]
pub(crate) use self::progress::Listener;
pub use self::progress::{Deadline, Progress, ProgressEvent};
use self::rare::Rare;
pub use self::state::StateMap;
pub use crate::workspace::Workspace;

use crate::args::Repair;
#[cfg(feature = "host")]
use crate::dispatch::InCall;
use crate::effect::Effect;
use crate::gate::{Destination, Gate};
use crate::output::{ErrorKind, ToolError};

/// Everything a call may ask of its session. A tool takes parts of it with `#[ctx]`.
pub struct ToolContext {
    tool: Cow<'static, str>,
    call_id: Option<Arc<str>>,
    caller: Cancel,
    progress: Progress,
    log: Log,
    time_limit: Option<Duration>,
    session: Arc<SessionContext>,
    /// Its number among the calls of the session.
    number: u64,
    rare: OnceLock<Box<Rare>>,
}

/// The part of the context that all calls of a session share.
pub struct SessionContext {
    /// Facts about the session.
    pub facts: SessionFacts,
    /// Where files are read and written, if anywhere.
    pub workspace: Option<Workspace>,
    /// What the host gave the session, by type.
    pub state: StateMap,
    /// Threads for plain functions, and time.
    pub executor: Arc<dyn Executor>,
    /// The most that a call may do, if that is bounded.
    pub max_effect: Option<Effect>,
    /// What judges calls before they run. The session of a host always has one; without one
    /// nothing is guarded.
    pub gate: Option<Arc<dyn Gate>>,
    /// What tools keep between calls.
    pub memory: Memory,
}

impl ToolContext {
    /// The context of one call of `tool`.
    pub fn new(tool: impl Into<Cow<'static, str>>, session: Arc<SessionContext>) -> Self {
        Self {
            tool: tool.into(),
            call_id: None,
            caller: Cancel::never(),
            progress: Progress::default(),
            log: Log::default(),
            time_limit: None,
            session,
            number: 0,
            rare: OnceLock::new(),
        }
    }

    /// The whole context of one call, made in one step.
    #[cfg(feature = "host")]
    #[inline]
    pub(crate) fn of_call(
        tool: Cow<'static, str>,
        session: Arc<SessionContext>,
        call_id: Option<Arc<str>>,
        caller: Cancel,
        heard: (Option<Arc<Listener>>, Option<Arc<LogListener>>),
        limit: Duration,
    ) -> Self {
        Self {
            tool,
            call_id,
            caller,
            progress: Progress::new(heard.0),
            log: Log::new(heard.1),
            time_limit: Some(limit),
            number: session.memory.count_call(),
            session,
            rare: OnceLock::new(),
        }
    }

    /// What few calls have, made now.
    fn rare(&self) -> &Rare {
        self.rare.get_or_init(Box::default)
    }

    #[cfg(feature = "host")]
    fn rare_mut(&mut self) -> &mut Rare {
        self.rare();
        self.rare.get_mut().expect("it was just made")
    }

    /// The same context for a call that is watched.
    #[cfg(feature = "host")]
    pub(crate) fn watched(mut self, in_call: Arc<InCall>) -> Self {
        self.rare_mut().in_call = Some(in_call);
        self
    }

    /// What is noted of the call, when it is watched.
    #[cfg(feature = "host")]
    pub(crate) fn in_call(&self) -> Option<&InCall> {
        self.rare.get()?.in_call.as_deref()
    }

    #[cfg(feature = "host")]
    pub(crate) fn shared_session(&self) -> Arc<SessionContext> {
        Arc::clone(&self.session)
    }

    /// Sets the id under which the model knows the call.
    #[must_use]
    pub fn with_call_id(mut self, id: Arc<str>) -> Self {
        self.call_id = Some(id);
        self
    }

    /// Sets what cancels the call.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Cancel) -> Self {
        self.caller = cancel;
        self
    }

    /// Sets who hears how far the call has come.
    #[must_use]
    pub fn with_progress(mut self, listener: Arc<dyn Fn(ProgressEvent<'_>) + Send + Sync>) -> Self {
        self.progress = Progress::new(Some(listener));
        self
    }

    /// Sets who hears what the tool says while it runs.
    #[must_use]
    pub fn with_log(mut self, listener: Arc<dyn Fn(LogEvent<'_>) + Send + Sync>) -> Self {
        self.log = Log::new(Some(listener));
        self
    }

    /// Sets how long the call may take.
    #[must_use]
    pub fn with_time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// Name of the tool that is called.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The id under which the model knows the call.
    pub fn call_id(&self) -> Option<&str> {
        self.call_id.as_deref()
    }

    /// What cancels the call: whoever made it, or its end before the tool's. Work that goes on in
    /// another thread looks at it, since dropping the call does not stop that.
    pub fn cancel(&self) -> &Cancel {
        self.rare().own.get_or_init(|| self.caller.child())
    }

    /// What cancels the call from outside.
    #[cfg(feature = "host")]
    pub(crate) fn caller(&self) -> &Cancel {
        &self.caller
    }

    /// Tells what still works for the call that it is to end.
    #[cfg(feature = "host")]
    pub(crate) fn stop(&self) {
        if let Some(own) = self.rare.get().and_then(|rare| rare.own.get()) {
            own.cancel();
        }
    }

    /// Tells what still works for the call that nobody waits for it.
    #[cfg(feature = "host")]
    pub(crate) fn abandon(&self) {
        self.stop();
        let hold = self.rare.get().and_then(|rare| rare.hold.get());
        if let Some(hold) = hold.filter(|hold| Arc::strong_count(hold) > 1) {
            hold.outlived();
        }
    }

    /// Where the tool says how far it has come.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Where the tool says what happens, for people.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// When the call must have ended, counted from now.
    pub fn deadline(&self) -> Deadline {
        // A limit beyond what the clock can tell is none.
        let end = |limit| self.executor().now().checked_add(limit);
        Deadline::new(self.time_limit.and_then(end))
    }

    /// Facts about the session.
    pub fn facts(&self) -> &SessionFacts {
        &self.session.facts
    }

    /// Where files are read and written, if anywhere.
    pub fn workspace(&self) -> Option<&Workspace> {
        self.session.workspace.as_ref()
    }

    /// What the host gave the session, by type.
    pub fn state(&self) -> &StateMap {
        &self.session.state
    }

    /// What tools keep between the calls of the session.
    pub fn memory(&self) -> &Memory {
        &self.session.memory
    }

    /// Which call of the session this is.
    pub fn number(&self) -> CallNumber {
        CallNumber {
            call: self.number,
            compactions: self.session.memory.compactions(),
        }
    }

    /// The most that a call may do, if that is bounded.
    pub fn max_effect(&self) -> Option<Effect> {
        self.session.max_effect
    }

    /// What judges calls before they run.
    pub fn gate(&self) -> Option<&dyn Gate> {
        let probe = self.rare.get().and_then(|rare| rare.probe.as_deref());
        probe.or(self.session.gate.as_deref())
    }

    /// Puts a gate before the session's, which looks at the call and never lets it pass.
    #[cfg(feature = "host")]
    pub(crate) fn with_probe(mut self, probe: Arc<dyn Gate>) -> Self {
        self.rare_mut().probe = Some(probe);
        self
    }

    /// Keeps something until the tool has ended.
    #[cfg(feature = "host")]
    pub(crate) fn keep(&self, hold: Arc<dyn Hold>) {
        // A call passes its gate once, so the place is empty.
        let _ = self.rare().hold.set(hold);
    }

    /// Notes whether the call waits for what another one holds.
    #[cfg(feature = "host")]
    pub(crate) fn note_wait(&self, waits: bool) {
        self.rare().waits.store(waits, Ordering::Relaxed);
    }

    #[cfg(feature = "host")]
    pub(crate) fn waits(&self) -> bool {
        let rare = self.rare.get();
        rare.is_some_and(|rare| rare.waits.load(Ordering::Relaxed))
    }

    pub(crate) fn hold(&self) -> Option<Arc<dyn Hold>> {
        self.rare.get()?.hold.get().cloned()
    }

    /// Says where an address of the network leads, for a tool that fetches it. Arguments whose role is
    /// `url` were judged before the tool ran; this is for addresses that it finds elsewhere, and for the
    /// connection itself: the answer holds what to connect to.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UrlBlocked`] for an address that is not fetched, and
    /// [`ErrorKind::GuardFailed`] where nothing judges addresses.
    pub async fn destination(&self, address: &str) -> Result<Destination, ToolError> {
        self.judged_address(address, None).await
    }

    /// [`destination`](Self::destination) for what the answer of an address says to go to. Every
    /// redirect passes here.
    ///
    /// # Errors
    ///
    /// Those of [`destination`](Self::destination).
    pub async fn redirect(&self, from: &Destination, to: &str) -> Result<Destination, ToolError> {
        self.judged_address(to, Some(&from.url)).await
    }

    async fn judged_address(
        &self,
        address: &str,
        from: Option<&str>,
    ) -> Result<Destination, ToolError> {
        match self.gate() {
            Some(gate) => gate.destination(self, address, from).await,
            None => Err(ToolError::new(
                ErrorKind::GuardFailed,
                "nothing here judges addresses, so none is fetched",
            )
            .with_help("call the tool in a session")),
        }
    }

    /// The values of arguments whose role is `secret`. They are for taking out of whatever is shown.
    pub fn secrets(&self) -> &[Box<str>] {
        self.rare
            .get()
            .and_then(|rare| rare.secrets.get())
            .map_or(&[], Vec::as_slice)
    }

    /// What had to be changed in the arguments before they fitted.
    pub fn repairs(&self) -> &[Repair] {
        self.rare
            .get()
            .and_then(|rare| rare.repairs.get())
            .map_or(&[], Vec::as_slice)
    }

    /// Threads for plain functions, and time.
    pub fn executor(&self) -> &dyn Executor {
        &*self.session.executor
    }

    #[cfg(feature = "host")]
    pub(crate) fn take_repairs(&mut self) -> Vec<Repair> {
        let rare = self.rare.get_mut();
        rare.and_then(|rare| rare.repairs.take())
            .unwrap_or_default()
    }

    pub(crate) fn note_secrets(&self, secrets: Vec<Box<str>>) {
        if !secrets.is_empty() {
            // Arguments are decoded once a call, so the place is empty.
            let _ = self.rare().secrets.set(secrets);
        }
    }

    pub(crate) fn note_repairs(&self, repairs: Vec<Repair>) {
        if !repairs.is_empty() {
            // Arguments are decoded once a call, so the place is empty.
            let _ = self.rare().repairs.set(repairs);
        }
    }
}

impl Default for SessionContext {
    fn default() -> Self {
        Self {
            facts: SessionFacts::default(),
            workspace: None,
            state: StateMap::default(),
            executor: Arc::new(Inline),
            max_effect: None,
            gate: None,
            memory: Memory::default(),
        }
    }
}

impl fmt::Debug for ToolContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContext")
            .field("tool", &self.tool)
            .field("call_id", &self.call_id)
            .field("session", &self.session)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for SessionContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionContext")
            .field("facts", &self.facts)
            .field("workspace", &self.workspace)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}
