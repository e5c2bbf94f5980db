//! Secrets taken out of what is logged or shown.
//!
//! Every rule looks at the text once and marks what to replace, so the time is linear in the length of
//! the text. A mask keeps so much of a long secret that a person can tell which one it is: its first six
//! and its last four characters.

mod addresses;
mod fields;
mod keys;
mod known;
mod names;
mod shell;

use std::borrow::Cow;

#[cfg(feature = "host")]
pub(crate) use self::addresses::address;
#[cfg(feature = "host")]
pub(crate) use self::known::take_out;
pub use self::known::without;
pub use self::names::is_secret_name;

/// Which rules a text is looked at with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Mode<'a> {
    /// All rules: for logs and for what people are shown.
    #[default]
    Log,
    /// For source text, where an assignment to `token` is most often no secret: keys that are known by
    /// their form, headers and passwords in addresses.
    Code,
    /// As [`Mode::Code`], for contents of files: a known key becomes a mark that nobody can take for a key
    /// when the text is written back.
    File,
    /// The output of this command: all rules where it shows variables, those for source text otherwise.
    Terminal {
        /// The command line.
        command: &'a str,
    },
    /// All rules, and passwords and credentials in addresses of the web too. Elsewhere those stay, since
    /// links for signing in must survive.
    StrictUrl,
}

/// Takes secrets out of texts.
///
/// ```
/// use hermes_tools::output::redact::{Mode, Redactor, redact};
///
/// assert_eq!(
///     redact("GITHUB_TOKEN=ghp_0123456789abcdefABCD done"),
///     "GITHUB_TOKEN=ghp_01...ABCD done"
/// );
/// let code = Redactor::new(Mode::Code);
/// assert_eq!(code.redact("let token = next_token();"), "let token = next_token();");
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Redactor<'a> {
    mode: Mode<'a>,
    off: bool,
}

/// Takes secrets out of a text by the rules for logs.
pub fn redact(text: &str) -> Cow<'_, str> {
    Redactor::default().redact(text)
}

impl<'a> Redactor<'a> {
    /// A redactor with these rules.
    pub const fn new(mode: Mode<'a>) -> Self {
        Self { mode, off: false }
    }

    /// Says whether it does anything; the switch of an operator.
    #[must_use]
    pub const fn enabled(mut self, on: bool) -> Self {
        self.off = !on;
        self
    }

    /// Takes secrets out of a text, unless the operator has switched that off.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.off {
            Cow::Borrowed(text)
        } else {
            self.forced(text)
        }
    }

    /// Takes secrets out of a text, whatever the operator has switched off: for what leaves the machine.
    pub fn forced<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let all = match self.mode {
            Mode::Log | Mode::StrictUrl => true,
            Mode::Code | Mode::File => false,
            Mode::Terminal { command } => shell::shows_variables(command),
        };
        let mut marks = Marks::default();
        keys::private_keys(text, &mut marks);
        addresses::find(text, all, self.mode == Mode::StrictUrl, &mut marks);
        fields::headers(text, &mut marks);
        if all {
            fields::assignments(text, &mut marks);
            fields::form(text, &mut marks);
        }
        keys::known(text, self.mode == Mode::File, &mut marks);
        keys::phone_numbers(text, &mut marks);
        marks.apply(text)
    }
}

/// What stands for a secret that is too short to show any of it.
pub(crate) const MASK: &str = "***";

/// What stands for a secret.
fn mask(secret: &str) -> String {
    let length = secret.chars().count();
    if length < 18 {
        return MASK.to_owned();
    }
    let head: String = secret.chars().take(6).collect();
    let tail: String = secret.chars().skip(length - 4).collect();
    format!("{head}...{tail}")
}

/// What is replaced in a text, by byte offsets.
#[derive(Debug, Default)]
struct Marks {
    marks: Vec<(usize, usize, String)>,
}

impl Marks {
    fn add(&mut self, start: usize, end: usize, replacement: String) {
        if start < end {
            self.marks.push((start, end, replacement));
        }
    }

    /// Masks a part of the text.
    fn mask(&mut self, text: &str, start: usize, end: usize) {
        let secret = text.get(start..end).unwrap_or_default();
        self.add(start, end, mask(secret));
    }

    /// Replaces what is marked. Where marks overlap, the one that begins first counts, and of those the
    /// one that was made first.
    fn apply(mut self, text: &str) -> Cow<'_, str> {
        if self.marks.is_empty() {
            return Cow::Borrowed(text);
        }
        self.marks.sort_by_key(|(start, _, _)| *start);
        let mut result = String::with_capacity(text.len());
        let mut at = 0;
        for (start, end, replacement) in self.marks {
            if start >= at {
                result.push_str(text.get(at..start).unwrap_or_default());
                result.push_str(&replacement);
                at = end;
            }
        }
        result.push_str(text.get(at..).unwrap_or_default());
        Cow::Owned(result)
    }
}

#[cfg(test)]
mod tests;
