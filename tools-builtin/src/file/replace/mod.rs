//! Replacing a passage of a text that was quoted, perhaps not to the letter.
//!
//! [`Strategy`] lists what may differ between the quotation and the text, the strictest first. The
//! first that finds anything decides, and only formatting may differ, never a word: who quotes a
//! line that is not there has an old view of the file and must read it again.

mod anchor;
mod escape;
mod find;
mod fold;
mod indent;
mod keep;
mod lookalike;
mod put;

use std::borrow::Cow;
use std::ops::Range;

use hermes_tools::Cancel;
use memchr::memmem;

use self::find::Place;
use super::line_end::{LineEnd, LineEnds};
use super::nearest::{Nearest, nearest};

/// Largest text that is edited or comes out, in bytes. It is held in memory twice.
pub(super) const LARGEST: usize = 256 << 20;

/// What may differ between a quotation and the text that it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strategy {
    /// Nothing.
    Exact,
    /// CR LF stands for LF, or LF for CR LF, or the last line of the text has no line end.
    LineEnds,
    /// White space at the end of lines, in a quotation of whole lines.
    TrailingSpace,
    /// Indentation, in a quotation of whole lines. The new lines get that of the text.
    Indentation,
    /// How much white space stands between words.
    WhiteSpace,
    /// Line breaks, tabs and quotes that were written as escape sequences. Those of the new passage are
    /// undone as well.
    Escape,
    /// Typographic characters, and white space with them. Those that the edit does not change stay.
    Unicode,
}

/// A replacement that is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edit<'e> {
    pub(super) old: &'e str,
    pub(super) new: &'e str,
    /// Whether all passages are replaced, and not the only one.
    pub(super) all: bool,
    /// Whether the quotation is made of whole lines, and meant to the letter but for white space and
    /// typographic characters.
    pub(super) whole_lines: bool,
}

/// The places of a quotation, all by the same strategy.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) strategy: Strategy,
    places: Vec<Place>,
    /// The new passage, where the quotation tells that it is written otherwise.
    new: Option<String>,
}

/// A text after a replacement.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Replaced {
    /// The new text.
    pub(super) text: String,
    /// How many passages were replaced.
    pub(super) count: usize,
    /// How they were found.
    pub(super) strategy: Strategy,
    /// The part of the old text that holds them all.
    pub(super) changed: Range<usize>,
}

/// Why nothing was replaced. Lines are counted from 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The quotation is empty.
    EmptyOld,
    /// The new passage is the old one.
    Identical,
    /// The new passage holds the quotation, and stands there already.
    Applied {
        /// The line where it begins.
        line: usize,
    },
    /// The quotation is not there.
    NoMatch {
        /// What looks like it most, at most three places.
        nearest: Vec<Nearest>,
        /// The line where the new passage stands already.
        applied: Option<usize>,
    },
    /// The quotation is there more than once.
    Ambiguous {
        /// The lines where it begins.
        lines: Vec<usize>,
    },
    /// The quotation is there without its backslashes, and the new passage has some too.
    EscapeDrift {
        /// The line where it begins.
        line: usize,
    },
    /// The new text would be larger than [`LARGEST`].
    TooLarge {
        /// Bytes that it would have, at the least.
        size: usize,
    },
    /// The call was cancelled.
    Cancelled,
}

/// Replaces what `old` quotes by `new`: the only such passage, or all of them.
pub(super) fn replace(
    text: &str,
    old: &str,
    new: &str,
    all: bool,
    cancel: &Cancel,
) -> Result<Replaced, Refusal> {
    let edit = Edit {
        old,
        new,
        all,
        whole_lines: false,
    };
    let found = edit.find(text)?;
    if found.places.len() > 1 && !all {
        return Err(Refusal::Ambiguous {
            lines: found.lines(text),
        });
    }
    edit.put(text, &found, cancel)
}

impl Strategy {
    /// The word for it in a result.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::LineEnds => "line_ends",
            Self::TrailingSpace => "trailing_space",
            Self::Indentation => "indentation",
            Self::WhiteSpace => "white_space",
            Self::Escape => "escape",
            Self::Unicode => "unicode",
        }
    }
}

/// A text without its formatting, as it is compared.
pub(super) fn folded(text: &str) -> Vec<u8> {
    fold::Folded::whole(text).bytes
}

impl Found {
    /// The places by the strictest strategy of what was found in parts of a text. With each part comes
    /// where it begins.
    pub(super) fn strictest(parts: Vec<(usize, Self)>) -> Option<Self> {
        let strategy = parts.iter().map(|(_, found)| found.strategy).min()?;
        let mut places = Vec::new();
        let parts = parts.into_iter();
        for (start, found) in parts.filter(|(_, found)| found.strategy == strategy) {
            places.extend(found.places.into_iter().map(|mut place| {
                place.span = place.span.start + start..place.span.end + start;
                place
            }));
        }
        Some(Self {
            strategy,
            places,
            new: None,
        })
    }

    /// The spans of the places, from left to right.
    pub(super) fn spans(&self) -> impl Iterator<Item = &Range<usize>> {
        self.places.iter().map(|place| &place.span)
    }

    /// Keeps one place alone.
    pub(super) fn only(mut self, index: usize) -> Self {
        self.places = vec![self.places.swap_remove(index)];
        self
    }

