//! What an edit changed, as a unified diff.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use similar::{ChangeTag, DiffOp, TextDiff};

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// Characters of a diff that are shown, cut at a line.
const LIMIT: usize = 20_000;

/// Lines of two texts together that are compared however long it takes, so that what comes of usual
/// files never depends on the speed of the machine.
const SMALL: usize = 2_000;

/// How long a smaller diff of large texts may be searched for. What is found after that is longer, and as true.
const PATIENCE: Duration = Duration::from_millis(500);

/// The unified diff that leads from one text to another; empty when they are equal.
///
/// Lines end at LF alone, so that a CR before it stands in the diff. Only what lies between the
/// common start and the common end of both texts is compared line by line.
pub(super) fn unified(path: &str, old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let start = common_start(old, new);
    let end = common_end(&old[start..], &new[start..]);
    let first = memchr::memchr_iter(b'\n', &old.as_bytes()[..start]).count();
    let old_lines = lines(&old[start..old.len() - end]);
    let new_lines = lines(&new[start..new.len() - end]);
    let mut configuration = TextDiff::configure();
    if let Some(deadline) = deadline(old_lines.len() + new_lines.len(), PATIENCE) {
        configuration.deadline(deadline);
    }
    let diff = configuration.diff_slices(&old_lines, &new_lines);
    // A path of another root is absolute, and `a//` would say something else.
    let path = path.trim_start_matches('/');
    let mut text = format!("--- a/{path}\n+++ b/{path}\n");
    for hunk in diff.grouped_ops(CONTEXT) {
        write_hunk(&mut text, &diff, &hunk, first);
    }
    shorten(text)
}

