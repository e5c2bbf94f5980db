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
    delegated: bool,
    environment: Option<Arc<Lookup>>,
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
        self.delegated = delegated;
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
        self.delegated
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
            .field("delegated", &self.delegated)
            .finish_non_exhaustive()
    }
}
