//! Telling what an edit broke from what was broken before.

use std::time::Duration;

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::Problem;
use crate::file::diff::deadline;

/// How long the lines of two large texts are compared. What is found after that is coarser: then more
/// problems count as new.
const PATIENCE: Duration = Duration::from_millis(200);

/// Divides the problems of the new text into new ones and earlier ones.
///
/// A problem is an earlier one when the old text has one with the same message at the line that its
/// line was. Places count and not lines alone: an edit may break a line that it did not touch.
pub(super) fn apart(
    problems: Vec<Problem>,
    new: &str,
    old: &str,
    judge: &dyn Fn(&str) -> Option<Vec<Problem>>,
) -> (Vec<Problem>, Vec<Problem>) {
    if old == new {
        return (Vec::new(), problems);
    }
    let before = judge(old).unwrap_or_default();
    if before.is_empty() {
        return (problems, Vec::new());
    }
    let old_lines: Vec<&str> = lines(old);
    let origin = Origin::between(&old_lines, &lines(new));
    let (mut fresh, mut earlier) = divide(problems, |line| origin.of(line), &before);
    if !fresh.is_empty() {
        // A parser that stops at its first problem hides the others, and an edit that mends it brings
        // them to light. They show in the old text without the lines of that problem, as far as those
        // are gone.
        let mended: Vec<usize> = before
            .iter()
            .map(|problem| problem.line - 1)
            .filter(|line| !origin.stays(*line))
            .collect();
        let kept: Vec<usize> = (0..old_lines.len())
            .filter(|line| !mended.contains(line))
            .collect();
        if !mended.is_empty() {
            let rest: String = kept.iter().map(|line| old_lines[*line]).collect();
            let hidden = judge(&rest).unwrap_or_default();
            let place = |line| {
                let old = origin.of(line)?;
                kept.binary_search(&old).ok()
            };
            let (new, hidden) = divide(fresh, place, &hidden);
            fresh = new;
            earlier.extend(hidden);
        }
    }
    (fresh, earlier)
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Divides problems by whether they are among others, at the line that `place` gives for their own.
/// Lines are counted from 0 there.
fn divide(
    problems: Vec<Problem>,
    place: impl Fn(usize) -> Option<usize>,
    others: &[Problem],
) -> (Vec<Problem>, Vec<Problem>) {
    problems.into_iter().partition(|problem| {
        let place = place(problem.line - 1);
        !others
            .iter()
            .any(|other| place == Some(other.line - 1) && other.message == problem.message)
    })
}

/// Which line of the old text each line of the new text was.
struct Origin {
    /// None for a line that is new.
    old: Vec<Option<usize>>,
    /// Whether a line of the old text is still there.
    stays: Vec<bool>,
}

impl Origin {
    fn between(old: &[&str], new: &[&str]) -> Self {
        let start = old
            .iter()
            .zip(new)
            .take_while(|(old, new)| old == new)
            .count();
        let ends = old[start..].iter().rev().zip(new[start..].iter().rev());
        let end = ends.take_while(|(old, new)| old == new).count();
        let (old_part, new_part) = (&old[start..old.len() - end], &new[start..new.len() - end]);
        let changed = capture_diff_slices_deadline(
            Algorithm::Myers,
            old_part,
            new_part,
            deadline(old_part.len() + new_part.len(), PATIENCE),
        );
        let mut origin = Self {
            old: vec![None; new.len()],
            stays: vec![false; old.len()],
        };
        origin.keep(0, 0, start);
        for op in changed {
            if let DiffOp::Equal {
                old_index,
                new_index,
                len,
            } = op
            {
                origin.keep(start + old_index, start + new_index, len);
            }
        }
        origin.keep(old.len() - end, new.len() - end, end);
        origin
    }

    fn keep(&mut self, old: usize, new: usize, length: usize) {
        for line in 0..length {
            self.old[new + line] = Some(old + line);
            self.stays[old + line] = true;
        }
    }

    /// The old line of a new one; that behind the last line is itself.
    fn of(&self, new: usize) -> Option<usize> {
        match self.old.get(new) {
            Some(old) => *old,
            None => Some(self.stays.len()),
        }
    }

    fn stays(&self, old: usize) -> bool {
        self.stays.get(old).copied().unwrap_or(true)
    }
}
