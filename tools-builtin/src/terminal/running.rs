//! A command that runs, as its environment tells of it and as tools see it.

use std::fmt;
use std::future::Future;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};

use super::colours::Colours;
use super::environment::{Control, Job, Lasts};
use super::kept::Kept;
use super::notices::Notices;
use super::overflow::{Overflowing, Stored};
use super::shown;
use super::watch::Watch;

/// Output that waits to be handed on, in bytes. A command that prints faster than that waits, as it does
/// in a terminal.
const LIVE: usize = 64 << 10;

/// A command that runs or has run.
pub struct Running {
    command: String,
    state: Mutex<State>,
    /// Told when live output was taken.
    room: Condvar,
    control: OnceLock<Box<dyn Control>>,
    detached: bool,
    output_file: OnceLock<PathBuf>,
}

struct State {
    colours: Colours,
    output: Kept,
    overflow: Option<Overflowing>,
    live: Option<Vec<u8>>,
    end: Option<End>,
    wakers: Vec<Waker>,
    watch: Option<Watch>,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// Its exit code; 128 and the number of the signal that ended it, as shells count.
    pub code: i32,
    /// Why it was stopped, if it was.
    pub stopped: Option<Stop>,
    /// Whether the folder that it ended in is gone.
    pub folder_lost: bool,
}

/// Why a command is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// Its time is over.
    Timeout,
    /// Nobody waits for it any more.
    Interrupted,
    /// Somebody wants it to end.
    Killed,
}

/// What a tool that waits is woken for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum News {
    Output(Vec<u8>),
    Ended(End),
}

impl Running {
    /// A command that is about to run.
    pub fn new(job: &Job) -> Self {
        Self {
            command: job.command.clone(),
            state: Mutex::new(State {
                colours: Colours::default(),
                output: Kept::new(job.keep.0, job.keep.1),
                overflow: job.overflow.clone().map(Overflowing::new),
                live: job.live.then(Vec::new),
                end: None,
                wakers: Vec::new(),
                watch: None,
            }),
            room: Condvar::new(),
            control: OnceLock::new(),
            detached: job.lasts == Lasts::Detached,
            output_file: OnceLock::new(),
        }
    }

    /// Says which file its output goes to, where it does not come here; once.
    pub fn set_output_file(&self, path: PathBuf) {
        let _ = self.output_file.set(path);
    }

    pub(crate) fn output_file(&self) -> Option<&Path> {
        self.output_file.get().map(PathBuf::as_path)
    }

    /// Whether it goes on when its session ends.
    pub(crate) const fn is_detached(&self) -> bool {
        self.detached
    }

    /// Says how it is controlled; once.
    pub fn controlled_by(&self, control: impl Control) {
        let _ = self.control.set(Box::new(control));
    }

    /// Takes output, as it comes.
    pub fn push(&self, bytes: &[u8]) {
        let mut guard = self.state();
        let state = &mut *guard;
        let bytes = &*state.colours.remove(bytes);
        if let Some(overflow) = &mut state.overflow {
            overflow.push(&mut state.output, bytes, &self.command);
        }
        state.output.push(bytes);
        let notices = state.watch.as_mut().map(|watch| {
            watch.push(bytes);
            watch.notices()
        });
        if state.live.is_some() {
            drop(self.push_live(guard, bytes));
        } else {
            drop(guard);
        }
        if let Some(notices) = notices {
            notices.tell();
        }
    }

