//! Paths: where they lead, and whether tools may go there.
//!
//! The workspace keeps tools in its roots. What is judged here is what stands at a place: files that
//! hold credentials, that something else runs by itself, that belong to the system or are none. The
//! place is that of what is held open, so that neither a link nor a change of one behind the guard's
//! back leads past it; the workspace asks again whenever a tool opens or changes something.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::places::{self, Place};
#[cfg(feature = "host")]
use super::policy::UNKNOWN_HOME;
use super::{Finding, Verdict};
use crate::context::ToolContext;
use crate::effect::Role;
use crate::output::{ErrorKind, ToolError};
use crate::target::Access;
use crate::workspace::{Doubtful, PathRules};

/// Where tools keep away from, for a session.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    pub(super) home: PathBuf,
    pub(super) agent_home: Option<PathBuf>,
    /// Folders of the agent's settings that the environment names.
    pub(super) config: Vec<PathBuf>,
    /// Folders of its state.
    pub(super) state: Vec<PathBuf>,
    /// Folders of what it keeps of its sessions, wherever those are: checkpoints, and the store of results.
    pub(super) kept: Vec<PathBuf>,
    /// The stored results of the session itself.
    pub(super) results: Option<PathBuf>,
    /// Roots of the workspace that are nobody's home.
    pub(super) projects: Vec<PathBuf>,
}

