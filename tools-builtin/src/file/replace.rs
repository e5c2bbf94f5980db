//! Replacing a passage of a text that was quoted, perhaps not to the letter.
//!
//! [`Likeness`] lists what may differ between the quotation and the text, the strictest first. The
//! first that finds anything decides, and only formatting may differ, never a word: who quotes a
//! line that is not there has an old view of the file and must read it again.

use std::borrow::Cow;
use std::ops::Range;

use hermes_tools::Cancel;
use memchr::memmem;

use super::line_end::{LineEnd, LineEnds};
use super::nearest::{Nearest, nearest};

/// Largest text that is edited or comes out, in bytes. It is held in memory twice.
pub(super) const LARGEST: usize = 256 << 20;

/// What may differ between a quotation and the text that it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    /// Nothing.
    Exact,
    /// CR LF stands for LF, or LF for CR LF.
    LineEnds,
    /// White space at the end of lines, in a quotation of whole lines.
    TrailingSpace,
}

/// A text after a replacement.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Replaced {
    /// The new text.
    pub(super) text: String,
    /// How many passages were replaced.
    pub(super) count: usize,
    /// How they were found.
    pub(super) likeness: Likeness,
}

/// Why nothing was replaced. Lines are counted from 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The quotation is empty.
    EmptyOld,
    /// The new passage is the old one.
    Identical,
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
    /// The new text would be larger than [`LARGEST`].
    TooLarge {
        /// Bytes that it would have, at the most.
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
    if old.is_empty() {
        return Err(Refusal::EmptyOld);
    }
    if old == new {
        return Err(Refusal::Identical);
    }
    for likeness in [Likeness::Exact, Likeness::LineEnds, Likeness::TrailingSpace] {
        let places = likeness.places(text, old, all);
        if places.len() > 1 && !all {
            return Err(Refusal::Ambiguous {
                lines: lines_of(text, &places),
            });
        }
        if !places.is_empty() {
            return put(text, &places, old, new, likeness, cancel);
        }
    }
    Err(Refusal::NoMatch {
        nearest: nearest(text, old),
        applied: applied(text, new),
    })
}

impl Likeness {
    /// The word for it in a result.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::LineEnds => "line_ends",
            Self::TrailingSpace => "trailing_space",
        }
    }

    /// The passages that are like a quotation, from left to right. Those that overlap an earlier one
    /// are left out when all are to be replaced; otherwise they are further places.
    fn places(self, text: &str, old: &str, all: bool) -> Vec<Range<usize>> {
        match self {
            Self::Exact => occurrences(text, old, all),
            Self::LineEnds => {
                let unix = LineEnd::Lf.give(old);
                let windows = LineEnd::CrLf.give(old);
                let variants = [unix, windows].into_iter().filter(|variant| variant != old);
                let mut places: Vec<Range<usize>> = variants
                    .flat_map(|variant| occurrences(text, &variant, all))
                    .collect();
                places.sort_unstable_by_key(|place| place.start);
                places
            }
            Self::TrailingSpace => whole_lines(text, old, all),
        }
    }
}

fn occurrences(text: &str, old: &str, all: bool) -> Vec<Range<usize>> {
    let finder = memmem::Finder::new(old);
    let place = |start| start..start + old.len();
    let mut places: Vec<Range<usize>> = finder.find_iter(text.as_bytes()).map(place).collect();
    if let ([only], false) = (places.as_slice(), all) {
        // `aba` stands in `ababa` once from left to right, and still in two places.
        let from = only.start + 1;
        places.extend(
            finder
                .find(&text.as_bytes()[from..])
                .map(|start| place(from + start)),
        );
    }
    places
}

/// The lines of a text without the white space at their ends, each between two line feeds.
struct Trimmed {
    text: String,
    /// Where the line feed before each line stands in `text`.
    starts: Vec<usize>,
}

impl Trimmed {
    fn of<'t>(lines: impl Iterator<Item = &'t str>) -> Self {
        let mut text = String::from("\n");
        let mut starts = Vec::new();
        for line in lines {
            starts.push(text.len() - 1);
            text.push_str(line.trim_end());
            text.push('\n');
        }
        Self { text, starts }
    }
}

