//! The lines of one file that a page shows: those that match, and those beside them.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io;
use std::ops::Range;

use grep_matcher::Matcher as _;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkMatch};

use super::output::ShownLine;
use crate::file::text::json_length;

/// Characters of a line that are shown.
const LINE_LIMIT: usize = 500;

/// Characters before the match that are shown of a longer line.
const BEFORE_MATCH: usize = 100;

/// What a page wants of one file.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// Which of the file's matches are on the page.
    pub(super) matches: Range<u64>,
    /// Lines around each of them.
    pub(super) context: u64,
    /// Characters that may still be shown.
    pub(super) room: usize,
    /// Whether nothing is on the page yet.
    pub(super) begins_page: bool,
    /// Whether to end at the first match.
    pub(super) only_first: bool,
}

impl Wanted {
    /// No line at all.
    pub(super) fn nothing() -> Self {
        Self {
            matches: 0..0,
            context: 0,
            room: 0,
            begins_page: false,
            only_first: false,
        }
    }
}

/// Takes the lines of one file from the searcher.
pub(super) struct FileSink<'q> {
    matcher: &'q RegexMatcher,
    wanted: Wanted,
    /// Lines that match.
    pub(super) count: u64,
    /// Those of them that are shown.
    pub(super) shown: u64,
    /// What is shown.
    pub(super) lines: Vec<ShownLine>,
    /// Characters of what is shown.
    pub(super) characters: usize,
    /// Whether there was no room for a line of the page.
    pub(super) full: bool,
    /// The last lines that are not shown: the context of a match that may follow.
    before: VecDeque<ShownLine>,
    /// The last line that is context of a match that is shown.
    after: u64,
}

impl<'q> FileSink<'q> {
    pub(super) fn new(matcher: &'q RegexMatcher, wanted: Wanted) -> Self {
        Self {
            matcher,
            wanted,
            count: 0,
            shown: 0,
            lines: Vec::new(),
            characters: 0,
            full: false,
            before: VecDeque::new(),
            after: 0,
        }
    }

    /// Shows a line that matches, with the lines before it.
    fn show(&mut self, number: u64, bytes: &[u8]) {
        let line = self.line(number, bytes, false);
        let before = std::mem::take(&mut self.before);
        let near = before
            .into_iter()
            .filter(|line| line.line + self.wanted.context >= number);
        let mut shown: Vec<ShownLine> = near.chain([line]).collect();
        if !self.has_room(shown.iter().map(cost).sum()) {
            if self.shown > 0 || !self.wanted.begins_page {
                self.full = true;
                return;
            }
            // The first match of a page is shown whatever it costs, so that every page leads on.
            shown.drain(..shown.len() - 1);
        }
        self.characters += shown.iter().map(cost).sum::<usize>();
        self.lines.extend(shown);
        self.shown += 1;
        self.after = number.saturating_add(self.wanted.context);
    }

    /// Shows a line if it is beside a match that is shown, or keeps it for one that follows.
    fn pass(&mut self, number: u64, bytes: &[u8]) {
        let is_after = number <= self.after;
        let is_before = self.count < self.wanted.matches.end
            && self.count.saturating_add(self.wanted.context) >= self.wanted.matches.start;
        if self.wanted.context == 0 || self.full || !(is_after || is_before) {
            return;
        }
        let line = self.line(number, bytes, true);
        if is_after {
            if self.has_room(cost(&line)) {
                self.characters += cost(&line);
                self.lines.push(line);
            } else {
                self.full = true;
            }
            return;
        }
        if self.before.len() as u64 == self.wanted.context {
            self.before.pop_front();
        }
        self.before.push_back(line);
    }

    fn line(&self, number: u64, bytes: &[u8], context: bool) -> ShownLine {
        ShownLine {
            line: number,
            text: cut(bytes, self.matcher),
            context,
        }
    }

    fn has_room(&self, characters: usize) -> bool {
        self.characters + characters <= self.wanted.room
    }
}

impl Sink for FileSink<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        let wanted = self.wanted.matches.contains(&self.count) && !self.full;
        self.count += 1;
        let number = found.line_number().unwrap_or_default();
        if wanted {
            self.show(number, found.bytes());
        } else {
            self.pass(number, found.bytes());
        }
        Ok(!self.wanted.only_first)
    }

    fn context(&mut self, _: &Searcher, line: &SinkContext<'_>) -> Result<bool, io::Error> {
        self.pass(line.line_number().unwrap_or_default(), line.bytes());
        Ok(true)
    }
}

/// Characters that a line takes in JSON, about.
fn cost(line: &ShownLine) -> usize {
    json_length(&line.text) + if line.context { 45 } else { 30 }
}

