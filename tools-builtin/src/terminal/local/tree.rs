//! Everything that a command has started, found and ended.
//!
//! Four signs tell that a process belongs to a command: it stands in the command's group or session, it
//! descends from it, the mark that the command got is in its environment, or it holds the pipe that the
//! command prints to. The last two hold also for a process that left group and parents behind. One that
//! wiped its environment as well, has its output elsewhere, and whose parents are gone, is still in the
//! domain of the session, where the kernel confines commands.

#[cfg(not(target_os = "linux"))]
use std::time::Duration;

use super::spawn::Spawner;

/// The variable that holds the mark: `SESSION.NUMBER`.
pub(super) const MARK: &str = "HERMES_TERMINAL";

/// How a process is asked, or made, to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Force {
    Ask,
    Make,
}

/// What to look for.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(
    not(target_os = "linux"),
    expect(dead_code, reason = "only Linux tells the environment of a process")
)]
pub(super) struct Tree<'t> {
    /// The first process, while nobody else can have its number: until it was waited for.
    pub(super) leader: Option<u32>,
    /// The mark, or the part of it that is that of the session.
    pub(super) mark: &'t str,
    /// Whether all commands of the session are meant.
    pub(super) session: bool,
    /// Numbers of pipes that belong to the command; ours are open.
    pub(super) pipes: &'t [u64],
    /// What has started all commands of the session, and no others, where all are meant.
    pub(super) domain: Option<&'t Spawner>,
}

