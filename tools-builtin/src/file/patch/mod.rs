//! `patch`: replacing a passage of a file, or applying a patch of several files.

mod refusal;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use hermes_tools::args::Arguments;
use hermes_tools::{Cancel, ErrorKind, Json, Target, ToolError, Workspace, tool};
use serde::Serialize;

use super::change::{Change, Moved};
use super::ledger::Ledger;
use super::lint::{Lint, LintMode};
use super::replace::{Replaced, replace};
use super::v4a::{self, Operation, Patch};
use super::warning::Warning;

/// What an edit did.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Patched {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files_modified: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files_created: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files_deleted: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files_moved: Vec<Moved>,
    /// How many passages were replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    replacements: Option<usize>,
    /// What differed between the quotation and the file: `exact` is nothing, then `line_ends`,
    /// `trailing_space`, `indentation`, `white_space`, `escape`, `unicode`.
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<&'static str>,
    /// The same for each hunk of each file.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    strategies: BTreeMap<String, Vec<&'static str>>,
    diff: String,
    /// What a parser says of the file; none where there is no parser for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    lint: Option<Lint>,
    /// The same for each file of a patch.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    lints: BTreeMap<String, Lint>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
    /// Where what stood there before is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint: Option<String>,
}

/// Replace a passage of a text file, or apply a patch to several files at once.
///
/// Mode `replace`: `old_string` must stand in the file exactly once, unless `replace_all` is set.
/// Quote it as `read_file` shows it, without the line numbers; white space, line ends and
/// typographic characters may differ, words may not. Mode `patch`: `patch` holds `*** Begin Patch`,
/// for each file `*** Update File: path` (perhaps with `*** Move to: path`) and hunks of `@@`, context
/// lines, `-` and `+` lines, or `*** Add File: path` and `+` lines, or `*** Delete File: path`, or
/// `*** Move File: from -> to`, then `*** End Patch`. All of it is applied, or nothing. Everything else
/// in a file stays byte for byte. The result shows what changed as a diff.
#[tool(toolset = "file", effect = "write", targets = targets, emoji = "🩹")]
#[expect(
    clippy::similar_names,
    reason = "`path` and `patch` are what models know these arguments by"
)]
pub(crate) fn patch(
    #[ctx] workspace: Workspace,
    #[ctx] ledger: Ledger,
    #[ctx] cancel: Cancel,
    #[ctx] lint_mode: Option<Arc<LintMode>>,
    /// What to do; `replace` when it is left out and no `patch` is given.
    #[arg(values = ["replace", "patch"])]
    mode: Option<String>,
    /// For `replace`: path of the file, relative to the workspace.
    #[arg(role = "path", len = 1.., example = "src/main.rs")]
    path: Option<String>,
    /// For `replace`: the passage to replace, with enough lines around it to be unique.
    #[arg(example = "let limit = 10;")]
    old_string: Option<String>,
    /// For `replace`: what to put in its place; empty deletes the passage.
    #[arg(example = "let limit = 20;")]
    new_string: Option<String>,
    /// For `replace`: whether to replace every such passage.
    #[arg(default = false)]
    replace_all: bool,
    /// For `patch`: the text of the patch.
    patch: Option<String>,
) -> Result<Json<Patched>, ToolError> {
    let lint_mode = lint_mode.as_deref().copied().unwrap_or_default();
    let patched = if is_patch(mode.as_deref(), old_string.as_deref(), patch.as_deref()) {
        let text = given("patch", "patch", patch)?;
        let parsed = Patch::parse(&text)?;
        let paths: Vec<&str> = parsed.paths().collect();
        let mut change = Change::begin(&workspace, &paths, cancel.clone())?;
        let strategies = draft_all(&mut change, parsed.operations, &cancel)?;
        let (lints, patched) = make(change, &ledger, lint_mode)?;
        Patched {
            strategies,
            lints,
            ..patched
        }
    } else {
        let path = given("replace", "path", path)?;
        let old = given("replace", "old_string", old_string)?;
        let new = given("replace", "new_string", new_string)?;
        let mut change = Change::begin(&workspace, &[&path], cancel.clone())?;
        let shown = change.shown(&path);
        let Replaced {
            text,
            count,
            strategy,
            ..
        } = replace(change.text(&path)?, &old, &new, replace_all, &cancel)
            .map_err(|refusal| refusal::of_replacement(&shown, refusal))?;
        change.update(&path, text)?;
        let (mut lints, patched) = make(change, &ledger, lint_mode)?;
        Patched {
            replacements: Some(count),
            strategy: Some(strategy.as_str()),
            lint: lints.remove(&shown),
            ..patched
        }
    };
    Ok(Json(patched))
}

/// Whether the call is one of a patch. Where the mode is left out, what is given tells it.
fn is_patch(mode: Option<&str>, old: Option<&str>, patch: Option<&str>) -> bool {
    mode.map_or(patch.is_some() && old.is_none(), |mode| mode == "patch")
}

