//! Settings of a session about what stands around its calls: hooks, approvals, loops, limits, logs.

use std::sync::Arc;
use std::time::Duration;

use super::{Session, SessionBuilder, ToolCall};
use crate::args::ForeignArguments;
use crate::audit::AuditLog;
use crate::counterpart::{Counterpart, Held};
use crate::dispatch::Watch;
use crate::dispatch::approval::{
    Approval, ApprovalPolicy, ApprovalRequest, Approvals, Approver, Closure, GrantStore,
};
use crate::dispatch::gate::SessionGate;
use crate::dispatch::guard::Policy;
use crate::dispatch::hook::{
    After, Before, Ended, Hook, HookCall, Hooks, IntoDone, IntoVerdict, Observe, Rewrite,
    RewriteResult,
};
use crate::dispatch::loops::{LoopDecision, LoopSettings, LoopWatch};
use crate::dispatch::rate::{RateLimit, RateLimits};
use crate::dispatch::retry::{Retries, RetryBudget};
use crate::output::Output;

/// What a host has said of what stands around calls.
pub(super) struct Around {
    hooks: Hooks,
    approvals: Approvals,
    loops: Option<LoopSettings>,
    rates: RateLimits,
    retries: Option<Retries>,
    audit: Option<Arc<AuditLog>>,
    trace_content: bool,
}

impl Default for Around {
    fn default() -> Self {
        Self {
            hooks: Hooks::default(),
            approvals: Approvals::default(),
            loops: Some(LoopSettings::default()),
            rates: RateLimits::default(),
            retries: None,
            audit: None,
            trace_content: false,
        }
    }
}

impl Around {
    /// What the session of a sub-agent takes over. Everything that restricts calls does, and what
    /// counts them; who can be asked does not.
    pub(super) fn of_child(&self) -> Self {
        Self {
            hooks: self.hooks.clone(),
            approvals: self.approvals.of_child(),
            loops: self.loops,
            rates: self.rates.clone(),
            retries: self.retries,
            audit: self.audit.clone(),
            trace_content: self.trace_content,
        }
    }

    /// What watches calls, and what stands before them.
    pub(super) fn split(self, policy: Policy) -> (Watch, SessionGate) {
        let hooks = Arc::new(self.hooks);
        // A call that may wait for a person is watched, since its time stands still meanwhile.
        let sees_calls = self.approvals.approver.is_some()
            || !hooks.is_empty()
            || !self.rates.is_empty()
            || self.retries.is_some()
            || self.audit.is_some();
        let watch = Watch {
            sees_calls,
            hooks: Arc::clone(&hooks),
            rates: self.rates,
            retries: self.retries.map(RetryBudget::new),
            audit: self.audit.clone(),
            trace_content: self.trace_content,
            loops: self.loops.map(LoopWatch::new),
        };
        let gate = SessionGate {
            policy,
            approvals: self.approvals,
            fence: Arc::default(),
            hooks,
            audited: self.audit.is_some(),
        };
        (watch, gate)
    }
}

