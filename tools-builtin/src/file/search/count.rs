//! How many lines of a file match, and nothing else of it.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkMatch};
use hermes_tools::Workspace;

use super::content::Mode;
use super::output::Reason;
use super::pattern;
use super::stop::Stop;
use super::walk::{Candidate, Opener, Visit};
use crate::file::text::{HEAD, Kind, LONGEST_LINE, UTF_16, sniff};

/// A file with lines that match.
#[derive(Debug)]
pub(super) struct Counted {
    /// The path by which it is shown.
    pub(super) path: String,
    /// Where the walk found it.
    pub(super) place: PathBuf,
    /// How many lines match; 1 where only that matters.
    pub(super) lines: u64,
}

/// Largest file that is read at once.
const AT_ONCE: u64 = 1 << 20;

/// Counts the lines of one file after the other.
pub(super) struct Counter<'q> {
    matcher: &'q RegexMatcher,
    only_first: bool,
    stop: &'q Stop,
    searcher: Searcher,
    opener: Opener<'q>,
    buffer: Vec<u8>,
}

impl<'q> Counter<'q> {
    pub(super) fn new(
        workspace: &'q Workspace,
        matcher: &'q RegexMatcher,
        mode: Mode,
        stop: &'q Stop,
    ) -> Self {
        let searcher = pattern::searcher(matcher)
            .line_number(false)
            .heap_limit(Some(LONGEST_LINE + 1))
            .build();
        Self {
            matcher,
            only_first: mode == Mode::Files,
            stop,
            searcher,
            opener: Opener::new(workspace),
            buffer: Vec::new(),
        }
    }

    fn count(&mut self, mut file: File, length: u64) -> Result<u64, Reason> {
        let mut sink = Count {
            lines: 0,
            only_first: self.only_first,
        };
        self.buffer.clear();
        let most = if length <= AT_ONCE {
            AT_ONCE
        } else {
            HEAD as u64
        };
        (&mut file)
            .take(most)
            .read_to_end(&mut self.buffer)
            .map_err(|_| Reason::Unreadable)?;
        match sniff(&self.buffer) {
            // The searcher goes by a byte order mark of UTF-16.
            Kind::Text { .. } | Kind::Foreign(UTF_16) => {}
            Kind::Binary(_) => return Err(Reason::Binary),
            Kind::Foreign(_) => return Err(Reason::Encoding),
        }
        let searched = if (self.buffer.len() as u64) < most {
            self.searcher
                .search_slice(self.matcher, &self.buffer, &mut sink)
        } else {
            let all = self.buffer.chain(Stoppable::new(file, self.stop));
            self.searcher.search_reader(self.matcher, all, &mut sink)
        };
        match searched {
            Ok(()) => Ok(sink.lines),
            // What the system says has a number; what is left is the limit of the searcher.
            Err(error) if error.raw_os_error().is_none() => Err(Reason::LongLine),
            Err(_) => Err(Reason::Unreadable),
        }
    }
}

impl Visit for Counter<'_> {
    type Found = Counted;

    fn file(&mut self, candidate: &Candidate<'_>) -> Result<Option<Counted>, Reason> {
        let place = candidate.entry.path();
        let (file, facts) = self.opener.open(place)?;
        let lines = self.count(file, facts.len)?;
        Ok((lines > 0).then(|| Counted {
            path: candidate.path(),
            place: place.to_owned(),
            lines,
        }))
    }
}

struct Count {
    lines: u64,
    only_first: bool,
}

impl Sink for Count {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, _: &SinkMatch<'_>) -> Result<bool, io::Error> {
        self.lines += 1;
        Ok(!self.only_first)
    }
}

/// A file that ends in an error when the search has to end.
pub(super) struct Stoppable<'s> {
    file: File,
    stop: &'s Stop,
}

impl<'s> Stoppable<'s> {
    pub(super) fn new(file: File, stop: &'s Stop) -> Self {
        Self { file, stop }
    }
}

impl Read for Stoppable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_given() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.file.read(buffer)
    }
}