fn given(mode: &str, name: &str, value: Option<String>) -> Result<String, ToolError> {
    value.ok_or_else(|| {
        ToolError::new(
            ErrorKind::InvalidArguments,
            format!("`{name}` is missing: mode `{mode}` needs it"),
        )
        .with_help(match mode {
            "patch" => "send the text of the patch as `patch`",
            _ => "send `path`, `old_string` and `new_string`",
        })
    })
}

/// The paths that a call changes: those of a patch stand in its text. A file that is there is read first,
/// which not every file that may be written allows.
fn targets(arguments: &Arguments<'_>) -> Result<Vec<Target>, ToolError> {
    let text = |name| arguments.text(name);
    match text("patch") {
        Some(patch) if is_patch(text("mode"), text("old_string"), Some(patch)) => {
            let patch = Patch::parse(patch)?;
            let read = patch.read_paths().map(Target::read);
            Ok(read.chain(patch.paths().map(Target::write)).collect())
        }
        _ => Ok(match text("path") {
            Some(path) => vec![Target::read(path), Target::write(path)],
            None => Vec::new(),
        }),
    }
}

/// Makes a change: what it did, and what parsers say of its files.
fn make(
    mut change: Change,
    ledger: &Ledger,
    lint_mode: LintMode,
) -> Result<(BTreeMap<String, Lint>, Patched), ToolError> {
    let outcome = change.review(lint_mode)?;
    if outcome.is_empty() {
        return Err(ToolError::new(
            ErrorKind::BadPatch,
            "the patch changes nothing: it has context alone",
        )
        .with_help("put `-` before the lines that go and `+` before those that come"));
    }
    let mut warnings = change.concerns(ledger)?;
    change.commit()?;
    let checkpoint = change.note(ledger, &mut warnings);
    let patched = Patched {
        files_modified: outcome.modified,
        files_created: outcome.created,
        files_deleted: outcome.deleted,
        files_moved: outcome.moved,
        diff: outcome.diff,
        warnings,
        checkpoint,
        ..Patched::default()
    };
    Ok((outcome.lints, patched))
}

/// Does all operations in memory, and tells how the hunks of each file were found. What does not fit
/// in one file does not keep the others from being looked at.
fn draft_all(
    change: &mut Change,
    operations: Vec<Operation<'_>>,
    cancel: &Cancel,
) -> Result<BTreeMap<String, Vec<&'static str>>, ToolError> {
    let mut strategies = BTreeMap::new();
    let mut problems = Vec::new();
    for operation in operations {
        if let Err(error) = draft(change, operation, cancel, &mut strategies) {
            problems.push(error);
        }
    }
    match all(problems) {
        Some(error) => Err(error),
        None => Ok(strategies),
    }
}

/// Does one operation in memory.
fn draft(
    change: &mut Change,
    operation: Operation<'_>,
    cancel: &Cancel,
    strategies: &mut BTreeMap<String, Vec<&'static str>>,
) -> Result<(), ToolError> {
    match operation {
        Operation::Add { path, text } => change.add(path, text),
        Operation::Delete { path } => change.delete(path),
        Operation::Move { path, to } => change.rename(path, to),
        Operation::Update {
            path,
            moved_to,
            hunks,
        } => {
            if !hunks.is_empty() {
                let shown = change.shown(path);
                let text = change.text(path)?;
                let (new, found) = v4a::apply(text, &hunks, cancel)
                    .map_err(|misfit| refusal::of_hunk(&shown, misfit))?;
                if new != text {
                    change.update(path, new)?;
                }
                let words = found.into_iter().map(super::replace::Strategy::as_str);
                strategies.entry(shown).or_default().extend(words);
            }
            match moved_to {
                Some(to) => change.rename(path, to),
                None => Ok(()),
            }
        }
    }
}

/// All problems of a patch as one error, of the kind of the first.
fn all(problems: Vec<ToolError>) -> Option<ToolError> {
    /// Problems that are told.
    const TOLD: usize = 4;

    let count = problems.len();
    let mut problems = problems.into_iter();
    let first = problems.next()?;
    let mut message = match count {
        1 => first.message().to_owned(),
        _ => format!("1. {}", first.message()),
    };
    // Writing to a `String` cannot fail.
    for (index, problem) in problems.take(TOLD - 1).enumerate() {
        let number = index + 2;
        let _ = write!(message, "; {number}. {}", problem.message());
        if let Some(help) = problem.help() {
            let _ = write!(message, " ({help})");
        }
    }
    if count > TOLD {
        let _ = write!(message, "; and {} more", count - TOLD);
    }
    let error = ToolError::new(first.kind(), format!("nothing was changed: {message}"));
    Some(match first.help() {
        Some(help) => error.with_help(help.to_owned()),
        None => error,
    })
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
            let text = |text: &str| Some(text.to_owned());
            thread::spawn(move || {
                patch(
                    workspace.clone(),
                    Ledger::new(workspace),
                    cancel,
                    None,
                    None,
                    text("a.txt"),
                    text("old"),
                    text("new"),
                    false,
                    None,
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