fn whole_lines(text: &str, old: &str, all: bool) -> Vec<Range<usize>> {
    let quoted = Trimmed::of(old.strip_suffix('\n').unwrap_or(old).split('\n'));
    if old.trim().is_empty() {
        // White space alone would stand for any blank line.
        return Vec::new();
    }
    let trimmed = Trimmed::of(text.split_inclusive('\n'));
    let finder = memmem::Finder::new(&quoted.text);
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(found) = finder.find(&trimmed.text.as_bytes()[from..]) {
        // A hit begins with a line feed, and the feed before a line is one of the starts.
        let Ok(first) = trimmed.starts.binary_search(&(from + found)) else {
            break;
        };
        let last = first + quoted.starts.len() - 1;
        places.push(first..last + 1);
        from += found + if all { quoted.text.len() - 1 } else { 1 };
    }
    spans(text, &places, old.ends_with('\n'))
}

/// The bytes of runs of lines, with or without the end of the last line.
fn spans(text: &str, runs: &[Range<usize>], with_end: bool) -> Vec<Range<usize>> {
    if runs.is_empty() {
        return Vec::new();
    }
    let mut starts = vec![0];
    starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|newline| newline + 1));
    let start_of = |line: usize| starts.get(line).copied().unwrap_or(text.len());
    runs.iter()
        .map(|run| {
            let passage = &text[..start_of(run.end)];
            let end = if with_end {
                passage.len()
            } else {
                let bare = passage.strip_suffix('\n').unwrap_or(passage);
                bare.strip_suffix('\r').unwrap_or(bare).len()
            };
            start_of(run.start)..end
        })
        .collect()
}

/// Places that are filled between two looks at the cancel sign.
const STEPS: usize = 1_024;

fn put(
    text: &str,
    places: &[Range<usize>],
    old: &str,
    new: &str,
    likeness: Likeness,
    cancel: &Cancel,
) -> Result<Replaced, Refusal> {
    let gone: usize = places.iter().map(Range::len).sum();
    let size = (text.len() - gone).saturating_add(places.len().saturating_mul(new.len()));
    if size > LARGEST {
        return Err(Refusal::TooLarge { size });
    }
    let mut result = String::with_capacity(size);
    let mut ends = LineEnds::of(text);
    let mut from = 0;
    for (index, place) in places.iter().enumerate() {
        if index % STEPS == 0 && cancel.is_cancelled() {
            return Err(Refusal::Cancelled);
        }
        result.push_str(&text[from..place.start]);
        let unfinished = old.ends_with('\n') && !text[place.clone()].ends_with('\n');
        let end = ends.at(place.start);
        result.push_str(&passage(old, new, likeness, unfinished, end));
        from = place.end;
    }
    result.push_str(&text[from..]);
    if result == text {
        return Err(Refusal::Identical);
    }
    Ok(Replaced {
        text: result,
        count: places.len(),
        likeness,
    })
}

/// The new passage as it is put in one place: with the line end of the text there, and without a
/// final line feed where the place is the last line of a text and has none.
fn passage<'n>(
    old: &str,
    new: &'n str,
    likeness: Likeness,
    unfinished: bool,
    end: Option<LineEnd>,
) -> Cow<'n, str> {
    if likeness == Likeness::Exact && old.contains("\r\n") {
        // Who quotes CR LF where it stands means every line end as it is written.
        return Cow::Borrowed(new);
    }
    let new = if unfinished {
        new.strip_suffix('\n').unwrap_or(new)
    } else {
        new
    };
    match end {
        Some(end) => end.give(new),
        None => Cow::Borrowed(new),
    }
}

/// The line of the only place where a new passage stands already. One of a few characters says
/// nothing.
fn applied(text: &str, new: &str) -> Option<usize> {
    const TELLING: usize = 8;
    if new.trim().len() < TELLING {
        return None;
    }
    let new = LineEnds::of(text)
        .at(0)
        .map_or(Cow::Borrowed(new), |end| end.give(new));
    match occurrences(text, &new, false).as_slice() {
        places @ [_] => lines_of(text, places).pop(),
        _ => None,
    }
}