/// Hooks. They run in the order in which they are added; each has a name, by which errors and logs
/// call it.
impl SessionBuilder {
    /// Asks before each call: the closure lets it pass, blocks it, or has a person asked. Where it
    /// fails, panics or takes too long, the call does not run.
    ///
    /// ```
    /// use hermes_tools::hook::HookVerdict;
    /// use hermes_tools::{Effect, Selection, Session, ToolRegistry, tool};
    ///
    /// /// Send a letter.
    /// #[tool(toolset = "post", effect = "write", inline)]
    /// fn send_letter(
    ///     /// To whom.
    ///     to: String,
    /// ) -> String {
    ///     format!("sent to {to}")
    /// }
    ///
    /// let session = Session::builder(ToolRegistry::linked()?, Selection::of(["send_letter"]))
    ///     .before("only-home", |call| {
    ///         match call.arguments().text("to") {
    ///             Some("home") => HookVerdict::Pass,
    ///             _ => HookVerdict::block("letters go home only; ask the user"),
    ///         }
    ///     })
    ///     .after("log", |call, ended| println!("{}: {}", call.name(), ended.status.as_str()))
    ///     .build()?;
    /// let sent = session.call_blocking("send_letter", r#"{"to": "home"}"#);
    /// assert_eq!(sent.outcome?.text(), "sent to home");
    /// let refused = session.call_blocking("send_letter", r#"{"to": "work"}"#).outcome.unwrap_err();
    /// assert_eq!(refused.code(), "blocked");
    /// assert_eq!(refused.message(), "letters go home only; ask the user");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn before<R: IntoVerdict>(
        self,
        name: impl Into<Box<str>>,
        hook: impl Fn(&HookCall) -> R + Send + Sync + 'static,
    ) -> Self {
        self.add(name, Before(Arc::new(hook)), false, false)
    }

    /// Looks at each call before it runs. Nothing that the closure does stops the call.
    #[must_use]
    pub fn observe<R: IntoDone>(
        self,
        name: impl Into<Box<str>>,
        hook: impl Fn(&HookCall) -> R + Send + Sync + 'static,
    ) -> Self {
        self.add(name, Observe(Arc::new(hook)), true, false)
    }

    /// Looks at each call after it has ended. Nothing that the closure does changes the answer.
    #[must_use]
    pub fn after<R: IntoDone>(
        self,
        name: impl Into<Box<str>>,
        hook: impl Fn(&HookCall, &Ended) -> R + Send + Sync + 'static,
    ) -> Self {
        self.add(name, After(Arc::new(hook)), true, false)
    }

    /// Changes the arguments of each call before anything judges them. Calls of a batch that may do more
    /// than read run alone then, since where they write is known only when their turn comes. Each closure sees what the one
    /// before made of them. Arguments that do not fit afterwards are an error that names the hook, and
    /// where the closure fails the call does not run.
    ///
    /// ```
    /// # use hermes_tools::{Selection, Session, ToolRegistry, tool};
    /// # /// Say a text.
    /// # #[tool(toolset = "demo", effect = "read", inline)]
    /// # fn say(
    /// #     /// The text.
    /// #     text: String,
    /// # ) -> String {
    /// #     text
    /// # }
    /// let session = Session::builder(ToolRegistry::linked()?, Selection::of(["say"]))
    ///     .rewrite("home", |_, arguments| {
    ///         if arguments.text("text") == Some("~") {
    ///             arguments.set("text", "/home/ada");
    ///         }
    ///     })
    ///     .build()?;
    /// let said = session.call_blocking("say", r#"{"text": "~"}"#);
    /// assert_eq!(said.outcome?.text(), "/home/ada");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rewrite<R: IntoDone>(
        self,
        name: impl Into<Box<str>>,
        hook: impl Fn(&HookCall, &mut ForeignArguments) -> R + Send + Sync + 'static,
    ) -> Self {
        self.add(name, Rewrite(Arc::new(hook)), false, true)
    }

    /// Changes the output of each call that went well, before it is cut and marked. Where the closure
    /// fails the output stays as it was.
    #[must_use]
    pub fn rewrite_result<R: IntoDone>(
        self,
        name: impl Into<Box<str>>,
        hook: impl Fn(&HookCall, &mut Output) -> R + Send + Sync + 'static,
    ) -> Self {
        self.add(name, RewriteResult(Arc::new(hook)), true, false)
    }

    /// Adds a hook that waits, or that takes part in more than one event. It may change arguments, so
    /// batches are ordered as for [`rewrite`](Self::rewrite).
    #[must_use]
    pub fn hook(self, name: impl Into<Box<str>>, hook: impl Hook + 'static) -> Self {
        self.add(name, hook, false, true)
    }

    /// Sets how long each hook may take; ten seconds without this.
    #[must_use]
    pub fn hook_timeout(mut self, limit: Duration) -> Self {
        self.around.hooks.set_limit(limit);
        self
    }

    fn add(
        mut self,
        name: impl Into<Box<str>>,
        hook: impl Hook + 'static,
        observer: bool,
        rewrites: bool,
    ) -> Self {
        let hook = Arc::new(hook);
        self.around.hooks.add(name.into(), hook, observer, rewrites);
        self
    }
}

/// Approvals.
impl SessionBuilder {
    /// Sets who is asked where a call needs a person's consent. Without anybody such calls are refused.
    #[must_use]
    pub fn approver(mut self, approver: impl Approver + 'static) -> Self {
        self.around.approvals.approver = Some(Arc::new(approver));
        self
    }

