//! The arguments of a program, taken apart as GNU programs do.

use super::field::Field;

/// Options and operands.
#[derive(Debug, Default)]
pub(super) struct Options<'a> {
    short: Vec<(char, Option<&'a str>)>,
    long: Vec<(&'a str, Option<&'a str>)>,
    pub(super) operands: Vec<&'a Field>,
}

/// How a program takes its options.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Style<'a> {
    /// Letters that take a value, joined or as the next argument.
    pub(super) values: &'a str,
    /// Long options that take the next argument when it is not joined with `=`.
    pub(super) long_values: &'a [&'a str],
    /// Whether the first operand ends the options.
    pub(super) first_ends: bool,
}

impl<'a> Options<'a> {
    /// Takes arguments apart. Without a style all options are flags.
    pub(super) fn of(arguments: &'a [Field], style: Style<'_>) -> Self {
        let mut options = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let text = argument.text.as_str();
            if text == "--" {
                options.operands.extend(rest);
                break;
            }
            if let Some(long) = text.strip_prefix("--") {
                let (name, value) = match long.split_once('=') {
                    Some((name, value)) => (name, Some(value)),
                    None => (long, None),
                };
                let takes = value.is_none() && style.long_values.contains(&name);
                let value = if takes {
                    rest.next().map(|it| it.text.as_str())
                } else {
                    value
                };
                options.long.push((name, value));
            } else if argument.is_option() {
                for (at, letter) in text.char_indices().skip(1) {
                    if style.values.contains(letter) {
                        let joined = &text[at + letter.len_utf8()..];
                        let value = if joined.is_empty() {
                            rest.next().map(|it| it.text.as_str())
                        } else {
                            Some(joined)
                        };
                        options.short.push((letter, value));
                        break;
                    }
                    options.short.push((letter, None));
                }
            } else {
                options.operands.push(argument);
                if style.first_ends {
                    options.operands.extend(rest);
                    break;
                }
            }
        }
        options
    }

    /// Whether one of these letters is given.
    pub(super) fn letter(&self, letters: &str) -> bool {
        self.short
            .iter()
            .any(|(letter, _)| letters.contains(*letter))
    }

    /// Whether a long option is given, also shortened.
    pub(super) fn long(&self, name: &str) -> bool {
        self.long.iter().any(|(given, _)| is_short_for(given, name))
    }

    /// Whether an option is given that is not known, neither as one with a value nor as one of these flags:
    /// then it cannot be told where the operands begin.
    pub(super) fn strays(&self, style: Style<'_>, flags: &str) -> bool {
        let letter = |letter: char| style.values.contains(letter) || flags.contains(letter);
        let long = |name: &str| style.long_values.contains(&name) || LONG_FLAGS.contains(&name);
        self.short.iter().any(|(given, _)| !letter(*given))
            || self.long.iter().any(|(given, _)| !long(given))
    }

    /// The values of a letter and of a long option.
    pub(super) fn values<'s>(
        &'s self,
        letter: char,
        name: &'s str,
    ) -> impl Iterator<Item = &'a str> + 's {
        let short = self.short.iter().filter(move |(given, _)| *given == letter);
        let long = self
            .long
            .iter()
            .filter(move |(given, _)| is_short_for(given, name));
        short
            .filter_map(|(_, value)| *value)
            .chain(long.filter_map(|(_, value)| *value))
    }

    /// The first operand as text.
    pub(super) fn first(&self) -> Option<&'a str> {
        self.operands.first().map(|field| field.text.as_str())
    }
}

/// Long options that take no other argument in any of the programs that run others.
const LONG_FLAGS: [&str; 50] = [
    "help",
    "version",
    "verbose",
    "quiet",
    "silent",
    "foreground",
    "preserve-status",
    "portability",
    "append",
    "ignore-environment",
    "null",
    "no-run-if-empty",
    "interactive",
    "exit",
    "show-limits",
    "replace",
    "max-lines",
    "eof",
    "non-interactive",
    "stdin",
    "askpass",
    "login",
    "preserve-env",
    "preserve-environment",
    "set-home",
    "edit",
    "remove-timestamp",
    "reset-timestamp",
    "fork",
    "map-root-user",
    "mount",
    "pid",
    "net",
    "ipc",
    "uts",
    "pty",
    "wait",
    "scope",
    "collect",
    "no-block",
    "differences",
    "no-title",
    "color",
    "yes",
    "frozen",
    "locked",
    "no-sync",
    "isolated",
    "no-project",
    "offline",
];

/// Whether `given` may stand for a long option; shortened ones have at least three letters.
fn is_short_for(given: &str, name: &str) -> bool {
    given == name || given.len() >= 3 && name.starts_with(given)
}
