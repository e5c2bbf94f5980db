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
    let ends = kept.ends();
    let (head, tail, lost) = match ends.lost {
        None => (plain(&ends.newest(), command), String::new(), 0),
        Some(lost) => {
            let (head, tail) = (plain(ends.head, command), plain(ends.tail, command));
            (
                head,
                tail,
                usize::try_from(lost.characters).unwrap_or(usize::MAX),
            )
        }
    };
    let total = lost.saturating_add(head.chars().count() + tail.chars().count());
    if lost == 0 && total <= limit {
        return (head + &tail, None);
    }
    let stored = store(kept);
    let place = match &stored {
        Some(stored) if stored.is_whole => "`full_output` is a file with all of it",
        Some(_) => "`full_output` is a file with its beginning",
        None => "send the output to a file to read it in parts",
    };
    let notice =
        |missing, total| format!("\n[... {missing} of {total} characters left out; {place} ...]\n");
    if lost > 0 {
        let all = [&*head, &notice(lost, total), &*tail].concat();
        if all.chars().count() <= limit {
            return (all, stored);
        }
    }
    // What is missing is told even where it is less than the room.
    let room = limit.min(total - 1);
    (
        join_ends(&head, &tail, total, room, "", notice).text,
        stored,
    )
}

/// The last characters of what is kept.
pub(crate) fn newest(kept: &mut Kept, command: &str, limit: usize) -> String {
    let text = plain(&kept.ends().newest(), command);
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

    /// What is shown of output that comes in pieces of a size, where four bytes are kept for a character.
    fn cut(output: &[u8], limit: usize, size: usize) -> String {
        let mut kept = Kept::new(limit * 4 / 5 * 2, limit * 4 / 5 * 3);
        output.chunks(size).for_each(|piece| kept.push(piece));
        shown(&mut kept, "cat", limit, |_| None).0
    }

    #[test]
    fn totals_are_those_of_what_came_whatever_the_pieces() {
        let expected = format!(
            "{}\n[... 1758 of 2000 characters left out; send the output to a file to read it in parts ...]\n{}",
            "x".repeat(96),
            "x".repeat(146)
        );
        for size in [1, 7, 333, 400, 1_329, 1_331, 2_000] {
            assert_eq!(cut(&[b'x'; 2_000], 333, size), expected, "{size}");
        }
    }

    #[test]
    fn what_is_missing_is_told_though_the_rest_would_fit() {
        let rows: String = (1..=1_000)
            .map(|row| format!("\u{1b}]0;a long title for row {row}\u{7}{row}\n"))
            .collect();
        let visible = 3_893;
        for size in [1, 100, 30_000, 50_000] {
            let text = cut(rows.as_bytes(), 5_000, size);
            let (front, rest) = text.split_once("\n[... ").unwrap();
            let (notice, back) = rest.split_once(" ...]\n").unwrap();
            assert!(front.starts_with("1\n2\n") && back.ends_with("999\n1000\n"));
            let missing = visible - front.len() - back.len();
            assert!(
                notice.starts_with(&format!("{missing} of {visible} characters left out")),
                "{notice}"
            );
        }
    }

    #[test]
    fn no_part_of_a_secret_is_left_at_a_cut() {
        let key = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
        for at in 0..1_500 {
            // What is not seen leaves both cuts in sight.
            let (front, back) = ("\0".repeat(at), "\0".repeat(1_500 - at));
            let text = cut(format!("{front} {key} {back}").as_bytes(), 250, 64);
            let parts = key.as_bytes().windows(8);
            for part in parts.map(|part| std::str::from_utf8(part).unwrap()) {
                assert!(!text.contains(part), "{at}: {text}");
            }
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
