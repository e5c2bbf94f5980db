//! What is known of a session.

use std::fmt;
use std::sync::Arc;

use crate::source::SessionSource;

type Lookup = dyn Fn(&str) -> Option<String> + Send + Sync;

/// Facts about a session, for tools and availability checks.
///
/// What depends on the session is said here and handed on; nothing reads it from the process.
#[derive(Clone, Default)]
pub struct SessionFacts {
    source: SessionSource,
    depth: u32,
    worker: Option<Arc<Worker>>,
    id: Option<Arc<str>>,
    user: Option<Arc<str>>,
    environment: Option<Arc<Lookup>>,
}

/// A worker that a dispatcher owns: it has one task, and nobody sits in front of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    task: Box<str>,
    run: Option<Box<str>>,
}

impl Worker {
    /// The worker of a task of a dispatcher's board.
    pub fn of_task(task: impl Into<Box<str>>) -> Self {
        Self {
            task: task.into(),
            run: None,
        }
    }

    /// Sets which run of the task it is: the dispatcher may have given up an earlier one.
    #[must_use]
    pub fn in_run(mut self, run: impl Into<Box<str>>) -> Self {
        self.run = Some(run.into());
        self
    }

    /// The id of its task.
    pub fn task(&self) -> &str {
        &self.task
    }

    /// The id of the run.
    pub fn run(&self) -> Option<&str> {
        self.run.as_deref()
    }
}

impl SessionFacts {
    /// A session of this source, not delegated, with an empty environment.
    pub fn new(source: SessionSource) -> Self {
        Self {
            source,
            ..Self::default()
        }
    }

    /// Says whether the session belongs to a sub-agent.
    #[must_use]
    pub fn delegated(mut self, delegated: bool) -> Self {
        self.depth = if delegated { self.depth.max(1) } else { 0 };
        self
    }

    /// The facts of a sub-agent of this session: one level deeper, the rest alike. The id is the
    /// parent's until the host gives it one of its own.
    #[must_use]
    pub fn child(&self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self.clone()
        }
    }

    /// Says that the session belongs to a worker that a dispatcher owns.
    #[must_use]
    pub fn works_as(mut self, worker: Worker) -> Self {
        self.worker = Some(Arc::new(worker));
        self
    }

    /// Sets the id under which the host knows the session, for traces and the audit log.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<Arc<str>>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets for whom the session works, for the audit log.
    #[must_use]
    pub fn for_user(mut self, user: impl Into<Arc<str>>) -> Self {
        self.user = Some(user.into());
        self
    }

    /// Sets where environment variables are looked up.
    ///
    /// ```
    /// use hermes_tools::{SessionFacts, SessionSource};
    ///
    /// let facts = SessionFacts::new(SessionSource::Cli)
    ///     .environment(|name| (name == "REGION").then(|| "eu".to_owned()));
    /// assert_eq!(facts.env("REGION").as_deref(), Some("eu"));
    /// assert_eq!(facts.env("HOME"), None);
    /// ```
    #[must_use]
    pub fn environment(
        mut self,
        lookup: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.environment = Some(Arc::new(lookup));
        self
    }

    /// Where the session comes from.
    pub const fn source(&self) -> &SessionSource {
        &self.source
    }

    /// Whether the session belongs to a sub-agent.
    pub const fn is_delegated(&self) -> bool {
        self.depth > 0
    }

    /// How deep the session stands among sub-agents: 0 for one that a user began, 1 for its
    /// sub-agents.
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// The worker whose session it is, when a dispatcher owns one.
    pub fn worker(&self) -> Option<&Worker> {
        self.worker.as_deref()
    }

    /// The id under which the host knows the session.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// For whom the session works.
    pub fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    /// Whether nobody is there who could answer a question: a sub-agent, a dispatcher's worker, a
    /// scheduled run, an event from outside.
    pub fn is_unattended(&self) -> bool {
        let alone = matches!(self.source, SessionSource::Cron | SessionSource::Webhook);
        alone || self.is_delegated() || self.worker.is_some()
    }

    /// An environment variable as this session sees it.
    pub fn env(&self, name: &str) -> Option<String> {
        self.environment.as_ref().and_then(|lookup| lookup(name))
    }
}

impl fmt::Debug for SessionFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionFacts")
            .field("source", &self.source)
            .field("depth", &self.depth)
            .field("worker", &self.worker)
            .finish_non_exhaustive()
    }
}