impl Places {
    /// These places for a session with these stored results and roots of its workspace: what the
    /// environment names is meant by where it leads, too, since what is judged has no links.
    #[cfg(feature = "host")]
    pub(crate) fn of_session<'r>(
        mut self,
        results: Option<&Path>,
        roots: impl Iterator<Item = &'r Path>,
    ) -> Self {
        let roots = roots.map(real_place);
        self.projects = roots.filter(|root| self.is_project(root)).collect();
        // The folder of a session is one of its store.
        let store = results.and_then(Path::parent).map(without_dots);
        self.kept.extend(store.filter(|it| it.parent().is_some()));
        let follow = |folders: &mut Vec<PathBuf>, below_home: Option<&str>| {
            let below_home = below_home.map(|it| self.home.join(it));
            let real: Vec<PathBuf> = folders.iter().cloned().chain(below_home).collect();
            folders.extend(real.iter().map(|it| real_place(it)));
        };
        follow(&mut self.config, Some(".config/hermes"));
        follow(&mut self.state, Some(".local/state/hermes"));
        follow(&mut self.kept, None);
        self.results = results.map(Path::to_owned);
        self
    }

    /// Whether a root of the workspace is a project: where the home folder is known, does not lie in it,
    /// and it looks like nobody else's.
    #[cfg(feature = "host")]
    fn is_project(&self, root: &Path) -> bool {
        const SIGNS_OF_A_HOME: [&str; 5] = [
            ".bash_history",
            ".zsh_history",
            ".ssh/known_hosts",
            ".ssh/authorized_keys",
            ".local/share",
        ];
        let home = &self.home;
        home != Path::new(UNKNOWN_HOME)
            && root.parent().is_some()
            && !home.starts_with(root)
            && !real_place(home).starts_with(root)
            && SIGNS_OF_A_HOME.iter().all(|sign| {
                // What cannot be looked at may be one.
                matches!(root.join(sign).symlink_metadata(), Err(error) if is_missing(&error))
            })
    }

    /// What stands below the agent's own folders, wherever the environment says that those are.
    fn of_agent(&self, path: &Path) -> Option<Place> {
        let mut state = self.state.iter();
        if let Some(rest) = state.find_map(|folder| path.strip_prefix(folder).ok()) {
            return Some(places::of_state(&rest.to_string_lossy()));
        }
        let mut kept = self.kept.iter();
        // What the session may read of it is one of its own roots, which says what is done there.
        if kept.any(|folder| path.starts_with(folder)) && !self.is_own_result(path) {
            return Some(Place::AgentData);
        }
        let is_config = self.config.iter().any(|folder| path.starts_with(folder));
        is_config.then_some(Place::Agent)
    }

    /// Whether a path is that of a result of this session.
    fn is_own_result(&self, path: &Path) -> bool {
        let Some(results) = &self.results else {
            return false;
        };
        // The store may be named by a link.
        path.starts_with(results)
            || results
                .canonicalize()
                .is_ok_and(|results| path.starts_with(results))
    }

    /// Judges an absolute path without links.
    pub(super) fn verdict(&self, place: &Path, shown: &str, access: Access) -> Verdict {
        let plain = without_dots(place);
        let text = plain.to_string_lossy();
        let home = self.home.to_string_lossy();
        let agent_home = self.agent_home.as_deref().map(Path::to_string_lossy);
        let in_project = self.projects.iter().any(|root| plain.starts_with(root));
        let mut found = self
            .of_agent(&plain)
            .or_else(|| places::place(&text, &home, agent_home.as_deref(), in_project));
        if found == Some(Place::AgentData) && self.is_own_result(&plain) {
            found = Some(Place::Agent);
        }
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

    /// Whether everything in a folder may be read but for what [`may_be_env_file`]: it is none of the
    /// system's and of no agent. What is doubtful is not plain.
    fn is_plain(&self, folder: &Path) -> bool {
        const SYSTEM: [&str; 5] = ["dev", "etc", "proc", "sys", "private"];
        let Some(rest) = folder.to_str().and_then(|text| text.strip_prefix('/')) else {
            return false;
        };
        let is_of_system = SYSTEM.contains(&rest.split('/').next().unwrap_or(""));
        let mut parts = rest.split('/');
        let is_of_agent = self
            .agent_home
            .as_deref()
            .is_some_and(|home| home.to_str().is_none() || folder.starts_with(home));
        let is_below_agent = folder.to_str().is_none_or(|text| {
            text.contains("/.local/state/hermes") || text.contains("/.config/hermes")
        }) || self.of_agent(folder).is_some();
        !is_of_system
            && !is_of_agent
            && !is_below_agent
            && !parts.any(|part| matches!(part, "" | "." | ".." | ".hermes"))
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

    fn doubtful(&self, folder: &Path, access: Access) -> Option<Doubtful> {
        (access == Access::Read && self.is_plain(folder)).then_some(may_be_env_file)
    }
}

/// Whether a name may be that of a file with a project's secrets, or is none in the folder.
fn may_be_env_file(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    let is_env = |start: &[u8]| start.eq_ignore_ascii_case(b".env");
    matches!(bytes, b"." | b"..") || bytes.get(..4).is_some_and(is_env)
}

/// Why what stands at a place is not changed.
fn unwritable(place: Option<Place>) -> Option<(&'static str, &'static str)> {
    Some(match place? {
        Place::System => ("system-file", "it belongs to the system"),
        Place::Schedule => ("schedule", "it says what runs later by itself"),
        Place::Credential | Place::CredentialFolder => ("credential-file", "it holds credentials"),
        Place::Startup => ("startup-file", "it runs when a shell or session starts"),
        Place::Agent | Place::AgentSecret | Place::AgentData => {
            ("agent-file", "it belongs to the agent itself")
        }
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
        Place::AgentData => Some(("agent-file", "it belongs to other sessions")),
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

#[cfg(feature = "host")]
fn is_missing(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};

    matches!(error.kind(), NotFound | NotADirectory)
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

/// Where a path leads, as far as something is there.
#[cfg(feature = "host")]
fn real_place(path: &Path) -> PathBuf {
    let real = path.ancestors().find_map(|above| {
        let rest = path.strip_prefix(above).ok()?;
        Some(without_dots(&above.canonicalize().ok()?.join(rest)))
    });
    real.unwrap_or_else(|| path.to_owned())
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PARTS: [&str; 38] = [
        "kept",
        ".local",
        "state",
        ".config",
        "hermes",
        "mcp",
        "results",
        "checkpoints",
        "a",
        "work",
        "home",
        "root",
        "Users",
        "dev",
        "shm",
        "etc",
        "proc",
        "self",
        "sys",
        "private",
        ".hermes",
        "profiles",
        "agent",
        ".env",
        ".Env.local",
        ".envrc",
        ".env.example",
        "auth.json",
        "tokens",
        "shadow",
        "sudoers",
        "mem",
        "environ",
        "fd",
        ".ssh",
        ".",
        "..",
        "credentials",
    ];

    fn rules() -> Places {
        Places {
            home: PathBuf::from("/home/dev"),
            agent_home: Some(PathBuf::from("/work/agent")),
            config: Vec::new(),
            state: vec![PathBuf::from("/work/state/hermes")],
            kept: vec![PathBuf::from("/work/kept")],
            results: None,
            projects: Vec::new(),
        }
    }

    proptest! {
        /// A walk asks about a folder once: what it then lets pass, each file's own judgement must too.
        #[test]
        fn what_a_folder_lets_pass_is_nowhere_refused(
            folder in prop::collection::vec(prop::sample::select(&PARTS[..]), 0..5),
            name in prop::sample::select(&PARTS[..]),
        ) {
            let folder = PathBuf::from(format!("/{}", folder.join("/")));
            if let Some(doubtful) = rules().doubtful(&folder, Access::Read)
                && !doubtful(OsStr::new(name))
            {
                let place = folder.join(name);
                let judged = rules().judge(&place, name, Access::Read);
                prop_assert!(judged.is_ok(), "{}", place.display());
            }
        }
    }

    #[test]
    fn an_ordinary_folder_is_judged_once_for_all_its_files() {
        let doubtful = rules().doubtful(Path::new("/home/dev/project/src"), Access::Read);
        let doubtful = doubtful.unwrap();
        for (name, expected) in [
            ("main.rs", false),
            ("env", false),
            ("", false),
            (".env", true),
            (".ENV.local", true),
            (".environment", true),
        ] {
            assert_eq!(doubtful(OsStr::new(name)), expected, "{name}");
        }
        for folder in [
            "/home/dev/.hermes",
            "/work/agent/x",
            "/work/state/hermes/mcp",
            "/work/kept/x",
            "/home/dev/.local/state/hermes",
            "/dev/shm",
            "/",
            "rel",
            "/a/../etc",
        ] {
            let doubtful = rules().doubtful(Path::new(folder), Access::Read);
            assert!(doubtful.is_none(), "{folder}");
        }
        let doubtful = rules().doubtful(Path::new("/home/dev/project"), Access::Write);
        assert!(doubtful.is_none());
    }
}
