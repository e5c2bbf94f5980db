//! What waits to be told of processes in the background: to the model with its next answer, and to the
//! listener of the host at once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::options::{Listener, Notice};

/// Notices that wait for the model; the oldest go first.
const MOST: usize = 50;

/// The notices of a session, in one order for all who hear of them.
///
/// A process notes what has happened while its own state is locked, so that the notice is there as soon as
/// anybody can see that it happened. The listener is code of the host, which may take its time or ask for
/// that very state; so it is called later, by [`Notices::tell`], with nothing locked.
#[derive(Default)]
pub(crate) struct Notices(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    for_model: VecDeque<Notice>,
    for_listener: VecDeque<(Arc<Listener>, Notice)>,
    /// Whether a thread is at it; it tells what others note meanwhile.
    telling: bool,
}

impl Notices {
    /// Notes what has happened.
    pub(crate) fn note(&self, notice: Notice, listener: Option<&Arc<Listener>>) {
        let mut waiting = self.waiting();
        if let Some(listener) = listener {
            let told = (Arc::clone(listener), notice.clone());
            waiting.for_listener.push_back(told);
        }
        if waiting.for_model.len() == MOST {
            waiting.for_model.pop_front();
        }
        waiting.for_model.push_back(notice);
    }

    /// Tells the listener what it has not heard yet, one by one. Not to be called with a state locked.
    pub(crate) fn tell(&self) {
        let mut waiting = self.waiting();
        if std::mem::replace(&mut waiting.telling, true) {
            return;
        }
        let panics = Panics(self);
        while let Some((listener, notice)) = waiting.for_listener.pop_front() {
            drop(waiting);
            listener(&notice);
            waiting = self.waiting();
        }
        // In the same breath as the look at what is left, or the last notice could stay behind.
        waiting.telling = false;
        std::mem::forget(panics);
    }

    /// What the model has not been told yet.
    pub(crate) fn take(&self) -> Vec<Notice> {
        self.waiting().for_model.drain(..).collect()
    }

    /// Takes back what the model is about to learn in another way.
    pub(crate) fn take_back(&self, is_known: impl Fn(&Notice) -> bool) {
        self.waiting().for_model.retain(|notice| !is_known(notice));
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // What waits is whole after every step.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets others tell when a listener has panicked.
struct Panics<'n>(&'n Notices);

impl Drop for Panics<'_> {
    fn drop(&mut self) {
        self.0.waiting().telling = false;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn ended(id: &str) -> Notice {
        Notice::Completed {
            session_id: id.to_owned(),
            exit_code: 0,
            output: String::new(),
        }
    }

    #[test]
    fn what_a_listener_hears_of_the_model_can_be_told() {
        let notices = Arc::new(Notices::default());
        let (heard, model) = channel();
        let of_model = Arc::clone(&notices);
        let listener: Arc<Listener> = Arc::new(move |notice: &Notice| {
            heard.send((notice.clone(), of_model.take())).unwrap();
        });
        notices.note(ended("a"), Some(&listener));
        assert!(model.try_recv().is_err(), "told while a state is locked");
        notices.tell();
        assert_eq!(model.try_recv(), Ok((ended("a"), vec![ended("a")])));
    }

    #[test]
    fn what_comes_while_a_listener_hears_is_heard_behind_it() {
        let notices = Arc::new(Notices::default());
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (all, again) = (Arc::clone(&heard), Arc::clone(&notices));
        let listener: Arc<Listener> = Arc::new(move |notice: &Notice| {
            if *notice == ended("a") {
                let quiet: Arc<Listener> = {
                    let all = Arc::clone(&all);
                    Arc::new(move |notice: &Notice| all.lock().unwrap().push(notice.clone()))
                };
                again.note(ended("b"), Some(&quiet));
                // Another thread would come here too.
                again.tell();
            }
            all.lock().unwrap().push(notice.clone());
        });
        notices.note(ended("a"), Some(&listener));
        notices.tell();
        assert_eq!(*heard.lock().unwrap(), [ended("a"), ended("b")]);
    }

    #[test]
    fn a_listener_that_panics_silences_nobody() {
        let notices = Notices::default();
        let (heard, told) = channel();
        let broken: Arc<Listener> = Arc::new(|_: &Notice| panic!("a fault of the host"));
        let listener: Arc<Listener> = Arc::new(move |notice: &Notice| {
            heard.send(notice.clone()).unwrap();
        });
        notices.note(ended("a"), Some(&broken));
        let tell = || notices.tell();
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(tell)).is_err());
        notices.note(ended("b"), Some(&listener));
        notices.tell();
        assert_eq!(told.try_recv(), Ok(ended("b")));
        assert_eq!(notices.take(), [ended("a"), ended("b")]);
    }
}
