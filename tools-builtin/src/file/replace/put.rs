//! Putting the new passage in its places.

use std::borrow::Cow;
use std::ops::Range;

use hermes_tools::Cancel;
use memchr::memmem;

use super::anchor;
use super::find::{Place, lines};
use super::indent::{Indentation, Partner, partners};
use super::keep::keep;
use super::{Edit, Found, LARGEST, Refusal, Replaced, Strategy, TELLING, lines_of};
use crate::file::line_end::{LineEnd, LineEnds};

/// Places that are filled between two looks at the cancel sign.
const STEPS: usize = 1_024;

/// Bytes by which a new passage may grow without another allocation of the whole text.
const MARGIN: usize = 1_024;

impl Edit<'_> {
    /// Replaces what stands at the places. Everything else stays byte for byte.
    pub(in crate::file) fn put(
        &self,
        text: &str,
        found: &Found,
        cancel: &Cancel,
    ) -> Result<Replaced, Refusal> {
        let gone: usize = found.spans().map(Range::len).sum();
        let size = (text.len() - gone).saturating_add(self.least(found));
        if size > LARGEST {
            return Err(Refusal::TooLarge { size });
        }
        // Indentation may add to what is put in one place; many places grow as they go.
        let margin = match found.strategy {
            Strategy::Exact => 0,
            _ => self.new.len() + self.new.len() / 2 + MARGIN,
        };
        let mut result = String::with_capacity(size + margin);
        let mut ends = LineEnds::of(text);
        let mut from = 0;
        let (mut is_same, mut applied) = (true, Vec::new());
        let mut last: Option<(&Place, Option<LineEnd>, Cow<'_, str>)> = None;
        for (index, place) in found.places.iter().enumerate() {
            if index % STEPS == 0 && cancel.is_cancelled() {
                return Err(Refusal::Cancelled);
            }
            result.push_str(&text[from..place.span.start]);
            let end = ends.at(place.span.start);
            // Like places often follow each other, and have the same passage.
            let passage = match last.take() {
                Some((before, like, passage)) if like == end && before.is_like(place, text) => {
                    passage
                }
                _ => self.passage(text, found, place, end),
            };
            is_same &= passage == text[place.span.clone()];
            if applied.len() == index {
                applied.extend(standing(text, &place.span, &passage));
            }
            result.push_str(&passage);
            last = Some((place, end, passage));
            from = place.span.end;
            let size = result.len() + text.len() - from;
            if size > LARGEST {
                return Err(Refusal::TooLarge { size });
            }
        }
        result.push_str(&text[from..]);
        if is_same {
            return Err(Refusal::Identical);
        }
        let is_telling = !self.all || self.new.trim().len() >= TELLING;
        if is_telling && applied.len() == found.places.len() {
            let lines = lines_of(text, applied.iter());
            let line = lines.first().copied().unwrap_or(1);
            return Err(Refusal::Applied { line });
        }
        let first = found.places.first().map_or(0, |place| place.span.start);
        Ok(Replaced {
            text: result,
            count: found.places.len(),
            strategy: found.strategy,
            changed: first..from,
        })
    }

    /// The only place, and what is put there. Of the text, only the lines around the place are read.
    pub(in crate::file) fn passage_of(
        &self,
        text: &str,
        mut found: Found,
        cancel: &Cancel,
    ) -> Result<(Range<usize>, String), Refusal> {
        let Some(place) = found.places.first_mut() else {
            return Err(Refusal::Identical);
        };
        // A new passage that stands there already has as many lines.
        let reach = anchor::lines(self.new) + 1;
        let span = place.span.clone();
        let start = anchor::lines_back(text.as_bytes(), 0, span.start, reach);
        let end = anchor::lines_on(text.as_bytes(), span.end, reach);
        place.span = span.start - start..span.end - start;
        let part = &text[start..end];
        let behind = end - span.end;
        let mut passage = self.put(part, &found, cancel)?.text;
        passage.truncate(passage.len() - behind);
        passage.drain(..span.start - start);
        Ok((span, passage))
    }

    /// Bytes that all new passages have at the least.
    fn least(&self, found: &Found) -> usize {
        let each = match found.strategy {
            // Line ends may lose their CR.
            Strategy::Exact | Strategy::LineEnds => {
                self.new.len() - memchr::memchr_iter(b'\r', self.new.as_bytes()).count()
            }
            _ => 0,
        };
        each.saturating_mul(found.places.len())
    }

    /// The new passage as it is put in one place: with the formatting and the line end of the text
    /// there, and without a final line feed where the place is the last line of a text and has none.
    fn passage<'p>(
        &'p self,
        text: &str,
        found: &'p Found,
        place: &Place,
        end: Option<LineEnd>,
    ) -> Cow<'p, str> {
        if found.strategy == Strategy::Exact && self.old.contains("\r\n") {
            // Who quotes CR LF where it stands means every line end as it is written.
            return Cow::Borrowed(self.new);
        }
        let span = &text[place.span.clone()];
        let inner = |text: &'p str| &text[place.lead..text.len() - place.tail];
        let (old, new) = match &found.new {
            Some(new) => (self.old, &**new),
            None => (inner(self.old), inner(self.new)),
        };
        let mut passage = match found.strategy {
            Strategy::Exact | Strategy::LineEnds | Strategy::Escape => Cow::Borrowed(new),
            _ => {
                let indentation = Indentation::of(old, span, place.from_line_start);
                let new = indentation.give(new);
                if found.strategy == Strategy::Unicode {
                    let old = LineEnd::Lf.give(old);
                    let old = indentation.give_old(&old);
                    let new = LineEnd::Lf.give(&new);
                    Cow::Owned(keep(&old, &LineEnd::Lf.give(span), &new))
                } else {
                    new
                }
            }
        };
        if old.ends_with('\n') && !span.ends_with('\n') && passage.ends_with('\n') {
            let length = passage.len() - 1;
            match &mut passage {
                Cow::Borrowed(passage) => *passage = &passage[..length],
                Cow::Owned(passage) => passage.truncate(length),
            }
        }
        match (end, passage) {
            (None, passage) => passage,
            (Some(end), passage) if are_mixed(span) => {
                Cow::Owned(ended_alike(old, span, &passage, end))
            }
            (Some(end), Cow::Borrowed(passage)) => end.give(passage),
            (Some(end), Cow::Owned(passage)) => Cow::Owned(end.give(&passage).into_owned()),
        }
    }
}