/// When a comparison of so many lines has to end.
pub(super) fn deadline(lines: usize, patience: Duration) -> Option<Instant> {
    (lines > SMALL).then(|| Instant::now() + patience)
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn write_hunk(text: &mut String, diff: &TextDiff<'_, '_, str>, hunk: &[DiffOp], first: usize) {
    let (Some(head), Some(tail)) = (hunk.first(), hunk.last()) else {
        return;
    };
    let old = head.old_range().start..tail.old_range().end;
    let new = head.new_range().start..tail.new_range().end;
    // Writing to a `String` cannot fail.
    let _ = writeln!(
        text,
        "@@ -{} +{} @@",
        extent(first + old.start, old.len()),
        extent(first + new.start, new.len())
    );
    for change in hunk.iter().flat_map(|op| diff.iter_changes(op)) {
        text.push(match change.tag() {
            ChangeTag::Equal => ' ',
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        });
        text.push_str(change.value());
        if !change.value().ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Where a hunk is and how many lines it has. One without lines is named by the line before it.
fn extent(before: usize, length: usize) -> String {
    match length {
        0 => format!("{before},0"),
        1 => format!("{}", before + 1),
        _ => format!("{},{length}", before + 1),
    }
}

/// Length of the lines that both texts begin with, except the last few, which are context.
fn common_start(old: &str, new: &str) -> usize {
    let equal = common_prefix(old.as_bytes(), new.as_bytes());
    let mut start = memchr::memrchr(b'\n', &old.as_bytes()[..equal]).map_or(0, |line| line + 1);
    for _ in 0..CONTEXT {
        let before = &old.as_bytes()[..start.saturating_sub(1)];
        start = memchr::memrchr(b'\n', before).map_or(0, |line| line + 1);
    }
    start
}

/// Length of the lines that both texts end with, except the first few, which are context.
fn common_end(old: &str, new: &str) -> usize {
    let (old, new) = (old.as_bytes(), new.as_bytes());
    let equal = common_suffix(old, new);
    let tail = &old[old.len() - equal..];
    // The line that the equal part begins in may differ before it.
    let mut starts = memchr::memchr_iter(b'\n', tail).map(|line| line + 1);
    starts.nth(CONTEXT).map_or(0, |start| tail.len() - start)
}

/// Bytes compared at once while the texts are equal.
const BLOCK: usize = 4 * 1024;

fn common_prefix(old: &[u8], new: &[u8]) -> usize {
    let blocks = old.chunks_exact(BLOCK).zip(new.chunks_exact(BLOCK));
    let start = blocks.take_while(|(old, new)| old == new).count() * BLOCK;
    let rest = old[start..].iter().zip(&new[start..]);
    start + rest.take_while(|(old, new)| old == new).count()
}

fn common_suffix(old: &[u8], new: &[u8]) -> usize {
    let blocks = old.rchunks_exact(BLOCK).zip(new.rchunks_exact(BLOCK));
    let end = blocks.take_while(|(old, new)| old == new).count() * BLOCK;
    let rest = old[..old.len() - end]
        .iter()
        .rev()
        .zip(new[..new.len() - end].iter().rev());
    end + rest.take_while(|(old, new)| old == new).count()
}

fn shorten(mut text: String) -> String {
    let Some((limit, _)) = text.char_indices().nth(LIMIT) else {
        return text;
    };
    let end = text[..limit].rfind('\n').map_or(0, |line| line + 1);
    let missing = memchr::memchr_iter(b'\n', &text.as_bytes()[end..]).count();
    text.truncate(end);
    let _ = writeln!(text, "[... {missing} more lines of the diff]");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, hunks: &str) {
        assert_eq!(unified("f", old, new), format!("--- a/f\n+++ b/f\n{hunks}"));
        // The same change far into a file has the same hunks at other lines.
        let padding = "padding\n".repeat(2_000);
        let deep = unified("f", &format!("{padding}{old}"), &format!("{padding}{new}"));
        let mark = |text: &str| {
            text.lines()
                .filter(|line| line.starts_with(['-', '+']))
                .count()
        };
        assert_eq!(mark(&deep), mark(hunks) + 2);
    }

    #[test]
    fn equal_texts_have_no_diff() {
        assert_eq!(unified("f", "a\n", "a\n"), "");
    }

    #[test]
    fn changes_are_shown_with_three_lines_around() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        check(
            old,
            &old.replace('5', "five"),
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
        );
        check(
            old,
            &old.replace("1\n", ""),
            "@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n",
        );
        check(
            old,
            &format!("{old}10\n"),
            "@@ -7,3 +7,4 @@\n 7\n 8\n 9\n+10\n",
        );
        check("", "a\n", "@@ -0,0 +1 @@\n+a\n");
        check("a\n", "", "@@ -1 +0,0 @@\n-a\n");
    }

    #[test]
    fn repeated_lines_do_not_confuse_the_common_ends() {
        check("x\nx\nx\n", "x\nx\n", "@@ -1,3 +1,2 @@\n x\n x\n-x\n");
        check(
            "ab\nab\n",
            "ab\nab\nab\n",
            "@@ -1,2 +1,3 @@\n ab\n ab\n+ab\n",
        );
    }

    #[test]
    fn a_missing_line_feed_at_the_end_is_told() {
        let hunks = "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n";
        check("a", "a\n", hunks);
    }

    #[test]
    fn carriage_returns_stand_in_the_diff() {
        check(
            "a\r\nb\r\n",
            "a\r\nc\r\n",
            "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n",
        );
        check("a\rb\n", "a\rc\n", "@@ -1 +1 @@\n-a\rb\n+a\rc\n");
    }

    #[test]
    fn characters_that_share_bytes_are_not_cut() {
        check("é\n", "è\n", "@@ -1 +1 @@\n-é\n+è\n");
        check(
            "aé",
            "bé",
            "@@ -1 +1 @@\n-aé\n\\ No newline at end of file\n+bé\n\\ No newline at end of file\n",
        );
    }

    #[test]
    fn a_long_diff_is_cut_at_a_line_and_says_so() {
        let diff = unified("f", "", &"0123456789\n".repeat(3_000));
        let tail = "\n+0123456789\n[... 1337 more lines of the diff]\n";
        assert!(diff.ends_with(tail), "{:?}", &diff[diff.len() - 80..]);
    }
}
