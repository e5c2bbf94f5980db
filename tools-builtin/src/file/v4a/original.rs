//! The text before a patch, and what of it the hunks so far change.
//!
//! Hunks quote the file as it was: never what an earlier one put in, nor what it took away. All of them
//! are looked up in one index of the lines and put in place at the end, so that the time is that of the
//! text and of the patch together.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasher as _, RandomState};
use std::ops::Range;

use memchr::memmem;

use crate::file::line_end::{LineEnd, LineEnds};
use crate::file::replace::{Edit, Found, LARGEST, Refusal, Strategy, folded};

/// Hunks up to which searching the text for each costs less than an index.
const FEW: usize = 4;

/// Places with other formatting that are looked at. More are ambiguous whatever they are.
const PLACES: usize = 1_000;

/// A text and its changes.
pub(super) struct Original<'t> {
    pub(super) text: &'t str,
    few: bool,
    index: Option<Index>,
    trimmed: Option<HashMap<&'t str, Vec<Range<usize>>>>,
    /// What is taken away or replaced: where each part begins and ends.
    gone: BTreeMap<usize, usize>,
    /// Where something is put in.
    inserted: BTreeSet<usize>,
    changes: Vec<Change>,
}

/// A change of a part of the text.
struct Change {
    span: Range<usize>,
    passage: String,
    /// For whole lines that are put in: what ends them.
    end: Option<LineEnd>,
}

impl<'t> Original<'t> {
    pub(super) fn new(text: &'t str, hunks: usize) -> Self {
        Self {
            text,
            few: hunks <= FEW,
            index: None,
            trimmed: None,
            gone: BTreeMap::new(),
            inserted: BTreeSet::new(),
            changes: Vec::new(),
        }
    }

    /// The places of a quotation by the strictest strategy, without those that were changed.
    pub(super) fn find(&mut self, edit: &Edit<'_>) -> Result<Found, Refusal> {
        if self.few {
            let found = edit.find(self.text)?;
            if !found.spans().any(|span| self.is_gone(span)) {
                return Ok(found);
            }
        }
        let text = self.text;
        let index = self.index.get_or_insert_with(|| Index::of(text));
        let windows = index.windows(text, edit.old);
        let mut parts = Vec::new();
        let mut loose = 0;
        for window in windows {
            if self.is_gone(&window) {
                continue;
            }
            // Where it is not, only the search of the whole text knows what to tell.
            let Some(found) = edit.find_in(&text[window.clone()]) else {
                continue;
            };
            loose += usize::from(found.strategy > Strategy::LineEnds);
            parts.push((window.start, found));
            if loose == PLACES {
                break;
            }
        }
        if let Some(found) = Found::strictest(parts) {
            return Ok(found);
        }
        let found = edit.find(text)?;
        if found.spans().any(|span| self.is_gone(span)) {
            return Err(Refusal::NoMatch {
                nearest: Vec::new(),
                applied: None,
            });
        }
        Ok(found)
    }

    /// Whether an earlier hunk takes a part of these lines away.
    fn is_gone(&self, span: &Range<usize>) -> bool {
        let before = self.gone.range(..span.end).next_back();
        before.is_some_and(|(_, end)| *end > span.start)
    }

    /// Notes a change; false where it is within one of an earlier hunk, or around it.
    pub(super) fn change(&mut self, span: Range<usize>, passage: &str) -> bool {
        let (span, passage) = differing(self.text, span, passage);
        self.note(Change {
            span,
            passage: passage.to_owned(),
            end: None,
        })
    }

    /// Notes lines that are put in at the start of a line, or at the end of the text.
    pub(super) fn insert(&mut self, place: usize, lines: &str) -> bool {
        let end = LineEnds::of(self.text).at(place.saturating_sub(1));
        let end = end.unwrap_or(LineEnd::Lf);
        self.note(Change {
            span: place..place,
            passage: end.give(lines).into_owned(),
            end: Some(end),
        })
    }

    fn note(&mut self, change: Change) -> bool {
        let Range { start, end } = change.span;
        let within = self.inserted.range(start + 1..end.max(start + 1)).next();
        if self.is_gone(&change.span) || within.is_some() {
            return false;
        }
        if start == end {
            self.inserted.insert(start);
        } else {
            self.gone.insert(start, end);
        }
        self.changes.push(change);
        true
    }

    /// The text with all changes.
    pub(super) fn finish(mut self) -> Result<String, Refusal> {
        let added: usize = self.changes.iter().map(|it| it.passage.len() + 2).sum();
        let gone: usize = self.changes.iter().map(|it| it.span.len()).sum();
        let size = (self.text.len() - gone).saturating_add(added);
        if size > LARGEST {
            return Err(Refusal::TooLarge { size });
        }
        // Those of one place stay in the order of their hunks.
        self.changes
            .sort_by_key(|change| (change.span.start, change.span.end));
        let mut text = String::with_capacity(size);
        let mut from = 0;
        for change in &self.changes {
            text.push_str(&self.text[from..change.span.start]);
            from = change.span.end;
            match change.end {
                Some(end) if !text.is_empty() && !text.ends_with('\n') => {
                    // The last line has no line feed, and the new last line gets none either.
                    let lines = &change.passage;
                    text.push_str(end.as_str());
                    text.push_str(lines.strip_suffix(end.as_str()).unwrap_or(lines));
                }
                _ => text.push_str(&change.passage),
            }
        }
        text.push_str(&self.text[from..]);
        Ok(text)
    }

