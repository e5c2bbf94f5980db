//! The session of a sub-agent.

use std::sync::Arc;

use super::{Session, SessionBuilder};
use crate::context::StateMap;
use crate::selection::Selection;

impl Session {
    /// Begins the session of a sub-agent, which works on part of this one's task.
    ///
    /// It has this session's registry, workspace, environment, source, executor, time limit, guards,
    /// bound on effect and settings of definitions. It is told apart by
    /// [`is_delegated`](crate::SessionFacts::is_delegated), so that checks may refuse it what speaks to
    /// the user. The bound can be narrowed and not widened. Hooks, limits of rate, the audit log and what
    /// needs an approval are the parent's too, but nobody is asked for one: the policy decides, and
    /// denies unless it says otherwise.
    ///
    /// It does not have this session's state: memory, questions to the user and the rest of what the host
    /// has put in stay behind unless the host puts them in again. Answers of checks are asked anew, since
    /// they may depend on who asks.
    ///
    /// It has the tools of the selection that this session has too, each with the narrower of the two
    /// bounds ([`Selection::within`]): whatever is asked for, a sub-agent can do nothing that its parent
    /// could not. `hermes-toolsets` makes such a selection of the parent's toolsets
    /// (`ToolsetTable::select_child`). A call of the parent that is cancelled ends what the sub-agent does
    /// when the calls of the sub-agent are given its sign ([`ToolCall::cancel`](crate::ToolCall::cancel)).
    ///
    /// ```
    /// use hermes_tools::{Effect, Selection, Session, ToolRegistry};
    ///
    /// let parent = Session::builder(ToolRegistry::of(&[])?, Selection::of(["read_file"]))
    ///     .tools_come_later()
    ///     .max_effect(Effect::Write)
    ///     .build()?;
    /// let wanted = Selection::of(["read_file", "terminal"]);
    /// let child = parent.child(wanted).build()?;
    /// assert!(child.facts().is_delegated());
    /// assert!(!child.selection().contains("terminal"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a session is begun with a selection of its own, as `Session::builder` does"
    )]
    pub fn child(&self, selection: Selection) -> SessionBuilder {
        let inner = &self.inner;
        let context = &inner.context;
        // Every field is named, so that none which restricts a session can be forgotten.
        SessionBuilder {
            registry: Arc::clone(&inner.registry),
            selection: selection.within(&inner.selection),
            facts: context.facts.child(),
            workspace: context.workspace.clone(),
            state: StateMap::default(),
            timeout: inner.timeout,
            executor: Some(Arc::clone(&context.executor)),
            checks: Arc::default(),
            offering: (*inner.told.offering).clone(),
            max_effect: context.max_effect,
            guard: inner.guard.clone(),
            around: inner.lent.of_child(),
            limits: inner.bounds.lent(),
            // The parent has them, or expects them.
            tools_come_later: true,
        }
    }
}
