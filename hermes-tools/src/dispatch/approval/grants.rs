//! Answers that are remembered.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{ApproverError, GrantKey};
use crate::panics;
use crate::trace;

/// Where a host keeps the answers that hold for always. They are asked for before a person is.
///
/// A store that fails or panics holds nothing.
pub trait GrantStore: Send + Sync {
    /// Whether this was allowed for always.
    fn holds(&self, key: &GrantKey) -> bool;

    /// Keeps that this is allowed for always.
    ///
    /// # Errors
    ///
    /// It cannot be kept. It then holds for the session.
    fn keep(&self, key: &GrantKey) -> Result<(), ApproverError>;
}

/// What was allowed in a session, and the host's store.
#[derive(Default)]
pub(super) struct Grants {
    session: Mutex<HashSet<GrantKey>>,
    pub(super) store: Option<Arc<dyn GrantStore>>,
}

impl Grants {
    pub(super) fn holds(&self, key: &GrantKey) -> bool {
        self.session().contains(key) || self.stored(key)
    }

    pub(super) fn keep_for_session(&self, key: &GrantKey) {
        self.session().insert(key.clone());
    }

    pub(super) fn keep(&self, key: &GrantKey) {
        self.keep_for_session(key);
        let Some(store) = &self.store else { return };
        let fault = match catch_unwind(AssertUnwindSafe(|| store.keep(key))) {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(panic) => panics::told(panic).unwrap_or_default(),
        };
        trace::store_failed(&fault);
    }

    fn stored(&self, key: &GrantKey) -> bool {
        let Some(store) = &self.store else {
            return false;
        };
        catch_unwind(AssertUnwindSafe(|| store.holds(key))).unwrap_or_else(|panic| {
            trace::store_failed(&panics::told(panic).unwrap_or_default());
            false
        })
    }

    fn session(&self) -> MutexGuard<'_, HashSet<GrantKey>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
