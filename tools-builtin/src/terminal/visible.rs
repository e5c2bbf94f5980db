//! How many characters of output are seen in a terminal, counted of what goes by and is not kept.

/// Longest sequence that is waited for, in characters. What goes on for longer has no end.
const SEQUENCE: u64 = 4 << 10;

/// Counts what is left of output without the sequences of terminals, control characters and what was
/// written over. It is the same in whatever pieces the output comes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Visible {
    /// In the lines before this one, with their ends.
    before: u64,
    /// In this line, and where in it the next character goes.
    line: u64,
    at: u64,
    state: State,
}

#[derive(Debug, Clone, Copy, Default)]
enum State {
    #[default]
    Text,
    /// Behind the first byte of what may be an eight-bit control.
    EightBit,
    /// Behind an escape character, and maybe the intermediates of a short sequence.
    Escape { is_short: bool },
    /// In a control sequence.
    Control { parameter: Parameter, seen: u64 },
    /// In a string sequence; `escaped` behind what may begin its end.
    Words {
        bell_ends: bool,
        escaped: bool,
        seen: u64,
    },
}

/// The parameters of a control sequence, as far as one that changes a line has them.
#[derive(Debug, Clone, Copy)]
enum Parameter {
    None,
    Digit(u8),
    Other,
}

impl Visible {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut visible = Self::default();
        visible.push(bytes);
        visible
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (text, end) = match line.split_last() {
                Some((b'\n', text)) => (text, &line[text.len()..]),
                _ => (line, &[][..]),
            };
            if matches!(self.state, State::Text) && is_plain(text) {
                self.print(characters(text));
            } else {
                for byte in text {
                    self.take(*byte);
                }
            }
            for byte in end {
                self.take(*byte);
            }
        }
    }

    /// How many there are; a sequence without its end is text behind its beginning.
    pub(crate) fn count(mut self) -> u64 {
        match self.state {
            State::Text | State::Escape { .. } => {}
            State::EightBit => self.print(1),
            State::Control { seen, .. } | State::Words { seen, .. } => self.print(seen),
        }
        self.before + self.line
    }

    /// How many there are in the last line.
    pub(crate) const fn line(&self) -> u64 {
        self.line
    }

    /// Leaves out the last line.
    pub(crate) const fn forget_line(&mut self) {
        (self.line, self.at) = (0, 0);
    }

    fn print(&mut self, characters: u64) {
        self.at += characters;
        self.line = self.line.max(self.at);
    }

    fn take(&mut self, byte: u8) {
        self.state = match self.state {
            State::Text => self.text(byte),
            State::EightBit => match byte {
                0x9b => State::control(),
                0x9d => State::string(true),
                0x80..0xa0 => State::Text,
                _ => {
                    self.print(1);
                    self.text(byte)
                }
            },
            State::Escape { is_short } => match byte {
                b'[' if !is_short => State::control(),
                b']' if !is_short => State::string(true),
                b'P' | b'X' | b'^' | b'_' if !is_short => State::string(false),
                0x20..=0x2f => State::Escape { is_short: true },
                0x30..=0x7e => State::Text,
                _ => self.text(byte),
            },
            State::Control { parameter, seen } => match byte {
                0x20..=0x3f if seen < SEQUENCE => State::Control {
                    parameter: parameter.and(byte),
                    seen: seen + 1,
                },
                0x40..=0x7e => {
                    self.control(parameter, byte);
                    State::Text
                }
                _ => {
                    self.print(seen);
                    self.text(byte)
                }
            },
            State::Words {
                bell_ends,
                escaped,
                seen,
            } => match byte {
                b'\\' if escaped => State::Text,
                0x07 if bell_ends => State::Text,
                _ if seen >= SEQUENCE => {
                    self.print(seen);
                    self.text(byte)
                }
                _ => State::Words {
                    bell_ends,
                    escaped: byte == 0x1b,
                    seen: seen + characters(&[byte]),
                },
            },
        };
    }

    /// Takes a byte outside of sequences.
    fn text(&mut self, byte: u8) -> State {
        match byte {
            b'\n' => {
                self.before += self.line + 1;
                (self.line, self.at) = (0, 0);
            }
            b'\r' => self.at = 0,
            0x08 => self.at = self.at.saturating_sub(1),
            0x1b => return State::Escape { is_short: false },
            0xc2 => return State::EightBit,
            b'\t' | b' '..=b'~' | 0x80.. => self.print(characters(&[byte])),
            _ => {}
        }
        State::Text
    }

    /// A control sequence by its last byte.
    fn control(&mut self, parameter: Parameter, last: u8) {
        match (parameter, last) {
            (Parameter::None | Parameter::Digit(b'0'), b'K') => self.line = self.line.min(self.at),
            (Parameter::Digit(b'2'), b'K') => self.line = 0,
            (Parameter::None | Parameter::Digit(b'1'), b'G') => self.at = 0,
            _ => {}
        }
    }
}

