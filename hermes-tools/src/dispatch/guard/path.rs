//! Paths: where they lead, and whether tools may go there.
//!
//! The workspace keeps tools in its roots. What is judged here is what stands at a place: files that
//! hold credentials, that something else runs by itself, that belong to the system or are none. The
//! place is that of what is held open, so that neither a link nor a change of one behind the guard's
//! back leads past it; the workspace asks again whenever a tool opens or changes something.

use std::path::{Component, Path, PathBuf};

use super::places::{self, Place};
use super::{Finding, Verdict};
use crate::context::ToolContext;
use crate::effect::Role;
use crate::output::{ErrorKind, ToolError};
use crate::target::Access;
use crate::workspace::PathRules;

/// Where tools keep away from, for a session.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    pub(super) home: PathBuf,
    pub(super) agent_home: Option<PathBuf>,
}

impl Places {
    /// Judges an absolute path without links.
    pub(super) fn verdict(&self, place: &Path, shown: &str, access: Access) -> Verdict {
        let plain = without_dots(place);
        let text = plain.to_string_lossy();
        let home = self.home.to_string_lossy();
        let agent_home = self.agent_home.as_deref().map(Path::to_string_lossy);
        let found = places::place(&text, &home, agent_home.as_deref());
        let why = match access {
            Access::Write => unwritable(found),
            Access::Read => unreadable(found, &text),
        };
        let Some((category, why)) = why else {
            return Verdict::Allow;
        };
        let done = match access {
            Access::Write => "changed",
            Access::Read => "read",
        };
        Verdict::Block {
            kind: ErrorKind::ProtectedPath,
            category,
            why: format!("`{shown}` is not {done} by tools: {why}"),
            help: "do without it, or ask the user to do it".to_owned(),
        }
    }
}

impl PathRules for Places {
    fn judge(&self, place: &Path, shown: &str, access: Access) -> Result<(), ToolError> {
        match self.verdict(place, shown, access) {
            Verdict::Block {
                kind, why, help, ..
            } => Err(ToolError::new(kind, why).with_help(help)),
            Verdict::Allow | Verdict::Ask { .. } => Ok(()),
        }
    }
}

/// Why what stands at a place is not changed.
fn unwritable(place: Option<Place>) -> Option<(&'static str, &'static str)> {
    Some(match place? {
        Place::System => ("system-file", "it belongs to the system"),
        Place::Schedule => ("schedule", "it says what runs later by itself"),
        Place::Credential | Place::CredentialFolder => ("credential-file", "it holds credentials"),
        Place::Startup => ("startup-file", "it runs when a shell or session starts"),
        Place::Agent | Place::AgentSecret => ("agent-file", "it belongs to the agent itself"),
        Place::Hook => ("repository-hook", "git runs what it says"),
        Place::Device => ("device", "it is a device"),
        Place::Process => ("process", "it is the system's view of itself"),
        // A project's own files are what tools are for.
        Place::ProjectSecret | Place::ProjectSettings => return None,
    })
}

/// Why what stands at a place is not read.
fn unreadable(place: Option<Place>, path: &str) -> Option<(&'static str, &'static str)> {
    match place? {
        Place::AgentSecret => Some(("agent-file", "it holds the agent's own credentials")),
        Place::ProjectSecret => Some((
            "secret-file",
            "it holds credentials; `.env.example` may say what is in it",
        )),
        Place::Device if places::below(path, "/dev/shm").is_none() => {
            Some(("device", "it is a device"))
        }
        Place::Process if is_private(path) => {
            Some(("process", "it shows what a process keeps to itself"))
        }
        Place::System
            if matches!(
                path,
                "/etc/shadow" | "/etc/gshadow" | "/etc/shadow-" | "/etc/gshadow-" | "/etc/sudoers"
            ) =>
        {
            Some(("credential-file", "it holds credentials"))
        }
        _ => None,
    }
}

/// Whether a path below `/proc` shows the memory, the variables or the open files of a process.
fn is_private(path: &str) -> bool {
    const NAMES: [&str; 14] = [
        "environ",
        "cmdline",
        "maps",
        "smaps",
        "smaps_rollup",
        "numa_maps",
        "mem",
        "auxv",
        "pagemap",
        "kcore",
        "kmsg",
        "stack",
        "syscall",
        "sysrq-trigger",
    ];
    let last = path.rsplit('/').next().unwrap_or("");
    NAMES.contains(&last) && path.starts_with("/proc/")
        || path
            .split('/')
            .any(|part| matches!(part, "fd" | "fdinfo" | "map_files" | "root" | "cwd"))
}

/// A path without `.` and `..`, taken off by its text.
pub(super) fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

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
        Some(Ok(path)) => {
            let judged = path.judge(access);
            (
                path.display(),
                judged.map_or_else(|error| of_error(&error), |()| Verdict::Allow),
            )
        }
        Some(Err(error)) => (text.to_owned(), of_error(&error)),
    };
    Finding {
        argument: argument.to_owned(),
        role: Role::Path,
        shown,
        access: Some(access),
        verdict,
    }
}

fn of_error(error: &ToolError) -> Verdict {
    Verdict::Block {
        kind: error.kind(),
        category: error.code(),
        why: error.message().to_owned(),
        help: error.help().unwrap_or("name another path").to_owned(),
    }
}
