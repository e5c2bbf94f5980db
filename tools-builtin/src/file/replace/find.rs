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
    let folded = Folded::parts(text, &anchor::parts(text, old));
    let finder = memmem::Finder::new(&needle);
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(found) = finder.find(&folded.bytes[from..]) {
        let found = from + found;
        let bounds = (folded.start(found), folded.end(found + needle.len()));
        let fits = match bounds {
            (Some(start), Some(end)) => Quoted { text, old, new }.place(start..end),
            // Half of a typographic character.
            _ => None,
        };
        let fits = fits.filter(|place| !whole_lines || is_whole(text, &place.span));
        from = found
            + if all && fits.is_some() {
                needle.len()
            } else {
                1
            };
        places.extend(fits.map(|place| (differs(text, old, &place), place)));
        if !all && places.len() == PLACES {
            break;
        }
    }
    places
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

/// Whether two lines differ in blanks and tabs alone.
fn same_words(line: &str, other: &str) -> bool {
    let words = |line| str::split(line, [' ', '\t']).filter(|word: &&str| !word.is_empty());
    words(line).eq(words(other))
}