/// The lines in which places begin, in one pass: they stand from left to right.
fn lines_of(text: &str, places: &[Range<usize>]) -> Vec<usize> {
    let mut line = 1;
    let mut from = 0;
    places
        .iter()
        .map(|place| {
            line += memchr::memchr_iter(b'\n', &text.as_bytes()[from..place.start]).count();
            from = place.start;
            line
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Likeness::{Exact, LineEnds, TrailingSpace};
    use super::*;

    #[track_caller]
    fn check(text: &str, old: &str, new: &str, result: &str, likeness: Likeness) {
        let replaced = Replaced {
            text: result.to_owned(),
            count: 1,
            likeness,
        };
        assert_eq!(
            replace(text, old, new, false, &Cancel::never()),
            Ok(replaced)
        );
    }

    #[track_caller]
    fn check_all(text: &str, old: &str, new: &str, result: &str, count: usize) {
        let replaced = replace(text, old, new, true, &Cancel::never()).unwrap();
        assert_eq!((&*replaced.text, replaced.count), (result, count));
    }

    #[track_caller]
    fn check_lines(text: &str, old: &str, lines: &[usize]) {
        let refusal = replace(text, old, "something else", false, &Cancel::never());
        assert_eq!(
            refusal,
            Err(Refusal::Ambiguous {
                lines: lines.to_vec()
            })
        );
    }

    #[track_caller]
    fn check_absent(text: &str, old: &str) {
        for all in [false, true] {
            let refusal = replace(text, old, "x", all, &Cancel::never());
            assert!(
                matches!(refusal, Err(Refusal::NoMatch { .. })),
                "{refusal:?}"
            );
        }
    }

    #[test]
    fn a_passage_may_lie_anywhere() {
        check(
            "#!/bin/sh\necho hi\n",
            "#!/bin/sh",
            "#!/bin/bash",
            "#!/bin/bash\necho hi\n",
            Exact,
        );
        check("one\ntwo\n", "one\ntwo\n", "three\n", "three\n", Exact);
        check(
            "🎉 launch = no\n",
            "launch = no",
            "launch = yes",
            "🎉 launch = yes\n",
            Exact,
        );
        check("x\ny\nz\n", "y\n", "", "x\nz\n", Exact);
        check("x\0y\n", "x\0y", "xy", "xy\n", Exact);
        check(
            "name: old\n",
            "old",
            r"\1 $1 & ${x} {}",
            "name: \\1 $1 & ${x} {}\n",
            Exact,
        );
    }

    #[test]
    fn the_strictest_likeness_that_finds_anything_decides() {
        check(
            "go() \ngo()\n",
            "go()\n",
            "stop()\n",
            "go() \nstop()\n",
            Exact,
        );
    }

    #[test]
    fn nothing_to_find_and_nothing_to_change_are_refused_first() {
        let refusal = |text: &str, old: &str, new: &str| {
            replace(text, old, new, true, &Cancel::never()).unwrap_err()
        };
        assert_eq!(refusal("", "", "x"), Refusal::EmptyOld);
        assert_eq!(refusal("abc", "zzz", "zzz"), Refusal::Identical);
        assert_eq!(refusal("a  \n", "a\t\n", "a  \n"), Refusal::Identical);
    }

    #[test]
    fn more_than_one_place_is_refused_with_its_lines() {
        check_lines("a\nb\na\n", "a", &[1, 3]);
        check_lines("item1\nitem10\n", "item1", &[1, 2]);
        check_lines("ababa", "aba", &[1, 1]);
        check_lines("x\r\ny\nx\r\ny\r\n", "x\ny", &[1, 3]);
        check_lines("p \nq\np\t\nq\n", "p\nq", &[1, 3]);
        check_lines("p \np \np \n", "p\np", &[1, 2]);
    }

    #[test]
    fn all_places_are_those_that_do_not_overlap() {
        check_all("aaaaa", "aa", "b", "bba", 2);
        check_all("a,b,c,\n", ",", "", "abc\n", 3);
        check_all("p \np \np \np \np \n", "p\np", "q", "q\nq\np \n", 2);
        check_all("x\r\ny\nx\r\ny\r\n", "x\ny", "z", "z\nz\r\n", 2);
    }

    #[test]
    fn line_ends_of_the_text_are_kept() {
        check("one\r\ntwo\r\n", "two", "2", "one\r\n2\r\n", Exact);
        check("p\r\nq", "q", "q\nr", "p\r\nq\r\nr", Exact);
        check("a\r\nb\nc\nd\n", "c", "C\nC", "a\r\nb\nC\nC\nd\n", Exact);
        check("a\rb\nc\n", "c", "d", "a\rb\nd\n", Exact);
        check("one\r\ntwo\r\n", "one\ntwo", "1\n2", "1\r\n2\r\n", LineEnds);
        check("one\ntwo\n", "one\r\ntwo", "1\r\n2", "1\n2\n", LineEnds);
        check(
            "xone\r\ntwox\r\n",
            "one\ntwo",
            "1\n2",
            "x1\r\n2x\r\n",
            LineEnds,
        );
        check("a\r\nb\nc\r\n", "a\nb\nc\n", "d\n", "d\r\n", TrailingSpace);
    }

    #[test]
    fn line_ends_that_are_quoted_may_be_changed() {
        check("a\r\nb\r\n", "a\r\n", "a\n", "a\nb\r\n", Exact);
        check(
            "a\r\nb\r\n",
            "a\r\nb",
            "a\r\nsplit(\"\\r\")",
            "a\r\nsplit(\"\\r\")\r\n",
            Exact,
        );
    }

    #[test]
    fn white_space_at_line_ends_may_differ() {
        check(
            "1st   \n2nd\t\n3rd\n",
            "1st\n2nd",
            "a\nb",
            "a\nb\n3rd\n",
            TrailingSpace,
        );
        check(
            "1st\n2nd\n3rd\n",
            "1st  \n2nd ",
            "a\nb",
            "a\nb\n3rd\n",
            TrailingSpace,
        );
        check(
            "a\r\n \r\nb\r\n",
            "a\n\nb",
            "a\nb",
            "a\r\nb\r\n",
            TrailingSpace,
        );
        check("a \nb\n", "a\n", "", "b\n", TrailingSpace);
    }

    #[test]
    fn a_quoted_line_feed_may_be_missing_at_the_end() {
        check(
            "alpha\nomega",
            "omega\n",
            "end\n",
            "alpha\nend",
            TrailingSpace,
        );
    }

    #[test]
    fn words_may_not_differ() {
        check_absent("version = \"1.4.2\"\n", "version = \"1.4.1\"");
        check_absent("apple\nbanana\n", "banana\napple");
        check_absent("one\n", "one\ntwo\nthree");
        check_absent("alpha beta\n", "alpha\nbeta");
        check_absent("aa\n\n  bb\n", "aa bb");
        check_absent("", "anything");
    }

    #[test]
    fn white_space_alone_stands_for_nothing_else() {
        check_absent("first\n\nlast", "   ");
        check_absent("a\n\nb", "\t");
        check_absent("a\n \n \nb", "\n\t\n");
    }

    #[test]
    fn an_edit_that_is_done_already_is_told() {
        let refusal = replace(
            "a\nlet x = compute();\n",
            "let x = old();",
            "let x = compute();",
            false,
            &Cancel::never(),
        );
        let Err(Refusal::NoMatch { applied, .. }) = refusal else {
            panic!("{refusal:?}")
        };
        assert_eq!(applied, Some(2));
    }

    #[test]
    fn many_places_on_one_line_take_one_look_at_its_end() {
        // With a look at the rest of the line for each place this takes minutes.
        let text = format!("{}\r\n", "q".repeat(4_000_000));
        let replaced = replace(&text, "q", "r\n", true, &Cancel::never()).unwrap();
        assert_eq!(replaced.count, 4_000_000);
        assert_eq!(replaced.text, format!("{}\r\n", "r\r\n".repeat(4_000_000)));
    }

    #[test]
    fn a_cancelled_call_replaces_nothing() {
        let cancel = Cancel::new();
        cancel.cancel();
        assert_eq!(
            replace("a\n", "a", "b", true, &cancel),
            Err(Refusal::Cancelled)
        );
    }

    #[test]
    fn a_text_that_would_fill_the_memory_is_refused() {
        let (text, new) = ("q".repeat(1 << 20), "r".repeat(1 << 10));
        assert_eq!(
            replace(&text, "q", &new, true, &Cancel::never()),
            Err(Refusal::TooLarge { size: 1 << 30 })
        );
    }
}
