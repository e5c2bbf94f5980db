//! `patch`: for now in its mode `replace`.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read as _;
use std::sync::Arc;

use hermes_tools::{Cancel, ErrorKind, Json, ToolError, Workspace, tool};
use serde::Serialize;

use super::diff::unified;
use super::ledger::Ledger;
use super::lint::{Lint, LintMode, lint};
use super::nearest::Nearest;
use super::replace::{LARGEST, Refusal, Replaced, replace};
use super::text::{self, BOM, Kind};
use super::warning::Warning;

/// What an edit did.
#[derive(Debug, Serialize)]
pub(crate) struct Patched {
    files_modified: Vec<String>,
    replacements: usize,
    /// How the passage was found: `exact`, `line_ends` or `trailing_space`.
    strategy: &'static str,
    diff: String,
    /// What a parser says of the file; none where there is no parser for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    lint: Option<Lint>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
}

/// Replace a passage of a text file.
///
/// `old_string` must stand in the file exactly once, unless `replace_all` is set. Quote it as
/// `read_file` shows it, without the line numbers; only line ends and white space at the end of
/// whole lines may differ. Everything else in the file stays byte for byte. The result shows what
/// changed as a diff.
#[tool(toolset = "file", effect = "write", emoji = "🩹")]
pub(crate) fn patch(
    #[ctx] workspace: Workspace,
    #[ctx] ledger: Ledger,
    #[ctx] cancel: Cancel,
    #[ctx] mode_of_lint: Option<Arc<LintMode>>,
    /// What to do: `replace` one passage.
    #[arg(default = "replace", values = ["replace"])]
    mode: String,
    /// Path of the file, relative to the workspace.
    #[arg(role = "path", len = 1.., example = "src/main.rs")]
    path: String,
    /// The passage to replace, with enough lines around it to be unique.
    #[arg(example = "let limit = 10;")]
    old_string: String,
    /// What to put in its place; empty deletes the passage.
    #[arg(example = "let limit = 20;")]
    new_string: String,
    /// Whether to replace every such passage.
    #[arg(default = false)]
    replace_all: bool,
) -> Result<Json<Patched>, ToolError> {
    debug_assert_eq!(mode, "replace", "the schema allows no other");
    let (target, _lock) = workspace.resolve_locked(&path)?;
    let shown = target.display();
    let (opened, seen) = target.open_seen()?;
    let file = read_text(&shown, &opened)?;
    // The mark is no part of the first line, and stays where it is.
    let (mark, old_text) = match file.strip_prefix(BOM) {
        Some(text) => (BOM, text),
        None => ("", &*file),
    };
    let Replaced {
        text,
        count,
        likeness,
    } = replace(old_text, &old_string, &new_string, replace_all, &cancel)
        .map_err(|refusal| refused(&shown, refusal))?;
    let mut warnings = ledger.before(&target, &seen, false)?;
    let diff = unified(&shown, old_text, &text);
    let lint = lint(&shown, Some(old_text), &text);
    Lint::enforce(
        lint.as_ref(),
        mode_of_lint.as_deref().copied().unwrap_or_default(),
        &shown,
    )?;
    let bytes = [mark, &text].concat();
    let replaced = target.replace_unchanged(bytes.as_bytes(), &seen, &cancel)?;
    ledger.after(&target, &replaced, &mut warnings);
    Ok(Json(Patched {
        files_modified: vec![shown],
        replacements: count,
        strategy: likeness.as_str(),
        diff,
        lint,
        warnings,
    }))
}

