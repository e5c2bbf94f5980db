//! Places in the file system that tools keep away from, by their absolute paths.

/// What stands at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Files of the system: its settings, programs and start.
    System,
    /// What runs later by itself.
    Schedule,
    /// A file with credentials.
    Credential,
    /// A folder whose files are credentials, or belong to them.
    CredentialFolder,
    /// What runs when a shell or a session starts.
    Startup,
    /// Secrets of a project, such as `.env`.
    ProjectSecret,
    /// Settings of a project that the agent reads.
    ProjectSettings,
    /// The agent's own settings.
    Agent,
    /// The agent's own credentials.
    AgentSecret,
    /// What the agent keeps of its sessions, each for itself.
    AgentData,
    /// What git runs by itself.
    Hook,
    /// A device.
    Device,
    /// What the system says of processes.
    Process,
}

/// What stands at a path, where that is no ordinary place. The path has no `.` and `..`; a relative one
/// is somewhere in a project. Every rule is asked, whatever the home folders are: they add places and
/// free none. Only in a project the names of credentials are names like others.
pub(crate) fn place(
    path: &str,
    home: &str,
    agent_home: Option<&str>,
    in_project: bool,
) -> Option<Place> {
    let of_own_agent = || of_agent(below(path, agent_home?)?);
    let of_own_home = || of_home(below(path, home)?);
    of_own_agent()
        .or_else(of_own_home)
        .or_else(|| of_root(path))
        .or_else(|| of_anywhere(path).filter(|_| !in_project))
        .or_else(|| of_project(path))
}

/// The rest of a path below a folder; empty for the folder itself. Nothing is below `/` or an empty
/// folder: everything would be.
pub(crate) fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let folder = folder.trim_end_matches('/');
    let rest = path.strip_prefix(folder).filter(|_| !folder.is_empty())?;
    if rest.is_empty() {
        Some("")
    } else {
        rest.strip_prefix('/')
    }
}

/// Whether a file in a folder of credentials is no secret itself.
pub(crate) fn is_public_part(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or("");
    let public = [
        "known_hosts",
        "config",
        "authorized_keys",
        "known_hosts.old",
    ];
    name.rsplit('.').next() == Some("pub") || path.contains("/.ssh/") && public.contains(&name)
}

fn first_part(path: &str) -> &str {
    path.split('/').next().unwrap_or("")
}

fn of_root(path: &str) -> Option<Place> {
    let path = path
        .strip_prefix("/private")
        .filter(|rest| rest.starts_with('/'))
        .unwrap_or(path);
    let rest = path.strip_prefix('/')?;
    let in_folder = |folder: &str| below(rest, folder).is_some();
    match first_part(rest) {
        "etc"
            if in_folder("etc/cron.d")
                || rest.starts_with("etc/cron")
                || in_folder("etc/anacrontab") =>
        {
            Some(Place::System)
        }
        "etc" | "boot" | "bin" | "sbin" | "lib" | "lib64" | "lib32" | "System" => {
            Some(Place::System)
        }
        "usr"
            if [
                "usr/lib",
                "usr/bin",
                "usr/sbin",
                "usr/lib64",
                "usr/libexec",
                "usr/share",
            ]
            .iter()
            .any(|it| in_folder(it)) =>
        {
            Some(Place::System)
        }
        "Library" if in_folder("Library/LaunchDaemons") || in_folder("Library/LaunchAgents") => {
            Some(Place::System)
        }
        "var" if in_folder("var/spool/cron") || in_folder("var/at") => Some(Place::Schedule),
        "var" | "run"
            if rest.ends_with("docker.sock")
                || rest.ends_with("containerd.sock")
                || rest.ends_with("podman.sock") =>
        {
            Some(Place::System)
        }
        "var" if in_folder("var/db/sudo") || in_folder("var/lib/dpkg") => Some(Place::System),
        "dev" => Some(Place::Device),
        "proc" | "sys" => Some(Place::Process),
        "root" => of_home(rest.strip_prefix("root/").unwrap_or("")),
        "home" | "Users" => {
            let user = rest.split_once('/')?.1;
            of_home(user.split_once('/')?.1)
        }
        // The home folder of who has none.
        _ => of_home(rest),
    }
}

/// Keys wherever they stand: the home folder may be another one than is said.
fn of_anywhere(path: &str) -> Option<Place> {
    const FOLDERS: [&str; 3] = [".ssh", ".gnupg", ".password-store"];
    const FILES: [&str; 4] = [".netrc", "_netrc", ".pgpass", ".git-credentials"];
    if path.split('/').any(|part| FOLDERS.contains(&part)) {
        return Some(Place::CredentialFolder);
    }
    let name = path.rsplit('/').next().unwrap_or("");
    let is_key = FILES.contains(&name) || path.ends_with("/.aws/credentials");
    is_key.then_some(Place::Credential)
}

