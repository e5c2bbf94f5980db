//! Commands: which programs a shell line would run, and what they would do.
//!
//! The line is read as the shell reads it and gone through with what can be told of its words:
//! through wrappers, paths, assignments, quotes, functions, and texts that shells run. Text that is only
//! an argument is inert. What cannot be told is asked about. This is help against accidents and
//! plain attacks, not a wall: the wall is that commands run confined.

mod category;
mod deny;
mod eval;
mod expand;
mod field;
mod guess;
mod here;
mod options;
mod parse;
mod program;
mod remote;
mod rules;
mod scope;
mod simple;
mod syntax;
#[cfg(test)]
mod tests;
mod word;
mod wrapped;
mod wrappers;

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization as _, is_nfkc};

use self::category::Category;
pub(super) use self::deny::Deny;
use self::eval::{Eval, Severity};
use super::Verdict;
use crate::output::ErrorKind;
use crate::output::sanitize::strip_ansi;

/// The longest line that is looked through, in bytes.
const MAX_LENGTH: usize = 128_000;

/// The longest part of a line without white space or a sign of the shell, in characters: what is longer
/// is no path and no name, and mostly something encoded.
const MAX_UNBROKEN: usize = 4_096;

/// How many places a line may be broken at.
const MAX_BREAKS: usize = 25_000;

/// What commands are judged by.
#[derive(Debug, Clone, Default)]
pub(crate) struct Setting {
    /// The home folder, absolute.
    pub(crate) home: String,
    /// The folder in which commands start, absolute, where it is known.
    pub(crate) folder: Option<String>,
    /// The agent's own folder, absolute.
    pub(crate) agent_home: Option<String>,
    /// Whether the host has given a password for `sudo`, so that handing one over is no guessing.
    pub(crate) sudo_password: bool,
    /// What matches one of these is never run.
    pub(crate) deny: Vec<Deny>,
}

/// Judges a line.
pub(crate) fn judge(line: &str, setting: &Setting) -> Verdict {
    if let Some(pattern) = setting.deny.iter().find_map(Deny::unreadable) {
        // What it was to forbid cannot be told from the rest.
        return Verdict::Block {
            kind: ErrorKind::CommandBlocked,
            category: Category::Denied.word(),
            why: format!(
                "no command is run: the operator's pattern of forbidden ones does not read: `{pattern}`"
            ),
            help: "tell the user that the pattern has to be mended".to_owned(),
        };
    }
    if line.len() > MAX_LENGTH {
        return verdict(Severity::Block, Category::TooLong);
    }
    if setting.deny.iter().any(|deny| deny.matches(line)) {
        return verdict(Severity::Block, Category::Denied);
    }
    let clean = clean(line);
    // Some shells take a carriage return for the end of a line.
    let unix = if clean.contains('\r') {
        Cow::Owned(clean.replace('\r', "\n"))
    } else {
        Cow::Borrowed(&*clean)
    };
    let mut worst = look(&unix, setting);
    if !is_nfkc(&clean) {
        // Letters that only look like others: as they are, and as they look.
        let folded: String = unix.nfkc().take(MAX_LENGTH + 1).collect();
        if folded.len() > MAX_LENGTH {
            return verdict(Severity::Block, Category::TooLong);
        }
        worst = worst.max_by_severity(look(&folded, setting));
    }
    if clean != line {
        worst = worst.max_by_severity(Some((Severity::Ask, Category::Unreadable)));
    }
    if is_unwieldy(&clean) {
        worst = worst.max_by_severity(Some((Severity::Ask, Category::TooInvolved)));
    }
    worst.map_or(Verdict::Allow, |(severity, category)| {
        verdict(severity, category)
    })
}

fn look(line: &str, setting: &Setting) -> Option<(Severity, Category)> {
    let mut eval = Eval::new(setting, line.len());
    eval.script(line, field::Stream::default());
    eval.worst()
}

/// Whether nobody could read a line, because it is hardly broken anywhere or everywhere.
fn is_unwieldy(line: &str) -> bool {
    // A line below the shorter limit is within both.
    if line.len() <= MAX_UNBROKEN {
        return false;
    }
    let mut parts = 0;
    let is_break =
        |c: char| c.is_whitespace() || matches!(c, ';' | '&' | '|' | '<' | '>' | '(' | ')');
    line.split(is_break).any(|part| {
        parts += 1;
        parts > MAX_BREAKS || part.len() > MAX_UNBROKEN && part.chars().count() > MAX_UNBROKEN
    })
}

/// A line without what a shell does not mean by itself: sequences that steer terminals, control characters,
/// and characters that we keep for our own use.
fn clean(line: &str) -> Cow<'_, str> {
    let strange = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t' | '\r')
            || ('\u{F0000}'..='\u{F000F}').contains(&c)
            // What turns the order of what is shown around hides what would run.
            || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    let line: Cow<'_, str> = if line.contains('\u{1b}') {
        strip_ansi(line).to_string().into()
    } else {
        line.into()
    };
    if line.contains(strange) {
        return line
            .chars()
            .filter(|c| !strange(*c))
            .collect::<String>()
            .into();
    }
    line
}

fn verdict(severity: Severity, category: Category) -> Verdict {
    match severity {
        Severity::Ask => Verdict::Ask {
            category: category.word(),
            why: category.why().to_owned(),
        },
        Severity::Block => Verdict::Block {
            kind: ErrorKind::CommandBlocked,
            category: category.word(),
            why: format!("this command is never run: {}", category.why()),
            help: "do it in a way that touches less, or ask the user to do it".to_owned(),
        },
    }
}

/// Judgements that are compared.
trait Strictest {
    fn max_by_severity(self, other: Self) -> Self;
}

impl Strictest for Option<(Severity, Category)> {
    fn max_by_severity(self, other: Self) -> Self {
        match (self, other) {
            (Some(a), Some(b)) if b.0 > a.0 => Some(b),
            (None, other) => other,
            (this, _) => this,
        }
    }
}
