//! The folders of `hermes` itself: its settings, and what it knows of servers and of other sessions. A command
//! that changed them could trust a server, or switch its own confinement off.

use std::path::{Path, PathBuf};

/// What of the state no command reads: tokens, and what belongs to other sessions.
const SECRET: [&str; 3] = ["checkpoints", "mcp", "results"];

/// Where those folders are for a session.
#[derive(Debug, Clone, Default)]
pub(super) struct Own {
    settings: Vec<PathBuf>,
    state: Vec<PathBuf>,
    /// The folder of checkpoints that the environment names.
    checkpoints: Option<PathBuf>,
    /// The stored results of the session itself, which its commands may read.
    pub(super) results: Vec<PathBuf>,
}

impl Own {
    /// Those that the environment names, and those below the home folder: either may be where another
    /// `hermes` looks. `read_only` are the roots of the session that are only read.
    pub(super) fn new(
        variable: impl Fn(&str) -> Option<String>,
        home: Option<&Path>,
        read_only: impl IntoIterator<Item = PathBuf>,
    ) -> Self {
        let named = |name: &str| {
            let path = variable(name).map(PathBuf::from);
            path.filter(|path| path.is_absolute() && path.parent().is_some())
        };
        let folders = |name: &str, below_home: &str| -> Vec<PathBuf> {
            let below_home = home.map(|home| home.join(below_home));
            let all = named(name).into_iter().chain(below_home);
            all.map(|it| it.join("hermes")).collect()
        };
        let mut settings = folders("XDG_CONFIG_HOME", ".config");
        settings.extend(home.map(|home| home.join(".hermes")));
        settings.extend(named("HERMES_HOME"));
        let mut own = Self {
            settings,
            state: folders("XDG_STATE_HOME", ".local/state"),
            checkpoints: named("HERMES_CHECKPOINTS"),
            results: Vec::new(),
        };
        let read_only = read_only.into_iter();
        own.results = read_only
            .filter(|root| {
                let mut state = own.state.iter();
                state.any(|state| root.starts_with(state.join("results")))
            })
            .collect();
        own
    }

    /// All of them, which no command changes.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let all = self.settings.iter().chain(&self.state);
        all.chain(&self.checkpoints).cloned().collect()
    }

    /// What no command reads.
    pub(super) fn hidden(&self) -> impl Iterator<Item = PathBuf> {
        let state = self.state.iter();
        let secret = state.flat_map(|state| SECRET.iter().map(|name| state.join(name)));
        secret.chain(self.checkpoints.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_environment_names_is_kept_beside_what_is_below_home() {
        let variable = |name: &str| match name {
            "XDG_STATE_HOME" => Some("/data/state".to_owned()),
            "XDG_CONFIG_HOME" => Some("relative".to_owned()),
            "HERMES_CHECKPOINTS" => Some("/data/kept".to_owned()),
            _ => None,
        };
        let roots = ["/data/state/hermes/results/place-1", "/work/manuals"].map(PathBuf::from);
        let own = Own::new(variable, Some(Path::new("/home/dev")), roots);
        let expected = [
            "/home/dev/.config/hermes",
            "/home/dev/.hermes",
            "/data/state/hermes",
            "/home/dev/.local/state/hermes",
            "/data/kept",
        ];
        assert_eq!(own.folders(), expected.map(PathBuf::from));
        let expected = [
            "/data/state/hermes/checkpoints",
            "/data/state/hermes/mcp",
            "/data/state/hermes/results",
            "/home/dev/.local/state/hermes/checkpoints",
            "/home/dev/.local/state/hermes/mcp",
            "/home/dev/.local/state/hermes/results",
            "/data/kept",
        ];
        assert_eq!(
            own.hidden().collect::<Vec<_>>(),
            expected.map(PathBuf::from)
        );
        assert_eq!(
            own.results,
            [Path::new("/data/state/hermes/results/place-1")]
        );
    }
}
