//! `write_file`.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::sync::Arc;

use hermes_tools::workspace::{PathFacts, PathKind, WorkspacePath};
use hermes_tools::{Cancel, ErrorKind, Json, ToolError, Workspace, tool};
use serde::Serialize;

use super::diff::unified;
use super::display;
use super::ledger::Ledger;
use super::line_end::LineEnd;
use super::lint::{Lint, LintMode, lint};
use super::text::{self, BOM, Kind};
use super::warning::{Concern, Warning};

/// What was written.
#[derive(Debug, Serialize)]
pub(crate) struct WriteReport {
    path: String,
    created: bool,
    bytes_written: usize,
    /// What a parser says of the file; none where there is no parser for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    lint: Option<Lint>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
    /// What changed; none for a new file, and where the old one is no text or large.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    /// What of the old file was given to the new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
}

/// Largest old file, in bytes, that is compared with the new one.
const COMPARED: u64 = 4 << 20;

/// Write a whole file: what was there is replaced, folders that are missing are made.
///
/// To change a part of a file use `patch`. The permissions of an old file stay; its byte order mark
/// and its CR LF line ends are given to a `content` without them. The result shows what changed as a
/// diff, and warns when the file was changed since it was read, and when it was not UTF-8.
#[tool(toolset = "file", effect = "write", idempotent, emoji = "✍️")]
pub(crate) fn write_file(
    #[ctx] workspace: Workspace,
    #[ctx] ledger: Ledger,
    #[ctx] mode_of_lint: Option<Arc<LintMode>>,
    #[ctx] cancel: Cancel,
    /// Path of the file, relative to the workspace.
    #[arg(role = "path", len = 1.., example = "src/main.rs")]
    path: String,
    /// The whole text of the file, without line numbers.
    content: String,
) -> Result<Json<WriteReport>, ToolError> {
    let (target, _lock) = workspace.resolve_locked(&path)?;
    let shown = target.display();
    if let Some(what) = display::made_for_showing(&content) {
        return Err(not_a_file(&shown, what));
    }
    let seen = target.facts()?;
    let old = Old::of(&target, &seen);
    let ends = old.crlf && has_bare_line_feed(&content);
    let mark = old.bom && !content.is_empty() && !content.starts_with(BOM);
    let mut text = if ends {
        LineEnd::CrLf.give(&content)
    } else {
        Cow::Borrowed(&*content)
    };
    if mark {
        text.to_mut().insert_str(0, BOM);
    }
    let mut warnings = ledger.before(&target, &seen, true)?;
    warnings.extend(left_out(&text, old.text.as_deref()));
    warnings.extend(old.encoding.map(|encoding| {
        Warning::new(
            Concern::Encoding,
            format!("the file was {encoding} and is UTF-8 now: what reads it may not expect that"),
        )
    }));
    let lint = lint(&shown, old.text.as_deref(), &text);
    let mode = mode_of_lint.as_deref().copied().unwrap_or_default();
    Lint::enforce(lint.as_ref(), mode, &shown)?;
    let replaced = target.replace_unchanged(text.as_bytes(), &seen, &cancel)?;
    ledger.after(&target, &replaced, &mut warnings);
    Ok(Json(WriteReport {
        created: replaced.created,
        bytes_written: text.len(),
        lint,
        warnings,
        diff: old
            .text
            .map(|old| unified(&shown, &old, &text))
            .filter(|diff| !diff.is_empty()),
        path: shown,
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

/// Whether a line ends in LF alone.
fn has_bare_line_feed(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'\n', bytes).any(|at| at == 0 || bytes[at - 1] != b'\r')
}

fn not_a_file(path: &str, what: &str) -> ToolError {
    ToolError::new(
        ErrorKind::DisplayText,
        format!("`content` is {what}, not the text of a file: `{path}` is as it was"),
    )
    .with_help("send the text itself, without numbers and notes")
}

/// A warning when the text seems to leave out a part of the old one.
fn left_out(text: &str, old: Option<&str>) -> Option<Warning> {
    let old = old?;
    let (line, words) = display::placeholder(text, old)?;
    let words: String = words.chars().take(80).collect();
    Some(Warning::new(
        Concern::Placeholder,
        format!(
            "line {line} seems to be a placeholder for what was omitted: `{words}`; the file had {} \
             lines and has {} now",
            old.lines().count(),
            text.lines().count()
        ),
    ))
}

/// What is taken from an old file.
#[derive(Debug, Default)]
struct Old {
    bom: bool,
    crlf: bool,
    /// Its text, when it is one and not large.
    text: Option<String>,
    /// What it is encoded in, when it is a text in another encoding than UTF-8.
    encoding: Option<&'static str>,
}

impl Old {
    /// What stands at a path. What is no file gives nothing, nor does one that may be replaced but not
    /// read.
    fn of(target: &WorkspacePath, seen: &PathFacts) -> Self {
        if seen.kind != PathKind::File {
            return Self::default();
        }
        let read = |file| {
            if seen.len <= COMPARED {
                Self::whole(file)
            } else {
                Self::passing(file)
            }
        };
        target
            .open()
            .ok()
            .and_then(|file| read(file).ok())
            .unwrap_or_default()
    }

    fn whole(file: File) -> io::Result<Self> {
        let mut bytes = Vec::new();
        file.take(COMPARED).read_to_end(&mut bytes)?;
        let is_utf_8 = std::str::from_utf8(&bytes).is_ok();
        Ok(Self {
            encoding: foreign(&bytes, is_utf_8),
            bom: bytes.starts_with(BOM.as_bytes()),
            crlf: LineEnd::of_all(&*bytes)? == Some(LineEnd::CrLf),
            text: String::from_utf8(bytes).ok(),
        })
    }

    fn passing(mut file: File) -> io::Result<Self> {
        let head = text::read_head(&mut file)?;
        // The head may end within a character.
        let is_utf_8 = match std::str::from_utf8(&head) {
            Ok(_) => true,
            Err(error) => error.error_len().is_none(),
        };
        file.rewind()?;
        let crlf = LineEnd::of_all(BufReader::new(file))? == Some(LineEnd::CrLf);
        Ok(Self {
            bom: head.starts_with(BOM.as_bytes()),
            crlf,
            text: None,
            encoding: foreign(&head, is_utf_8),
        })
    }
}

/// The encoding of a text that is not UTF-8. What is no text at all has none.
fn foreign(bytes: &[u8], is_utf_8: bool) -> Option<&'static str> {
    match text::sniff(bytes) {
        Kind::Foreign(encoding) => Some(encoding),
        Kind::Text { .. } if !is_utf_8 => Some("in another encoding"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

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
            let ledger = Ledger::new(workspace.clone());
            let (path, text) = ("d/a.txt".to_owned(), "new\n".to_owned());
            thread::spawn(move || write_file(workspace, ledger, None, cancel, path, text))
        };
        cancel.cancel();
        drop(held);
        let error = call.join().unwrap().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Cancelled);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_change_of_the_encoding_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::new(Confined::open(folder.path()).unwrap());
        let many = vec![b'x'; usize::try_from(COMPARED).unwrap()];
        let far = [many.clone(), b"\xe9".to_vec()].concat();
        let near = [b"caf\xe9 ".to_vec(), many.clone()].concat();
        for (old, encoding) in [
            (&b"\xff\xfeh\0i\0"[..], Some("UTF-16")),
            (b"\xff\xfe\0\0h\0\0\0", Some("UTF-32")),
            (b"caf\xe9\n", Some("in another encoding")),
            (&near, Some("in another encoding")),
            // Of a large file, the start decides.
            (&far, None),
            ("caf\u{e9}\n".as_bytes(), None),
            (b"\x89PNG\r\n\x1a\n", None),
            (b"", None),
        ] {
            std::fs::write(folder.path().join("a.txt"), old).unwrap();
            let ledger = Ledger::new(workspace.clone());
            let (path, text) = ("a.txt".to_owned(), "new\n".to_owned());
            let written =
                write_file(workspace.clone(), ledger, None, Cancel::never(), path, text).unwrap();
            let told: Vec<&str> = written.0.warnings.iter().map(Warning::message).collect();
            let expected: Vec<String> = encoding
                .map(|encoding| {
                    format!(
                        "the file was {encoding} and is UTF-8 now: what reads it may not expect that"
                    )
                })
                .into_iter()
                .collect();
            assert_eq!(told, expected);
            assert_eq!(
                std::fs::read(folder.path().join("a.txt")).unwrap(),
                b"new\n"
            );
        }
    }
}