/// A line as it is shown: without its end, and of a long one the part around the match.
fn cut(bytes: &[u8], matcher: &RegexMatcher) -> String {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes);
    // A text of so few bytes has no more characters.
    if text.len() <= LINE_LIMIT {
        return text.into_owned();
    }
    let length = text.chars().count();
    if length <= LINE_LIMIT {
        return text.into_owned();
    }
    let at = matcher
        .find(bytes)
        .ok()
        .flatten()
        .map_or(0, |found| found.start());
    let at = String::from_utf8_lossy(&bytes[..at]).chars().count();
    let start = at.saturating_sub(BEFORE_MATCH).min(length - LINE_LIMIT);
    let rest = length - start - LINE_LIMIT;
    let mut shown = String::new();
    // Writing to a `String` cannot fail.
    if start > 0 {
        let _ = write!(shown, "[{start} characters ...] ");
    }
    shown.extend(text.chars().skip(start).take(LINE_LIMIT));
    if rest > 0 {
        let _ = write!(shown, " [... {rest} characters]");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::super::pattern::{regex, searcher};
    use super::*;

    /// What is shown: `:` after the number of a match, `-` after that of its context.
    #[track_caller]
    fn check(text: &str, wanted: Range<u64>, context: usize, shown: &str) {
        let matcher = regex("hit").unwrap();
        let wanted = Wanted {
            matches: wanted,
            context: context as u64,
            room: 1_000_000,
            begins_page: true,
            only_first: false,
        };
        let mut sink = FileSink::new(&matcher, wanted);
        searcher(&matcher)
            .before_context(context)
            .after_context(context)
            .build()
            .search_slice(&matcher, text.as_bytes(), &mut sink)
            .unwrap();
        let lines: Vec<String> = sink
            .lines
            .iter()
            .map(|line| {
                format!(
                    "{}{}{}",
                    line.line,
                    if line.context { '-' } else { ':' },
                    line.text
                )
            })
            .collect();
        assert_eq!(lines.join(" "), shown);
        assert_eq!(sink.count, text.matches("hit").count() as u64);
    }

    #[test]
    fn lines_beside_a_match_are_shown_once() {
        let text = "a\nhit\nb\nhit\nc\nd\ne\nf\nhit\n";
        check(text, 0..9, 0, "2:hit 4:hit 9:hit");
        check(text, 0..9, 1, "1-a 2:hit 3-b 4:hit 5-c 8-f 9:hit");
        check(text, 0..9, 3, "1-a 2:hit 3-b 4:hit 5-c 6-d 7-e 8-f 9:hit");
    }

    #[test]
    fn a_page_has_the_context_of_its_own_matches() {
        let text = "a\nhit\nb\nhit\nc\nd\ne\nf\nhit\n";
        check(text, 0..1, 1, "1-a 2:hit 3-b");
        check(text, 1..2, 1, "3-b 4:hit 5-c");
        check(text, 1..2, 2, "2-hit 3-b 4:hit 5-c 6-d");
        check(text, 2..9, 1, "8-f 9:hit");
        check(text, 0..0, 1, "");
    }

    #[test]
    fn a_long_line_is_shown_around_its_match() {
        let matcher = regex("hit").unwrap();
        let long = |before: usize, after: usize| {
            format!("{}hit{}\r\n", "é".repeat(before), "x".repeat(after))
        };
        assert_eq!(
            cut(long(0, 497).as_bytes(), &matcher),
            format!("hit{}", "x".repeat(497))
        );
        assert_eq!(
            cut(long(0, 3_000).as_bytes(), &matcher),
            format!("hit{} [... 2503 characters]", "x".repeat(497))
        );
        assert_eq!(
            cut(long(1_000, 1_000).as_bytes(), &matcher),
            format!(
                "[900 characters ...] {}hit{} [... 603 characters]",
                "é".repeat(100),
                "x".repeat(397)
            )
        );
        assert_eq!(
            cut(long(1_000, 0).as_bytes(), &matcher),
            format!("[503 characters ...] {}hit", "é".repeat(497))
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(
            cut(b"caf\xe9 hit\n", &regex("hit").unwrap()),
            "caf\u{fffd} hit"
        );
    }

    #[test]
    fn the_first_match_of_a_page_is_shown_even_without_room() {
        let shown = |begins_page, context| {
            let matcher = regex("hit").unwrap();
            let wanted = Wanted {
                matches: 0..9,
                context: context as u64,
                room: 0,
                begins_page,
                only_first: false,
            };
            let mut sink = FileSink::new(&matcher, wanted);
            searcher(&matcher)
                .before_context(context)
                .after_context(context)
                .build()
                .search_slice(&matcher, b"a\nhit\nb\nhit\n", &mut sink)
                .unwrap();
            assert_eq!((sink.count, sink.full), (2, true));
            sink.lines.len()
        };
        assert_eq!(shown(true, 0), 1);
        assert_eq!(shown(true, 1), 1);
        assert_eq!(shown(false, 0), 0);
    }
}
