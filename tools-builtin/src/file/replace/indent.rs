//! Giving lines the indentation of a place that has another one than the quotation.

use std::borrow::Cow;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::find::{leading, lines};
use super::lookalike::is_blank;

/// A line that was quoted, and the line that stands there.
#[derive(Debug, Clone, Copy)]
struct Pair<'t> {
    quoted: &'t str,
    stands: &'t str,
}

/// How the indentation of a place answers to that of a quotation.
#[derive(Debug)]
pub(super) struct Indentation<'t> {
    /// The lines of the quotation without blanks around them.
    quoted: Vec<&'t str>,
    /// The indentation of each; none for a blank line, and for one that begins within a line.
    pairs: Vec<Option<Pair<'t>>>,
    measure: Measure,
}

impl<'t> Indentation<'t> {
    /// Compares a quotation with what stands there, line by line. Where the place begins within a
    /// line, the first line says nothing.
    pub(super) fn of(old: &'t str, span: &'t str, from_line_start: bool) -> Self {
        let pairs: Vec<Option<Pair<'t>>> = lines(old)
            .zip(lines(span))
            .enumerate()
            .map(|(index, (quoted, stands))| {
                let is_told = index > 0 || from_line_start;
                (is_told && !is_empty(quoted)).then(|| Pair {
                    quoted: leading(quoted),
                    stands: leading(stands),
                })
            })
            .collect();
        Self {
            quoted: lines(old).map(|line| line.trim_matches(is_blank)).collect(),
            measure: Measure::of(&pairs),
            pairs,
        }
    }

    /// Whether a text keeps its indentation.
    fn is_same(&self) -> bool {
        let mut pairs = self.pairs.iter().flatten();
        pairs.all(|pair| pair.quoted == pair.stands)
    }

    /// A text that stands in the quotation's place, with the indentation of the place.
    pub(super) fn give<'n>(&self, new: &'n str) -> Cow<'n, str> {
        if self.is_same() {
            return Cow::Borrowed(new);
        }
        let bare: Vec<&str> = new
            .split('\n')
            .map(|line| line.trim_matches(blank_or_cr))
            .collect();
        let partners = partners(&self.quoted, &bare);
        let mut text = String::with_capacity(new.len());
        for (index, line) in new.split('\n').enumerate() {
            if index > 0 {
                text.push('\n');
            }
            let told = index > 0 || self.pairs.first().is_some_and(Option::is_some);
            match self.near(partners[index], leading(line)) {
                Some(pair) if told && !is_empty(line) => {
                    text.push_str(&self.measure.shift(leading(line), pair));
                    text.push_str(&line[leading(line).len()..]);
                }
                _ => text.push_str(line),
            }
        }
        Cow::Owned(text)
    }

    /// The quotation itself, with the indentation of the place.
    pub(super) fn give_old(&self, old: &str) -> String {
        let mut text = String::with_capacity(old.len());
        for (index, line) in old.split('\n').enumerate() {
            if index > 0 {
                text.push('\n');
            }
            match self.pairs.get(index).copied().flatten() {
                Some(pair) => {
                    text.push_str(pair.stands);
                    text.push_str(&line[pair.quoted.len()..]);
                }
                None => text.push_str(line),
            }
        }
        text
    }

    /// The quoted line that tells most of the indentation of a new one: its own partner; the nearest
    /// with the same indentation, first before it and then behind; the nearest one.
    fn near(&self, partner: Partner, indentation: &str) -> Option<Pair<'t>> {
        let (before, behind) = self.pairs.split_at(match partner {
            Partner::Line(line) => (line + 1).min(self.pairs.len()),
            Partner::Behind(line) => line.min(self.pairs.len()),
        });
        if let (Partner::Line(line), Some(Some(pair))) = (partner, before.last())
            && line + 1 == before.len()
            && pair.quoted == indentation
        {
            return Some(*pair);
        }
        let mut nearest = before.iter().rev().chain(behind).flatten();
        let first = nearest.clone().next();
        nearest
            .find(|pair| pair.quoted == indentation)
            .or(first)
            .copied()
    }
}

