//! Files that calls change, before and after.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

use crate::context::{ToolContext, Workspace, run_job};
use crate::dispatch::guard::Findings;
use crate::effect::Role;
use crate::gate::PendingCall;
use crate::output::ErrorKind;
use crate::target::Access;

/// A file that a call was to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileChange {
    pub(super) path: String,
    pub(super) before: Contents,
    pub(super) after: Contents,
}

/// What was in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Contents {
    /// There was no file.
    Missing,
    /// Their SHA-256.
    Sum(String),
    /// It cannot be told.
    Unknown,
}

impl Contents {
    /// As the log writes it; `None` where there is no file.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Self::Missing => None,
            Self::Sum(sum) => Some(sum),
            Self::Unknown => Some("unknown"),
        }
    }
}

/// The files that a call may write, as they are before it runs.
pub(crate) async fn files_before(call: &PendingCall<'_>, findings: &Findings) -> Vec<FileChange> {
    let written = findings
        .findings
        .iter()
        .filter(|finding| finding.role == Role::Path && finding.access == Some(Access::Write));
    let mut paths: Vec<String> = written.map(|finding| finding.shown.clone()).collect();
    paths.sort_unstable();
    paths.dedup();
    let hashes = hashes(call.cx(), paths.clone()).await;
    let change = |(path, before)| FileChange {
        path,
        before,
        after: Contents::Unknown,
    };
    paths.into_iter().zip(hashes).map(change).collect()
}

/// Adds what the files are after the call, and leaves out those that are as they were.
pub(crate) async fn files_after(cx: &ToolContext, mut files: Vec<FileChange>) -> Vec<FileChange> {
    let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    let after = hashes(cx, paths).await;
    for (file, after) in files.iter_mut().zip(after) {
        file.after = after;
    }
    files.retain(|file| file.before != file.after || file.after == Contents::Unknown);
    files
}

/// What is in each file.
async fn hashes(cx: &ToolContext, paths: Vec<String>) -> Vec<Contents> {
    let count = paths.len();
    let Some(workspace) = cx.workspace().filter(|_| count > 0).cloned() else {
        return vec![Contents::Unknown; count];
    };
    let read = move || paths.iter().map(|path| hash(&workspace, path)).collect();
    run_job(cx.executor(), read)
        .await
        .unwrap_or_else(|_| vec![Contents::Unknown; count])
}

/// What is in a file, also where tools may not read it: the log shows nothing but the hash, to the host.
fn hash(workspace: &Workspace, path: &str) -> Contents {
    let opened = workspace.resolve(path).and_then(|path| path.open_to_keep());
    let mut file = match opened {
        Ok((file, _)) => file,
        Err(error) => {
            return match error.kind() {
                ErrorKind::NotFound | ErrorKind::IsDirectory | ErrorKind::NotRegular => {
                    Contents::Missing
                }
                _ => Contents::Unknown,
            };
        }
    };
    let mut sum = Sha256::new();
    let mut part = vec![0; 64 * 1_024];
    loop {
        match file.read(&mut part) {
            Ok(0) => break,
            Ok(read) => sum.update(&part[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Contents::Unknown,
        }
    }
    let sum = sum.finalize();
    Contents::Sum(sum.iter().map(|byte| format!("{byte:02x}")).collect())
}
