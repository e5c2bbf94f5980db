//! Applying the hunks of a patch to a text.

use hermes_tools::Cancel;

use super::original::Original;
use super::{Hunk, Line};
use crate::file::replace::{Edit, Found, Refusal, Strategy};

/// A hunk that does not fit the text.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::file) struct Misfit {
    /// The hunk, counted from 1.
    pub(in crate::file) hunk: usize,
    /// Its first line.
    pub(in crate::file) first: String,
    pub(in crate::file) reason: Reason,
}

/// Why a hunk does not fit.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::file) enum Reason {
    /// What the replacement says.
    Refused(Refusal),
    /// The line behind `@@` is not there.
    HintMissing { hint: String },
    /// The line behind `@@` is there more than once.
    HintAmbiguous { hint: String, lines: Vec<usize> },
}

/// The text after some hunks, and how each was found. A hunk without a change is passed over.
///
/// All hunks quote the text as it is given: no hunk is found in what an earlier one puts in.
pub(in crate::file) fn apply(
    text: &str,
    hunks: &[Hunk<'_>],
    cancel: &Cancel,
) -> Result<(String, Vec<Strategy>), Misfit> {
    let mut original = Original::new(text, hunks.len());
    let mut strategies = Vec::new();
    for (index, hunk) in hunks.iter().enumerate() {
        let misfit = |reason| Misfit {
            hunk: index + 1,
            first: hunk.first().to_owned(),
            reason,
        };
        if cancel.is_cancelled() {
            return Err(misfit(Reason::Refused(Refusal::Cancelled)));
        }
        if hunk.adds_alone() {
            hunk.insert(&mut original).map_err(misfit)?;
            strategies.push(Strategy::Exact);
        } else if hunk.changes() {
            strategies.push(hunk.replace(&mut original, cancel).map_err(misfit)?);
        }
    }
    let text = original.finish().map_err(|refusal| Misfit {
        hunk: hunks.len(),
        first: hunks.last().map_or("", Hunk::first).to_owned(),
        reason: Reason::Refused(refusal),
    })?;
    Ok((text, strategies))
}

impl Hunk<'_> {
    fn first(&self) -> &str {
        self.lines.first().map_or("", |line| match line {
            Line::Context(line) | Line::Removed(line) | Line::Added(line) => line,
            Line::Bare => "",
        })
    }

    fn adds_alone(&self) -> bool {
        let adds = |line: &Line<'_>| matches!(line, Line::Added(_) | Line::Bare);
        self.lines.iter().all(adds)
    }

    fn changes(&self) -> bool {
        self.old() != self.new_lines()
    }

    /// The lines that stand there.
    fn old(&self) -> String {
        self.joined(|line| match line {
            Line::Context(line) | Line::Removed(line) => Some(line),
            Line::Bare => Some(""),
            Line::Added(_) => None,
        })
    }

    /// The lines that shall stand there.
    fn new_lines(&self) -> String {
        self.joined(|line| match line {
            Line::Context(line) | Line::Added(line) => Some(line),
            Line::Bare => Some(""),
            Line::Removed(_) => None,
        })
    }

    fn joined<'l>(&'l self, wanted: impl Fn(&'l Line<'l>) -> Option<&'l str>) -> String {
        let mut text = String::new();
        for line in self.lines.iter().filter_map(wanted) {
            text.push_str(line);
            text.push('\n');
        }
        text
    }

    fn replace(&self, original: &mut Original<'_>, cancel: &Cancel) -> Result<Strategy, Reason> {
        let (old, new) = (self.old(), self.new_lines());
        let edit = Edit {
            old: &old,
            new: &new,
            all: false,
            whole_lines: true,
        };
        let found = original.find(&edit).map_err(Reason::Refused)?;
        let found = self.choose(original, found)?;
        let strategy = found.strategy;
        let (span, passage) = edit
            .passage_of(original.text, found, cancel)
            .map_err(Reason::Refused)?;
        let passage = self.with_context(&original.text[span.clone()], passage);
        if original.change(span, &passage) {
            Ok(strategy)
        } else {
            Err(Reason::Refused(Refusal::NoMatch {
                nearest: Vec::new(),
                applied: None,
            }))
        }
    }

    /// A new passage in which the lines of context are what stands there, byte for byte: they were quoted
    /// to find the place.
    fn with_context(&self, stands: &str, passage: String) -> String {
        let (mut old, mut new) = (stands.split_inclusive('\n'), passage.split_inclusive('\n'));
        let mut text = String::with_capacity(passage.len());
        for line in &self.lines {
            let (old, new) = match line {
                Line::Removed(_) => (old.next(), None),
                Line::Added(_) => (None, new.next()),
                Line::Context(_) | Line::Bare => (old.next(), new.next()),
            };
            match (line, old, new) {
                (Line::Context(_) | Line::Bare, Some(old), Some(new)) => {
                    // A last line without an end gets one when lines follow it, and the other way round.
                    let (content, own) = parted(old);
                    let (_, given) = parted(new);
                    text.push_str(content);
                    text.push_str(if own.is_empty() || given.is_empty() {
                        given
                    } else {
                        own
                    });
                }
                (Line::Added(_), _, Some(new)) => text.push_str(new),
                (Line::Removed(_), Some(_), _) => {}
                // The lines do not answer to each other, or a blank one stands for the end of the text.
                _ => return passage,
            }
        }
        if old.next().is_some() || new.next().is_some() {
            return passage;
        }
        text
    }

    /// The one place that is meant: the only one, the one at the end of the file where the hunk says
    /// so, or the first one below the hints.
    fn choose(&self, original: &mut Original<'_>, found: Found) -> Result<Found, Reason> {
        let text = original.text;
        let spans: Vec<_> = found.spans().cloned().collect();
        if spans.len() == 1 {
            return Ok(found);
        }
        if self.at_end
            && let Some(last) = spans
                .iter()
                .rposition(|span| text[span.end..].trim().is_empty())
        {
            return Ok(found.only(last));
        }
        let ambiguous = |found: &Found| {
            Reason::Refused(Refusal::Ambiguous {
                lines: found.lines(text),
            })
        };
        match self.below_hints(original) {
            Ok(Some(from)) => match spans.iter().position(|span| span.start >= from.within) {
                Some(first) => Ok(found.only(first)),
                None => Err(ambiguous(&found)),
            },
            Ok(None) | Err(Reason::HintMissing { .. }) => Err(ambiguous(&found)),
            Err(reason) => Err(reason),
        }
    }

    /// Puts the lines below the hints, or at the end of the text where there are none.
    fn insert(&self, original: &mut Original<'_>) -> Result<(), Reason> {
        let end = original.text.len();
        let place = if self.at_end {
            end
        } else {
            self.below_hints(original)?.map_or(end, |hint| hint.below)
        };
        if original.insert(place, &self.new_lines()) {
            return Ok(());
        }
        let hint = self.hints.last().copied().unwrap_or_default();
        Err(Reason::HintMissing {
            hint: hint.to_owned(),
        })
    }

    /// Follows the hints from the first line on, each below the one before.
    fn below_hints(&self, original: &mut Original<'_>) -> Result<Option<Hint>, Reason> {
        let mut last: Option<Hint> = None;
        for hint in &self.hints {
            let from = last.as_ref().map_or(0, |last| last.below);
            last = Some(find_hint(original, hint, from)?);
        }
        Ok(last)
    }
}

