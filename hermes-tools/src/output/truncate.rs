//! Cutting long output, both ends kept: text as a whole, and output that still arrives.
//!
//! Lengths are characters, and cuts fall between them. [`bytes_head_tail`] alone counts bytes, since
//! it bounds what is kept of raw output.

use std::collections::VecDeque;
use std::fmt;

/// Keeps the beginning and the end of text that arrives in pieces, in bounded memory.
///
/// ```
/// use hermes_tools::output::truncate::Collector;
///
/// let mut collector = Collector::new(30);
/// for _ in 0..10 {
///     collector.push("0123456789");
/// }
/// let notice = |omitted, total| format!("<{omitted} of {total} cut>");
/// let collected = collector.render("", notice);
/// assert_eq!(collected.text, "012345<85 of 100 cut>123456789");
/// assert!(collected.truncated);
/// ```
#[derive(Clone)]
pub struct Collector {
    max: usize,
    head: String,
    head_count: usize,
    tail: VecDeque<char>,
    total: usize,
}

/// Text that a [`Collector`] has seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collected {
    /// What is left of it.
    pub text: String,
    /// Whether something is missing.
    pub truncated: bool,
    /// Characters that were seen.
    pub total: usize,
}

/// The marker's length depends on the count that it tells, and the count on the marker's length: so
/// often is it tried until both agree.
const TRIES: usize = 4;

impl Collector {
    /// Keeps at most so many characters, at least one.
    pub fn new(max: usize) -> Self {
        Self {
            max: max.max(1),
            head: String::new(),
            head_count: 0,
            tail: VecDeque::new(),
            total: 0,
        }
    }

    /// Takes the next piece.
    pub fn push(&mut self, piece: &str) {
        let room = two_fifths(self.max);
        for character in piece.chars() {
            self.total += 1;
            if self.head_count < room {
                self.head.push(character);
                self.head_count += 1;
            } else {
                if self.tail.len() == self.max - room {
                    self.tail.pop_front();
                }
                self.tail.push_back(character);
            }
        }
    }

    /// What is left, with `suffix` behind it: 40 % of the room go to the beginning. Where something is
    /// missing, the text of `notice` (of the missing and of all characters) stands in its place.
    pub fn render(&self, suffix: &str, notice: impl Fn(usize, usize) -> String) -> Collected {
        let tail: String = self.tail.iter().collect();
        join_ends(&self.head, &tail, self.total, self.max, suffix, notice)
    }
}

/// The beginning and the end of a text of `total` characters as one text of at most `max`: 40 % of the
/// room go to the beginning, and `suffix` stands behind. Where something is missing, the text of `notice`
/// (of the missing and of all characters) stands in its place. With nothing missing between them, the
/// two ends are read as one text, divided anywhere.
pub fn join_ends(
    head: &str,
    tail: &str,
    total: usize,
    max: usize,
    suffix: &str,
    notice: impl Fn(usize, usize) -> String,
) -> Collected {
    let collected = |text, truncated| Collected {
        text,
        truncated,
        total,
    };
    let suffix_length = suffix.chars().count();
    if suffix_length >= max {
        return collected(last(suffix, max).to_owned(), total > 0);
    }
    let room = max - suffix_length;
    if total <= room {
        return collected([head, tail, suffix].concat(), false);
    }
    let mut omitted = total - room;
    let mut marker = notice(omitted, total);
    let is_one_text = head.chars().count() + tail.chars().count() == total;
    let mut parts = ["", "", ""];
    for _ in 0..TRIES {
        let left = room.saturating_sub(marker.chars().count());
        let behind = left - two_fifths(left);
        let tail = last(tail, behind);
        let between = match behind - tail.chars().count() {
            more if is_one_text => last(head, more),
            _ => "",
        };
        parts = [first(head, two_fifths(left)), between, tail];
        let kept: usize = parts.iter().map(|part| part.chars().count()).sum();
        if omitted == total.saturating_sub(kept) {
            break;
        }
        omitted = total.saturating_sub(kept);
        marker = notice(omitted, total);
    }
    let [head, between, tail] = parts;
    let text = [head, &marker, between, tail, suffix].concat();
    collected(first(&text, max).to_owned(), true)
}

impl fmt::Debug for Collector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What was collected may be anything.
        f.debug_struct("Collector")
            .field("max", &self.max)
            .field("total", &self.total)
            .finish_non_exhaustive()
    }
}

/// Raw output of which both ends were kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawEnds {
    /// What is left, damaged characters as U+FFFD.
    pub text: String,
    /// Whether something is missing.
    pub truncated: bool,
    /// Bytes that were kept.
    pub captured: usize,
    /// Bytes in all.
    pub total: usize,
    /// Bytes that are missing.
    pub omitted: usize,
}

/// Keeps at most `max` bytes of raw output: 40 % from its beginning, the rest from its end, each
/// decoded by itself. `notice` makes the text between them from the missing and from all bytes.
pub fn bytes_head_tail(
    bytes: &[u8],
    max: usize,
    notice: impl FnOnce(usize, usize) -> String,
) -> RawEnds {
    let total = bytes.len();
    if total <= max {
        return RawEnds {
            text: String::from_utf8_lossy(bytes).into_owned(),
            truncated: false,
            captured: total,
            total,
            omitted: 0,
        };
    }
    let head = two_fifths(max);
    let omitted = total - max;
    let text = [
        &*String::from_utf8_lossy(&bytes[..head]),
        &notice(omitted, total),
        &String::from_utf8_lossy(&bytes[head + omitted..]),
    ]
    .concat();
    RawEnds {
        text,
        truncated: true,
        captured: max,
        total,
        omitted,
    }
}