#[cfg(target_os = "linux")]
pub(super) use self::linux::{exists_since, started};

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashSet;
    use std::fs;
    use std::os::fd::OwnedFd;
    use std::time::{Duration, Instant};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    use super::{Force, MARK, Tree};

    /// What the kernel says of a process.
    #[derive(Debug, Clone, Copy)]
    struct Process {
        id: u32,
        parent: u32,
        group: u32,
        session: u32,
        /// When it started, in ticks since the system did.
        started: u64,
        /// Whether it works or waits for the processor or a disk, and not for somebody.
        busy: bool,
    }

    /// Rounds of killing: each finds what the ones before were too late for.
    const ROUNDS: usize = 100;

    impl Tree<'_> {
        /// Whether any process is left.
        pub(in super::super) fn is_alive(&self) -> bool {
            !self.members().is_empty()
        }

        /// Whether any process is about to go on by itself.
        pub(in super::super) fn is_busy(&self) -> bool {
            self.members().iter().any(|it| it.busy)
        }

        /// Signals every process of the tree. By force it goes on until none is left.
        pub(in super::super) fn end(&self, force: Force) {
            let (signal, rounds) = match force {
                Force::Ask => (Signal::TERM, 1),
                Force::Make => (Signal::KILL, ROUNDS),
            };
            for _ in 0..rounds {
                let members = self.members();
                if members.is_empty() {
                    return;
                }
                let handles: Vec<OwnedFd> =
                    members.iter().filter_map(|it| it.signal(signal)).collect();
                if force == Force::Make {
                    await_one(&handles, Duration::from_millis(20));
                }
            }
        }

        /// Waits until nothing is left, at most so long.
        pub(in super::super) fn wait(&self, limit: Duration) {
            let end = Instant::now() + limit;
            loop {
                let members = self.members();
                let left = end.saturating_duration_since(Instant::now());
                if members.is_empty() || left.is_zero() {
                    return;
                }
                let handles: Vec<OwnedFd> = members.iter().filter_map(Process::handle).collect();
                await_one(&handles, left.min(Duration::from_millis(100)));
            }
        }

        /// Every process of the tree. The list of all is no picture of one moment: who is born behind the
        /// reader's back to one that ends ahead of it is in neither place. So nobody is taken for gone who
        /// was looked for once.
        fn members(&self) -> Vec<Process> {
            let found = self.look();
            if found.is_empty() {
                return self.look();
            }
            found
        }

        fn look(&self) -> Vec<Process> {
            let own = std::process::id();
            let all: Vec<Process> = processes().filter(|it| it.id != own).collect();
            let needle = if self.session {
                format!("{MARK}={}.", self.mark)
            } else {
                format!("{MARK}={}\0", self.mark)
            };
            let in_group = |it: &Process| {
                self.leader.is_some_and(|leader| {
                    it.id == leader || it.group == leader || it.session == leader
                })
            };
            let mut found: HashSet<u32> = all
                .iter()
                .filter(|it| in_group(it) || it.is_marked(&needle) || self.holds_pipe(it, own))
                .map(|it| it.id)
                .collect();
            if let Some(domain) = self.domain {
                found.extend(domain.which(all.iter().map(|it| it.id).collect()));
            }
            // Whoever descends from one that is found; a child can come before its parent in the list.
            loop {
                let before = found.len();
                let born = all
                    .iter()
                    .filter(|it| found.contains(&it.parent))
                    .map(|it| it.id);
                let born: Vec<u32> = born.collect();
                found.extend(born);
                if found.len() == before {
                    break;
                }
            }
            all.into_iter()
                .filter(|it| found.contains(&it.id))
                .collect()
        }
    }

    impl Tree<'_> {
        /// Whether a process has a pipe of ours open. A child of ours that has yet to become the program
        /// that it is to be has all that we have.
        fn holds_pipe(&self, process: &Process, own: u32) -> bool {
            if self.pipes.is_empty() || process.parent == own {
                return false;
            }
            let open = fs::read_dir(format!("/proc/{}/fd", process.id));
            let links = open.into_iter().flatten().flatten();
            let mut links = links.filter_map(|it| fs::read_link(it.path()).ok());
            links.any(|link| {
                let number = link.to_str().and_then(|it| it.strip_prefix("pipe:["));
                let number = number.and_then(|it| it.strip_suffix(']')?.parse().ok());
                number.is_some_and(|number| self.pipes.contains(&number))
            })
        }
    }

    impl Process {
        fn read(id: u32) -> Option<Self> {
            let text = fs::read(format!("/proc/{id}/stat")).ok()?;
            // The name may hold anything, also a bracket.
            let end = memchr::memrchr(b')', &text)?;
            let rest = std::str::from_utf8(text.get(end + 2..)?).ok()?;
            let fields: Vec<&str> = rest.split(' ').collect();
            let number = |at: usize| fields.get(at)?.parse().ok();
            // One that has ended and waits to be asked about it cannot be ended again.
            let state = *fields.first()?;
            if matches!(state, "Z" | "X") {
                return None;
            }
            Some(Self {
                id,
                parent: number(1)?,
                group: number(2)?,
                session: number(3)?,
                started: fields.get(19)?.parse().ok()?,
                busy: matches!(state, "R" | "D"),
            })
        }

        fn is_marked(&self, needle: &str) -> bool {
            let environment = fs::read(format!("/proc/{}/environ", self.id)).unwrap_or_default();
            memchr::memmem::find(&environment, needle.as_bytes())
                .is_some_and(|at| at == 0 || environment[at - 1] == 0)
        }

        /// A handle on the very process that was looked at, and on no later one of its number.
        fn handle(&self) -> Option<OwnedFd> {
            let handle = pidfd_open(pid(self.id)?, PidfdFlags::empty()).ok()?;
            let now = Self::read(self.id)?;
            (now.started == self.started).then_some(handle)
        }

        fn signal(&self, signal: Signal) -> Option<OwnedFd> {
            let handle = self.handle()?;
            pidfd_send_signal(&handle, signal).ok()?;
            Some(handle)
        }
    }

    fn pid(id: u32) -> Option<Pid> {
        Pid::from_raw(i32::try_from(id).ok()?)
    }

    fn processes() -> impl Iterator<Item = Process> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries.filter_map(|entry| Process::read(entry.file_name().to_str()?.parse().ok()?))
    }

    /// Waits until one of the processes has ended, at most so long.
    fn await_one(handles: &[OwnedFd], limit: Duration) {
        let mut places: Vec<PollFd<'_>> = handles
            .iter()
            .map(|handle| PollFd::new(handle, PollFlags::IN))
            .collect();
        let _ = poll(&mut places, Timespec::try_from(limit).ok().as_ref());
    }

    /// When a process started, while it runs.
    pub(in super::super) fn started(id: u32) -> Option<u64> {
        Process::read(id).map(|it| it.started)
    }

    /// Whether this very process still runs.
    pub(in super::super) fn exists_since(id: u32, start: u64) -> bool {
        started(id) == Some(start)
    }
}

/// Elsewhere the group is what can be ended.
#[cfg(not(target_os = "linux"))]
impl Tree<'_> {
    fn group(&self) -> Option<rustix::process::Pid> {
        rustix::process::Pid::from_raw(i32::try_from(self.leader?).ok()?)
    }

    pub(super) fn is_alive(&self) -> bool {
        let test = |group| rustix::process::test_kill_process_group(group).is_ok();
        self.group().is_some_and(test)
    }

    #[expect(clippy::unused_self, reason = "as where processes can be found")]
    pub(super) fn is_busy(&self) -> bool {
        false
    }

    pub(super) fn end(&self, force: Force) {
        let signal = match force {
            Force::Ask => rustix::process::Signal::TERM,
            Force::Make => rustix::process::Signal::KILL,
        };
        if let Some(group) = self.group() {
            let _ = rustix::process::kill_process_group(group, signal);
        }
    }

    #[expect(clippy::unused_self, reason = "as where processes can be found")]
    pub(super) fn wait(&self, _: Duration) {}
}

#[cfg(not(target_os = "linux"))]
pub(super) fn started(_: u32) -> Option<u64> {
    Some(0)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn exists_since(id: u32, _: u64) -> bool {
    let id = i32::try_from(id)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    id.is_some_and(|id| rustix::process::test_kill_process(id).is_ok())
}
