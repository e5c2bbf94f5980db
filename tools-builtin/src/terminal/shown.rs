//! Output as a model sees it: what a person would see at the end, without secrets, both ends of it.

use std::borrow::Cow;

use hermes_tools::output::redact::{Mode, Redactor};
use hermes_tools::output::sanitize::strip_ansi;
use hermes_tools::output::truncate::join_ends;

use super::kept::Kept;
use super::overflow::Stored;

/// The text of what is kept of a command's output, cut to so many characters. Where it is cut, `store` says
/// where all of it is.
pub(crate) fn shown(
    kept: &mut Kept,
    command: &str,
    limit: usize,
    store: impl FnOnce(&mut Kept) -> Option<Stored>,
) -> (String, Option<Stored>) {
    let (head, tail, total) = if kept.is_whole() {
        let text = plain(&kept.bytes(), command);
        let total = text.chars().count();
        (text, String::new(), total)
    } else {
        let total = usize::try_from(kept.characters()).unwrap_or(usize::MAX);
        let (head, tail) = kept.ends();
        (plain(head, command), plain(tail, command), total)
    };
    if total <= limit && tail.is_empty() {
        return (head, None);
    }
    let stored = store(kept);
    let place = match &stored {
        Some(stored) if stored.is_whole => "`full_output` is a file with all of it",
        Some(_) => "`full_output` is a file with its beginning",
        None => "send the output to a file to read it in parts",
    };
    let notice =
        |missing, total| format!("\n[... {missing} of {total} characters left out; {place} ...]\n");
    (
        join_ends(&head, &tail, total, limit, "", notice).text,
        stored,
    )
}

/// The last characters of what is kept.
pub(crate) fn newest(kept: &mut Kept, command: &str, limit: usize) -> String {
    let text = plain(&kept.bytes(), command);
    last(&text, limit).to_owned()
}

/// Bytes as text without escape sequences, overwritten lines, control characters and secrets. Secrets
/// go before anything is cut, so that no half of one is left.
pub(crate) fn plain(bytes: &[u8], command: &str) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = overwritten(&text);
    match Redactor::new(Mode::Terminal { command }).redact(&text) {
        Cow::Borrowed(_) => text.into_owned(),
        Cow::Owned(clean) => clean,
    }
}

/// Marks for the erasures of a line, which are read after all other sequences are gone. Output that
/// holds these characters itself loses them before.
const ERASE_TO_END: char = '\u{1}';
const ERASE_ALL: char = '\u{2}';

/// What stands for the sequences that change a line in place.
const IN_PLACE: [(&str, &str); 5] = [
    ("\u{1b}[K", "\u{1}"),
    ("\u{1b}[0K", "\u{1}"),
    ("\u{1b}[2K", "\u{2}"),
    ("\u{1b}[G", "\r"),
    ("\u{1b}[1G", "\r"),
];

/// The last state of lines that were written over, as a terminal shows them.
fn overwritten(text: &str) -> Cow<'_, str> {
    let is_control = |character: char| character.is_control() && !is_blank(character);
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut marked = text.replace([ERASE_TO_END, ERASE_ALL], "");
    if marked.contains('\u{1b}') {
        for (sequence, mark) in IN_PLACE {
            marked = marked.replace(sequence, mark);
        }
    }
    let mut clean = String::with_capacity(text.len());
    for line in strip_ansi(&marked).split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line.strip_suffix('\r').unwrap_or(line), "\n"),
            None => (line, ""),
        };
        if line.contains(is_control) {
            clean.extend(last_state(line));
        } else {
            clean.push_str(line);
        }
        clean.push_str(end);
    }
    Cow::Owned(clean)
}

const fn is_blank(character: char) -> bool {
    matches!(character, '\n' | '\t')
}

/// What is left of one line after its carriage returns, backspaces and erasures.
fn last_state(line: &str) -> Vec<char> {
    let mut cells: Vec<char> = Vec::new();
    let mut at = 0_usize;
    for character in line.chars() {
        match character {
            '\r' => at = 0,
            '\u{8}' => at = at.saturating_sub(1),
            ERASE_TO_END => cells.truncate(at),
            ERASE_ALL => cells.clear(),
            _ if character.is_control() && !is_blank(character) => {}
            _ => {
                cells.resize(cells.len().max(at), ' ');
                match cells.get_mut(at) {
                    Some(cell) => *cell = character,
                    None => cells.push(character),
                }
                at += 1;
            }
        }
    }
    cells
}

fn last(text: &str, characters: usize) -> &str {
    let skipped = text.chars().count().saturating_sub(characters);
    let start = text.char_indices().nth(skipped);
    &text[start.map_or(text.len(), |(at, _)| at)..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_as_it_was_at_the_end() {
        for (raw, seen) in [
            ("abcdef\rXY\u{1b}[K\n", "XY\n"),
            ("one\r\ntwo\r\n", "one\ntwo\n"),
            ("10%\r20%\r100%\ndone", "100%\ndone"),
            (
                "\u{1b}[2K\u{1b}[1Gload 1%\u{1b}[2K\u{1b}[1Gload 3%ok",
                "load 3%ok",
            ),
            ("a\u{8}b\u{7}\n", "b\n"),
            (
                "\u{1b}[?1049h\u{1b}[2J\u{1b}[Hpage\u{1b}[?1049l\n",
                "page\n",
            ),
            ("\u{1b}]0;title\u{7}shown\u{1b}[6n\n", "shown\n"),
            ("long word\rshort\n", "shortword\n"),
            ("a\u{1}b\tc", "ab\tc"),
        ] {
            assert_eq!(overwritten(raw), seen, "{raw:?}");
        }
    }

    #[test]
    fn a_cut_keeps_both_ends_and_counts_what_is_missing() {
        let text: String = (1..=2_000).map(|row| format!("row {row}\n")).collect();
        for (head, tail) in [(100_000, 100_000), (1_000, 1_000)] {
            let mut kept = Kept::new(head, tail);
            kept.push(text.as_bytes());
            let (cut, _) = shown(&mut kept, "seq", 400, |_| None);
            assert!(cut.chars().count() <= 400, "{}", cut.len());
            assert!(
                cut.starts_with("row 1\n") && cut.ends_with("row 2000\n"),
                "{cut}"
            );
            let (front, rest) = cut.split_once("\n[... ").unwrap();
            let (missing, rest) = rest.split_once(" of ").unwrap();
            let (total, rest) = rest.split_once(' ').unwrap();
            let (_, back) = rest.split_once(" ...]\n").unwrap();
            assert_eq!(total.parse(), Ok(text.len()));
            assert_eq!(
                missing.parse::<usize>().unwrap() + front.len() + back.len(),
                text.len()
            );
        }
    }

    #[test]
    fn secrets_go_before_the_cut() {
        let mut kept = Kept::new(1_000, 1_000);
        kept.push(b"TOKEN=ghp_0123456789abcdefghijklmnopqrstuvwxyz\n");
        let (text, _) = shown(&mut kept, "env", 1_000, |_| None);
        assert!(!text.contains("456789abcdef"), "{text}");
    }

    #[test]
    fn damaged_bytes_are_shown_as_such() {
        let mut kept = Kept::new(10, 10);
        kept.push(b"a\xff\xfeb\0c");
        assert_eq!(
            shown(&mut kept, "cat", 100, |_| None).0,
            "a\u{fffd}\u{fffd}bc"
        );
    }
}
