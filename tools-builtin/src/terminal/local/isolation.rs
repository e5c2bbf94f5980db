//! What commands may reach: the kernel's word (Landlock), not a list of programs.
//!
//! Restrictions belong to a thread and are inherited by the processes that it starts. So one thread of a
//! session restricts itself once, and starts every command; nothing has to run between fork and exec,
//! which would be unsafe.

use std::path::{Path, PathBuf};

use super::own::Own;

/// What stands below the home folder and is nobody's business.
const CREDENTIALS: [&str; 32] = [
    ".aws",
    ".azure",
    ".bash_history",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".config/gcloud",
    ".config/gh",
    ".config/git/credentials",
    ".config/glab-cli",
    ".config/hub",
    ".config/op",
    ".config/rclone",
    ".docker",
    ".electrum",
    ".gem/credentials",
    ".git-credentials",
    ".gnupg",
    ".hermes",
    ".kube",
    ".local/share/keyrings",
    ".m2/settings.xml",
    ".mozilla",
    ".netrc",
    ".npmrc",
    ".password-store",
    ".pgpass",
    ".psql_history",
    ".pypirc",
    ".ssh",
    ".terraform.d/credentials.tfrc.json",
    ".vault-token",
    ".zsh_history",
];

/// What holds secrets of the system.
const SYSTEM: [&str; 6] = [
    "/etc/gshadow",
    "/etc/shadow",
    "/etc/ssl/private",
    "/etc/sudoers",
    "/run/secrets",
    "/var/lib/secrets",
];

/// Files that every program may write to.
const DEVICES: [&str; 9] = [
    "/dev/full",
    "/dev/null",
    "/dev/ptmx",
    "/dev/pts",
    "/dev/random",
    "/dev/shm",
    "/dev/tty",
    "/dev/urandom",
    "/dev/zero",
];

/// What commands of a session may reach.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    /// Below these they may write.
    pub(super) writable: Vec<PathBuf>,
    /// These they may not read, although the rest of the system they may.
    pub(super) hidden: Vec<PathBuf>,
    /// The same as they were named, whether something is there or not.
    pub(super) named: Vec<PathBuf>,
    /// These they may read although they stand below something hidden.
    pub(super) shown: Vec<PathBuf>,
    /// These they may not change, although they may stand where commands write. Nothing has to be there.
    pub(super) kept: Vec<PathBuf>,
}

/// What the kernel confines commands to, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Confinement {
    /// Files, signals, and sockets that have no path.
    Full,
    /// Some of it: the kernel is older than what is asked for.
    Partial,
    /// Nothing: the kernel has no Landlock, or it is switched off.
    None,
}

impl Plan {
    /// What a session with these folders may reach. `readable` takes back what would be hidden.
    pub(super) fn new(
        writable: impl IntoIterator<Item = PathBuf>,
        home: Option<&Path>,
        readable: &[PathBuf],
        hidden: &[PathBuf],
        own: &Own,
    ) -> Self {
        let mut named: Vec<PathBuf> = SYSTEM.into_iter().map(PathBuf::from).collect();
        if let Some(home) = home {
            named.extend(CREDENTIALS.iter().map(|name| home.join(name)));
        }
        named.extend(own.hidden());
        named.retain(|path| !readable.contains(path));
        named.extend_from_slice(hidden);
        let writable = writable.into_iter();
        Self {
            // A rule is about the place that a path leads to.
            hidden: places(&named),
            writable: writable
                .filter_map(|path| path.canonicalize().ok())
                .collect(),
            named,
            shown: own.results.clone(),
            kept: own.folders().iter().map(|it| place_of(it)).collect(),
        }
    }

    /// The paths below which commands may write. Rules only allow, and what is mounted moves with the folder
    /// above it, so what stands beside something that is kept is named piece by piece: in the folders that
    /// hold it nothing can be made, moved or removed.
    pub(super) fn open(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for path in &self.writable {
            if !self.kept.iter().any(|kept| path.starts_with(kept)) {
                self.open_for_writing(path, &mut found);
            }
        }
        found
    }

