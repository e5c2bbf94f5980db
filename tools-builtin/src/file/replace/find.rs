//! Where a quotation stands when its formatting is left out of account.

use std::ops::Range;

use memchr::memmem;

use super::Strategy;
use super::anchor;
use super::fold::Folded;
use super::lookalike::is_blank;

/// Places that are looked at when one alone is wanted. More are ambiguous whatever they are.
const PLACES: usize = 1_000;

/// A place that a quotation fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// What is replaced.
    pub(super) span: Range<usize>,
    /// Whether the span begins with the indentation of its first line.
    pub(super) from_line_start: bool,
    /// Blanks at the start of the quotation and of what is put in its place that the text has outside
    /// the span, in bytes.
    pub(super) lead: usize,
    /// The same at the end.
    pub(super) tail: usize,
}

/// The places where a quotation stands but for formatting, each with what differs there, from left to
/// right. With `all` they do not overlap.
///
/// A quotation of white space alone stands for nothing else.
pub(super) fn formatted(
    text: &str,
    old: &str,
    new: &str,
    all: bool,
    whole_lines: bool,
) -> Vec<(Strategy, Place)> {
    let needle = Folded::whole(old).bytes;
    if needle.iter().all(u8::is_ascii_whitespace) {
        return Vec::new();
    }
    let finder = memmem::Finder::new(&needle);
    let mut places: Vec<(Strategy, Place)> = Vec::new();
    let mut behind = 0;
    for part in anchor::parts(text, old, &needle) {
        for (chunk, own) in chunks(text, &part, old) {
            let folded = Folded::part(text, chunk);
            let mut from = 0;
            while let Some(found) = finder.find(&folded.bytes[from..]) {
                let found = from + found;
                from = found + 1;
                let (Some(start), Some(end)) =
                    (folded.start(found), folded.end(found + needle.len()))
                else {
                    // Half of a typographic character.
                    continue;
                };
                if start >= own {
                    break;
                }
                let place = Quoted { text, old, new }.place(start..end);
                let Some(place) = place.filter(|place| {
                    place.span.start >= behind && (!whole_lines || is_whole(text, &place.span))
                }) else {
                    continue;
                };
                if all {
                    behind = place.span.end;
                    from = found + needle.len();
                }
                places.push((differs(text, old, &place), place));
                if !all && places.len() == PLACES {
                    return places;
                }
            }
        }
    }
    places
}

/// Bytes that are folded at once, so that a large text takes little memory.
const CHUNK: usize = 128 << 10;

/// A part of a text in chunks of lines, each with where the next one's own begins: it goes on by as
/// many lines as a quotation has.
fn chunks<'t>(
    text: &'t str,
    part: &Range<usize>,
    old: &str,
) -> impl Iterator<Item = (Range<usize>, usize)> + use<'t> {
    let size = CHUNK.max(8 * old.len());
    let lines = anchor::lines(old);
    let (mut start, end) = (part.start, part.end);
    std::iter::from_fn(move || {
        if start == end {
            return None;
        }
        let bytes = &text.as_bytes()[..end];
        let own = if end - start > 2 * size {
            anchor::lines_on(bytes, start + size, 1)
        } else {
            end
        };
        let chunk = start..anchor::lines_on(bytes, own, lines);
        start = own;
        // The last chunk owns what begins at its very end as well.
        Some((chunk, if own == end { usize::MAX } else { own }))
    })
}

/// Whether a span is made of whole lines, with or without the end of the last one.
pub(super) fn is_whole(text: &str, span: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let starts = span.start == 0 || bytes[span.start - 1] == b'\n';
    let rest = &bytes[span.end..];
    let ends = rest.is_empty()
        || rest.starts_with(b"\n")
        || rest.starts_with(b"\r\n")
        || text[span.clone()].ends_with('\n');
    starts && ends
}

impl Place {
    /// A place that is what was quoted.
    pub(super) fn exact(span: Range<usize>) -> Self {
        Self {
            span,
            from_line_start: false,
            lead: 0,
            tail: 0,
        }
    }