fn read_text(path: &str, mut file: &File) -> Result<String, ToolError> {
    let size = file
        .metadata()
        .map_err(|error| text::unreadable(path, error))?
        .len();
    if size > LARGEST as u64 {
        let error = format!("`{path}` is too large to edit: {size} of at most {LARGEST} bytes");
        return Err(ToolError::failed(error).with_help("write the changed file anew"));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    file.read_to_end(&mut bytes)
        .map_err(|error| text::unreadable(path, error))?;
    String::from_utf8(bytes).map_err(|error| match text::sniff(error.as_bytes()) {
        Kind::Binary(format) => text::binary(path, format, size),
        Kind::Foreign(encoding) => text::foreign(path, encoding),
        Kind::Text { .. } => {
            let bad = error.utf8_error().valid_up_to();
            let line = 1 + memchr::memchr_iter(b'\n', &error.as_bytes()[..bad]).count();
            ToolError::new(
                ErrorKind::Encoding,
                format!("`{path}` is not UTF-8: line {line} has other bytes"),
            )
            .with_help("convert it to UTF-8 first, so that no byte is lost")
        }
    })
}

fn refused(path: &str, refusal: Refusal) -> ToolError {
    match refusal {
        Refusal::Cancelled => ToolError::new(
            ErrorKind::Cancelled,
            format!("the call was cancelled: `{path}` is as it was"),
        ),
        Refusal::TooLarge { size } => ToolError::failed(format!(
            "`{path}` would become too large: {size} of at most {LARGEST} bytes"
        ))
        .with_help("send a shorter `new_string`, or change fewer passages"),
        Refusal::EmptyOld => ToolError::new(ErrorKind::EmptyOld, "`old_string` is empty")
            .with_help("quote the passage to replace, or use `write_file` for a new file"),
        Refusal::Identical => ToolError::new(
            ErrorKind::Identical,
            format!("`{path}` would not change: `new_string` is what stands there"),
        )
        .with_help("send the text that should stand there instead"),
        Refusal::NoMatch { nearest, applied } => ToolError::new(
            ErrorKind::NoMatch,
            format!("`old_string` is not in `{path}`"),
        )
        .with_help(advice(path, &nearest, applied)),
        Refusal::Ambiguous { lines } => {
            let error = format!(
                "`old_string` is in `{path}` {} times: {}",
                lines.len(),
                list(&lines)
            );
            ToolError::new(ErrorKind::Ambiguous, error)
                .with_help("quote more lines around the one you mean, or set `replace_all`")
        }
    }
}

fn advice(path: &str, nearest: &[Nearest], applied: Option<usize>) -> String {
    if let Some(line) = applied {
        return format!("`new_string` stands at line {line} already, so the edit seems to be done");
    }
    let mut advice = String::new();
    for (index, place) in nearest.iter().enumerate() {
        advice.push_str(if index == 0 { "nearest is " } else { ", then " });
        // Writing to a `String` cannot fail.
        let _ = write!(advice, "line {}: `{}`", place.line, place.text);
    }
    if !advice.is_empty() {
        advice.push_str("; ");
    }
    let _ = write!(advice, "read `{path}` again and quote it as it stands");
    advice
}

/// At most ten lines by their numbers.
fn list(lines: &[usize]) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<String> = lines.iter().take(SHOWN).map(usize::to_string).collect();
    let more = if lines.len() > SHOWN { ", ..." } else { "" };
    format!("lines {}{more}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use std::thread;

    use hermes_tools::workspace::Confined;

    use super::*;

    #[test]
    fn an_edit_that_is_cancelled_on_its_way_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.txt");
        std::fs::write(&file, "old\n").unwrap();
        let workspace = Workspace::new(Confined::open(folder.path()).unwrap());
        let cancel = Cancel::new();
        // The call waits for its file, so it is not over when the sign is given.
        let held = workspace.resolve("a.txt").unwrap().lock().unwrap();
        let call = {
            let (workspace, cancel) = (workspace.clone(), cancel.clone());
            let text = str::to_owned;
            thread::spawn(move || {
                let (mode, path) = (text("replace"), text("a.txt"));
                patch(
                    workspace.clone(),
                    Ledger::new(workspace),
                    cancel,
                    None,
                    mode,
                    path,
                    text("old"),
                    text("new"),
                    false,
                )
            })
        };
        cancel.cancel();
        drop(held);
        let error = call.join().unwrap().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Cancelled);
        assert_eq!(
            error.to_string(),
            "the call was cancelled: `a.txt` is as it was"
        );
        assert_eq!(std::fs::read_to_string(file).unwrap(), "old\n");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