    /// The lines from a place on that are a text but for blanks around it, or else those that hold it; at
    /// most so many.
    pub(super) fn lines_with(&mut self, hint: &str, from: usize, most: usize) -> Vec<Range<usize>> {
        let text = self.text;
        let trimmed = self.trimmed.get_or_insert_with(|| {
            let mut lines: HashMap<&str, Vec<Range<usize>>> = HashMap::new();
            for line in lines_of(text) {
                lines
                    .entry(text[line.clone()].trim())
                    .or_default()
                    .push(line);
            }
            lines
        });
        if let Some(lines) = trimmed.get(hint) {
            let first = lines.partition_point(|line| line.start < from);
            if first < lines.len() {
                return lines[first..].iter().take(most).cloned().collect();
            }
        }
        let mut lines: Vec<Range<usize>> = Vec::new();
        for place in memmem::find_iter(&text.as_bytes()[from..], hint.as_bytes()) {
            let place = from + place;
            if lines.last().is_some_and(|line| place < line.end) {
                continue;
            }
            let before = memchr::memrchr(b'\n', &text.as_bytes()[..place]);
            let behind = memchr::memchr(b'\n', &text.as_bytes()[place..]);
            let start = before.map_or(0, |newline| newline + 1);
            let end = behind.map_or(text.len(), |newline| place + newline + 1);
            if text[start..end].trim().contains(hint) {
                lines.push(start..end);
            }
            if lines.len() == most {
                break;
            }
        }
        lines
    }
}

/// The part of a passage that differs from what it replaces, in whole lines.
fn differing<'p>(text: &str, span: Range<usize>, passage: &'p str) -> (Range<usize>, &'p str) {
    let old = &text[span.clone()];
    let lines = old
        .split_inclusive('\n')
        .zip(passage.split_inclusive('\n'))
        .take_while(|(old, new)| old == new && old.ends_with('\n'));
    let head: usize = lines.map(|(line, _)| line.len()).sum();
    let (old, passage) = (&old[head..], &passage[head..]);
    let lines = old
        .split_inclusive('\n')
        .rev()
        .zip(passage.split_inclusive('\n').rev())
        .take_while(|(old, new)| old == new);
    let tail: usize = lines.map(|(line, _)| line.len()).sum();
    (
        span.start + head..span.end - tail,
        &passage[..passage.len() - tail],
    )
}

/// The lines of a text by what they say without formatting.
struct Index {
    /// Where the lines begin, and where the last one ends.
    starts: Vec<usize>,
    /// The hash of each line and its number, in order.
    lines: Vec<(u64, u32)>,
    state: RandomState,
}

impl Index {
    fn of(text: &str) -> Self {
        let state = RandomState::new();
        let mut starts = Vec::new();
        let mut lines = Vec::new();
        for (number, line) in (0..).zip(lines_of(text)) {
            starts.push(line.start);
            lines.push((state.hash_one(key(&text[line])), number));
        }
        starts.push(text.len());
        lines.sort_unstable();
        Self {
            starts,
            lines,
            state,
        }
    }

    /// The parts of the text that a quotation of whole lines may be, from top to bottom: those around
    /// its rarest line.
    fn windows(&self, text: &str, old: &str) -> Vec<Range<usize>> {
        let mut count = 0;
        let mut rarest: Option<(usize, Range<usize>)> = None;
        for (number, line) in old.split_inclusive('\n').enumerate() {
            count = number + 1;
            let hash = self.state.hash_one(key(line));
            let first = self.lines.partition_point(|(own, _)| *own < hash);
            let behind = first + self.lines[first..].partition_point(|(own, _)| *own == hash);
            if rarest
                .as_ref()
                .is_none_or(|(_, known)| behind - first < known.len())
            {
                rarest = Some((number, first..behind));
            }
        }
        let Some((number, found)) = rarest else {
            return Vec::new();
        };
        let lines = self.lines[found].iter().filter_map(|(_, line)| {
            let first = usize::try_from(*line).ok()?.checked_sub(number)?;
            let start = *self.starts.get(first)?;
            let end = *self.starts.get(first + count)?;
            debug_assert!(text.is_char_boundary(start) && text.is_char_boundary(end));
            Some(start..end)
        });
        lines.collect()
    }
}

/// What a line says without formatting.
fn key(line: &str) -> Vec<u8> {
    let mut key = folded(line);
    if key.last() == Some(&b'\n') {
        key.pop();
    }
    key
}

fn lines_of(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let line = start..start + line.len();
        start = line.end;
        line
    })
}
