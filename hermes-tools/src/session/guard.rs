//! Settings of a session about guards.

use super::SessionBuilder;
use crate::dispatch::guard::Policy;

impl SessionBuilder {
    /// Sets what the guards go by. They are there without this too, and cannot be switched off.
    #[must_use]
    pub fn guard(mut self, policy: Policy) -> Self {
        self.guard = policy;
        self
    }
}
