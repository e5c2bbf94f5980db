//! What an edit that is refused is told: what was found, and what to do next.

use std::fmt::Write as _;

use hermes_tools::{ErrorKind, ToolError};

use crate::file::change::is_private;
use crate::file::nearest::Nearest;
use crate::file::replace::{LARGEST, Refusal};
use crate::file::v4a::{Misfit, Reason};

/// Lines of a list that are told.
const LINES: usize = 10;

/// What was to be replaced by what, in words.
struct Wording<'w> {
    path: &'w str,
    old: &'w str,
    new: &'w str,
}

/// The refusal of a replacement.
pub(super) fn of_replacement(path: &str, refusal: Refusal) -> ToolError {
    Wording {
        path,
        old: "`old_string`",
        new: "`new_string`",
    }
    .refused(refusal)
}

/// The refusal of a hunk.
pub(super) fn of_hunk(path: &str, misfit: Misfit) -> ToolError {
    let first = if is_private(path) { "" } else { &*misfit.first };
    let old = format!("hunk {} (`{}`)", misfit.hunk, brief(first));
    let new = format!("what hunk {} wants", misfit.hunk);
    match misfit.reason {
        Reason::Refused(refusal) => Wording {
            path,
            old: &old,
            new: &new,
        }
        .refused(refusal),
        Reason::HintMissing { hint } => ToolError::new(
            ErrorKind::NoMatch,
            format!(
                "{old}: no line of `{path}` is the place `@@ {}`",
                brief(&hint)
            ),
        )
        .with_help("put a line of the file behind `@@`, or lines around the place into the hunk"),
        Reason::HintAmbiguous { hint, lines } => ToolError::new(
            ErrorKind::Ambiguous,
            format!(
                "{old}: the place `@@ {}` is in `{path}` {} times: {}",
                brief(&hint),
                lines.len(),
                list(&lines)
            ),
        )
        .with_help("put lines around the place into the hunk"),
    }
}

impl Wording<'_> {
    fn refused(&self, refusal: Refusal) -> ToolError {
        let Self { path, old, new } = self;
        match refusal {
            Refusal::Cancelled => ToolError::new(
                ErrorKind::Cancelled,
                format!("the call was cancelled: `{path}` is as it was"),
            ),
            Refusal::TooLarge { size } => ToolError::failed(format!(
                "`{path}` would become too large: {size} of at most {LARGEST} bytes"
            ))
            .with_help("send a shorter text, or change fewer passages"),
            Refusal::EmptyOld => ToolError::new(ErrorKind::EmptyOld, format!("{old} is empty"))
                .with_help("quote the passage to replace, or use `write_file` for a new file"),
            Refusal::Identical => ToolError::new(
                ErrorKind::Identical,
                format!("`{path}` would not change: {new} is what stands there"),
            )
            .with_help("send the text that should stand there instead"),
            Refusal::Applied { line } => ToolError::new(
                ErrorKind::Identical,
                format!("already applied: {new} stands at line {line} of `{path}`"),
            )
            .with_help("go on; send another edit if more should change"),
            Refusal::EscapeDrift { line } => ToolError::new(
                ErrorKind::EscapeDrift,
                format!("line {line} of `{path}` has no backslashes where {old} has them"),
            )
            .with_help("send both texts again as the file should hold them, without backslashes"),
            Refusal::NoMatch { nearest, applied } => {
                ToolError::new(ErrorKind::NoMatch, format!("{old} is not in `{path}`"))
                    .with_help(self.advice(&nearest, applied))
            }
            Refusal::Ambiguous { lines } => {
                let error = format!(
                    "{old} is in `{path}` {} times: {}",
                    lines.len(),
                    list(&lines)
                );
                let help = if old.starts_with('`') {
                    "quote more lines around the one you mean, or set `replace_all`"
                } else {
                    "put more lines around the place into the hunk, or a line above it behind `@@`"
                };
                ToolError::new(ErrorKind::Ambiguous, error).with_help(help)
            }
        }
    }

    fn advice(&self, nearest: &[Nearest], applied: Option<usize>) -> String {
        let Self { path, new, .. } = self;
        if let Some(line) = applied {
            return format!("already applied, it seems: {new} stands at line {line}");
        }
        let mut advice = String::new();
        for (index, place) in nearest.iter().enumerate() {
            advice.push_str(if index == 0 { "nearest is " } else { ", then " });
            // Writing to a `String` cannot fail.
            let _ = write!(advice, "line {}", place.line);
            if is_private(path) {
                continue;
            }
            let _ = write!(advice, ": `{}`", place.text);
            if let (0, Some(differs)) = (index, &place.differs) {
                let _ = write!(advice, " ({differs})");
            }
        }
        if !advice.is_empty() {
            advice.push_str("; ");
        }
        let _ = write!(advice, "read `{path}` again and quote it as it stands");
        advice
    }
}

fn brief(line: &str) -> String {
    const SHOWN: usize = 60;
    let mut brief: String = line.chars().take(SHOWN).collect();
    if brief.len() < line.len() {
        brief.push_str(" ...");
    }
    brief
}

/// At most ten lines by their numbers.
fn list(lines: &[usize]) -> String {
    let shown: Vec<String> = lines.iter().take(LINES).map(usize::to_string).collect();
    let more = if lines.len() > LINES { ", ..." } else { "" };
    format!("lines {}{more}", shown.join(", "))
}
