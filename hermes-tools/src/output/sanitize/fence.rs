//! Markdown fences at the start or end of a line.

use std::borrow::Cow;

use super::framing::is_space;

const FENCE: &str = "```";

/// Labels that go with an opening fence. Others may be the first word of the text.
const LABELS: [&str; 4] = ["json", "xml", "html", "markdown"];

/// Removes every fence that starts or ends a line, with the white space on both sides of it.
///
/// Blank lines before or after such a fence go with it; a fence in the middle of a line stays. With
/// `nested`, fences that come to the start or end of a line in this way go too.
pub(super) fn strip_fences(text: &str, nested: bool) -> Cow<'_, str> {
    if !text.contains(FENCE) {
        return Cow::Borrowed(text);
    }
    let opened = strip_openings(text, nested);
    let closed = strip_closings(&opened, nested);
    if closed.len() == text.len() {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(closed)
    }
}

/// Fences at the start of a line. The white space before one may hold blank lines.
fn strip_openings(text: &str, nested: bool) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        // Here a line starts.
        let mut line = rest;
        while let Some(fence) = line.trim_start_matches(is_space).strip_prefix(FENCE) {
            let label = LABELS.iter().find_map(|label| fence.strip_prefix(*label));
            let fence = label.unwrap_or(fence);
            line = fence.trim_start_matches(is_space);
            rest = line;
            if !nested && !fence[..fence.len() - line.len()].ends_with('\n') {
                break;
            }
        }
        // Blank lines are passed at once: each was looked through already.
        let blank = rest.len() - rest.trim_start_matches(is_space).len();
        let Some(end) = rest[blank..].find('\n') else {
            kept.push_str(rest);
            return kept;
        };
        kept.push_str(&rest[..=blank + end]);
        rest = &rest[blank + end + 1..];
    }
}

/// Fences at the end of a line.
fn strip_closings(text: &str, nested: bool) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut floor = 0;
    let mut rest = text;
    while let Some(at) = rest.find(FENCE) {
        let run = rest[at..].bytes().take_while(|byte| *byte == b'`').count();
        kept.push_str(&rest[..at + run]);
        rest = &rest[at + run..];
        let space = rest.len() - rest.trim_start_matches(is_space).len();
        // The white space that goes ends before the last line break, or with the text.
        let gone = if space == rest.len() {
            space
        } else {
            match rest[..space].rfind('\n') {
                Some(newline) => newline,
                None => continue,
            }
        };
        rest = &rest[gone..];
        while let Some(before) = kept.strip_suffix(FENCE) {
            let end = before.trim_end_matches(is_space).len().max(floor);
            kept.truncate(end);
            if !nested {
                floor = end;
                break;
            }
        }
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_go_with_the_white_space_beside_them() {
        for (text, clean) in [
            ("```json\n{\"a\":1}\n```", "{\"a\":1}\n"),
            ("a\n\n\n```json\n\n\nb\n\n```\n\nc", "a\nb\nc"),
            ("x ```\n\ny", "x\ny"),
            ("x ``` ```  \r\ny", "x\ny"),
            ("``````a", "a"),
            ("x````", "x`"),
            ("inline ```x``` stays", "inline ```x``` stays"),
        ] {
            assert_eq!(strip_fences(text, true), clean, "{text:?}");
        }
    }

    #[test]
    fn long_runs_take_linear_time() {
        assert_eq!(strip_fences(&"`".repeat(3_000_000), true), "");
        assert_eq!(strip_fences(&"``` ".repeat(1_000_000), true), "");
        assert_eq!(strip_fences(&"\n".repeat(1_000_000), true).len(), 1_000_000);
        let blank_lines = format!("{}``` x", "\n".repeat(1_000_000));
        assert_eq!(strip_fences(&blank_lines, true), "x");
    }
}
