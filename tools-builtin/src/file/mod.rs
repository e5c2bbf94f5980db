//! Toolset `file`: reading, writing, editing and searching the files of the session's workspace.
//!
//! Every path of a call is resolved by the workspace to one handle; the same handle is looked at,
//! read and written. No tool here opens a path by its text.

mod diff;
mod line_end;
mod nearest;
mod page;
mod patch;
mod read;
mod replace;
mod search;
mod text;
mod write;

use hermes_tools::{Availability, CheckContext};

/// The file tools need a folder to work in.
fn workspace_ready(cx: &CheckContext<'_>) -> Availability {
    if cx.workspace().is_some() {
        Availability::Available
    } else {
        Availability::unavailable("this session has no workspace")
            .with_remedy("open the session on a folder")
    }
}