/// The two ends of a text, and what is between them left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ends<'a> {
    /// The beginning; all of the text when nothing is left out.
    pub head: &'a str,
    /// The end; empty when nothing is left out.
    pub tail: &'a str,
    /// Whether something is left out.
    pub truncated: bool,
    /// Characters of the whole text.
    pub total: usize,
}

impl<'a> Ends<'a> {
    const fn whole(text: &'a str, total: usize) -> Self {
        Self {
            head: text,
            tail: "",
            truncated: false,
            total,
        }
    }

    /// Characters that are left out.
    pub fn omitted(&self) -> usize {
        self.total - self.head.chars().count() - self.tail.chars().count()
    }

    /// The line of the whole text, counted from 1, with which reading goes on: the one behind the line
    /// in which the head ends.
    pub fn resume_line(&self) -> usize {
        self.head.matches('\n').count() + 2
    }
}

/// The beginning and the end of a text, three quarters of the room for the beginning. A cut moves to a
/// line end, which is then left out, where that costs less than half of its part.
pub fn head_tail_lines(text: &str, cap: usize) -> Ends<'_> {
    let total = text.chars().count();
    if total <= cap {
        return Ends::whole(text, total);
    }
    let room = cap - cap / 4;
    let head = first(text, room);
    let head = match head.rfind('\n') {
        Some(end) if head[..end].chars().count() * 2 > room => &head[..end],
        _ => head,
    };
    let tail = last(text, cap / 4);
    let tail = match tail.find('\n') {
        Some(end) if tail[..end].chars().count() * 2 < cap / 4 => &tail[end + 1..],
        _ => tail,
    };
    Ends {
        head,
        tail,
        truncated: true,
        total,
    }
}

/// Half of the room for either end of a text.
pub fn halves(text: &str, budget: usize) -> Ends<'_> {
    let total = text.chars().count();
    if total <= budget {
        return Ends::whole(text, total);
    }
    Ends {
        head: first(text, budget / 2),
        tail: last(text, budget / 2),
        truncated: true,
        total,
    }
}

/// The first so many characters, cut behind the last line end when that lies in the second half.
pub fn beginning(text: &str, characters: usize) -> &str {
    let head = first(text, characters);
    if head.len() == text.len() {
        return head;
    }
    match head.rfind('\n') {
        Some(end) if head[..end].chars().count() > characters / 2 => &head[..=end],
        _ => head,
    }
}

/// Keeps the newest characters of text that arrives in pieces.
#[derive(Debug, Clone)]
pub struct TailRing {
    cap: usize,
    newest: VecDeque<char>,
}

impl TailRing {
    /// Keeps at most so many characters.
    pub fn new(cap: usize) -> Self {
        Self {
            cap,
            newest: VecDeque::new(),
        }
    }

    /// Takes the next piece.
    pub fn push(&mut self, piece: &str) {
        self.newest.extend(last(piece, self.cap).chars());
        let surplus = self.newest.len().saturating_sub(self.cap);
        self.newest.drain(..surplus);
    }

    /// What is kept.
    pub fn text(&self) -> String {
        self.newest.iter().collect()
    }
}

/// How many lines a page of a log has when nobody says.
pub const LOG_PAGE: usize = 200;

/// A page of the lines of a log: from `offset` on, or the last ones.
pub fn log_page<T>(lines: &[T], offset: Option<usize>, limit: Option<usize>) -> &[T] {
    let limit = limit.unwrap_or(LOG_PAGE);
    let start = match offset {
        Some(offset) => offset.min(lines.len()),
        None => lines.len().saturating_sub(limit),
    };
    let page = &lines[start..];
    &page[..limit.min(page.len())]
}

const fn two_fifths(of: usize) -> usize {
    // Not `of * 2 / 5`, which may overflow.
    of / 5 * 2 + of % 5 * 2 / 5
}

/// The first so many characters.
pub(crate) fn first(text: &str, characters: usize) -> &str {
    match text.char_indices().nth(characters) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// The last so many characters.
pub(crate) fn last(text: &str, characters: usize) -> &str {
    if characters == 0 {
        return "";
    }
    match text.char_indices().nth_back(characters - 1) {
        Some((start, _)) => &text[start..],
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_counted_in_characters() {
        assert_eq!((first("éüa", 2), last("éüa", 2)), ("éü", "üa"));
        assert_eq!((first("é", 5), last("é", 5), last("é", 0)), ("é", "é", ""));
    }

    #[test]
    fn a_long_note_leaves_the_ends_of_what_little_there_is() {
        let mut collector = Collector::new(100);
        collector.push("0123456789a");
        let collected = collector.render(&"n".repeat(90), |_, _| String::new());
        assert_eq!(
            collected.text,
            format!("0123{}{}", "56789a", "n".repeat(90))
        );
    }

    #[test]
    fn halves_say_how_much_is_between_them() {
        let ends = halves("éééééé", 5);
        assert_eq!((ends.head, ends.tail, ends.omitted()), ("éé", "éé", 2));
    }

    #[test]
    fn a_log_is_paged_from_either_end() {
        let lines = [0, 1, 2, 3];
        assert_eq!(log_page(&lines, None, Some(2)), [2, 3]);
        assert_eq!(log_page(&lines, Some(3), Some(2)), [3]);
        assert_eq!(log_page(&lines, Some(9), None), [0; 0]);
    }
}
