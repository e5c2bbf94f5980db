//! Writing to the two outputs: what a command found, and what a person should know beside it.

mod look;
mod table;

use std::borrow::Cow;
use std::io::{self, Write};

pub(crate) use self::look::{Look, styles};
pub(crate) use self::table::{Cell, Table};

use hermes_tools::output::sanitize::display_text;

use crate::error::CliError;

/// Writes to the standard output at one stroke, with a line break at the end.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    let end = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    out.write_all(text.as_bytes())
        .and_then(|()| out.write_all(end.as_bytes()))
        .and_then(|()| out.flush())
        .map_err(CliError::Output)
}

/// Writes what a tool answered. A file may hold sequences that drive a terminal; a terminal is not
/// shown those, while a pipe gets every byte.
pub(crate) fn print_foreign(text: &str) -> Result<(), CliError> {
    print(&shown(text, Look::of_stdout()))
}

fn shown(text: &str, look: Look) -> Cow<'_, str> {
    if look.terminal {
        display_text(text)
    } else {
        Cow::Borrowed(text)
    }
}

/// Tells of an error, in one line.
pub(crate) fn report_error(text: &str) {
    report("error", styles::ERROR, text);
}

/// Tells of something odd that stopped nothing, in one line.
pub(crate) fn report_warning(text: &str) {
    report("warning", styles::WARNING, text);
}

/// Tells of something that was done unasked, in one line.
pub(crate) fn report_note(text: &str) {
    report("note", styles::NOTE, text);
}

fn report(label: &str, style: anstyle::Style, text: &str) {
    let label = Look::of_stderr().paint(style, label);
    // Nobody is left to tell when the error output is closed.
    let _ = writeln!(io::stderr().lock(), "{label}: {}", one_line(text));
}

/// A text on one line: line breaks become spaces, other control characters and those that cannot be seen
/// are spelt out, so that no name or message drives the terminal or shows as another one.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.trim_end().chars() {
        match character {
            '\n' | '\r' | '\t' => line.push(' '),
            _ if character.is_control() || is_unseen(character) => {
                line.extend(character.escape_unicode());
            }
            _ => line.push(character),
        }
    }
    line
}

/// Whether a character is not seen itself and changes how others are seen: marks of direction, joiners and
/// spaces without width, tags (Unicode, categories Cf and Zl, Zp, and the fillers).
pub(crate) const fn is_unseen(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tool_answered_cannot_drive_a_terminal_and_reaches_a_pipe_whole() {
        let text = "one\n\u{1b}]0;title\u{7}\u{1b}[2Jtwo\tthree\n";
        assert_eq!(shown(text, Look::TERMINAL), "one\ntwo\tthree\n");
        assert_eq!(shown(text, Look::PLAIN), text);
    }

    #[test]
    fn a_message_stays_on_one_line_and_cannot_drive_the_terminal() {
        assert_eq!(one_line("a\nb\tc\u{1b}[2Jd é\n"), "a b c\\u{1b}[2Jd é");
        assert_eq!(
            one_line("a\u{202e}b\u{200b}c\u{e0041}"),
            "a\\u{202e}b\\u{200b}c\\u{e0041}"
        );
    }
}
