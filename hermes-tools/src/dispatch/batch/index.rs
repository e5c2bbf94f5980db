//! Finding the earlier calls that a call conflicts with, without comparing all with all.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use crate::dispatch::footprint::Footprint;
use crate::target::Access;

/// What the calls so far hold. Where one call already waits for another, what the other holds at the same
/// place need not be kept: who conflicts with it conflicts with the later one too.
#[derive(Default)]
pub(super) struct Index {
    /// The last call that runs alone.
    barrier: Option<usize>,
    /// Those behind it.
    since: Vec<usize>,
    paths: BTreeMap<PathBuf, Vec<(usize, Access)>>,
    locks: HashMap<String, usize>,
}

impl Index {
    /// Adds the next call and tells for which earlier ones it has to wait, in their order.
    pub(super) fn add(&mut self, call: usize, footprint: &Footprint) -> Vec<usize> {
        if footprint.is_alone() {
            let mut before = std::mem::take(&mut self.since);
            if before.is_empty() {
                before.extend(self.barrier);
            }
            *self = Self {
                barrier: Some(call),
                ..Self::default()
            };
            return before;
        }
        let mut before: Vec<usize> = self.barrier.into_iter().collect();
        for (path, access) in footprint.paths() {
            self.meet(path, access, &mut before);
        }
        for (path, access) in footprint.paths() {
            self.hold(call, path, access);
        }
        for lock in footprint.locks() {
            before.extend(self.locks.insert(lock.to_owned(), call));
        }
        before.retain(|earlier| *earlier != call);
        before.sort_unstable();
        before.dedup();
        self.since.push(call);
        before
    }

    /// The calls that hold a path which equals, contains or is contained in this one.
    fn meet(&self, path: &Path, access: Access, before: &mut Vec<usize>) {
        let conflicts = |holders: &[(usize, Access)], before: &mut Vec<usize>| {
            let either_writes = |theirs: Access| access == Access::Write || theirs == Access::Write;
            let meeting = holders.iter().filter(|(_, theirs)| either_writes(*theirs));
            before.extend(meeting.map(|(call, _)| *call));
        };
        for above in path.ancestors().skip(1) {
            if let Some(holders) = self.paths.get(above) {
                conflicts(holders, before);
            }
        }
        for holders in self.below(path).map(|(_, holders)| holders) {
            conflicts(holders, before);
        }
    }

    fn hold(&mut self, call: usize, path: &Path, access: Access) {
        if access == Access::Write {
            let covered: Vec<PathBuf> = self.below(path).map(|(path, _)| path.clone()).collect();
            for path in covered {
                self.paths.remove(&path);
            }
        }
        let holders = self.paths.entry(path.to_owned()).or_default();
        holders.push((call, access));
    }

    /// The path itself and what is below it: in the order of their parts they stand together.
    fn below(&self, path: &Path) -> impl Iterator<Item = (&PathBuf, &Vec<(usize, Access)>)> {
        let from = self.paths.range(path.to_owned()..);
        let path = path.to_owned();
        from.take_while(move |(held, _)| held.starts_with(&path))
    }
}
