//! What goes back to a model: cut to its limit, marked when it is from outside, errors cleaned.

use std::borrow::Cow;

use super::redact;
use super::sanitize::{mark_untrusted, model_error};
use super::{Content, Output, ToolError};
use crate::entry::ToolEntry;

/// Bounds the result of a tool: its text is cut to the tool's limit over all parts, and marked when the
/// tool says that its results are not to be trusted. Parts that are no text stay as they are.
#[must_use]
pub fn bound(output: Output, entry: &ToolEntry) -> Output {
    bound_as(
        output,
        entry.name(),
        entry.result_limit(),
        entry.is_untrusted(),
    )
}

/// Bounds the result of a tool of this name to this many characters; `untrusted` marks it.
#[must_use]
pub fn bound_as(mut output: Output, name: &str, limit: usize, untrusted: bool) -> Output {
    let mut left = limit;
    for part in output.parts_mut().filter(|part| part.is_text()) {
        if let Some(short) = cut(part.as_text(), left) {
            *part = Content::Text(Cow::Owned(short));
        }
        if left != usize::MAX {
            // A part of so many bytes has at most so many characters; that is close enough to
            // share a limit, and costs no counting.
            left = left.saturating_sub(part.as_text().len());
        }
    }
    if untrusted {
        for part in output.parts_mut().filter(|part| part.is_text()) {
            let marked = mark_untrusted(name, part.as_text());
            *part = Content::Text(Cow::Owned(marked));
        }
    }
    output
}

/// Cleans every text of an error that a model sees.
#[must_use]
pub fn bound_error(mut error: ToolError) -> ToolError {
    error.edit(model_error);
    error
}

/// Takes the secrets of a call out of every text of an error that a model sees.
#[must_use]
pub fn hide_secrets(mut error: ToolError, secrets: &[Box<str>]) -> ToolError {
    if !secrets.is_empty() {
        error.edit(|text| redact::without(text, secrets));
    }
    error
}

/// Cuts a text to at most `limit` characters, both ends kept, with a line that says what is missing.
///
/// Two thirds of the room go to the head. The cuts move to a line break when one is near. `None` when
/// the text fits. The line itself counts, so that the whole is never longer than `limit` unless the
/// limit is smaller than the line.
pub fn cut(text: &str, limit: usize) -> Option<String> {
    // A text of so many bytes has at most so many characters, so most texts are not counted.
    if text.len() <= limit {
        return None;
    }
    let total = text.chars().count();
    if total <= limit {
        return None;
    }
    let room = limit.saturating_sub(notice(total, total).chars().count());
    let tail = room / 3;
    let head = to_line_end(text, byte_of(text, room - tail));
    let tail_start = to_line_start(text, byte_of(text, total - tail)).max(head);
    let missing = text[head..tail_start].chars().count();
    Some(format!(
        "{}{}{}",
        &text[..head],
        notice(missing, total),
        &text[tail_start..]
    ))
}

fn notice(missing: usize, total: usize) -> String {
    format!("\n[... {missing} of {total} characters left out; ask for a smaller part ...]\n")
}

fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices()
        .nth(character)
        .map_or(text.len(), |(byte, _)| byte)
}

/// How far a cut may move to reach a line break, in bytes.
const SNAP: usize = 200;

fn to_line_end(text: &str, at: usize) -> usize {
    text[..at]
        .rfind('\n')
        .filter(|newline| at - newline <= SNAP)
        .map_or(at, |newline| newline + 1)
}

fn to_line_start(text: &str, at: usize) -> usize {
    text[at..]
        .find('\n')
        .filter(|newline| *newline <= SNAP)
        .map_or(at, |newline| at + newline + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_fits_is_left_alone() {
        assert_eq!(cut("", 0), None);
        assert_eq!(cut("éééé", 4), None);
    }

    #[test]
    fn both_ends_stay_and_the_rest_is_counted() {
        let text = "é".repeat(1_000);
        let short = cut(&text, 200).unwrap();
        assert_eq!(short.chars().count(), 199);
        assert!(short.starts_with("éé") && short.ends_with("éé"));
        assert!(
            short.contains("[... 868 of 1000 characters left out"),
            "{short}"
        );
    }

    #[test]
    fn cuts_fall_on_line_breaks_when_one_is_near() {
        let text: String = (0..1_000).map(|line| format!("line {line}\n")).collect();
        let short = cut(&text, 500).unwrap();
        let (head, rest) = short.split_once("\n[... ").unwrap();
        let (_, tail) = rest.split_once(" ...]\n").unwrap();
        assert!(text.starts_with(head) && head.ends_with('\n'), "{head:?}");
        assert!(tail.starts_with("line "), "{tail:?}");
    }
}
