//! Errors of the operating system as errors of a call.

use std::io;
use std::path::Path;

use crate::output::{ErrorKind, ToolError};

/// The path leads out of the workspace.
pub(super) fn outside(path: &Path, root: &Path) -> ToolError {
    ToolError::new(
        ErrorKind::OutsideWorkspace,
        format!("`{}` is outside the workspace", path.display()),
    )
    .with_help(format!("use a path relative to `{}`", root.display()))
}

/// A link on the way leads out of the workspace.
pub(super) fn leads_out(link: &Path, root: &Path) -> ToolError {
    ToolError::new(
        ErrorKind::OutsideWorkspace,
        format!(
            "`{}` is a link that leads out of the workspace",
            link.display()
        ),
    )
    .with_help(format!("use a path relative to `{}`", root.display()))
}

/// Links lead in a circle.
pub(super) fn circle(path: &Path) -> ToolError {
    ToolError::new(
        ErrorKind::BadPath,
        format!("`{}`: links lead in a circle", path.display()),
    )
    .with_help("name the file itself")
}

/// What the system said about a path.
pub(super) fn from_io(path: &Path, error: io::Error) -> ToolError {
    let shown = path.display();
    let (kind, what) = match error.kind() {
        io::ErrorKind::NotFound => (ErrorKind::NotFound, "no such file or folder"),
        io::ErrorKind::IsADirectory => (ErrorKind::IsDirectory, "it is a folder"),
        io::ErrorKind::NotADirectory => (
            ErrorKind::NotADirectory,
            "a part of the path is a file, not a folder",
        ),
        io::ErrorKind::PermissionDenied => (ErrorKind::PermissionDenied, "permission denied"),
        io::ErrorKind::InvalidFilename => (ErrorKind::BadPath, "the path is too long"),
        io::ErrorKind::InvalidInput => (ErrorKind::BadPath, "it cannot be a path"),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            (ErrorKind::Io, "no space is left")
        }
        io::ErrorKind::ReadOnlyFilesystem => {
            (ErrorKind::PermissionDenied, "the file system is read-only")
        }
        _ => (ErrorKind::Io, ""),
    };
    let message = if what.is_empty() {
        format!("`{shown}`: {error}")
    } else {
        format!("`{shown}`: {what}")
    };
    let help = if what == "no space is left" {
        "ask the user to make room; the file is as it was"
    } else {
        kind.next_step()
    };
    ToolError::new(kind, message).because(error).with_help(help)
}
