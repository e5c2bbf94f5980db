//! What of a process in the background is told without being asked for.

use std::sync::Arc;

use super::notices::Notices;
use super::options::{Listener, Notice};

/// Lines that are told for one process. After them its patterns are not watched for any more: a log that
/// matches on every line would drown everything else.
const MOST_MATCHES: u32 = 10;

/// Characters of a line that is told.
const LINE: usize = 400;

/// Longest line that is kept until its end comes, in bytes.
const PENDING: usize = 16 << 10;

/// Watches the output of one process.
pub(crate) struct Watch {
    id: String,
    patterns: Vec<String>,
    matches: u32,
    /// The line under way: pieces come cut anywhere.
    pending: Vec<u8>,
    on_end: bool,
    told: Told,
}

/// Who is told what a watch sees.
#[derive(Clone, Default)]
pub(crate) struct Told {
    pub(crate) notices: Arc<Notices>,
    pub(crate) listener: Option<Arc<Listener>>,
}

impl Told {
    fn note(&self, notice: Notice) {
        self.notices.note(notice, self.listener.as_ref());
    }
}

impl Watch {
    pub(crate) fn new(id: String, patterns: Vec<String>, on_end: bool, told: Told) -> Self {
        Self {
            id,
            patterns: patterns.into_iter().filter(|it| !it.is_empty()).collect(),
            matches: 0,
            pending: Vec::new(),
            on_end,
            told,
        }
    }

    /// Looks at output and notes what of it matches. Whoever calls this or one of the next two tells it when
    /// nothing is locked any more.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if self.patterns.is_empty() {
            return;
        }
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, after) = rest.split_at(end);
            rest = &after[1..];
            self.take(line);
            let line = std::mem::take(&mut self.pending);
            self.look(&line);
            if self.patterns.is_empty() {
                return;
            }
        }
        self.take(rest);
    }

    /// Looks at a last line that has no end.
    pub(crate) fn finish(&mut self) {
        let line = std::mem::take(&mut self.pending);
        self.look(&line);
    }

    /// Notes the end, where somebody wants to know.
    pub(crate) fn note_end(&self, exit_code: i32, output: impl FnOnce() -> String) {
        if self.on_end {
            self.told.note(Notice::Completed {
                session_id: self.id.clone(),
                exit_code,
                output: output(),
            });
        }
    }

    /// Where what was noted waits to be told.
    pub(crate) fn notices(&self) -> Arc<Notices> {
        Arc::clone(&self.told.notices)
    }

    pub(crate) const fn end_is_known(&mut self) {
        self.on_end = false;
    }

    fn take(&mut self, piece: &[u8]) {
        let room = PENDING - self.pending.len();
        self.pending
            .extend_from_slice(&piece[..room.min(piece.len())]);
    }

    fn look(&mut self, line: &[u8]) {
        let line = super::shown::plain(line, "");
        let Some(pattern) = self.patterns.iter().find(|it| line.contains(it.as_str())) else {
            return;
        };
        self.matches += 1;
        self.told.note(Notice::Matched {
            session_id: self.id.clone(),
            pattern: pattern.clone(),
            line: line.chars().take(LINE).collect(),
        });
        if self.matches == MOST_MATCHES {
            self.patterns.clear();
            self.on_end = true;
            self.told.note(Notice::WatchEnded {
                session_id: self.id.clone(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(patterns: &[&str]) -> Watch {
        let patterns = patterns.iter().map(|it| (*it).to_owned()).collect();
        Watch::new("p".to_owned(), patterns, false, Told::default())
    }

    fn matched(pattern: &str, line: &str) -> Notice {
        Notice::Matched {
            session_id: "p".to_owned(),
            pattern: pattern.to_owned(),
            line: line.to_owned(),
        }
    }

    #[test]
    fn a_line_that_comes_in_pieces_is_seen_once() {
        let mut watch = watch(&["ready", ""]);
        for piece in ["not yet\nserver re", "ad", "y on 80", "\nready"] {
            watch.push(piece.as_bytes());
        }
        watch.note_end(0, || unreachable!("nobody wants to know the end"));
        assert_eq!(
            watch.notices().take(),
            [matched("ready", "server ready on 80")]
        );
    }

    #[test]
    fn too_many_matches_end_the_watch_and_the_end_is_told_then() {
        let mut watch = watch(&["x"]);
        watch.push("x\n".repeat(50).as_bytes());
        watch.note_end(3, || "x".to_owned());
        let notices = watch.notices().take();
        assert_eq!(notices.len(), 12);
        let session_id = "p".to_owned();
        assert_eq!(
            notices[10..],
            [
                Notice::WatchEnded {
                    session_id: session_id.clone()
                },
                Notice::Completed {
                    session_id,
                    exit_code: 3,
                    output: "x".to_owned()
                }
            ]
        );
    }
}