    fn open_for_writing(&self, path: &Path, found: &mut Vec<PathBuf>) {
        if self.kept.iter().any(|kept| path == kept) {
            return;
        }
        if !self.holds_kept(path) {
            found.push(path.to_owned());
            return;
        }
        let Ok(entries) = path.read_dir() else { return };
        for entry in entries.flatten() {
            if entry.file_type().is_ok_and(|kind| !kind.is_symlink()) {
                self.open_for_writing(&entry.path(), found);
            }
        }
    }

    /// Whether something that is kept stands below a path, or is what it names.
    pub(super) fn holds_kept(&self, path: &Path) -> bool {
        self.kept.iter().any(|kept| kept.starts_with(path))
    }

    /// Whether a path is refused only because of what is kept.
    pub(super) fn is_kept(&self, path: &Path) -> bool {
        let mut writable = self.writable.iter();
        writable.any(|folder| path.starts_with(folder)) && !self.may_write(path)
    }

    /// Whether a path belongs to `hermes` itself.
    pub(super) fn is_own(&self, path: &Path) -> bool {
        self.kept.iter().any(|kept| path.starts_with(kept))
    }

    /// What is hidden and there at this moment.
    pub(super) fn hidden_now(&self) -> Vec<PathBuf> {
        places(&self.named)
    }

    /// The paths below which commands may read: everything but what is hidden. Rules only allow, so what
    /// stands beside something hidden is named piece by piece.
    #[cfg(target_os = "linux")]
    fn readable(&self) -> Vec<PathBuf> {
        let mut found = self.shown.clone();
        self.open_up(Path::new("/"), &mut found);
        found
    }

    #[cfg(target_os = "linux")]
    fn open_up(&self, path: &Path, found: &mut Vec<PathBuf>) {
        if self.hidden.iter().any(|hidden| path == hidden) {
            return;
        }
        if !self.holds_hidden(path) {
            found.push(path.to_owned());
            return;
        }
        let Ok(entries) = path.read_dir() else { return };
        for entry in entries.flatten() {
            // What a link leads to is judged where it is.
            if entry.file_type().is_ok_and(|kind| !kind.is_symlink()) {
                self.open_up(&entry.path(), found);
            }
        }
    }

    /// Whether something hidden is below a path, or is what it names.
    #[cfg(target_os = "linux")]
    fn holds_hidden(&self, path: &Path) -> bool {
        self.hidden.iter().any(|hidden| hidden.starts_with(path))
    }

    /// Whether commands may write to a path.
    pub(super) fn may_write(&self, path: &Path) -> bool {
        let devices = DEVICES.iter().map(Path::new);
        let open = self.open();
        let mut allowed = open.iter().map(PathBuf::as_path).chain(devices);
        allowed.any(|allowed| path.starts_with(allowed))
    }

    /// Whether commands may read a path.
    pub(super) fn may_read(&self, path: &Path) -> bool {
        let below = |folders: &[PathBuf]| folders.iter().any(|it| path.starts_with(it));
        !below(&self.hidden) || below(&self.shown)
    }
}

/// What a path leads to, as far as something is there.
fn place_of(path: &Path) -> PathBuf {
    let mut above = path.ancestors();
    let place = above.find_map(|above| Some((above.canonicalize().ok()?, above)));
    let place = place.and_then(|(real, above)| {
        let rest = path.strip_prefix(above).ok()?;
        let is_whole = rest.as_os_str().is_empty();
        Some(if is_whole { real } else { real.join(rest) })
    });
    place.unwrap_or_else(|| path.to_owned())
}

/// What paths lead to, where something is there.
fn places(paths: &[PathBuf]) -> Vec<PathBuf> {
    let places = paths.iter().filter_map(|path| path.canonicalize().ok());
    places.collect()
}

