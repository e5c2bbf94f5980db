//! Target `content`: lines that match, file by file.

use std::fs::File;
use std::io::Read as _;
use std::ops::Range;

use grep_regex::RegexMatcher;
use grep_searcher::Searcher;
use hermes_tools::ToolError;

use super::Way;
use super::count::{Counted, Counter, Stoppable};
use super::lines::{FileSink, Wanted};
use super::output::{FileCount, FileLines, Found, Reason};
use super::pattern::{self, NameGlob};
use super::scope::{Folder, Scope};
use super::stop::Stop;
use super::walk::{self, Opener, Seen, in_order};
use crate::file::text::{Kind, LONGEST_LINE, UTF_16, json_length, read_head, sniff};

/// What of the lines that match is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// The lines.
    Lines,
    /// The files that have any.
    Files,
    /// How many each file has.
    Counts,
}

/// Which part of all results is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    /// Results to pass over.
    pub(super) offset: u64,
    /// Most results.
    pub(super) limit: u64,
    /// Lines around each match.
    pub(super) context: usize,
}

/// Characters of one page, counted as they stand in the JSON of the result.
pub(super) const PAGE_LIMIT: usize = 80_000;

/// Searches the files of a scope for lines that match.
///
/// A folder is gone through twice: all files on several threads for how many lines of them match, and
/// then those that the page shows, in the order of their paths.
pub(super) fn search(
    way: Way<'_>,
    scope: &Scope,
    glob: Option<&NameGlob>,
    matcher: &RegexMatcher,
    mode: Mode,
    window: Window,
) -> Result<(Found, Seen), ToolError> {
    let folder = match scope {
        Scope::Folder(folder) => folder,
        Scope::File(target) => {
            let mut search = Search::new(matcher, mode, window, way.stop);
            let mut seen = Seen {
                files: 1,
                ..Seen::default()
            };
            search.file(target.display(), target.open()?, &mut seen);
            return Ok((search.finish(), seen));
        }
    };
    let globs: Vec<&NameGlob> = glob.into_iter().collect();
    let make = || Counter::new(way, matcher, mode);
    let (mut counted, mut seen) = walk::visit(folder, &globs, way.stop, make)?;
    sort_start(&mut counted, window);
    let stop = way.stop.for_the_page();
    let mut search = Search::new(matcher, mode, window, &stop);
    let mut folders = Opener::new(way.workspace);
    for file in counted {
        if search.shows_lines_of(&file) {
            let path = folder.show(&file.place);
            match folders.open(&file.place) {
                Ok((opened, _)) => search.file(path, opened, &mut seen),
                Err(reason) => search.failed(reason, path, &mut seen),
            }
        } else {
            search.pass(&file, folder);
        }
    }
    Ok((search.finish(), seen))
}

/// Puts the files of a page and those before it in order. Those behind it are counted alone.
fn sort_start(files: &mut [Counted], window: Window) {
    /// Files of which a page needs more than it shows, since they have changed meanwhile.
    const SPARE: u64 = 1_000;

    let order = |one: &Counted, other: &Counted| in_order(&one.place, &other.place);
    // Each has one result at least.
    let needed = window
        .offset
        .saturating_add(window.limit)
        .saturating_add(SPARE);
    let needed = usize::try_from(needed).unwrap_or(usize::MAX);
    let start = if needed < files.len() {
        files.select_nth_unstable_by(needed, order).0
    } else {
        files
    };
    start.sort_unstable_by(order);
}

/// A search under way.
struct Search<'q> {
    matcher: &'q RegexMatcher,
    mode: Mode,
    window: Window,
    stop: &'q Stop,
    searcher: Searcher,
    /// Lines that match, in all files until now.
    lines: u64,
    /// Files that have such lines.
    files: u64,
    page: Page,
}

/// What is shown.
#[derive(Default)]
struct Page {
    matches: Vec<FileLines>,
    files: Vec<String>,
    counts: Vec<FileCount>,
    /// Results on the page, in the unit of the mode.
    results: u64,
    characters: usize,
    full: bool,
}

impl<'q> Search<'q> {
    fn new(matcher: &'q RegexMatcher, mode: Mode, window: Window, stop: &'q Stop) -> Self {
        let context = if mode == Mode::Lines {
            window.context
        } else {
            0
        };
        // The longest line with its line feed. Lines around a match share the room with it.
        let memory = LONGEST_LINE + 1;
        let searcher = pattern::searcher(matcher)
            .line_number(mode == Mode::Lines)
            .before_context(context)
            .after_context(context)
            .heap_limit(Some(memory))
            .build();
        let window = Window { context, ..window };
        Self {
            matcher,
            mode,
            window,
            stop,
            searcher,
            lines: 0,
            files: 0,
            page: Page::default(),
        }
    }

    /// Whether some of a file's lines are on the page.
    fn shows_lines_of(&self, file: &Counted) -> bool {
        let wanted = self.wanted();
        wanted.start < wanted.end.min(file.lines)
    }

    /// Takes a file of a folder without showing its lines.
    fn pass(&mut self, file: &Counted, folder: &Folder) {
        if self.mode == Mode::Lines || !self.lists_next() {
            self.lines += file.lines;
            self.files += 1;
            return;
        }
        let mut sink = FileSink::new(self.matcher, Wanted::nothing());
        sink.count = file.lines;
        self.take(folder.show(&file.place), sink);
    }

