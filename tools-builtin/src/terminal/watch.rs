//! What of a process in the background is told without being asked for.

use std::sync::Arc;

use super::options::Notice;

/// Lines that are told for one process. After them its patterns are not watched for any more: a log that
/// matches on every line would drown everything else.
const MOST_MATCHES: u32 = 10;

/// Characters of a line that is told.
const LINE: usize = 400;

/// Longest line that is kept until its end comes, in bytes.
const PENDING: usize = 16 << 10;

pub(crate) type Tell = Arc<dyn Fn(Notice) + Send + Sync>;

/// Watches the output of one process.
pub(crate) struct Watch {
    id: String,
    patterns: Vec<String>,
    matches: u32,
    /// The line under way: pieces come cut anywhere.
    pending: Vec<u8>,
    on_end: bool,
    tell: Tell,
}

impl Watch {
    pub(crate) fn new(id: String, patterns: Vec<String>, on_end: bool, tell: Tell) -> Self {
        Self {
            id,
            patterns: patterns.into_iter().filter(|it| !it.is_empty()).collect(),
            matches: 0,
            pending: Vec::new(),
            on_end,
            tell,
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8], notices: &mut Vec<Notice>) {
        if self.patterns.is_empty() {
            return;
        }
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, after) = rest.split_at(end);
            rest = &after[1..];
            self.take(line);
            let line = std::mem::take(&mut self.pending);
            self.look(&line, notices);
            if self.patterns.is_empty() {
                return;
            }
        }
        self.take(rest);
    }

    /// Looks at a last line that has no end.
    pub(crate) fn finish(&mut self, notices: &mut Vec<Notice>) {
        let line = std::mem::take(&mut self.pending);
        self.look(&line, notices);
    }

    pub(crate) fn listener(&self) -> Tell {
        Arc::clone(&self.tell)
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) const fn tells_end(&self) -> bool {
        self.on_end
    }

    pub(crate) const fn end_is_known(&mut self) {
        self.on_end = false;
    }

    fn take(&mut self, piece: &[u8]) {
        let room = PENDING - self.pending.len();
        self.pending
            .extend_from_slice(&piece[..room.min(piece.len())]);
    }

    fn look(&mut self, line: &[u8], notices: &mut Vec<Notice>) {
        let line = super::shown::plain(line, "");
        let Some(pattern) = self.patterns.iter().find(|it| line.contains(it.as_str())) else {
            return;
        };
        self.matches += 1;
        notices.push(Notice::Matched {
            session_id: self.id.clone(),
            pattern: pattern.clone(),
            line: line.chars().take(LINE).collect(),
        });
        if self.matches == MOST_MATCHES {
            self.patterns.clear();
            self.on_end = true;
            notices.push(Notice::WatchEnded {
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
        Watch::new("p".to_owned(), patterns, false, Arc::new(|_| {}))
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
        let (mut watch, mut notices) = (watch(&["ready", ""]), Vec::new());
        for piece in ["not yet\nserver re", "ad", "y on 80", "\nready"] {
            watch.push(piece.as_bytes(), &mut notices);
        }
        assert_eq!(notices, [matched("ready", "server ready on 80")]);
    }

    #[test]
    fn too_many_matches_end_the_watch_and_the_end_is_told_then() {
        let (mut watch, mut notices) = (watch(&["x"]), Vec::new());
        watch.push("x\n".repeat(50).as_bytes(), &mut notices);
        assert_eq!(notices.len(), 11);
        assert_eq!(
            notices[10],
            Notice::WatchEnded {
                session_id: "p".to_owned()
            }
        );
        assert!(watch.tells_end());
    }
}