/// Confines this thread, and all that it will start.
#[cfg(target_os = "linux")]
pub(super) fn restrict(plan: &Plan) -> Confinement {
    use landlock::{
        ABI, Access as _, AccessFs, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _,
        RulesetError, RulesetStatus, Scope, path_beneath_rules,
    };

    // What older kernels of these do not know is left out there.
    let all = AccessFs::from_all(ABI::V6);
    let read = AccessFs::from_read(ABI::V6);
    // Below a folder that holds something hidden, what may be read is named piece by piece.
    let unread = all & !(AccessFs::ReadFile | AccessFs::Execute);
    let (holding, open): (Vec<PathBuf>, Vec<PathBuf>) = plan
        .open()
        .into_iter()
        .partition(|path| plan.holds_hidden(path));
    let restrict = || -> Result<RulesetStatus, RulesetError> {
        let status = Ruleset::default()
            .handle_access(all)?
            .scope(Scope::Signal | Scope::AbstractUnixSocket)?
            .create()?
            .add_rules(path_beneath_rules(["/"], AccessFs::ReadDir))?
            .add_rules(path_beneath_rules(plan.readable(), read))?
            .add_rules(path_beneath_rules(DEVICES, all))?
            .add_rules(path_beneath_rules(open, all))?
            .add_rules(path_beneath_rules(holding, unread))?
            .restrict_self()?;
        Ok(status.ruleset)
    };
    match restrict() {
        Ok(RulesetStatus::FullyEnforced) => Confinement::Full,
        Ok(RulesetStatus::PartiallyEnforced) => Confinement::Partial,
        Ok(RulesetStatus::NotEnforced) | Err(_) => Confinement::None,
    }
}

/// Other systems have other means, which are not used yet.
#[cfg(not(target_os = "linux"))]
pub(super) fn restrict(_: &Plan) -> Confinement {
    Confinement::None
}

/// What the kernel would confine commands to. A thread of its own tries it.
pub fn confinement() -> Confinement {
    let thread = std::thread::Builder::new().name("hermes-probe".to_owned());
    let probe = thread.spawn(|| restrict(&Plan::default()));
    let joined = probe.ok().and_then(|thread| thread.join().ok());
    joined.unwrap_or(Confinement::None)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_stands_beside_a_secret_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        for name in [".ssh", ".config/gh", ".config/app", "work"] {
            std::fs::create_dir_all(home.join(name)).unwrap();
        }
        let plan = Plan::new([home.join("work")], Some(&home), &[], &[], &Own::default());
        let below: Vec<PathBuf> = plan
            .readable()
            .into_iter()
            .filter(|it| it.starts_with(&home))
            .collect();
        let mut names: Vec<_> = below
            .iter()
            .map(|it| it.strip_prefix(&home).unwrap())
            .collect();
        names.sort();
        assert_eq!(names, [Path::new(".config/app"), Path::new("work")]);
        assert!(plan.may_write(&home.join("work/a")) && !plan.may_write(&home.join("work2")));
        assert!(!plan.may_read(&home.join(".ssh/id")) && plan.may_read(&home.join("x")));
        let open = Plan::new([], Some(&home), &[home.join(".ssh")], &[], &Own::default());
        assert!(open.may_read(&home.join(".ssh/id")));
    }

    #[test]
    fn where_something_is_kept_commands_write_beside_it_only() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        for name in [".config/app", ".local/state/hermes/mcp", "work/deep"] {
            std::fs::create_dir_all(home.join(name)).unwrap();
        }
        std::fs::write(home.join("notes"), "").unwrap();
        let own = Own::new(|_| None, Some(&home), None, []);
        let plan = Plan::new([home.clone()], Some(&home), &[], &[], &own);
        let mut open = plan.open();
        open.sort();
        assert_eq!(
            open,
            [".config/app", "notes", "work"].map(|name| home.join(name))
        );
        for (name, may) in [
            ("work/new", true),
            ("notes", true),
            (".config/app/new", true),
            (".config/hermes/hermes.toml", false),
            (".local/state/hermes/mcp/trusted.json", false),
            (".hermes/config.yaml", false),
            ("new", false),
        ] {
            assert_eq!(plan.may_write(&home.join(name)), may, "{name}");
            assert_eq!(plan.is_kept(&home.join(name)), !may, "{name}");
        }
        // A root among what is kept opens nothing.
        let root = home.join(".local/state/hermes");
        let plan = Plan::new([root], Some(&home), &[], &[], &own);
        assert_eq!(plan.open(), Vec::<PathBuf>::new());
    }
}