    /// Whether the next file is on the page, where files are listed.
    fn lists_next(&self) -> bool {
        let Window { offset, limit, .. } = self.window;
        self.files >= offset && self.page.results < limit && !self.page.full
    }

    /// Searches one file.
    fn file(&mut self, path: String, file: File, seen: &mut Seen) {
        let mut reader = Stoppable::new(file, self.stop);
        let Ok(head) = read_head(&mut reader) else {
            return self.failed(Reason::Unreadable, path, seen);
        };
        match sniff(&head) {
            // The searcher goes by a byte order mark of UTF-16.
            Kind::Text { .. } | Kind::Foreign(UTF_16) => {}
            Kind::Binary(_) => return self.failed(Reason::Binary, path, seen),
            Kind::Foreign(_) => return self.failed(Reason::Encoding, path, seen),
        }
        let wanted = Wanted {
            matches: self.wanted(),
            context: self.window.context as u64,
            room: PAGE_LIMIT.saturating_sub(self.page.characters + json_length(&path)),
            begins_page: self.page.results == 0,
            only_first: self.mode == Mode::Files,
        };
        let mut sink = FileSink::new(self.matcher, wanted);
        let outcome = self
            .searcher
            .search_reader(self.matcher, head.chain(reader), &mut sink);
        match outcome {
            Ok(()) => self.take(path, sink),
            // What was found of it until then.
            Err(_) if self.stop.is_given() => {
                seen.stopped = true;
                self.take(path, sink);
            }
            // What the system says has a number; what is left is the limit of the searcher.
            Err(error) if error.raw_os_error().is_none() => {
                self.failed(Reason::LongLine, path, seen);
            }
            Err(_) => self.failed(Reason::Unreadable, path, seen),
        }
    }

    /// Notes that a file was not searched, unless the search has to end anyway.
    fn failed(&self, reason: Reason, path: String, seen: &mut Seen) {
        if self.stop.is_given() {
            seen.stopped = true;
        } else {
            seen.skipped.add(reason, path);
        }
    }

    /// Which of the lines that match in the next file are on the page.
    fn wanted(&self) -> Range<u64> {
        if self.mode != Mode::Lines || self.page.full {
            return 0..0;
        }
        let start = self.window.offset.saturating_sub(self.lines);
        let end = self
            .window
            .offset
            .saturating_add(self.window.limit)
            .saturating_sub(self.lines);
        start..end
    }

    /// Adds what one file has.
    fn take(&mut self, path: String, sink: FileSink<'_>) {
        if sink.count == 0 {
            return;
        }
        let on_page = self.lists_next();
        self.lines += sink.count;
        self.files += 1;
        if self.mode == Mode::Lines {
            self.page.full |= sink.full;
            if sink.shown > 0 {
                self.page.characters += json_length(&path) + sink.characters;
                self.page.results += sink.shown;
                self.page.matches.push(FileLines {
                    path,
                    lines: sink.lines,
                });
            }
        } else if on_page {
            self.page.characters += json_length(&path);
            self.page.full = self.page.characters > PAGE_LIMIT;
            self.page.results += 1;
            match self.mode {
                Mode::Counts => self.page.counts.push(FileCount {
                    path,
                    count: sink.count,
                }),
                Mode::Lines | Mode::Files => self.page.files.push(path),
            }
        }
    }

    fn finish(self) -> Found {
        let all = if self.mode == Mode::Lines {
            self.lines
        } else {
            self.files
        };
        let next = self.window.offset.saturating_add(self.page.results);
        let page = self.page;
        let is = |mode| self.mode == mode;
        Found {
            matches: is(Mode::Lines).then_some(page.matches),
            files: is(Mode::Files).then_some(page.files),
            counts: is(Mode::Counts).then_some(page.counts),
            total_count: if is(Mode::Files) {
                self.files
            } else {
                self.lines
            },
            total_files: (!is(Mode::Files)).then_some(self.files),
            truncated: next < all,
            next_offset: (next < all).then_some(next),
            ..Found::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hermes_tools::{Cancel, Deadline};

    use super::*;

    /// What is shown of a file that was found before the search was cancelled, with so much time left.
    fn shown_in(last: Duration) -> (Found, bool) {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a");
        std::fs::write(&place, "none\nan apple\n").unwrap();
        let cancel = Cancel::new();
        cancel.cancel();
        let stop = Stop::new(cancel, Deadline::new(None)).with_last(last);
        assert!(stop.is_given());
        let window = Window {
            offset: 0,
            limit: 50,
            context: 0,
        };
        let (matcher, stop) = (pattern::regex("apple").unwrap(), stop.for_the_page());
        let mut search = Search::new(&matcher, Mode::Lines, window, &stop);
        let mut seen = Seen::default();
        search.file("a".to_owned(), File::open(place).unwrap(), &mut seen);
        (search.finish(), seen.stopped)
    }

    #[test]
    fn what_was_found_before_a_search_was_cancelled_is_shown_as_far_as_there_is_time() {
        let (found, stopped) = shown_in(Duration::from_hours(1));
        let shown = found.matches.unwrap();
        assert_eq!((shown.len(), found.total_count, stopped), (1, 1, false));
        let lines: Vec<(u64, &str)> = shown[0]
            .lines
            .iter()
            .map(|it| (it.line, &*it.text))
            .collect();
        assert_eq!(lines, [(2, "an apple")]);
        let (found, stopped) = shown_in(Duration::ZERO);
        assert_eq!(
            (found.matches, found.total_count, stopped),
            (Some(vec![]), 0, true)
        );
    }
}
