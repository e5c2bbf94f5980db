//! Paths: where they lead, and whether tools may go there.

use super::{Finding, Verdict};
use crate::context::ToolContext;
use crate::effect::Role;
use crate::output::ErrorKind;
use crate::target::Access;

/// Judges one path of a call.
pub(super) fn judge(cx: &ToolContext, argument: &str, text: &str, access: Access) -> Finding {
    let resolved = cx.workspace().map(|workspace| workspace.resolve(text));
    let (shown, verdict) = match resolved {
        None => (
            text.to_owned(),
            Verdict::Block {
                kind: ErrorKind::OutsideWorkspace,
                category: "no-workspace",
                why: format!("`{text}` cannot be used: this session has no folder to work in"),
                help: "use a tool that needs no path, or ask the user for a workspace".to_owned(),
            },
        ),
        Some(Ok(path)) => (path.display(), Verdict::Allow),
        Some(Err(error)) => (
            text.to_owned(),
            Verdict::Block {
                kind: error.kind(),
                category: "path",
                why: error.message().to_owned(),
                help: error.help().unwrap_or_default().to_owned(),
            },
        ),
    };
    Finding {
        argument: argument.to_owned(),
        role: Role::Path,
        shown,
        access: Some(access),
        verdict,
    }
}
