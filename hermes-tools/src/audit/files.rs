//! Files that calls change, before and after.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

use crate::context::{ToolContext, Workspace, run_job};
use crate::dispatch::guard::Findings;
use crate::effect::Role;
use crate::gate::PendingCall;
use crate::target::Access;

/// A file that a call was to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileChange {
    pub(super) path: String,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
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
        after: None,
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
    files.retain(|file| file.before != file.after);
    files
}

/// The SHA-256 of each file; `None` for what is no file or cannot be read.
async fn hashes(cx: &ToolContext, paths: Vec<String>) -> Vec<Option<String>> {
    let count = paths.len();
    let Some(workspace) = cx.workspace().filter(|_| count > 0).cloned() else {
        return vec![None; count];
    };
    let read = move || paths.iter().map(|path| hash(&workspace, path)).collect();
    run_job(cx.executor(), read)
        .await
        .unwrap_or_else(|_| vec![None; count])
}

fn hash(workspace: &Workspace, path: &str) -> Option<String> {
    let mut file = workspace.resolve(path).ok()?.open().ok()?;
    let mut sum = Sha256::new();
    let mut part = vec![0; 64 * 1_024];
    loop {
        match file.read(&mut part) {
            Ok(0) => break,
            Ok(read) => sum.update(&part[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    let sum = sum.finalize();
    Some(sum.iter().map(|byte| format!("{byte:02x}")).collect())
}