    fn push_live<'s>(
        &'s self,
        state: MutexGuard<'s, State>,
        bytes: &[u8],
    ) -> MutexGuard<'s, State> {
        let is_full = |state: &mut State| state.live.as_ref().is_some_and(|live| live.len() > LIVE);
        let state = self.room.wait_while(state, is_full);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if let Some(live) = &mut state.live {
            live.extend_from_slice(bytes);
        }
        mem::take(&mut state.wakers)
            .into_iter()
            .for_each(Waker::wake);
        state
    }

    /// Nobody takes live output any more.
    pub(crate) fn end_live(&self) {
        self.state().live = None;
        self.room.notify_all();
    }

    /// Says that it has ended; what comes later changes nothing of that.
    pub fn finish(&self, end: End) {
        let mut state = self.state();
        if state.end.is_some() {
            return;
        }
        state.end = Some(end);
        let wakers = mem::take(&mut state.wakers);
        let notices = self.note_end(&mut state);
        drop(state);
        wakers.into_iter().for_each(Waker::wake);
        if let Some(notices) = notices {
            notices.tell();
        }
    }

    /// How it ended, once it has.
    pub fn ended(&self) -> Option<End> {
        self.state().end
    }

    /// Asks it to end, and makes it end when it does not. Returns at once.
    pub fn stop(&self, why: Stop) {
        if let Some(control) = self.control.get()
            && self.ended().is_none()
        {
            control.stop(why);
        }
    }

    /// Waits for its end.
    pub fn wait(&self) -> impl Future<Output = End> + Send + '_ {
        std::future::poll_fn(|task| {
            let mut state = self.state();
            match state.end {
                Some(end) => Poll::Ready(end),
                None => state.wait(task),
            }
        })
    }

    /// Live output, or the end once there is no more.
    pub(crate) fn poll_news(&self, task: &mut Context<'_>) -> Poll<News> {
        let mut state = self.state();
        if let Some(live) = &mut state.live
            && !live.is_empty()
        {
            let news = News::Output(mem::take(live));
            self.room.notify_all();
            return Poll::Ready(news);
        }
        match state.end {
            Some(end) => Poll::Ready(News::Ended(end)),
            None => state.wait(task),
        }
    }

    pub(crate) fn control(&self) -> Option<&dyn Control> {
        self.control.get().map(|control| &**control)
    }

    pub(crate) fn command(&self) -> &str {
        &self.command
    }

    /// Watches it from its beginning: what has come before this is looked at too.
    pub(crate) fn watch(&self, mut watch: Watch) {
        let mut state = self.state();
        watch.push(&state.output.ends().newest());
        let notices = watch.notices();
        state.watch = Some(watch);
        if state.end.is_some() {
            self.note_end(&mut state);
        }
        drop(state);
        notices.tell();
    }

    /// The model has seen the end, so it need not be told.
    pub(crate) fn end_is_known(&self) {
        if let Some(watch) = &mut self.state().watch {
            watch.end_is_known();
        }
    }

    /// The output as a model sees it, cut to so many characters, and the file with all of it where it is cut.
    pub(crate) fn shown(&self, limit: usize) -> (String, Option<Stored>) {
        let state = &mut *self.state();
        let overflow = &mut state.overflow;
        shown::shown(&mut state.output, &self.command, limit, |kept| {
            overflow.as_mut()?.finish(kept, &self.command)
        })
    }

    pub(crate) fn with_output<T>(&self, look: impl FnOnce(&mut Kept) -> T) -> T {
        look(&mut self.state().output)
    }

    /// Notes what a watch makes of the end, and says where that waits to be told.
    fn note_end(&self, state: &mut State) -> Option<Arc<Notices>> {
        let exit_code = state.end?.code;
        let (watch, output) = (state.watch.as_mut()?, &mut state.output);
        watch.finish();
        watch.note_end(exit_code, || shown::newest(output, &self.command, 2_000));
        Some(watch.notices())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What is noted is whole after every step.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn wait<T>(&mut self, task: &Context<'_>) -> Poll<T> {
        if !self
            .wakers
            .iter()
            .any(|waker| waker.will_wake(task.waker()))
        {
            self.wakers.push(task.waker().clone());
        }
        Poll::Pending
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running")
            .field("command", &self.command)
            .field("ended", &self.ended())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::options::Notice;
    use crate::terminal::watch::Told;

    #[test]
    fn what_came_before_the_watch_is_told_too() {
        let running = Running::new(&Job {
            keep: (0, 100),
            ..Job::default()
        });
        running.push(b"ready");
        let end = End {
            code: 3,
            stopped: None,
            folder_lost: false,
        };
        running.finish(end);
        let told = Told::default();
        let notices = Arc::clone(&told.notices);
        running.watch(Watch::new("p".into(), vec!["ready".into()], true, told));
        let matched = Notice::Matched {
            session_id: "p".into(),
            pattern: "ready".into(),
            line: "ready".into(),
        };
        let completed = Notice::Completed {
            session_id: "p".into(),
            exit_code: 3,
            output: "ready".into(),
        };
        assert_eq!(notices.take(), [matched, completed]);
    }
}