/// Whether both kinds of line ends are in a text.
fn are_mixed(text: &str) -> bool {
    let all = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let windows = memmem::find_iter(text.as_bytes(), "\r\n").count();
    windows > 0 && windows < all
}

/// A new passage in which each line ends as the one that it was, or that it stands for, and what is new
/// as the line before.
fn ended_alike(old: &str, span: &str, passage: &str, end: LineEnd) -> String {
    let stands: Vec<&str> = span.split('\n').collect();
    let quoted: Vec<&str> = lines(old).map(str::trim).collect();
    if quoted.len() != stands.len() {
        return end.give(passage).into_owned();
    }
    let new: Vec<&str> = lines(passage).collect();
    let bare: Vec<&str> = new.iter().map(|line| line.trim()).collect();
    // The last line of a span has no end of its own.
    let last = stands.len() - 1;
    let mut text = String::with_capacity(passage.len() + new.len());
    for (index, partner) in partners(&quoted, &bare).into_iter().enumerate() {
        text.push_str(new[index]);
        if index + 1 == new.len() {
            break;
        }
        let model = match partner {
            Partner::Line(line) if line < last => Some(line),
            Partner::Line(line) | Partner::Behind(line) => line.min(last).checked_sub(1),
        };
        text.push_str(match model {
            Some(line) if stands[line].ends_with('\r') => LineEnd::CrLf.as_str(),
            Some(_) => LineEnd::Lf.as_str(),
            None => end.as_str(),
        });
    }
    text
}

/// Where a new passage that holds the old one stands already, around it.
fn standing(text: &str, span: &Range<usize>, passage: &str) -> Option<Range<usize>> {
    /// Places of the old passage within the new one that are looked at.
    const LOOKS: usize = 16;

    let old = &text.as_bytes()[span.clone()];
    if passage.len() <= old.len() || old.is_empty() {
        return None;
    }
    memmem::find_iter(passage.as_bytes(), old)
        .take(LOOKS)
        .find_map(|offset| {
            let start = span.start.checked_sub(offset)?;
            let stands = text.as_bytes().get(start..start + passage.len())?;
            (stands == passage.as_bytes()).then(|| start..start + passage.len())
        })
}