    /// Whether another place is to be filled as this one.
    pub(super) fn is_like(&self, other: &Self, text: &str) -> bool {
        (self.from_line_start, self.lead, self.tail)
            == (other.from_line_start, other.lead, other.tail)
            && text[self.span.clone()] == text[other.span.clone()]
    }
}

struct Quoted<'q> {
    text: &'q str,
    old: &'q str,
    new: &'q str,
}

impl Quoted<'_> {
    /// The place of a find, with the blanks around it that belong to it; none where it would begin or
    /// end within a word.
    fn place(&self, found: Range<usize>) -> Option<Place> {
        let (before, after) = (&self.text[..found.start], &self.text[found.end..]);
        let mut place = Place::exact(found);
        let bare = before.trim_end_matches(is_blank);
        if self.old.starts_with(['\n', '\r']) {
            // The line end before the find may have a CR.
            let bare = before.strip_suffix('\r').unwrap_or(before);
            place.span.start = bare.len();
        } else if bare.is_empty() || bare.ends_with('\n') {
            place.span.start = bare.len();
            place.from_line_start = true;
        } else {
            let blanks = leading(self.old);
            if blanks.is_empty() {
                if is_word(before.chars().next_back()) && is_word(self.old.chars().next()) {
                    return None;
                }
            } else if bare.len() == before.len() {
                return None;
            } else if leading(self.new) == blanks {
                place.lead = blanks.len();
            } else {
                place.span.start = bare.len();
            }
        }
        if self.old.ends_with('\n') {
            return Some(place);
        }
        let rest = after.trim_start_matches(is_blank);
        if rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n") {
            place.span.end = self.text.len() - rest.len();
        } else {
            let blanks = trailing(self.old);
            if blanks.is_empty() {
                if is_word(after.chars().next()) && is_word(self.old.chars().next_back()) {
                    return None;
                }
            } else if rest.len() == after.len() {
                return None;
            } else if trailing(self.new) == blanks && self.new.len() >= place.lead + blanks.len() {
                place.tail = blanks.len();
            } else {
                place.span.end = self.text.len() - rest.len();
            }
        }
        Some(place)
    }
}

fn is_word(character: Option<char>) -> bool {
    character.is_some_and(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// The blanks that a text begins with.
pub(super) fn leading(text: &str) -> &str {
    &text[..text.len() - text.trim_start_matches(is_blank).len()]
}

/// The blanks that a text ends with.
pub(super) fn trailing(text: &str) -> &str {
    &text[text.trim_end_matches(is_blank).len()..]
}

/// The lines of a text without what ends them.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
}

/// What differs between a quotation and what stands at a place.
fn differs(text: &str, old: &str, place: &Place) -> Strategy {
    let span = &text[place.span.clone()];
    let old = &old[place.lead..old.len() - place.tail];
    if same_but_line_ends(span, old) {
        return Strategy::LineEnds;
    }
    let mut strategy =
        if place.from_line_start && (old.ends_with('\n') || is_whole(text, &place.span)) {
            Strategy::TrailingSpace
        } else {
            Strategy::WhiteSpace
        };
    for (index, (line, quoted)) in lines(span).zip(lines(old)).enumerate() {
        let (bare, bare_quoted) = (line.trim_matches(is_blank), quoted.trim_matches(is_blank));
        let own = if bare != bare_quoted {
            if same_words(bare, bare_quoted) {
                Strategy::WhiteSpace
            } else {
                Strategy::Unicode
            }
        } else if (index > 0 || place.from_line_start)
            && !bare.is_empty()
            && leading(line) != leading(quoted)
        {
            Strategy::Indentation
        } else {
            Strategy::TrailingSpace
        };
        strategy = strategy.max(own);
    }
    strategy
}

/// Whether two texts differ in what ends their lines alone: CR LF or LF, or nothing at the end of the last.
fn same_but_line_ends(text: &str, other: &str) -> bool {
    fn unended(text: &str) -> impl Iterator<Item = &str> {
        lines(text.strip_suffix('\n').unwrap_or(text))
    }
    unended(text).eq(unended(other))
}

/// Whether two lines differ in blanks and tabs alone.
fn same_words(line: &str, other: &str) -> bool {
    let words = |line| str::split(line, [' ', '\t']).filter(|word: &&str| !word.is_empty());
    words(line).eq(words(other))
}
