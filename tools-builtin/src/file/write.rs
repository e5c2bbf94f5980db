//! `write_file`.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};

use hermes_tools::workspace::{PathFacts, PathKind, WorkspacePath};
use hermes_tools::{Cancel, Json, ToolError, Workspace, tool};
use serde::Serialize;

use super::line_end::LineEnd;
use super::text::BOM;

/// What was written.
#[derive(Debug, Serialize)]
pub(crate) struct WriteReport {
    path: String,
    created: bool,
    bytes_written: usize,
    /// What of the old file was given to the new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
}

/// Write a whole file: what was there is replaced, folders that are missing are made.
///
/// To change a part of a file use `patch`. The permissions of an old file stay; its byte order mark
/// and its CR LF line ends are given to a `content` that has none.
#[tool(toolset = "file", effect = "write", idempotent, emoji = "✍️")]
pub(crate) fn write_file(
    #[ctx] workspace: Workspace,
    #[ctx] cancel: Cancel,
    /// Path of the file, relative to the workspace.
    #[arg(role = "path", len = 1.., example = "src/main.rs")]
    path: String,
    /// The whole text of the file, without line numbers.
    content: String,
) -> Result<Json<WriteReport>, ToolError> {
    let (target, _lock) = workspace.resolve_locked(&path)?;
    let seen = target.facts()?;
    let old = Manner::of(&target, &seen);
    let ends = old.crlf && content.contains('\n') && !content.contains('\r');
    let mark = old.bom && !content.is_empty() && !content.starts_with(BOM);
    let mut text = if ends {
        LineEnd::CrLf.give(&content)
    } else {
        Cow::Borrowed(&*content)
    };
    if mark {
        text.to_mut().insert_str(0, BOM);
    }
    let replaced = target.replace_unchanged(text.as_bytes(), &seen, &cancel)?;
    Ok(Json(WriteReport {
        path: target.display(),
        created: replaced.created,
        bytes_written: text.len(),
        hint: match (ends, mark) {
            (true, true) => {
                Some("CR LF line ends and the byte order mark of the old file were kept")
            }
            (true, false) => Some("CR LF line ends of the old file were kept"),
            (false, true) => Some("the byte order mark of the old file was kept"),
            (false, false) => None,
        },
    }))
}

/// How a file is written, beside its text.
#[derive(Debug, Clone, Copy, Default)]
struct Manner {
    bom: bool,
    crlf: bool,
}

impl Manner {
    /// The manner of what stands at a path. What is no file has none, nor has a file that may be
    /// replaced but not read.
    fn of(target: &WorkspacePath, seen: &PathFacts) -> Self {
        if seen.kind != PathKind::File {
            return Self::default();
        }
        target
            .open()
            .ok()
            .and_then(|file| Self::read(file).ok())
            .unwrap_or_default()
    }

    fn read(mut file: File) -> io::Result<Self> {
        let mut head = Vec::with_capacity(BOM.len());
        (&file).take(BOM.len() as u64).read_to_end(&mut head)?;
        file.rewind()?;
        let crlf = LineEnd::of_all(BufReader::new(file))? == Some(LineEnd::CrLf);
        Ok(Self {
            bom: head == BOM.as_bytes(),
            crlf,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use hermes_tools::ErrorKind;
    use hermes_tools::workspace::Confined;

    use super::*;

    #[test]
    fn a_write_that_is_cancelled_on_its_way_makes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::new(Confined::open(folder.path()).unwrap());
        let cancel = Cancel::new();
        // The call waits for its file, so it is not over when the sign is given.
        let held = workspace.resolve("d/a.txt").unwrap().lock().unwrap();
        let call = {
            let (workspace, cancel) = (workspace.clone(), cancel.clone());
            thread::spawn(move || {
                write_file(workspace, cancel, "d/a.txt".to_owned(), "new\n".to_owned())
            })
        };
        cancel.cancel();
        drop(held);
        let error = call.join().unwrap().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Cancelled);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