fn is_empty(line: &str) -> bool {
    line.trim_matches(blank_or_cr).is_empty()
}

fn blank_or_cr(character: char) -> bool {
    is_blank(character) || character == '\r'
}

/// What of the quotation a new line answers to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Partner {
    /// This line.
    Line(usize),
    /// None: it is put behind so many lines.
    Behind(usize),
}

/// The partner of each new line: the line that it was, or that it stands for.
pub(super) fn partners(quoted: &[&str], bare: &[&str]) -> Vec<Partner> {
    let mut partners = Vec::with_capacity(bare.len());
    for op in capture_diff_slices(Algorithm::Myers, quoted, bare) {
        match op {
            DiffOp::Equal { old_index, len, .. } => {
                partners.extend((old_index..old_index + len).map(Partner::Line));
            }
            DiffOp::Insert {
                old_index, new_len, ..
            } => {
                partners.extend((0..new_len).map(|_| Partner::Behind(old_index)));
            }
            DiffOp::Replace {
                old_index,
                old_len,
                new_len,
                ..
            } => {
                let line = |line: usize| Partner::Line(old_index + line.min(old_len - 1));
                partners.extend((0..new_len).map(line));
            }
            DiffOp::Delete { .. } => {}
        }
    }
    partners
}

/// What a step of the quotation's indentation is in the place's.
#[derive(Debug, Clone, Copy)]
struct Measure {
    /// Whether the place indents by tabs.
    tabs: bool,
    /// Blanks of the one that a tab of the other stands for.
    unit: usize,
    /// How many characters of the place answer to one of the quotation, where both use the same.
    scale: usize,
}

/// Blanks of a tab where nothing tells it.
const TAB: usize = 4;

impl Measure {
    fn of(pairs: &[Option<Pair<'_>>]) -> Self {
        let pairs = || pairs.iter().flatten();
        let shallow = pairs().min_by_key(|pair| pair.quoted.len());
        let deep = pairs().max_by_key(|pair| pair.quoted.len());
        let step = shallow.zip(deep).and_then(|(shallow, deep)| {
            let quoted = deep.quoted.strip_prefix(shallow.quoted)?;
            Some((quoted, deep.stands.strip_prefix(shallow.stands)?))
        });
        // The quotation may begin elsewhere, so a step between two of its lines tells more than a line.
        let unit = step
            .and_then(|(quoted, stands)| unit(quoted, stands))
            .or_else(|| pairs().find_map(|pair| unit(pair.quoted, pair.stands)));
        let scale = step.and_then(|(quoted, stands)| {
            let scale = stands.len().checked_div(quoted.len())?;
            (scale > 0 && scale * quoted.len() == stands.len()).then_some(scale)
        });
        Self {
            tabs: pairs().any(|pair| tabs(pair.stands)),
            unit: unit.unwrap_or(TAB),
            scale: scale.unwrap_or(1),
        }
    }

    /// The indentation of a new line beside a pair.
    fn shift<'t>(self, indentation: &str, pair: Pair<'t>) -> Cow<'t, str> {
        if indentation == pair.quoted {
            return Cow::Borrowed(pair.stands);
        }
        if let Some(deeper) = indentation.strip_prefix(pair.quoted) {
            return Cow::Owned(format!("{}{}", pair.stands, self.convert(deeper)));
        }
        if let Some(gone) = pair.quoted.strip_prefix(indentation) {
            let gone = self.convert(gone).chars().count();
            let kept = pair.stands.chars().count().saturating_sub(gone);
            let end = pair.stands.char_indices().nth(kept);
            return Cow::Borrowed(&pair.stands[..end.map_or(pair.stands.len(), |(end, _)| end)]);
        }
        // Blanks on the one side and tabs on the other: by their width alone.
        let width = |text: &str| -> usize {
            let width = |character| if character == '\t' { self.unit } else { 1 };
            text.chars().map(width).sum()
        };
        let wanted = (width(pair.stands) + width(indentation)).saturating_sub(width(pair.quoted));
        Cow::Owned(if self.tabs {
            "\t".repeat(wanted / self.unit) + &" ".repeat(wanted % self.unit)
        } else {
            " ".repeat(wanted)
        })
    }

    /// Indentation of the quotation as the place would write it.
    fn convert(self, indentation: &str) -> Cow<'_, str> {
        let blanks = indentation.bytes().all(|byte| byte == b' ');
        match (self.tabs, tabs(indentation)) {
            (true, false) if blanks && indentation.len().is_multiple_of(self.unit) => {
                Cow::Owned("\t".repeat(indentation.len() / self.unit))
            }
            (false, true) => Cow::Owned(indentation.replace('\t', &" ".repeat(self.unit))),
            _ if self.scale > 1 => Cow::Owned(indentation.repeat(self.scale)),
            _ => Cow::Borrowed(indentation),
        }
    }
}