fn of_home(rest: &str) -> Option<Place> {
    const CREDENTIAL_FOLDERS: [&str; 10] = [
        ".ssh",
        ".aws",
        ".gnupg",
        ".kube",
        ".docker",
        ".azure",
        ".config/gh",
        ".config/gcloud",
        ".password-store",
        ".local/share/keyrings",
    ];
    const CREDENTIALS: [&str; 16] = [
        ".netrc",
        "_netrc",
        ".pgpass",
        ".npmrc",
        ".pypirc",
        ".git-credentials",
        ".my.cnf",
        ".vault-token",
        ".cargo/credentials",
        ".cargo/credentials.toml",
        ".gem/credentials",
        ".config/hub",
        ".config/git/credentials",
        ".terraformrc",
        ".s3cfg",
        ".boto",
    ];
    const STARTUP: [&str; 25] = [
        ".bashrc",
        ".bash_profile",
        ".bash_login",
        ".bash_logout",
        ".bash_aliases",
        ".profile",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        ".zlogin",
        ".zlogout",
        ".kshrc",
        ".cshrc",
        ".tcshrc",
        ".login",
        ".inputrc",
        ".xinitrc",
        ".xprofile",
        ".xsession",
        ".xsessionrc",
        ".config/fish/config.fish",
        ".gitconfig",
        ".config/git/config",
        ".vimrc",
        ".pam_environment",
    ];
    const STARTUP_FOLDERS: [&str; 6] = [
        ".config/autostart",
        ".config/systemd/user",
        "Library/LaunchAgents",
        ".config/fish/conf.d",
        ".config/fish/functions",
        ".bashrc.d",
    ];
    let file = rest.trim_end_matches('/');
    if CREDENTIAL_FOLDERS
        .iter()
        .any(|folder| below(file, folder).is_some())
    {
        return Some(Place::CredentialFolder);
    }
    if CREDENTIALS.contains(&file) {
        return Some(Place::Credential);
    }
    if STARTUP.contains(&file)
        || STARTUP_FOLDERS
            .iter()
            .any(|folder| below(file, folder).is_some())
    {
        return Some(Place::Startup);
    }
    // The agent's own folders, where they are nowhere else.
    below(file, ".local/state/hermes")
        .map(of_state)
        .or_else(|| below(file, ".config/hermes").map(|_| Place::Agent))
        .or_else(|| below(file, ".hermes").and_then(of_agent))
}

/// What stands at a path below the folder of the agent's state.
pub(crate) fn of_state(rest: &str) -> Place {
    match first_part(rest) {
        "mcp" => Place::AgentSecret,
        "results" | "checkpoints" => Place::AgentData,
        _ => Place::Agent,
    }
}

fn of_agent(rest: &str) -> Option<Place> {
    const SECRETS: [&str; 12] = [
        ".env",
        "auth.json",
        "auth.lock",
        ".anthropic_oauth.json",
        "mcp-tokens",
        "tokens",
        "credentials",
        "credentials.json",
        "pairing",
        "oauth.json",
        ".credentials.json",
        "google_token.json",
    ];
    const SETTINGS: [&str; 7] = [
        "config.yaml",
        "config.yml",
        "config.toml",
        "hermes.toml",
        "state.db",
        "sessions",
        "skills/.hub",
    ];
    let inside = |names: &[&str]| names.iter().any(|name| below(rest, name).is_some());
    // A profile has the same files.
    if let Some(profile) = rest.strip_prefix("profiles/")
        && let Some((_, rest)) = profile.split_once('/')
    {
        return of_agent(rest);
    }
    if inside(&SECRETS) || first_part(rest).starts_with(".env") {
        Some(Place::AgentSecret)
    } else if inside(&SETTINGS) {
        Some(Place::Agent)
    } else {
        None
    }
}

fn of_project(path: &str) -> Option<Place> {
    let name = path.rsplit('/').next().unwrap_or("");
    if is_env_file(name) {
        return Some(Place::ProjectSecret);
    }
    let mut parts = path.split('/').rev().skip(1).zip(path.split('/').rev());
    let in_git =
        parts.any(|(folder, inside)| folder == ".git" && matches!(inside, "hooks" | "config"));
    if in_git {
        return Some(Place::Hook);
    }
    matches!(name, "config.yaml" | "config.yml").then_some(Place::ProjectSettings)
}

/// Whether a name is that of a file with a project's secrets. Examples are none.
pub(crate) fn is_env_file(name: &str) -> bool {
    const FREE: [&str; 7] = [
        "example", "sample", "template", "dist", "default", "defaults", "schema",
    ];
    let name = name.to_ascii_lowercase();
    if name == ".envrc" {
        return true;
    }
    let Some(rest) = name.strip_prefix(".env") else {
        return false;
    };
    match rest.strip_prefix('.') {
        None => rest.is_empty(),
        Some(kind) => !FREE
            .iter()
            .any(|free| kind.split('.').any(|part| part == *free)),
    }
}
