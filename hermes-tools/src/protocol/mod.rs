//! What several threads do to one value, apart from what the value is.
//!
//! Each file holds one protocol and takes its locks from `super::sync`. `tests/model.rs` compiles the
//! same files against locks whose every step is chosen by shuttle, and tries the orders in which
//! threads may meet.

mod flight;
mod published;
#[cfg(feature = "host")]
mod recent;

/// The locks of the standard library, and the pointer of `arc-swap`.
mod sync {
    pub(super) use std::sync::atomic::{AtomicU64, AtomicUsize};
    pub(super) use std::sync::{Mutex, MutexGuard};

    pub(super) use arc_swap::ArcSwap;
}

pub(crate) use self::flight::{Flights, Memory, Probe};
pub(crate) use self::published::Published;
#[cfg(feature = "host")]
pub(crate) use self::recent::Recent;