/// Blanks of the one indentation that a tab of the other stands for.
fn unit(quoted: &str, stands: &str) -> Option<usize> {
    let (long, short) = match (tabs(quoted), tabs(stands)) {
        (false, true) => (quoted, stands),
        (true, false) => (stands, quoted),
        _ => return None,
    };
    let unit = long.len().checked_div(short.len())?;
    (unit > 0 && long.len() == unit * short.len()).then_some(unit)
}

fn tabs(indentation: &str) -> bool {
    indentation.contains('\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, span: &str, new: &str, expected: &str) {
        assert_eq!(Indentation::of(old, span, true).give(new), expected);
    }

    #[test]
    fn every_depth_is_that_of_its_line() {
        check(
            "    a\n\nb:\n    c",
            "        a\n\n    b:\n        c",
            "    x\n\nb:\n    y",
            "        x\n\n    b:\n        y",
        );
        // The quotation has lost all of it, so each line keeps that of its partner.
        check("a:\nb\nc", "a:\n  b\nc", "a:\nB\nc", "a:\n  B\nc");
    }

    #[test]
    fn blanks_and_tabs_answer_to_each_other() {
        check(
            "    a\n    b",
            "\ta\n\tb",
            "    a\n        x\n    b",
            "\ta\n\t\tx\n\tb",
        );
        check("\ta\n\tb", "  a\n  b", "\ta\n\t\tx\n", "  a\n    x\n");
        check("        a", "\t\ta", "            x", "\t\t\tx");
        check("  a", "\ta", "  x\n    y", "\tx\n\t\ty");
        // The quotation begins a step further left, and its own step is what a tab stands for.
        check(
            "for:\n    a",
            "\tfor:\n\t\ta",
            "for:\n    if:\n        a",
            "\tfor:\n\t\tif:\n\t\t\ta",
        );
        check(
            "for:\n\ta",
            "  for:\n    a",
            "for:\n\tif:\n\t\ta",
            "  for:\n    if:\n      a",
        );
    }

    #[test]
    fn another_step_is_taken_over() {
        check("a\n  b", "a\n    b", "a\n  b\n    c", "a\n    b\n        c");
    }

    #[test]
    fn less_than_was_quoted_is_less_there() {
        check("    deep()", "      deep()", "shallow()", "  shallow()");
        check("    a", "\ta", "x", "x");
    }

    #[test]
    fn blank_lines_and_the_rest_of_a_line_stay() {
        check("a\nb", "  a\n  b", "a\n\n \nb  ", "  a\n\n \n  b  ");
        let within = Indentation::of("a\nb", "a\n  b", false);
        assert_eq!(within.give("x\ny"), "x\n  y");
        assert_eq!(within.give_old("a\nb"), "a\n  b");
    }
}
