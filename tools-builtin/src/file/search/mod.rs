//! `search_files`.

mod content;
mod count;
mod hint;
mod lines;
mod names;
mod output;
mod pattern;
mod scope;
mod stop;
mod tell;
mod walk;

use hermes_tools::{
    CallNumber, Cancel, Deadline, ErrorKind, Json, Kept, NotShown, Progress, ToolError, Workspace,
    tool,
};

use self::content::{Mode, Window};
use self::hint::Asked;
use self::output::Found;
use self::pattern::NameGlob;
use self::scope::Scope;
use self::stop::Stop;
use self::tell::Tell;
use super::history::FileHistory;
use super::warning::{Concern, Warning};

/// Search the contents of files by regular expression, or list files by name.
///
/// Target `content` matches `pattern` line by line, case-sensitive; `(?i)` in front ignores case. The
/// results come in the order of the paths. Target `files` takes `pattern` as a glob: without a slash
/// it is matched with file names, with one against paths (`src/**/*.rs`); the newest come first.
///
/// Hidden files that no glob names (`.github/*.yml`), ignored ones (`.gitignore`) and those that are no
/// UTF-8 text are left out, links are not followed. Where there is more, `next_offset` is the `offset` of the next page. Text of a line over 500 characters is cut
/// around the match.
#[tool(
    toolset = "file",
    effect = "read",
    idempotent,
    emoji = "🔎",
    timeout = "60s",
    teardown = "2s",
    max_result = 120_000
)]
pub(crate) fn search_files(
    #[ctx] workspace: Workspace,
    #[ctx] history: Kept<FileHistory>,
    #[ctx] number: CallNumber,
    #[ctx] not_shown: Kept<NotShown>,
    #[ctx] cancel: Cancel,
    #[ctx] deadline: Deadline,
    #[ctx] progress: Progress,
    /// Regular expression, or a glob for target `files`.
    #[arg(len = 1.., example = "fn main")]
    pattern: String,
    /// Search in the `content` of files, or among the names of `files`.
    #[arg(default = "content", values = ["content", "files"])]
    target: String,
    /// Folder or file to search, relative to the workspace.
    #[arg(default = ".", role = "path")]
    path: String,
    /// Only files that fit this glob, such as `*.rs` or `src/**`; `!*.rs` is all others.
    #[arg(example = "*.rs")]
    file_glob: Option<String>,
    /// Most results on a page: lines that match, or files.
    #[arg(default = 50, min = 1)]
    limit: u32,
    /// Results to pass over.
    #[arg(default = 0)]
    offset: u32,
    /// For target `content`: the lines, the `files_only`, or the `count` of lines in each file.
    #[arg(default = "content", values = ["content", "files_only", "count"])]
    output_mode: String,
    /// Lines shown before and after each line that matches.
    #[arg(default = 0, max = 100)]
    context: u32,
) -> Result<Json<Found>, ToolError> {
    let stop = Stop::new(cancel, deadline);
    let tell = Tell::new(progress);
    let way = Way {
        workspace: &workspace,
        stop: &stop,
        tell: &tell,
    };
    let question = (
        (&*pattern, &*target, &*path, &file_glob, &*output_mode),
        (limit, offset, context),
    );
    let question = history.digest(&question);
    let window = Window {
        offset: u64::from(offset),
        limit: u64::from(limit),
        context: usize::try_from(context).unwrap_or(usize::MAX),
    };
    let file_glob = file_glob
        .filter(|glob| !glob.trim().is_empty())
        .map(|glob| NameGlob::new(&glob, "file_glob"))
        .transpose()?;
    let (asked, outcome) = if target == "files" {
        let names = NameGlob::new(&pattern, "pattern")?;
        let scope = Scope::of_glob(&workspace, &path, &names)?;
        let globs: Vec<&NameGlob> = file_glob.iter().chain([&names]).collect();
        let outcome = names::search(way, &scope, &globs, window)?;
        (
            Asked {
                scope: scope.display(),
                names: Some(names),
                file_glob,
            },
            outcome,
        )
    } else {
        let matcher = pattern::regex(&pattern)?;
        let scope = Scope::of(&workspace, &path)?;
        let mode = match &*output_mode {
            "files_only" => Mode::Files,
            "count" => Mode::Counts,
            _ => Mode::Lines,
        };
        let glob = file_glob.as_ref();
        let outcome = content::search(way, &scope, glob, &matcher, mode, window)?;
        (
            Asked {
                scope: scope.display(),
                names: None,
                file_glob,
            },
            outcome,
        )
    };
    let (mut found, seen) = outcome;
    found.incomplete = seen.stopped;
    found.hint = asked.hint(&found, &seen, window.offset, stop.is_late());
    found.skipped = seen.skipped.told();
    history.consults(&not_shown);
    match history.asks(question, &found, number) {
        ..3 => {}
        3 => found.warnings.push(Warning::new(
            Concern::Repeat,
            "the same search gave the same three times in a row: use what it found, or search for \
             something else",
        )),
        times => return Err(too_often(times)),
    }
    Ok(Json(found))
}

/// What every part of a search goes by.
#[derive(Debug, Clone, Copy)]
struct Way<'w> {
    workspace: &'w Workspace,
    stop: &'w Stop,
    tell: &'w Tell,
}

fn too_often(times: u32) -> ToolError {
    ToolError::new(
        ErrorKind::Repeated,
        format!("the same search gave the same {times} times in a row"),
    )
    .with_help("use what it found, or search for something else")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Instant;

    use hermes_tools::workspace::Confined;

    use super::*;

    /// Searches a folder of two files, of which each has one match, or one of them.
    fn search(target: &str, path: &str, cancel: Cancel, deadline: Deadline) -> Found {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a", "b"] {
            std::fs::write(folder.path().join(name), "a\n").unwrap();
        }
        search_in(
            folder.path(),
            (target, path),
            cancel,
            deadline,
            Progress::default(),
        )
    }

    fn search_in(
        folder: &std::path::Path,
        (target, path): (&str, &str),
        cancel: Cancel,
        deadline: Deadline,
        progress: Progress,
    ) -> Found {
        let found = search_files(
            Workspace::new(Confined::open(folder).unwrap()),
            Kept::from(Arc::default()),
            CallNumber::default(),
            Kept::from(Arc::default()),
            cancel,
            deadline,
            progress,
            "a".to_owned(),
            target.to_owned(),
            path.to_owned(),
            None,
            50,
            0,
            "content".to_owned(),
            0,
        );
        let Json(found) = found.unwrap();
        found
    }

    #[test]
    fn a_search_whose_time_is_up_tells_what_it_has() {
        for (target, path) in [("content", "."), ("content", "a"), ("files", ".")] {
            let now = Deadline::new(Some(Instant::now()));
            let found = search(target, path, Cancel::never(), now);
            assert!(found.incomplete);
            assert_eq!(found.total_count, 0);
            assert_eq!(
                found.hint.as_deref(),
                Some(
                    "the time was up: results and totals cover what was searched until then; narrow \
                     `path` or `file_glob`"
                )
            );
        }
    }

    #[test]
    fn a_search_that_is_cancelled_at_once_has_found_nothing_and_says_so() {
        for target in ["content", "files"] {
            let cancel = Cancel::new();
            cancel.cancel();
            let found = search(target, ".", cancel, Deadline::new(None));
            assert!(found.incomplete);
            assert_eq!(
                (found.total_count, found.hint.as_deref()),
                (
                    0,
                    Some(
                        "the search was cancelled: results and totals cover what was searched until then; do \
                         not repeat it unless the user asks"
                    )
                )
            );
        }
    }
}
