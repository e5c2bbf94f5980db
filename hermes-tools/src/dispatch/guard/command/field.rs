//! Words after expansion, as far as they can be told.

/// Stands for text that cannot be told.
pub(super) const UNKNOWN: char = '\u{F0000}';
/// Stands for `*` that the shell expands.
pub(super) const STAR: char = '\u{F0001}';
/// Stands for `?` that the shell expands.
pub(super) const QUESTION: char = '\u{F0002}';
/// Stands for `[` that the shell expands.
pub(super) const BRACKET: char = '\u{F0003}';

/// Where text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Taint(u8);

impl Taint {
    pub(super) const NONE: Self = Self(0);
    /// From another machine.
    pub(super) const REMOTE: Self = Self(1);
    /// Decoded or computed from something else.
    pub(super) const ENCODED: Self = Self(2);
    /// Credentials.
    pub(super) const SECRET: Self = Self(4);
    /// From a file that this line made executable.
    pub(super) const EXECUTABLE: Self = Self(8);
    /// Numbers of processes.
    pub(super) const PROCESSES: Self = Self(16);

    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// One word as the program gets it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Field {
    /// Its text, with the characters above where a part is unknown or a glob.
    pub(super) text: String,
    pub(super) taint: Taint,
}

impl Field {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            taint: Taint::NONE,
        }
    }

    pub(super) fn unknown(taint: Taint) -> Self {
        Self {
            text: UNKNOWN.to_string(),
            taint,
        }
    }

    pub(super) fn is_known(&self) -> bool {
        !self.text.contains(UNKNOWN)
    }

    pub(super) fn has_glob(&self) -> bool {
        self.text.contains([STAR, QUESTION, BRACKET])
    }

    /// The text as it is written, where all of it is known.
    pub(super) fn known(&self) -> Option<String> {
        self.is_known().then(|| self.plain())
    }

    /// The text with globs as they are written; what is unknown stays so.
    pub(super) fn plain(&self) -> String {
        self.text.chars().map(written).collect()
    }

    /// Whether it is an option and not an operand.
    pub(super) fn is_option(&self) -> bool {
        self.text.len() > 1 && self.text.starts_with('-')
    }
}

/// A character as it is written.
pub(super) const fn written(character: char) -> char {
    match character {
        STAR => '*',
        QUESTION => '?',
        BRACKET => '[',
        _ => character,
    }
}

/// What a program prints or reads.
#[derive(Debug, Clone, Default)]
pub(super) struct Stream {
    /// The text, where it can be told.
    pub(super) text: Option<String>,
    pub(super) taint: Taint,
    /// Whether it comes from a command, a file or the line, and not from whoever sits there.
    pub(super) given: bool,
    /// Folders that it names with everything below them, as `find` does that picks nothing.
    pub(super) whole: Vec<Field>,
}

impl Stream {
    pub(super) fn known(text: impl Into<String>) -> Self {
        Self::of(Some(text.into()), Taint::NONE)
    }

    pub(super) fn unknown(taint: Taint) -> Self {
        Self::of(None, taint)
    }

    pub(super) fn of(text: Option<String>, taint: Taint) -> Self {
        Self {
            text,
            taint,
            given: true,
            whole: Vec::new(),
        }
    }

    /// Both, one after the other.
    pub(super) fn then(self, next: Self) -> Self {
        let text = self.text.zip(next.text).map(|(mut first, second)| {
            first.push_str(&second);
            first
        });
        Self::of(text, self.taint.with(next.taint))
    }

    /// The same from another place.
    pub(super) fn tainted(mut self, taint: Taint) -> Self {
        self.taint = self.taint.with(taint);
        self
    }
}

/// Whether a glob in our characters matches a name. Linear but for stars, of which there may be few.
pub(super) fn glob_matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    if pattern.len() > 100 || name.len() > 100 {
        return true;
    }
    let (mut p, mut n) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(&(STAR | UNKNOWN)) => {
                back = Some((p, n));
                p += 1;
            }
            Some(&QUESTION) => {
                p += 1;
                n += 1;
            }
            Some(&BRACKET) => {
                let close = pattern[p..].iter().position(|c| *c == ']');
                // A class is taken to match; that is the careful side.
                p += close.map_or(1, |close| close + 1);
                n += 1;
            }
            Some(character) if *character == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match back {
                Some((star, from)) => {
                    p = star + 1;
                    n = from + 1;
                    back = Some((star, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| matches!(*c, STAR | UNKNOWN))
}
