//! The pipes that commands of a session print to, while somebody may hold them.
//!
//! Whoever has one open was started by us, whatever it did to its environment, its group and its parents.

use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Pipes by the number that the kernel gives them. Ours stay open meanwhile, so that no number is used again.
#[derive(Debug, Clone, Default)]
pub(super) struct Pipes(Arc<Mutex<Vec<u64>>>);

/// One of them. With this it is left out.
#[derive(Debug)]
pub(super) struct Held {
    pipes: Pipes,
    number: u64,
}

impl Pipes {
    /// Takes in a pipe of which our end stays open as long as what is given back.
    #[cfg(target_os = "linux")]
    pub(super) fn hold(&self, pipe: impl AsFd) -> Option<Held> {
        let number = rustix::fs::fstat(pipe).ok()?.st_ino;
        self.numbers().push(number);
        Some(Held {
            pipes: self.clone(),
            number,
        })
    }

    /// Only Linux tells what a process has open.
    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "as where it is told")]
    pub(super) fn hold(&self, _: impl AsFd) -> Option<Held> {
        None
    }

    /// The numbers of all.
    pub(super) fn all(&self) -> Vec<u64> {
        self.numbers().clone()
    }

    fn numbers(&self) -> MutexGuard<'_, Vec<u64>> {
        // The list is whole after every step.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// Its number, as a list of one.
    pub(super) const fn numbers(&self) -> &[u64] {
        std::slice::from_ref(&self.number)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut numbers = self.pipes.numbers();
        if let Some(at) = numbers.iter().position(|it| *it == self.number) {
            numbers.swap_remove(at);
        }
    }
}
