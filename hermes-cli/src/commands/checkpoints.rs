//! `hermes checkpoints`: what files were before they were changed.

use clap::{Args, Subcommand};
use hermes_tools::checkpoint::{Change, Checkpoint, Failed, utc};
use serde::Serialize;
use similar::TextDiff;

use crate::cli::{CliCommand, Ended};
use crate::error::CliError;
use crate::exit::Exit;
use crate::json;
use crate::session::PlaceArgs;
use crate::terminal::{self, Cell, Look, Table, styles};

#[derive(Debug, Args)]
pub(crate) struct CheckpointsCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the checkpoints of the workspace, the newest first
    List {
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Show what has changed since before a checkpoint
    Diff(Since),
    /// Put files back as they were before a checkpoint; what stands there now gets one of its own
    Restore(Since),
}

#[derive(Debug, Args)]
struct Since {
    /// The checkpoint, as `list` names it
    id: String,

    /// These files alone
    paths: Vec<String>,

    #[command(flatten)]
    place: PlaceArgs,
}

#[derive(Debug, Serialize)]
struct Listing {
    checkpoints: Vec<Listed>,
}

#[derive(Debug, Serialize)]
struct Listed {
    id: String,
    /// In UTC.
    time: String,
    label: String,
    /// The files, each once.
    files: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Changes {
    changes: Vec<Changed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed: Vec<NotDone>,
}

/// A file that could not be compared or put back.
#[derive(Debug, Serialize)]
struct NotDone {
    path: String,
    error: String,
}

#[derive(Debug, Serialize)]
struct Changed {
    path: String,
    /// `created`, `changed` or `removed` since the checkpoint.
    since: &'static str,
    /// The unified diff; none where one side is no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

#[derive(Debug, Serialize)]
struct PutBack {
    restored: Vec<String>,
    removed: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed: Vec<NotDone>,
}

impl CliCommand for CheckpointsCommand {
    const NAME: &'static str = "checkpoints";
    const ABOUT: &'static str =
        "List, compare and put back what files were before tools changed them";

    fn run(self, json: bool) -> Ended {
        let (text, failed) = match self.action {
            Action::List { place } => (list(&place, json)?, Vec::new()),
            Action::Diff(since) => diff(&since, json)?,
            Action::Restore(mut since) => {
                "checkpoints restore".clone_into(&mut since.place.label);
                restore(&since, json)?
            }
        };
        terminal::print_foreign(&text)?;
        for failed in failed.iter().filter(|_| !json) {
            terminal::report_error(&failed.error);
        }
        Ok(if failed.is_empty() {
            Exit::Success
        } else {
            Exit::CallFailed
        })
    }
}

fn list(place: &PlaceArgs, json: bool) -> Result<String, CliError> {
    let (_, checkpoints) = place.kept()?;
    let found = checkpoints.list().map_err(|source| CliError::Input {
        name: "the checkpoints".to_owned(),
        source,
    })?;
    let listing = Listing {
        checkpoints: found.into_iter().map(Listed::from).collect(),
    };
    if json {
        return Ok(json::text(&listing));
    }
    let look = Look::of_stdout();
    let mut table = Table::new(["CHECKPOINT", "UTC", "TURN", "FILES"]);
    for listed in listing.checkpoints {
        table.row([
            Cell::new(listed.id, styles::NAME),
            Cell::plain(listed.time),
            Cell::plain(listed.label),
            Cell::plain(listed.files.join(", ")),
        ]);
    }
    Ok(table.render(look))
}

/// What is printed, and what could not be done, so that the exit code can say so.
type Told = (String, Vec<NotDone>);

fn diff(since: &Since, json: bool) -> Result<Told, CliError> {
    let (workspace, checkpoints) = since.place.kept()?;
    let compared = checkpoints
        .changes(&workspace, &since.id, &since.paths)
        .map_err(CliError::Checkpoint)?;
    let mut changes = Changes {
        changes: Vec::new(),
        failed: Vec::new(),
    };
    for change in compared {
        match change {
            Ok(change) => changes.changes.push(Changed::from(change)),
            Err(failed) => changes.failed.push(NotDone::from(failed)),
        }
    }
    if json {
        return Ok((json::text(&changes), changes.failed));
    }
    let shown = changes.changes.into_iter().map(|change| match change.diff {
        Some(diff) => diff,
        None => format!("{}: {}, no text\n", change.path, change.since),
    });
    Ok((shown.collect(), changes.failed))
}

fn restore(since: &Since, json: bool) -> Result<Told, CliError> {
    let (workspace, checkpoints) = since.place.kept()?;
    let done = checkpoints
        .restore(&workspace, &since.id, &since.paths)
        .map_err(CliError::Checkpoint)?;
    let (back, gone): (Vec<_>, Vec<_>) = done.restored.into_iter().partition(|file| file.exists);
    let paths = |files: Vec<hermes_tools::checkpoint::Restored>| {
        files.into_iter().map(|file| file.path).collect()
    };
    let done = PutBack {
        restored: paths(back),
        removed: paths(gone),
        failed: done.failed.into_iter().map(NotDone::from).collect(),
    };
    if json {
        return Ok((json::text(&done), done.failed));
    }
    let back = done
        .restored
        .iter()
        .map(|path| format!("restored {path}\n"));
    let gone = done.removed.iter().map(|path| format!("removed {path}\n"));
    let text: String = back.chain(gone).collect();
    let text = if text.is_empty() && done.failed.is_empty() {
        "nothing has changed since\n".to_owned()
    } else {
        text
    };
    Ok((text, done.failed))
}

impl From<Failed> for NotDone {
    fn from(failed: Failed) -> Self {
        Self {
            path: failed.path,
            error: failed.error.to_string(),
        }
    }
}

impl From<Checkpoint> for Listed {
    fn from(checkpoint: Checkpoint) -> Self {
        let mut files: Vec<String> = Vec::new();
        for file in checkpoint.files {
            if !files.contains(&file.path) {
                files.push(file.path);
            }
        }
        Self {
            id: checkpoint.id,
            time: utc(checkpoint.time),
            label: checkpoint.label,
            files,
        }
    }
}

impl From<Change> for Changed {
    fn from(change: Change) -> Self {
        let text = |bytes: &Option<Vec<u8>>| match bytes {
            Some(bytes) => String::from_utf8(bytes.clone()).ok(),
            None => Some(String::new()),
        };
        let sides = text(&change.before).zip(text(&change.now));
        let diff = sides.map(|(before, now)| {
            let (old, new) = (
                change.before.as_ref().map(|_| format!("a/{}", change.path)),
                change.now.as_ref().map(|_| format!("b/{}", change.path)),
            );
            let none = || "/dev/null".to_owned();
            TextDiff::from_lines(&before, &now)
                .unified_diff()
                .header(&old.unwrap_or_else(none), &new.unwrap_or_else(none))
                .to_string()
        });
        Self {
            since: match (&change.before, &change.now) {
                (None, _) => "created",
                (_, None) => "removed",
                _ => "changed",
            },
            path: change.path,
            diff,
        }
    }
}
