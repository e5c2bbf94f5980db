//! What a call says while it runs, on one line of the terminal.

use std::sync::{Arc, Mutex, PoisonError};

use hermes_tools::context::ProgressEvent;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal::one_line;

/// Characters of a message that are shown.
const SHOWN: usize = 200;

/// The last thing that a call has said. It is shown if the error output is a terminal.
#[derive(Debug, Clone)]
pub(crate) struct Live {
    bar: ProgressBar,
    last: Arc<Mutex<String>>,
}

impl Live {
    pub(crate) fn start() -> Self {
        // The target draws nothing unless it is a terminal.
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed}") {
            bar.set_style(style);
        }
        Self {
            bar,
            last: Arc::default(),
        }
    }

    /// Shows what a call says now.
    pub(crate) fn show(&self, event: ProgressEvent<'_>) {
        self.say(event.message);
    }

    fn say(&self, message: &str) {
        let message: String = one_line(message).chars().take(SHOWN).collect();
        if message.is_empty() {
            return;
        }
        if !self.bar.is_hidden() {
            self.bar.set_message(message.clone());
            self.bar.tick();
        }
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = message;
    }

    /// Takes the line away, and gives back what it said last.
    pub(crate) fn end(self) -> Option<String> {
        self.bar.finish_and_clear();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        Some(std::mem::take(&mut *last)).filter(|last| !last.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_thing_that_was_said_is_kept_on_one_line() {
        let live = Live::start();
        let heard = live.clone();
        assert_eq!(live.clone().end(), None);
        heard.say("first");
        heard.say("`a.txt`: 2 lines\nin \u{1b}[2J1 file");
        heard.say("\n");
        let last = "`a.txt`: 2 lines in \\u{1b}[2J1 file";
        assert_eq!(live.clone().end().as_deref(), Some(last));
        assert_eq!(live.end(), None);
        let long = Live::start();
        long.say(&"é".repeat(300));
        assert_eq!(long.end().unwrap().chars().count(), 200);
    }
}
