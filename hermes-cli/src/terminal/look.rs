//! How an output wants its text: for people at a terminal, or for programs.

use std::env;
use std::io::{self, IsTerminal};

use anstyle::Style;

/// What an output can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look {
    /// Whether people read it: tables are aligned and have headings.
    pub(crate) terminal: bool,
    /// Whether it shows colours.
    colour: bool,
}

/// The styles of the program, by what they mark.
pub(crate) mod styles {
    use anstyle::{AnsiColor, Color, Style};

    pub(crate) const PLAIN: Style = Style::new();
    pub(crate) const HEADING: Style = Style::new().bold();
    pub(crate) const ASIDE: Style = Style::new().dimmed();
    pub(crate) const NAME: Style = coloured(AnsiColor::Cyan);
    pub(crate) const GOOD: Style = coloured(AnsiColor::Green);
    pub(crate) const CAREFUL: Style = coloured(AnsiColor::Yellow);
    pub(crate) const DANGER: Style = coloured(AnsiColor::Red);
    pub(crate) const ERROR: Style = DANGER.bold();
    pub(crate) const WARNING: Style = CAREFUL.bold();
    pub(crate) const NOTE: Style = NAME.bold();

    const fn coloured(colour: AnsiColor) -> Style {
        Style::new().fg_color(Some(Color::Ansi(colour)))
    }
}

impl Look {
    /// Text without any decoration.
    #[cfg(test)]
    pub(crate) const PLAIN: Self = Self {
        terminal: false,
        colour: false,
    };

    /// A terminal without colours.
    #[cfg(test)]
    pub(crate) const TERMINAL: Self = Self {
        terminal: true,
        colour: false,
    };

    /// How the standard output wants it.
    pub(crate) fn of_stdout() -> Self {
        Self::of(io::stdout().is_terminal())
    }

    /// How the error output wants it.
    pub(crate) fn of_stderr() -> Self {
        Self::of(io::stderr().is_terminal())
    }

    fn of(terminal: bool) -> Self {
        let able = terminal && env::var_os("TERM").is_none_or(|value| value != "dumb");
        // <https://no-color.org>: set and not empty means no colour, whatever the value.
        let refused = || env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self {
            terminal,
            colour: able && !refused(),
        }
    }

    /// The text in this style, where colours are shown.
    pub(crate) fn paint(self, style: Style, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}