impl State {
    const fn control() -> Self {
        Self::Control {
            parameter: Parameter::None,
            seen: 0,
        }
    }

    const fn string(bell_ends: bool) -> Self {
        Self::Words {
            bell_ends,
            escaped: false,
            seen: 0,
        }
    }
}

impl Parameter {
    const fn and(self, byte: u8) -> Self {
        match self {
            Self::None => Self::Digit(byte),
            Self::Digit(_) | Self::Other => Self::Other,
        }
    }
}

/// Whether nothing in a line can be a control character. Without a branch for each byte, the compiler
/// looks at many at once.
#[expect(clippy::needless_bitwise_bool, reason = "no branches")]
fn is_plain(line: &[u8]) -> bool {
    !line.iter().fold(false, |found, byte| {
        found | ((*byte < b' ') & (*byte != b'\t')) | (*byte == 0x7f) | (*byte == 0xc2)
    })
}

/// Bytes that begin a character in UTF-8. Of output in another encoding it is a count of much the same
/// size.
fn characters(bytes: &[u8]) -> u64 {
    // Sums that fit into a byte let the compiler count sixteen and more at once.
    let few = |piece: &[u8]| {
        piece
            .iter()
            .map(|byte| u8::from(byte & 0xc0 != 0x80))
            .sum::<u8>()
    };
    let pieces = bytes.chunks(usize::from(u8::MAX));
    pieces.map(|piece| u64::from(few(piece))).sum()
}

#[cfg(test)]
mod tests {
    use super::super::shown::plain;
    use super::*;

    #[test]
    fn as_many_are_counted_as_are_shown_in_whatever_pieces() {
        for (output, count) in [
            ("one\ntwo\n", 8),
            ("é\u{a0}\u{20ac}🎉 \tx", 7),
            ("\u{1b}[1;38;2;1;2;3m17\u{1b}[0m\n", 3),
            ("one\r\ntwo\r\n", 8),
            ("10%\r20%\r100%\ndone", 9),
            ("long word\rshort\n", 10),
            ("abcdef\rXY\u{1b}[K\n", 3),
            ("abcdef\rXY\u{1b}[0K\n", 3),
            ("\u{1b}[2K\u{1b}[1Gload 1%\u{1b}[2K\u{1b}[1Gload 3%ok", 9),
            ("a\u{8}b\u{7}\n", 2),
            ("\u{1b}[?1049h\u{1b}[2J\u{1b}[Hpage\u{1b}[?1049l\n", 5),
            ("\u{1b}]0;title\u{7}shown\u{1b}[6n\n", 6),
            ("\u{1b}]8;;x\u{1b}\\shown\u{1b}(B\u{1b}7", 5),
            ("\u{9b}31mred\u{85}", 3),
            ("\u{1b}Pstring\u{1b}\\a\u{1}b\0", 2),
            ("\u{1b}[12", 2),
        ] {
            assert_eq!(
                plain(output.as_bytes(), "").chars().count(),
                count,
                "{output:?}"
            );
            for size in 1..=output.len() {
                let mut visible = Visible::default();
                output
                    .as_bytes()
                    .chunks(size)
                    .for_each(|it| visible.push(it));
                assert_eq!(visible.count(), count as u64, "{output:?} by {size}");
            }
        }
    }

    #[test]
    fn a_sequence_without_an_end_is_not_waited_for() {
        let mut visible = Visible::default();
        visible.push(b"\x1b]");
        visible.push(&b"row\n".repeat(100_000));
        assert_eq!(visible.count(), 400_000);
    }
}
