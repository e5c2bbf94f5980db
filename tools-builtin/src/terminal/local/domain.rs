//! Which processes a session has started, for certain: those in its domain of Landlock.
//!
//! The kernel puts every process that a confined thread starts into the domain of the thread, and none
//! leaves it, whatever it does to its environment, its group, its parents and its output. A domain has no
//! name that could be asked for. But a thread in it can signal, or look into, only what is in it too; so
//! that thread is asked what it could reach.

use std::fs;
use std::sync::mpsc::Sender;

use rustix::process::{Pid, test_kill_process};

use super::isolation::Confinement;

/// What tells a thread that a process is in its domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// It could be signalled.
    Signal,
    /// It could be looked into: kernels before 6.12 keep signals free. A process that forbids this to
    /// everybody, as those that hold keys do, is not told apart there, except to root.
    Look,
}

/// Which of some processes are in the domain of the thread that this is sent to.
pub(super) struct Question {
    pub(super) ids: Vec<u32>,
    pub(super) answer: Sender<Vec<u32>>,
}

impl Sign {
    /// The sign for a thread that is confined so.
    pub(super) const fn of(confinement: Confinement) -> Option<Self> {
        match confinement {
            Confinement::Full => Some(Self::Signal),
            Confinement::Partial => Some(Self::Look),
            Confinement::None => None,
        }
    }

    /// Answers, in the thread that is confined. Its own process is not for asking: a thread reaches that in
    /// any case.
    pub(super) fn answer(self, question: Question) {
        let Question { mut ids, answer } = question;
        ids.retain(|id| self.is_here(*id));
        // Nobody who waits is a session that is gone already.
        let _ = answer.send(ids);
    }

    fn is_here(self, id: u32) -> bool {
        match self {
            Self::Signal => {
                let id = i32::try_from(id).ok().and_then(Pid::from_raw);
                id.is_some_and(|id| test_kill_process(id).is_ok())
            }
            Self::Look => fs::read_link(format!("/proc/{id}/cwd")).is_ok(),
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Child, Command, Stdio};
    use std::sync::mpsc::channel;
    use std::thread;

    use super::super::isolation::{Plan, confinement, restrict};
    use super::*;

    fn cat() -> Child {
        let mut command = Command::new("cat");
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::null());
        piped.spawn().expect("`cat` starts")
    }

    #[test]
    fn a_thread_knows_what_it_has_started_from_what_others_have() {
        if confinement() != Confinement::Full {
            println!("left out, since this kernel does not confine: domains");
            return;
        }
        let mut other = cat();
        let id = other.id();
        // Both signs are there on a kernel that confines fully.
        let signs = thread::spawn(move || {
            restrict(&Plan::default());
            let mut own = cat();
            let found = [Sign::Signal, Sign::Look].map(|sign| {
                let (answer, told) = channel();
                sign.answer(Question {
                    ids: vec![1, id, own.id()],
                    answer,
                });
                told.recv().unwrap() == [own.id()]
            });
            own.kill().unwrap();
            own.wait().unwrap();
            found
        });
        assert_eq!(signs.join().unwrap(), [true, true]);
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