/// A line and what ends it.
fn parted(line: &str) -> (&str, &str) {
    let content = line.strip_suffix('\n').unwrap_or(line);
    let content = match content.strip_suffix('\r') {
        Some(content) if line.ends_with('\n') => content,
        _ => content,
    };
    line.split_at(content.len())
}

/// A line that a hint names.
struct Hint {
    /// Where it begins: a hunk may quote it again.
    within: usize,
    /// Where the next line begins.
    below: usize,
}

/// The only line below a place that is the hint, or else the only one that holds it.
fn find_hint(original: &mut Original<'_>, hint: &str, from: usize) -> Result<Hint, Reason> {
    let places = original.lines_with(hint, from, MOST_LINES);
    match places.as_slice() {
        [only] => Ok(Hint {
            within: only.start,
            below: only.end,
        }),
        [] => Err(Reason::HintMissing {
            hint: hint.to_owned(),
        }),
        _ => Err(Reason::HintAmbiguous {
            hint: hint.to_owned(),
            lines: places
                .iter()
                .map(|place| {
                    let before = &original.text.as_bytes()[..place.start];
                    1 + memchr::memchr_iter(b'\n', before).count()
                })
                .collect(),
        }),
    }
}

/// Lines of an ambiguous hint that are told.
const MOST_LINES: usize = 20;

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::super::{Operation, Patch};
    use super::*;

    #[track_caller]
    fn run(text: &str, body: &str) -> Result<(String, Vec<Strategy>), Misfit> {
        let patch = format!("*** Update File: f\n{body}");
        let patch = Patch::parse(&patch).unwrap();
        let [Operation::Update { hunks, .. }] = &patch.operations[..] else {
            panic!("{patch:?}")
        };
        apply(text, hunks, &Cancel::never())
    }

    #[track_caller]
    fn check(text: &str, body: &str, expected: &str) {
        assert_eq!(run(text, body).unwrap().0, expected);
    }

    #[track_caller]
    fn refused(text: &str, body: &str) -> Reason {
        run(text, body).unwrap_err().reason
    }

    #[test]
    fn lines_are_whole_ones() {
        check("bb = 1\nb = 1\n", "@@\n-b = 1\n+c = 1", "bb = 1\nc = 1\n");
        check("x\ny", "@@\n x\n-y\n+z", "x\nz");
        check("a\r\nb\r\n", "@@\n a\n-b\n+c\n+d", "a\r\nc\r\nd\r\n");
    }

    #[test]
    fn hunks_quote_the_text_before_the_patch() {
        check("d\na\n", "@@\n-a\n+A\n@@\n-d\n+D", "D\nA\n");
        check("x\nfoo", "@@\n-x\n+foo\n@@\n-foo\n+bar", "foo\nbar");
        check("a\nb\n", "@@\n-a\n+b\n@@\n-b\n+a", "b\na\n");
        check("a\nb\nc\n", "@@\n-a\n+A\n b\n@@\n b\n-c\n+C", "A\nb\nC\n");
        check("a\nb\n", "@@\n a\n+x\n@@\n+y\n b\n", "a\nx\ny\nb\n");
        let no_match = |nearest: &[(usize, &str)], reason| match reason {
            Reason::Refused(Refusal::NoMatch { nearest: found, .. }) => {
                let found: Vec<_> = found.iter().map(|it| (it.line, &*it.text)).collect();
                assert_eq!(found, nearest);
            }
            reason => panic!("{reason:?}"),
        };
        no_match(&[], refused("a", "@@\n-a\n+b\n@@\n-b\n+c"));
        no_match(&[], refused("a\n", "@@\n-a\n+b\n@@\n-a\n+c"));
        no_match(&[], refused("a\nz\n", "@@\n-a\n+x\n@@\n a\n-z\n+y"));
        no_match(&[], refused("a\nb\n", "@@\n a\n+x\n b\n@@\n-a\n-b\n+c"));
    }

    #[test]
    fn many_hunks_do_what_few_do() {
        let mut text = String::new();
        let mut patch = String::new();
        let mut expected = String::new();
        for number in 0..20_000 {
            let _ = write!(text, "start {number}\r\n  value = {number}\r\nend\r\n");
            let _ = write!(
                patch,
                "@@ start {number}\n-value = {number}\n+value = -{number}\n end\n"
            );
            let _ = write!(expected, "start {number}\r\n  value = -{number}\r\nend\r\n");
        }
        let (changed, strategies) = run(&text, &patch).unwrap();
        assert!(changed == expected);
        assert_eq!(strategies, vec![Strategy::Indentation; 20_000]);
        let ambiguous = format!("{patch}@@\n-end\n+END\n");
        let Reason::Refused(Refusal::Ambiguous { lines }) = refused(&text, &ambiguous) else {
            panic!("it is there 20,000 times")
        };
        assert_eq!((lines.len(), lines[19_999]), (20_000, 60_000));
    }

    #[test]
    fn formatting_may_differ() {
        let (text, strategies) = run(
            "class Q:\n    def f(self):\n        return 1\n",
            "@@\n def f(self):\n-    return 1\n+    return 2",
        )
        .unwrap();
        assert_eq!(text, "class Q:\n    def f(self):\n        return 2\n");
        assert_eq!(strategies, [Strategy::Indentation]);
        // A backslash and a letter are what they are.
        check("a\tb\n", "@@\n-a\tb\n+a\\tb", "a\\tb\n");
    }

    #[test]
    fn lines_of_context_stay_byte_for_byte() {
        check("a  \nb\n", "@@\n a\n-b\n+c", "a  \nc\n");
        check("a\n \t\nb\n", "@@\n a\n\n-b\n+c", "a\n \t\nc\n");
        check(
            "f:\n\ta  \n\tb\n",
            "@@\n f:\n     a\n-    b\n+    c",
            "f:\n\ta  \n\tc\n",
        );
        check("a\r\nb\nc\r\nd\n", "@@\n-b\n c", "a\r\nc\r\nd\n");
        check("a\r\nb\nc\r\n", "@@\n a\n-b\n+B\n c", "a\r\nB\nc\r\n");
        check(
            "“a”\u{a0}b \nx\n",
            "@@\n \"a\" b\n-x\n+y",
            "“a”\u{a0}b \ny\n",
        );
        check("a \nb", "@@\n a\n b\n+c", "a \nb\nc");
        check("a \nb", "@@\n a\n-b", "a ");
        check("a \r\nb \r\nc", "@@\n a\n-b\n-c\n+d", "a \r\nd");
    }

    #[test]
    fn a_hint_chooses_among_equal_places() {
        let text = "[x]\nv = 1\n[y]\nv = 1\n[z]\nv = 1\n";
        check(
            text,
            "@@ [y] @@\n-v = 1\n+v = 2",
            "[x]\nv = 1\n[y]\nv = 2\n[z]\nv = 1\n",
        );
        check(
            text,
            "@@\n-v = 1\n+v = 2\n*** End of File",
            "[x]\nv = 1\n[y]\nv = 1\n[z]\nv = 2\n",
        );
        let ambiguous = Reason::Refused(Refusal::Ambiguous {
            lines: vec![2, 4, 6],
        });
        assert_eq!(refused(text, "@@\n-v = 1\n+v = 2"), ambiguous);
        assert_eq!(refused(text, "@@ nowhere\n-v = 1\n+v = 2"), ambiguous);
        check("a\nb\n", "@@ nowhere @@\n-b\n+B", "a\nB\n");
        let nested = "class A:\n  def f():\n    x\nclass B:\n  def f():\n    x\n";
        check(
            nested,
            "@@ class B:\n@@ def f():\n-    x\n+    y",
            "class A:\n  def f():\n    x\nclass B:\n  def f():\n    y\n",
        );
    }

    #[test]
    fn lines_alone_are_put_below_the_hint_or_at_the_end() {
        check("a\nb\nc\n", "@@ b @@\n+x", "a\nb\nx\nc\n");
        check(
            "def a():\n    pass\n",
            "@@ def a():\n+    x = 1",
            "def a():\n    x = 1\n    pass\n",
        );
        check("a\n\n\n", "@@\n+x", "a\n\n\nx\n");
        check("a\r\nb", "@@ b\n+x", "a\r\nb\r\nx");
        check("", "@@\n+x", "x\n");
        assert_eq!(
            refused("a\n", "@@ zz @@\n+x"),
            Reason::HintMissing {
                hint: "zz".to_owned()
            }
        );
        assert_eq!(
            refused("k\nz\nk\n", "@@ k @@\n+x"),
            Reason::HintAmbiguous {
                hint: "k".to_owned(),
                lines: vec![1, 3]
            }
        );
    }

    #[test]
    fn a_misfit_names_its_hunk() {
        let misfit = run("red\nblue\n", "@@\n-red\n+RED\n@@\n-green\n+GREEN").unwrap_err();
        assert_eq!((misfit.hunk, &*misfit.first), (2, "green"));
    }

    #[test]
    fn an_empty_line_is_context_within_a_hunk() {
        check("a\n\nb\n", "@@\n a\n\n-b\n+c\n\n", "a\n\nc\n");
        check("a\nb\n", "@@\n\n a\n-b\n+c\n\n@@\n", "a\nc\n");
    }
}
