//! How many lines of a file match, and nothing else of it.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkMatch};

use super::Way;
use super::content::Mode;
use super::output::Reason;
use super::pattern;
use super::stop::Stop;
use super::tell::Tell;
use super::walk::{Candidate, Opener, Visit};
use crate::file::text::{HEAD, Kind, LONGEST_LINE, UTF_16, sniff};

/// A file with lines that match.
#[derive(Debug)]
pub(super) struct Counted {
    /// Where the walk found it.
    pub(super) place: PathBuf,
    /// How many lines match; 1 where only that matters.
    pub(super) lines: u64,
}

/// Largest file that is read at once.
const AT_ONCE: usize = 1 << 20;

/// Counts the lines of one file after the other.
pub(super) struct Counter<'q> {
    /// Its own: a shared one has threads wait for each other's scratch space.
    matcher: RegexMatcher,
    only_first: bool,
    stop: &'q Stop,
    tell: &'q Tell,
    searcher: Searcher,
    opener: Opener<'q>,
    buffer: Vec<u8>,
}

impl<'q> Counter<'q> {
    pub(super) fn new(way: Way<'q>, matcher: &'q RegexMatcher, mode: Mode) -> Self {
        let searcher = pattern::searcher(matcher)
            .line_number(false)
            .heap_limit(Some(LONGEST_LINE + 1))
            .build();
        Self {
            matcher: matcher.clone(),
            only_first: mode == Mode::Files,
            stop: way.stop,
            tell: way.tell,
            searcher,
            opener: Opener::new(way.workspace),
            buffer: Vec::new(),
        }
    }

    fn count(&mut self, mut file: File, length: u64) -> Result<u64, Reason> {
        let mut sink = Count {
            lines: 0,
            only_first: self.only_first,
        };
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let read = read_start(&mut file, length, &mut self.buffer);
        let (start, is_whole) = read.map_err(|_| Reason::Unreadable)?;
        match sniff(start) {
            // The searcher goes by a byte order mark of UTF-16.
            Kind::Text { .. } | Kind::Foreign(UTF_16) => {}
            Kind::Binary(_) => return Err(Reason::Binary),
            Kind::Foreign(_) => return Err(Reason::Encoding),
        }
        let searched = if is_whole {
            self.searcher.search_slice(&self.matcher, start, &mut sink)
        } else {
            let all = start.chain(Stoppable::new(file, self.stop));
            self.searcher.search_reader(&self.matcher, all, &mut sink)
        };
        match searched {
            Ok(()) => Ok(sink.lines),
            // What was found of it until then.
            Err(_) if self.stop.is_given() => Ok(sink.lines),
            // What the system says has a number; what is left is the limit of the searcher.
            Err(error) if error.raw_os_error().is_none() => Err(Reason::LongLine),
            Err(_) => Err(Reason::Unreadable),
        }
    }
}

/// Reads a file of this length as the system tells it, or the start of a large one, and says whether
/// that is all of it. What the length promises is read by one call of the system; a file without a
/// length, as the system makes some, is read to its end. The buffer never shrinks, so that it is
/// cleared once.
fn read_start<'b>(
    file: &mut File,
    length: usize,
    buffer: &'b mut Vec<u8>,
) -> io::Result<(&'b [u8], bool)> {
    let most = match length {
        0..=AT_ONCE => length.max(HEAD) + 1,
        _ => HEAD,
    };
    if buffer.len() < most {
        buffer.resize(most, 0);
    }
    let mut read = 0;
    let mut ended = false;
    while !ended && read < most {
        match file.read(&mut buffer[read..most]) {
            Ok(count) => {
                read += count;
                ended = count == 0 || read == length;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok((&buffer[..read], ended))
}

impl Visit for Counter<'_> {
    type Found = Counted;

    fn file(&mut self, candidate: &Candidate<'_>) -> Result<Option<Counted>, Reason> {
        let place = candidate.place;
        let (file, facts) = self.opener.open(place)?;
        let lines = self.count(file, facts.len)?;
        if lines == 0 {
            return Ok(None);
        }
        let told = (!self.only_first).then_some(lines);
        self.tell.found(told, || candidate.path());
        Ok(Some(Counted {
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