    /// Sets whoever makes the calls, where tools turn to it: for words of its model, or to ask its user.
    #[must_use]
    pub fn counterpart(self, counterpart: impl Counterpart) -> Self {
        self.shared_state(Arc::new(Held(Arc::new(counterpart))))
    }

    /// Has a closure asked. It may wait for a person: it runs on a thread of its own.
    ///
    /// ```
    /// use hermes_tools::approval::{Approval, ApprovalPolicy, Rule};
    /// use hermes_tools::{Effect, Selection, Session, ToolRegistry, tool};
    ///
    /// /// Empty the bin.
    /// #[tool(toolset = "bin", effect = "destructive", inline)]
    /// fn empty_bin() -> &'static str {
    ///     "gone"
    /// }
    ///
    /// let session = Session::builder(ToolRegistry::linked()?, Selection::of(["empty_bin"]))
    ///     .approvals(ApprovalPolicy::default().effect(Effect::Destructive, Rule::Ask))
    ///     .approve_with(|request| {
    ///         assert_eq!(request.tool().name(), "empty_bin");
    ///         Approval::denied_because("not before Friday")
    ///     })
    ///     .build()?;
    /// let refused = session.call_blocking("empty_bin", "{}").outcome.unwrap_err();
    /// assert_eq!(refused.code(), "approval_denied");
    /// assert_eq!(refused.message(), "this call of `empty_bin` was not allowed: not before Friday");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn approve_with(
        self,
        approver: impl Fn(&ApprovalRequest) -> Approval + Send + Sync + 'static,
    ) -> Self {
        self.approver(Closure(Arc::new(approver)))
    }

    /// Sets what needs an approval.
    #[must_use]
    pub fn approvals(mut self, policy: ApprovalPolicy) -> Self {
        self.around.approvals.policy = policy;
        self
    }

    /// Sets where answers are kept that hold for always. Without it they hold for the session.
    #[must_use]
    pub fn grants(mut self, store: Arc<dyn GrantStore>) -> Self {
        self.around.approvals.set_store(store);
        self
    }
}

/// Loops, limits, logs.
impl SessionBuilder {
    /// Sets when the model is told that it goes in circles, and when it is stopped. Without this it is
    /// told by the default settings.
    #[must_use]
    pub fn loops(mut self, settings: LoopSettings) -> Self {
        self.around.loops = Some(settings);
        self
    }

    /// Leaves a model that goes in circles alone.
    #[must_use]
    pub fn without_loops(mut self) -> Self {
        self.around.loops = None;
        self
    }

    /// Tries calls again that failed and may go well. Without this none are.
    #[must_use]
    pub fn retries(mut self, retries: Retries) -> Self {
        self.around.retries = Some(retries);
        self
    }

    /// Bounds how often a tool may be called, by its name.
    #[must_use]
    pub fn rate_limit(mut self, tool: impl Into<Box<str>>, limit: RateLimit) -> Self {
        self.around.rates.set(tool.into(), limit);
        self
    }

    /// Writes a line for each call. Sessions may share a log.
    #[must_use]
    pub fn audit(mut self, log: Arc<AuditLog>) -> Self {
        self.around.audit = Some(log);
        self
    }

    /// Traces what arguments and results hold, secrets taken out. Without this only names, sizes and
    /// codes are traced.
    #[must_use]
    pub fn trace_content(mut self) -> Self {
        self.around.trace_content = true;
        self
    }
}

impl Session {
    /// Why the turn should end after the calls of the model's current answer, when a loop was stopped.
    pub fn stop(&self) -> Option<LoopDecision> {
        self.inner.watch().loops.as_ref()?.stop()
    }
}

impl ToolCall {
    /// Sets the id of the turn of the user, for hooks, traces and the audit log.
    #[must_use]
    pub fn turn(mut self, id: impl Into<Arc<str>>) -> Self {
        self.turn = Some(id.into());
        self
    }

    /// Sets the id of the request to the provider whose answer holds the call.
    #[must_use]
    pub fn request(mut self, id: impl Into<Arc<str>>) -> Self {
        self.request = Some(id.into());
        self
    }

    /// Says that the host makes the call for itself, so that no hook sees it. Guards and approvals
    /// judge it as any other.
    #[must_use]
    pub fn without_hooks(mut self) -> Self {
        self.unhooked = true;
        self
    }
}
