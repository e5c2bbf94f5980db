//! A check as something that can be asked, shared and told from others.

use std::any::TypeId;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Availability, CheckContext};
use crate::context::SessionContext;
use crate::entry::{CheckFn, CheckId};

pub(super) type AnswerFuture = Pin<Box<dyn Future<Output = Availability> + Send>>;

/// An availability check. Clones are one check: its answer is kept once, and tools that hold clones
/// of it share that answer.
#[derive(Clone)]
pub struct CheckHandle {
    pub(super) key: CheckKey,
    pub(super) ask: Ask,
}

/// What tells checks apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum CheckKey {
    /// The address of a function in the binary.
    Function(usize),
    /// The type of a function: every function has its own.
    Shared(TypeId),
    /// A number of our own. An address would be given again once the check is gone.
    Made(u64),
}

#[derive(Clone)]
pub(super) enum Ask {
    Function(CheckFn),
    Plain(Arc<dyn Fn(&CheckContext<'_>) -> Availability + Send + Sync>),
    Waiting(Arc<dyn Fn(Arc<SessionContext>) -> AnswerFuture + Send + Sync>),
}

impl CheckHandle {
    /// A check that answers at once, or blocks: it runs on the threads for plain functions.
    pub fn new(check: impl Fn(&CheckContext<'_>) -> Availability + Send + Sync + 'static) -> Self {
        Self {
            key: CheckKey::next(),
            ask: Ask::Plain(Arc::new(check)),
        }
    }

    /// A check that waits, such as for the answer of a server.
    pub fn waiting<F>(check: impl Fn(Arc<SessionContext>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Availability> + Send + 'static,
    {
        Self {
            key: CheckKey::next(),
            ask: Ask::Waiting(Arc::new(move |cx| Box::pin(check(cx)))),
        }
    }

    pub(crate) fn linked((check, id): (CheckFn, Option<CheckId>)) -> Self {
        let shared = id.and_then(|id| id());
        let key = shared.map_or(CheckKey::Function(check as usize), CheckKey::Shared);
        Self {
            key,
            ask: Ask::Function(check),
        }
    }
}

impl CheckKey {
    fn next() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self::Made(LAST.fetch_add(1, Ordering::Relaxed))
    }
}

impl fmt::Debug for CheckHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CheckHandle").field(&self.key).finish()
    }
}