    /// The lines in which the places begin, in one pass.
    pub(super) fn lines(&self, text: &str) -> Vec<usize> {
        lines_of(text, self.spans())
    }
}

impl Edit<'_> {
    /// The places of the quotation by the strictest strategy that finds any. Those that overlap an
    /// earlier one are left out when all are to be replaced; otherwise they are further places.
    pub(super) fn find(&self, text: &str) -> Result<Found, Refusal> {
        if self.old.is_empty() {
            return Err(Refusal::EmptyOld);
        }
        if self.old == self.new {
            return Err(Refusal::Identical);
        }
        if let Some(found) = self.literal(text, self.old, None) {
            return Ok(found);
        }
        let formatted = find::formatted(text, self.old, self.new, self.all, self.whole_lines);
        let strictest = formatted.iter().map(|(strategy, _)| *strategy).min();
        if strictest.is_none_or(|strategy| strategy > Strategy::Escape)
            && !self.whole_lines
            && let Some(found) = self.escaped(text)?
        {
            return Ok(found);
        }
        let Some(strategy) = strictest else {
            return Err(Refusal::NoMatch {
                nearest: nearest(text, self.old),
                applied: self.applied(text),
            });
        };
        let places = formatted
            .into_iter()
            .filter_map(|(own, place)| (own == strategy).then_some(place));
        Ok(Found {
            strategy,
            places: places.collect(),
            new: None,
        })
    }

    /// What [`find`](Self::find) finds of whole lines in a part of a text, where it does not matter why
    /// nothing is found.
    pub(super) fn find_in(&self, part: &str) -> Option<Found> {
        if let Some(found) = self.literal(part, self.old, None) {
            return Some(found);
        }
        let found = find::formatted(part, self.old, self.new, false, self.whole_lines);
        let parts = found.into_iter().map(|(strategy, place)| {
            let places = vec![place];
            (
                0,
                Found {
                    strategy,
                    places,
                    new: None,
                },
            )
        });
        Found::strictest(parts.collect())
    }

    /// The places where a quotation stands to the letter, or with other line ends.
    fn literal(&self, text: &str, old: &str, new: Option<&str>) -> Option<Found> {
        let found = |strategy, spans: Vec<Range<usize>>| {
            let spans = spans.into_iter();
            let spans = spans.filter(|span| !self.whole_lines || find::is_whole(text, span));
            let places: Vec<Place> = spans.map(Place::exact).collect();
            (!places.is_empty()).then(|| Found {
                strategy,
                places,
                new: new.map(str::to_owned),
            })
        };
        let exact = found(Strategy::Exact, occurrences(text, old, self.all));
        exact.or_else(|| {
            let unix = LineEnd::Lf.give(old);
            let windows = LineEnd::CrLf.give(old);
            let variants = [unix, windows].into_iter().filter(|variant| variant != old);
            let mut spans: Vec<Range<usize>> = variants
                .flat_map(|variant| occurrences(text, &variant, self.all))
                .collect();
            spans.sort_unstable_by_key(|span| span.start);
            found(Strategy::LineEnds, spans)
        })
    }

    /// The places of a quotation whose escape sequences are undone.
    fn escaped(&self, text: &str) -> Result<Option<Found>, Refusal> {
        if !self.old.contains('\\') {
            return Ok(None);
        }
        for reading in escape::readings(self.old, self.new) {
            if reading.old.trim().is_empty() {
                continue;
            }
            let new = reading.new.as_deref();
            let Some(mut found) = self.literal(text, &reading.old, new) else {
                continue;
            };
            if new.is_none() {
                let line = found.lines(text).first().copied().unwrap_or(1);
                return Err(Refusal::EscapeDrift { line });
            }
            found.strategy = Strategy::Escape;
            return Ok(Some(found));
        }
        Ok(None)
    }

    /// The line of the only place where the new passage stands already. One of a few characters says
    /// nothing.
    fn applied(&self, text: &str) -> Option<usize> {
        if self.new.trim().len() < TELLING {
            return None;
        }
        let new = LineEnds::of(text)
            .at(0)
            .map_or(Cow::Borrowed(self.new), |end| end.give(self.new));
        match occurrences(text, &new, false).as_slice() {
            spans @ [_] => lines_of(text, spans.iter()).pop(),
            _ => None,
        }
    }
}

/// Bytes from which a passage tells something by standing somewhere.
const TELLING: usize = 8;

fn occurrences(text: &str, old: &str, all: bool) -> Vec<Range<usize>> {
    let finder = memmem::Finder::new(old);
    let place = |start| start..start + old.len();
    let mut places: Vec<Range<usize>> = finder.find_iter(text.as_bytes()).map(place).collect();
    if let ([only], false) = (places.as_slice(), all) {
        // `aba` stands in `ababa` once from left to right, and still in two places.
        let from = only.start + 1;
        let rest = &text.as_bytes()[from..(only.end + old.len()).min(text.len())];
        places.extend(finder.find(rest).map(|start| place(from + start)));
    }
    places
}

/// The lines in which spans begin, in one pass: they stand from left to right.
fn lines_of<'s>(text: &str, spans: impl Iterator<Item = &'s Range<usize>>) -> Vec<usize> {
    let mut line = 1;
    let mut from = 0;
    spans
        .map(|span| {
            line += memchr::memchr_iter(b'\n', &text.as_bytes()[from..span.start]).count();
            from = span.start;
            line
        })
        .collect()
}

#[cfg(test)]
mod tests;
