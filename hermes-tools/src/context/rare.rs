//! What few calls have: it lies apart, so that the usual call makes and drops one empty place for all of it.

#[cfg(feature = "host")]
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use super::{Cancel, Hold};
use crate::args::Repair;
#[cfg(feature = "host")]
use crate::dispatch::InCall;
use crate::gate::Gate;

/// The parts of a context that most calls do without.
#[derive(Default)]
pub(super) struct Rare {
    /// The call's own sign, for work that goes on in another thread.
    pub(super) own: OnceLock<Cancel>,
    pub(super) repairs: OnceLock<Vec<Repair>>,
    /// The values of arguments whose role is `secret`.
    pub(super) secrets: OnceLock<Vec<Box<str>>>,
    /// The gate of a call that is only looked at.
    pub(super) probe: Option<Arc<dyn Gate>>,
    /// What is kept until the tool has ended.
    pub(super) hold: OnceLock<Arc<dyn Hold>>,
    /// Whether the call waits for what another one holds.
    #[cfg(feature = "host")]
    pub(super) waits: AtomicBool,
    /// What is noted of a call that is watched.
    #[cfg(feature = "host")]
    pub(super) in_call: Option<Arc<InCall>>,
}
