//! Keeping the typographic characters of a place where an edit does not change them.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::fold::Folded;

/// The new text with the place's own characters wherever it is what was quoted.
///
/// `old` and `span` fold to the same text. A typographic character stays when all that was quoted for
/// it stays, and otherwise goes.
pub(super) fn keep(old: &str, span: &str, new: &str) -> String {
    let segments = segments(old, span);
    let (quoted, wanted): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    let mut kept = Kept {
        old,
        span,
        segments: &segments,
        text: String::with_capacity(new.len()),
    };
    // Places of the characters as bytes, with that of the end.
    let places: Vec<usize> = old
        .char_indices()
        .map(|(place, _)| place)
        .chain([old.len()])
        .collect();
    for op in capture_diff_slices(Algorithm::Myers, &quoted, &wanted) {
        match op {
            DiffOp::Equal { old_index, len, .. } => {
                kept.stays(places[old_index]..places[old_index + len]);
            }
            DiffOp::Insert {
                new_index, new_len, ..
            }
            | DiffOp::Replace {
                new_index, new_len, ..
            } => kept.text.extend(&wanted[new_index..new_index + new_len]),
            DiffOp::Delete { .. } => {}
        }
    }
    kept.text
}

struct Kept<'k> {
    old: &'k str,
    span: &'k str,
    segments: &'k [(Range<usize>, Range<usize>)],
    text: String,
}

impl Kept<'_> {
    /// A part of the quotation that stays: as it stands in the place where whole segments do, and as
    /// it was quoted at the edges.
    fn stays(&mut self, part: Range<usize>) {
        let first = self
            .segments
            .partition_point(|(quoted, _)| quoted.end <= part.start);
        let mut at = part.start;
        for (quoted, stands) in &self.segments[first..] {
            if quoted.start >= part.end {
                break;
            }
            if quoted.start >= part.start && quoted.end <= part.end {
                self.text.push_str(&self.span[stands.clone()]);
            } else {
                let end = quoted.end.min(part.end);
                self.text.push_str(&self.old[at..end]);
            }
            at = quoted.end.min(part.end);
        }
    }
}

/// The smallest parts of both texts that fold to the same. What folds to nothing on one side alone is
/// left out.
fn segments(old: &str, span: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let end = span.len();
    let (old, span) = (
        Folded::whole(old).units(old),
        Folded::whole(span).units(span),
    );
    let mut segments = Vec::new();
    let (mut left, mut right) = (old.into_iter().peekable(), span.into_iter().peekable());
    while let (Some(quoted), Some(stands)) = (left.peek(), right.peek()) {
        match (quoted.folded, stands.folded) {
            (0, 0) => {}
            (0, _) => {
                let quoted = quoted.part.clone();
                segments.push((quoted, stands.part.start..stands.part.start));
                left.next();
                continue;
            }
            (_, 0) => {
                right.next();
                continue;
            }
            _ => {}
        }
        let (Some(mut quoted), Some(mut stands)) = (left.next(), right.next()) else {
            break;
        };
        while quoted.folded != stands.folded {
            let (short, more) = if quoted.folded < stands.folded {
                (&mut quoted, left.next())
            } else {
                (&mut stands, right.next())
            };
            let Some(more) = more else { break };
            short.folded += more.folded;
            short.part.end = more.part.end;
        }
        segments.push((quoted.part, stands.part));
    }
    // Dropped blanks that only the quotation has at its end.
    segments.extend(left.map(|quoted| (quoted.part, end..end)));
    segments.retain(|(quoted, _)| !quoted.is_empty());
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, span: &str, new: &str, expected: &str) {
        assert_eq!(keep(old, span, new), expected);
    }

    #[test]
    fn what_an_edit_does_not_change_stays() {
        check(
            "say \"a\" now",
            "say “a” now",
            "say \"b\" now",
            "say “b” now",
        );
        check("wait... a", "wait… a", "wait... b", "wait… b");
        check("a--b", "a—b", "a--c", "a—c");
        check("5 km", "5\u{a0}km", "6 km", "6\u{a0}km");
        check("“a”", "\"a\"", "“b”", "\"b\"");
        check(
            "x - 1\ny - 2\n",
            "x – 1\ny – 2\n",
            "x - 1\ny - 3\n",
            "x – 1\ny – 3\n",
        );
    }

    #[test]
    fn what_an_edit_changes_in_part_goes_whole() {
        check("x--y", "x—y", "x-y", "x-y");
        check("a... b", "a… b", "a.. b", "a.. b");
        check("use \"word\"", "use “word”", "use word", "use word");
    }

    #[test]
    fn blanks_that_fold_to_nothing_have_no_place() {
        check("a  \nb", "a\nb", "a  \nc", "a\nc");
        check("a\nb ", "a\nb", "a\nb ", "a\nb");
        check("a\nb", "a \nb", "a\nc", "a\nc");
    }
}
